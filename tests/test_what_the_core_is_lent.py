"""What the core is lent is checked before it is used: a wrong code is an error, never a wrong place."""

import numpy as np
import pytest

from bough import DecisionTreeClassifier, _core
from bough.schema import core_features

N_ROWS = 40
NUMBERS = np.arange(float(N_ROWS))


def grown(**others):
    """Grow from one column, with some arguments that are others than right ones."""
    right = {
        "columns": [NUMBERS],
        "kinds": np.array([0], np.uint8),
        "n_choices": np.array([0], np.int32),
        "settings": {"criterion": "gini"},
        "n_threads": 1,
    }
    labels = {
        "classes": np.arange(N_ROWS, dtype=np.int32)[None] % 2,
        "n_classes": [2],
        "numbers": None,
        "weights": None,
    }
    labels |= {name: others.pop(name) for name in labels.keys() & others.keys()}
    return _core.grow(**right | others, labels=labels)


def codes(*values, dtype=np.int32):
    return np.resize(np.array(values, dtype), N_ROWS)


def as_choices(values, n_choices):
    kinds, counts = np.array([3], np.uint8), np.array([n_choices], np.int32)
    return {"columns": [values], "kinds": kinds, "n_choices": counts}


def test_what_is_right_is_grown():
    assert len(grown()["feature"]) == 2 * N_ROWS - 1
    assert len(grown(**as_choices(codes(0, 1, -1), 2))["feature"]) > 1


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ({"classes": codes(0, 5)[None]}, "a code is out of range"),
        ({"classes": codes(0, -1)[None]}, "a code is out of range"),
        ({"classes": np.stack([codes(0), codes(2)]), "n_classes": [3, 2]}, "a code is out of"),
        ({"n_classes": [2, 2]}, "a number of classes for each output"),
        ({"n_classes": []}, "a number of classes for each output"),
        ({"weights": np.ones(N_ROWS - 1)}, "a weight for each row"),
        ({"classes": None}, "labels are classes or numbers"),
        ({"numbers": NUMBERS[None]}, "labels are classes or numbers"),
        ({"settings": {"criterion": "squared_error"}}, "no criterion of these labels"),
        ({"settings": {"criterion": "unheard-of"}}, "no criterion of these labels"),
        ({"classes": None, "numbers": NUMBERS[None]}, "no criterion of these labels"),
        ({"classes": np.zeros((1, 0), np.int32)}, "there are no labels"),
        ({"classes": np.zeros((0, 9), np.int32), "n_classes": []}, "there are no labels"),
        ({"columns": [NUMBERS[1:]]}, "columns differ in length"),
        ({"columns": []}, "columns are missing"),
        ({"columns": [NUMBERS, NUMBERS]}, "columns have no kind"),
        ({"columns": NUMBERS[None, 1:]}, "columns differ in length"),
        ({"n_choices": np.array([0, 0], np.int32)}, "a number of choices for each"),
        ({"settings": {"criterion": "gini", "directions": [1, 1]}}, "a direction for each column"),
        (as_choices(codes(0, 2), 2), "a code is out of range"),
        (as_choices(codes(0, -2), 2), "a code is out of range"),
        (as_choices(codes(0, 127, dtype=np.int8), 2), "a code is out of range"),
        (as_choices(codes(0, 1), -1), "a code is out of range"),
        (as_choices(NUMBERS, 2), "a column has a type that its kind does not have"),
        ({"kinds": np.array([1], np.uint8)}, "a column has a type that its kind does not have"),
        ({"columns": [NUMBERS.astype(np.float16)]}, "a column has a type that its kind"),
        ({"columns": [NUMBERS.astype(np.uint64)]}, "a column has a type that its kind"),
    ],
)
def test_what_is_wrong_is_refused(others, message):
    with pytest.raises(ValueError, match=message):
        grown(**others)


@pytest.mark.parametrize(
    ("first_child", "n_children", "stops", "message"),
    [
        ([1, 3, 3], [2, 0, 0], [3], "a code is out of range"),
        ([1, 3, 3], [2, 0, 0], [-1], "a code is out of range"),
        ([1, 3, 3], [3, 0, 0], [1], "no node behind its parent"),
        ([0, 3, 3], [2, 0, 0], [1], "no node behind its parent"),
        ([1, 3, 3], [-1, 0, 0], [1], "no node behind its parent"),
        ([1, 3, 3], [2, 0], [1], "differ in length"),
        ([1, 3, 3], [2, 0, 0], [1, 1], "other labels"),
    ],
)
def test_links_that_lead_nowhere_are_refused(first_child, n_children, stops, message):
    arrays = (np.array(each, np.int32) for each in (first_child, n_children, stops))
    classes = np.zeros((1, 1), np.int32)
    labels = {"classes": classes, "n_classes": [1], "numbers": None, "weights": None}
    with pytest.raises(ValueError, match=message):
        _core.refill(*arrays, labels, {"criterion": "gini"}, n_threads=1)


def test_arrays_of_a_tree_that_differ_in_length_are_refused():
    tree = DecisionTreeClassifier().fit(NUMBERS[:, None], NUMBERS > 3).grown_tree_
    names = ("feature", "query_kind", "pivot", "pivot_int", "codes", "answers", "codes_start")
    links = ("first_child", "n_children", "missing_child")
    arrays = {name: getattr(tree, name) for name in (*names, *links)}
    arrays |= core_features(tree.schema.features)
    _core.Router(arrays)
    for name in ("query_kind", "pivot", "codes_start", *links, "n_choices"):
        with pytest.raises(ValueError, match="differ in length"):
            _core.Router(arrays | {name: arrays[name][1:]})
