"""Rows at which exports are most easily wrong, trees with names that are, and a PostgreSQL server."""

import csv
import io
import random
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import handmade
import numpy as np
from edge_rows import edge_values

from bough.exports.replay import expected, replay, split
from bough.exports.rows_to_predict import Rows, fields_of
from bough.query_kinds import Below, EachValue, OneOf
from bough.schema import MISSING_INTEGER, Feature, Kind, Label, Part, Schema, date
from bough.table.dates import DAY

TOOLS = {"c": "cc", "javascript": "node", "java": "javac"}
MOMENTS = [-62_135_596_800_000_000, 253_402_300_799_999_999, -1, 0, 1, DAY - 1, DAY, -DAY]
AWKWARD = [
    "*/ int main", "??/", "\\", "\\u0022", "${x}", "`x`", "#{x}", "%s%n", "</script>", "--; DROP TABLE x",
    "'; --", '"""', "'''", "a\nb", "a\r\nb", "a\tb", "é", "e\u0301", "数", "😀", "\u2028", "\u202e", "\x7f",
    "\x01", "__proto__", "constructor", "class", "select", "None", "null", "NaN", " ", "  x  ", "&amp;", "{{ x }}",
    "/*", "//", "#include", "\ufeff", "0", "-1", "1e5", "true", "f\x1b[31m", "]]>", "<!--", "$1", "@x", "?", ":x",
]  # fmt: skip


def hostile_names(n, seed=0):
    """Return names that differ, also to databases that see only some letters of them."""
    chance = random.Random(seed)
    return [
        f"{number} {AWKWARD[number % len(AWKWARD)]}{chance.choice(AWKWARD)}" for number in range(n)
    ]


def hostile_columns(names):
    """Make a tree that asks about one column after the other."""
    features = [
        Feature(name, Kind.NUMBER, number)
        if number % 2
        else Feature(name, Kind.CHOICE, number, choices=(f"a{name}", name))
        for number, name in enumerate(names)
    ]
    schema = Schema(tuple(names), tuple(features), (Label(names[0], (names[1], names[2]), "<U60"),))
    below = handmade.leaf(0, 1, 1)
    for number, feature in reversed(list(enumerate(features))):
        query = (
            Below(feature, 0.5, missing=number % 3 % 2)
            if number % 2
            else OneOf(feature, (0,), (1,), missing=1)
        )
        below = handmade.branch(query, handmade.leaf(*([0] * (number % 4 + 1)), 1), below)
    return handmade.make_tree(schema, below)


def hostile_values(names):
    """Make a tree with a class for each of very many values."""
    feature = handmade.choice(names[0], *names)
    schema = Schema((names[0],), (feature,), (Label("y", tuple(names), "<U60"),))
    leaves = [handmade.leaf(number) for number in range(len(names))]
    return handmade.make_tree(
        schema, handmade.branch(EachValue(feature, tuple(range(len(names)))), *leaves)
    )


def truths_and_levels():
    """Make a tree about booleans, categories that are numbers, and every part of a date."""
    when = Feature("when", Kind.DATE, 2)
    truth = Feature("truth", Kind.CHOICE, 0, choices=(False, True))
    level = handmade.choice("level", -2.5, 0.0, 3.0, column=1)
    month = Feature("when month", Kind.ORDERED, 2, Part.MONTH, tuple("abcdefghijkl"))
    hour = Feature("when hour", Kind.NUMBER, 2, Part.HOUR)
    day = Feature("when weekday", Kind.ORDERED, 2, Part.WEEKDAY, tuple("abcdefg"))
    leaf, branch = handmade.leaf, handmade.branch
    root = branch(
        EachValue(truth, (0, 1), missing=2),
        branch(OneOf(level, (0, 2), (1,), missing=1), leaf(1.5, 2.5), leaf(0.1)),
        branch(
            Below(month, 6.5, missing=1),
            branch(Below(hour, 11.5), leaf(1.0), leaf(-7.25)),
            leaf(3.0),
        ),
        branch(
            Below(day, 4.5, missing=0),
            leaf(1 / 3, 9.0),
            branch(Below(when, 1.6e15), leaf(8.0), leaf(7.0)),
        ),
    )
    features = (truth, level, when, month, hour, day)
    return handmade.make_tree(Schema(("truth", "level", "when"), features, (Label("y"),)), root)


def rows_at_edges(tree, n_rows, seed=0):
    """Return rows in which every field has every value that is at an edge."""
    rng = np.random.default_rng(seed)
    fields = fields_of(tree)
    values = [rng.choice(_edges(tree, field, rng), n_rows) for field in fields]
    return Rows(fields, tuple(values), n_rows)


def _edges(tree, field, rng):
    if field.kind is Kind.DATE:
        pivots = [node.query.pivot for node in tree if isinstance(node.query, Below)]
        near = [int(pivot) + step for pivot in pivots for step in (-1, 0, 1)]
        near = [each for each in near if MOMENTS[0] <= each <= MOMENTS[1]]
        anywhere = rng.integers(MOMENTS[0], MOMENTS[1], 200)
        return np.array([*near, *MOMENTS, *anywhere, MISSING_INTEGER], np.int64)
    number = tree.schema.features.index(field)
    found = edge_values(tree, number)
    if field.kind is Kind.NUMBER:
        return np.append(found, [5e-324, -5e-324, 1e-300, 2.0**53 + 2, 0.1, 1 / 3])
    return (
        found[:-1] if len(field.choices) == 2 and True in field.choices else found
    )  # none is unseen


def differences(content, kind, tree, rows, **options):
    """Return the rows of which an export and the tree say different things, to the last bit."""
    found, wanted = replay(content, kind, tree, rows, options), expected(tree, rows.stops(tree))
    if options.get("expression"):
        return unlike(found.guesses, wanted.guesses)
    return unlike(found.guesses, wanted.guesses) + unlike(found.shares, wanted.shares)


def unlike(found, wanted):
    assert len(found) == len(wanted)
    return [at for at, pair in enumerate(zip(found, wanted, strict=True)) if pair[0] != pair[1]]


class Postgres:
    """A server of its own in a folder of its own, reached by a socket."""

    def __init__(self, folder, binaries):
        self.folder, self.binaries = folder, binaries

    def run(self, script, *copied):
        """Run a script in the shell of PostgreSQL, and return what it prints."""
        command = [
            f"{self.binaries}/psql",
            "-h",
            self.folder,
            "-U",
            "postgres",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
        ]
        text = script + "".join(copied)
        done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()[:2000]
        return done.stdout.decode()

    def replay(self, query, tree, rows):
        """Return what a query says of rows."""
        kinds = {str: "text", bool: "boolean", int: "bigint", float: "double precision"}
        types = [
            kinds[type(f.choices[0])] if f.choices else f.kind.sql.lower() for f in rows.fields
        ]
        names = [_quoted(tree.schema.columns[f.column]) for f in rows.fields]
        declared = ", ".join(f"{name} {kind}" for name, kind in zip(names, types, strict=True))
        lines = [
            ",".join(
                [str(n), *(_copied(f, cell) for f, cell in zip(rows.fields, row, strict=True))]
            )
            for n, row in enumerate(rows.cells())
        ]
        script = (
            f'DROP TABLE IF EXISTS data; CREATE TABLE data ("row number" bigint{", " * bool(names)}{declared});\n'
            "COPY data FROM STDIN (FORMAT csv);\n" + "\n".join(lines) + "\n\\.\n"
            f'COPY (SELECT * FROM ({query}) AS found ORDER BY "row number") TO STDOUT (FORMAT csv);\n'
        )
        width = sum(1 + len(label.classes) for label in tree.schema.labels)
        found = [row[-width:] for row in csv.reader(io.StringIO(self.run(script), newline=""))]
        return split(
            [_typed(row, tree.schema.labels) for row in found],
            [len(x.classes) for x in tree.schema.labels],
        )


def _typed(row, labels):
    """Return the cells of a row as values."""
    found, at = [], 0
    for label in labels:
        kind = type(label.classes[0]) if label.classes else float
        found.append(row[at] == "t" if kind is bool else kind(row[at]))
        found += [float(each) for each in row[at + 1 : at + 1 + len(label.classes)]]
        at += 1 + len(label.classes)
    return found


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'


def _copied(field, cell):
    if cell is None:
        return ""
    if field.kind is Kind.DATE:
        return date(cell)
    return _quoted(cell) if isinstance(cell, str) else repr(cell)


@contextmanager
def postgres():
    """Start a server and stop it; None if there is none to start."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    binaries = found[-1] if found else Path(shutil.which("postgres") or "/none/x").parent
    if not (binaries / "initdb").exists():
        yield None
        return
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        become = (
            ["runuser", "-u", "postgres", "--"]
            if Path("/root").stat().st_uid == 0 and _is_root()
            else []
        )
        if become:
            shutil.chown(folder, "postgres")
        data, log = f"{folder}/data", f"{folder}/log"
        control = [*become, f"{binaries}/pg_ctl", "-D", data, "-w"]
        make = [
            *become,
            f"{binaries}/initdb",
            "-D",
            data,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
        ]
        subprocess.run(make, check=True, capture_output=True)
        options = f"-k {folder} -c listen_addresses='' -c timezone=UTC -c fsync=off"
        subprocess.run(
            [*control, "-l", log, "-o", options, "start"], check=True, stdout=subprocess.DEVNULL
        )
        try:
            yield Postgres(folder, binaries)
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=True, capture_output=True)


def _is_root():
    import os

    return os.geteuid() == 0
