"""What bough sees in a table before anything is grown."""

import made_tables as made
import pytest

import bough
from bough.learn.check_table import check


def test_each_column_has_a_kind_and_a_role():
    found = check({**made.classes(100), "same": [1] * 100}, "label")
    assert [(each.name, each.kind, each.role) for each in found.columns] == [
        ("size", "number", "feature"),
        ("color", "category", "feature"),
        ("junk", "number", "feature"),
        ("label", "category", "target"),
        ("same", "number", "left out"),
    ]


def test_values_and_missing_cells_are_counted():
    table = made.classes(100)
    table["color"][:7] = [None] * 7
    found = check(table)
    assert found.n_distinct["color"] == 3
    assert found.columns[1].n_missing == 7


def test_a_leak_is_seen_with_the_target():
    table = made.classes(1000)
    table["code"] = [{"yes": "Y", "no": "N"}[label] for label in table["label"]]
    assert "B101" in [note.code for note in check(table, "label").notes]
    assert "B101" not in [note.code for note in check(table).notes]


def test_an_ignored_check_is_not_made():
    table = {**made.classes(100), "same": [1] * 100}
    found = check(table, "label", ignore="B102")
    assert "B102" not in [note.code for note in found.notes]
    assert found.columns[-1].role == "feature"


def test_a_table_of_identifiers_can_be_looked_at_but_not_learnt_from():
    table = {"id": list(range(100)), "y": ["a", "b"] * 50}
    assert [each.role for each in check(table).columns] == ["left out", "feature"]
    with pytest.raises(bough.DataError) as error:
        bough.fit(table, "y")
    assert str(error.value) == (
        "No usable feature: every column is the target, ignored, constant or an identifier. Name the type of one to keep, as in types={'zip': 'category'}."
    )
