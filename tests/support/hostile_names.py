"""Names that have broken pages before, in the place of plain ones."""

import json
import random

import bough
from bough.evidence import ColumnLook
from bough.exports.model_file import dumps, loads
from bough.exports.model_file_evidence import evidence_about
from bough.report.subject import Subject

HOSTILE = [
    "a</script><script>alert(1)</script>",
    "b\"quotes' and `ticks`",
    "c<b>&amp;<!--",
    "d😀👩‍👩‍👧 größe 数",
    "e" + "x" * 200,
    "f\u202eevil\u2066 \u05d0\u05d1\u05d2",
    "g\nnew\r\nline\ttab",
    "h{{ 7 * 7 }}{% endif %}",
    "i\x1b[31m\x07",
]
PLAIN = [f"{name[0]}Qq" for name in HOSTILE]


def plain_result(n_rows=400, seed=7):
    """Learn from a table whose columns, values and classes have plain names."""
    chance = random.Random(seed)
    table = {name: [chance.choice(PLAIN[:3]) for _ in range(n_rows)] for name in PLAIN[:4]}
    for name in PLAIN[4:]:
        table[name] = [chance.choice([None, *range(50)]) for _ in range(n_rows)]
    labels = []
    for row in range(n_rows):
        kind, amount = PLAIN.index(table["aQq"][row]), table["eQq"][row] or 0
        sure = kind + (3 if amount > 25 else 0)
        labels.append(PLAIN[sure if chance.random() < 0.9 else chance.randrange(7)])
    return bough.fit(table | {"zQq": labels}, "zQq")


def renamed_subject(result, names):
    """Return what a report is about, had every plain name been another one."""
    to = dict(zip(PLAIN, names, strict=True))
    model = loads(json.dumps(_renamed(json.loads(dumps(result.saved)), to)).encode())
    columns = [
        ColumnLook(to.get(column.name, column.name), column.kind, column.role, column.n_missing)
        for column in result.columns
    ]
    evidence = evidence_about(model.tree, model.evidence)
    return Subject(model.tree, evidence, to["aQq"], columns)


def _renamed(value, to):
    if isinstance(value, dict):
        return {_renamed(key, to): _renamed(each, to) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, to) for each in value]
    if not isinstance(value, str):
        return value
    if value == "<U3":  # the type of the classes
        return f"<U{max(len(name) for name in to.values())}"
    for old, new in to.items():
        value = value.replace(old, new)
    return value
