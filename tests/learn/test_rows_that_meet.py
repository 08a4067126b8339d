"""The rows of a node, by the conditions that lead to it."""

import numpy as np
import pytest

import bough
from bough.learn.score_columns import rows_that_meet
from bough.query_kinds import EachValue
from bough.table import read
from bough.walk import trail

TABLE = {
    "age": [8, 30, None, 41.5],
    "sex and kind": ["m", "f, x", "m", "black and tan"],
    "size": ["S", "L", "M", None],
    "when": np.array(["2024-01-01", "2024-02-29", "2025-01-01", "2026-01-01"], "datetime64[us]"),
}
CONDITIONS = {
    "age < 30": [1, 0, 0, 0],
    "age < 30 or missing": [1, 0, 1, 0],
    "age ≥ 30": [0, 1, 0, 1],
    "age >= 41.5": [0, 0, 0, 1],
    "age = 8": [1, 0, 0, 0],
    "age is missing": [0, 0, 1, 0],
    "age is known and sex and kind = m": [1, 0, 0, 0],
    "sex and kind = black and tan": [0, 0, 0, 1],
    'sex and kind = "f, x"': [0, 1, 0, 0],
    "sex and kind = m, black and tan": [1, 0, 1, 1],
    "size before M": [1, 0, 0, 0],
    "size M or after": [0, 1, 1, 0],
    "size M or after or missing": [0, 1, 1, 1],
    "when before 2024-02-29": [1, 0, 0, 0],
    "when 2025-01-01 or later and age < 50": [0, 0, 0, 1],
}


@pytest.fixture(scope="module")
def table():
    return read(TABLE, types={"size": ["S", "M", "L"]})


@pytest.mark.parametrize("words", CONDITIONS)
def test_a_condition_picks_its_rows(table, words):
    assert rows_that_meet(table, words).astype(int).tolist() == CONDITIONS[words]


def test_several_conditions_must_all_hold(table):
    assert rows_that_meet(table, ["age < 40", "size before M"]).tolist() == [
        True,
        False,
        False,
        False,
    ]


MESSAGES = {
    "sex and kind = k": (
        "at='sex and kind = k': 'sex and kind' has no value 'k'. It has 'black and tan', 'f, x' "
        "and 'm'."
    ),
    "age < x": "at='age < x': 'x' is not a number.",
    "when before x": "at='when before x': 'x' is not a date.",
    "aeg < 3": (
        "at='aeg < 3' does not begin with a feature. Did you mean 'age'? Features: 'age', "
        "'sex and kind', 'size', 'when', 'when weekday' and 'when month'."
    ),
    "sex and kind < m": (
        "at='sex and kind < m' is not a condition on 'sex and kind'. Type one such as "
        "'sex and kind = value'."
    ),
    "age < 3": "No row meets at='age < 3'.",
}


@pytest.mark.parametrize("words", MESSAGES)
def test_what_is_no_condition_is_refused(table, words):
    with pytest.raises(bough.BoughError) as error:
        rows_that_meet(table, words)
    assert str(error.value) == MESSAGES[words]


@pytest.mark.parametrize("categorical", ["each", "group"])
def test_every_trail_that_a_tree_prints_leads_to_its_rows(categorical):
    penguins = bough.datasets.load("penguins")
    tree = bough.DecisionTreeClassifier(categorical=categorical).fit(penguins, penguins.labels)
    grown, table = tree.grown_tree_, read(penguins)
    for node in grown:
        steps = trail(grown, node.id)[1:]
        words = [f"{step.parent.query.feature.name} {step.answer}" for step in steps]
        assert int(rows_that_meet(table, " and ".join(words) if words else ()).sum()) == node.n_rows
    assert categorical == "group" or any(isinstance(node.query, EachValue) for node in grown)
