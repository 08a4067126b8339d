"""Damages good model files in many ways, the same for the same seed."""

import json
import random
import re
import warnings
from contextlib import suppress
from functools import cache, partial

import handmade
import numpy as np
from fitted_files import fitted_files
from made_evidence import made_evidence

from bough.drawing.text import text
from bough.errors import BoughError, ModelFormatError
from bough.estimators import estimator_of
from bough.explain.row import explain
from bough.explain.rules_and_conditions import rules
from bough.exports import FORMATS, export
from bough.exports.model_file import Model, dumps, loads
from bough.interview import Interview
from bough.learn.evaluate import evaluate
from bough.predict import said_of, stops
from bough.schema import Kind
from bough.table import Table
from bough.walk import walk

NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
NUMBERS = [
    b"0", b"1", b"-1", b"2", b"3", b"7", b"-0.0", b"0.5", b"1.5", b"1e308", b"-1e308", b"1e999",
    b"5e-324", b"255", b"256", b"2147483647", b"2147483648", b"-2147483649", b"4294967296",
    b"9007199254740993", b"9223372036854775807", b"9223372036854775808", b"1" * 400, b"9" * 5000,
    b"null", b"true", b"NaN", b"Infinity", b'"0"', b"[]", b"{}", b"[0]",
]  # fmt: skip
TOKENS = [
    *NUMBERS, b",", b":", b'"', b"\\", b"{", b"}", b"[", b"]", b"\x00", b"\xff", b"\n", b"\\u0000",
    b"\\ud800", b'"x-a": 1,', b'"format": 2,', b"[" * 50, b'{"a":' * 50, b"\xef\xbb\xbf",
]  # fmt: skip
ODD = [0, 1, -1, 2, 3, 4, 7, 8, 12, 255, 2**31 - 1, -(2**31), 2**63, 0.5, 1e308, -1.0, None, True,
       "a", "", [], {}, [0], "<U3", "number", "choice", "ordered", "date", "month"]  # fmt: skip


@cache
def good_files():
    """Return the bytes of good files of every kind."""
    settings = {"criterion": "gini", "max_depth": None, "min_weight_fraction_leaf": 0.0}
    estimator = {"class": "DecisionTreeClassifier", "parameters": {"types": {"pairs": [["a", 1]]}}}
    trees = [make() for make in handmade.TREES.values()]
    made = [dumps(Model(tree, settings, estimator, made_evidence(tree))) for tree in trees]
    return [*made, *fitted_files()]


def damaged(chance, starts=None):
    """Return a damaged file; what happens to it depends on the state of `chance` alone."""
    data = chance.choice(starts or good_files())
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = chance.choice(DAMAGES)(chance, data)
    return data


def flip_a_bit(chance, data):
    at = chance.randrange(len(data) + 1)
    return (
        data[:at]
        + bytes([b ^ (1 << chance.randrange(8)) for b in data[at : at + 1]])
        + data[at + 1 :]
    )


def replace_a_byte(chance, data):
    at = chance.randrange(len(data) + 1)
    return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]


def cut_off(chance, data):
    return data[: chance.randrange(len(data) + 1)]


def delete_a_span(chance, data):
    first, last = _span(chance, data)
    return data[:first] + data[last:]


def repeat_a_span(chance, data):
    first, last = _span(chance, data)
    return data[:last] + data[first:last] + data[last:]


def move_a_span(chance, data):
    first, last = _span(chance, data)
    rest, at = data[:first] + data[last:], chance.randrange(len(data) - (last - first) + 1)
    return rest[:at] + data[first:last] + rest[at:]


def insert_a_token(chance, data):
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(TOKENS) + data[at:]


def edit_a_number(chance, data):
    first, last = _a_number(chance, data)
    return data[:first] + chance.choice(NUMBERS) + data[last:]


def nudge_a_number(chance, data):
    first, last = _a_number(chance, data)
    if not (number := data[first:last]):
        return data
    if b"." in number or b"e" in number.lower():
        new = repr(float(number) * chance.choice((0.5, 0.999999, 1.000001, 2, -1)))
    else:
        new = str(int(number[:4000]) + chance.choice((-2, -1, 1, 2)))
    return data[:first] + new.encode() + data[last:]


def swap_two_numbers(chance, data):
    a, b = _a_number(chance, data)
    c = d = b
    for _ in range(chance.choice((1, 1, 2, 5))):
        c, d = _number_from(d, data)
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _a_number(chance, data):
    """Return where a number begins and ends: the first one, or what is left of one, after a place."""
    return _number_from(chance.randrange(len(data) + 1), data)


def _number_from(place, data):
    found = NUMBER.search(data, place)
    return found.span() if found else (len(data), len(data))


def change_the_structure(chance, data):
    """Change one value, key or element of the document, however deep it lies."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return data
    place = document if isinstance(document, (dict, list)) else []
    for _ in range(chance.choice((1, 2, 2, 2, 3, 4))):
        inner = [each for each in _values(place) if isinstance(each, (dict, list)) and each]
        if not inner:
            break
        place = chance.choice(inner)
    if isinstance(place, (dict, list)) and place:
        chance.choice(EDITS)(chance, place)
    return json.dumps(document, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")


def _set(chance, place):
    place[_key(chance, place)] = chance.choice(ODD)


def _remove(chance, place):
    del place[_key(chance, place)]


def _copy(chance, place):
    value = place[_key(chance, place)]
    if isinstance(place, list):
        place.insert(chance.randrange(len(place) + 1), value)
    else:
        place[chance.choice(("x-more", "more", *place))] = value


def _swap(chance, place):
    one, other = _key(chance, place), _key(chance, place)
    place[one], place[other] = place[other], place[one]


def _nudge(chance, place):
    key = _key(chance, place)
    if isinstance(place[key], (int, float)):
        place[key] += chance.choice((-1, 1, 2))


def _span(chance, data):
    first = chance.randrange(len(data) + 1)
    return first, min(first + chance.choice((1, 2, 5, 20, 100, 1000)), len(data))


def _values(place):
    return list(place.values()) if isinstance(place, dict) else place


def _key(chance, place):
    return chance.choice(list(place) if isinstance(place, dict) else range(len(place)))


EDITS = [_set, _remove, _copy, _swap, _nudge, _nudge]
DAMAGES = [
    flip_a_bit,
    replace_a_byte,
    cut_off,
    delete_a_span,
    repeat_a_span,
    move_a_span,
    insert_a_token,
    edit_a_number,
    nudge_a_number,
    swap_two_numbers,
    change_the_structure,
    change_the_structure,
]


def outcome(data, *, is_written=True, all_uses=False):
    """Load a file and use what it gives; return what was said, or nothing if it gave a tree.

    `is_written` also writes the model, reads it back and draws it; `all_uses` runs every command on it.
    """
    try:
        model = loads(data, "m.json")
    except ModelFormatError as error:
        return str(error)
    tree = model.tree
    reached = stops(tree, edge_rows(tree.schema))
    assert reached.min() >= 0
    assert reached.max() < len(tree)
    if is_written:
        again = dumps(model)
        assert dumps(loads(again)) == again
        assert sorted(step.node.id for step in walk(tree)) == list(range(len(tree)))
        assert len(text(tree, digits=3).split("\n")) == len(tree) + 2
    if all_uses:
        use(model)
    return ""


def use(model):
    """Do with a model what every command does; what it refuses, it refuses in its own words."""
    rows = edge_rows(model.tree.schema)
    uses = [
        *(partial(export, model, name) for name in FORMATS if name != "png"),
        lambda: explain(model.tree, rows),
        lambda: rules(model.tree),
        lambda: Interview(model.tree, missing=model.missing).question,
        lambda: said_of(model.tree, rows, missing=model.missing),
        lambda: estimator_of(model, "m.json").feature_importances_,
        lambda: evaluate(model, _labelled(model.tree.schema)),
    ]
    for each in uses:
        with suppress(BoughError), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of columns without names
            each()


def _labelled(schema):
    """Return a small table with a column for each name, whatever it may be."""
    cells = {name: [None, 1.5, "a"] for name in schema.columns}
    return cells | {label.name: [*label.classes, 1.0, 1.0, 1.0][:3] for label in schema.labels}


def edge_rows(schema):
    """Return rows with the values at which a tree could go wrong."""
    values = [_edge_values(feature) for feature in schema.features]
    return Table(schema.columns, schema.named, schema.features, tuple(values), 8)


def _edge_values(feature):
    if feature.kind is Kind.NUMBER:
        largest = np.finfo(float).max
        return np.array([np.nan, -largest, -0.0, 0.0, 10.5, 40.25, largest, 5e-324])
    if feature.kind.is_integer:
        return np.array([-(2**63), 2**63 - 1, 0, 1, -1, 2**53, 2**53 + 1, 1 - 2**63])
    last = len(feature.choices) - 1
    return np.array([-2, -1, *(min(code, last) for code in range(6))], np.int32)


def try_damages(seed, count):
    """Try files made from a seed; return how many gave a tree. A wrong outcome names its file."""
    n_trees = 0
    for number in range(count):
        data = damaged(random.Random(f"{seed} {number}"))
        try:
            n_trees += not outcome(data, all_uses=number % 100 == 0)
        except Exception as error:
            raise AssertionError(f"file {number} of seed {seed}: {error!r}\n{data!r}") from error
    return n_trees
