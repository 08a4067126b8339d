"""Rows given to a finished tree: used before, from elsewhere, with values it never saw."""

import datetime as dt

import numpy as np
import pytest
from audit import class_labels

from bough.checks.new_rows import SeenBefore, other_shares, outside_ranges, unseen_values, used_rows
from bough.checks.note_words import note_mark
from bough.grow import grow
from bough.predict import stops
from bough.settings import Settings
from bough.table import read, read_like

GINI = Settings(criterion="gini")

# --- Rows used before --------------------------------------------------------------------------------


def test_rows_that_made_the_tree_are_counted():
    assert [(note.code, note.text) for note in used_rows(1309, SeenBefore(1030, 0))] == [
        (
            "B207",
            "About 1,030 of 1,309 rows are equal to rows that this tree learnt from, more than chance explains: expect worse on new rows",
        )
    ]


def test_sealed_rows_are_counted():
    assert [(note.code, note.text) for note in used_rows(262, SeenBefore(0, 262))] == [
        (
            "B206",
            "About 262 of 262 rows are equal to test rows of this tree. If you pick a model by this score, its original estimate no longer holds",
        )
    ]


def test_new_rows_are_not_named():
    assert used_rows(1000, SeenBefore(0, 0)) == []


def test_rows_that_equal_others_by_chance_are_no_reproach():
    (note,) = used_rows(3249, SeenBefore(643, 0, is_chance=True))
    assert note.text == (
        "About 643 of 3,249 rows are equal to rows that this tree learnt from, about as many as chance explains"
    )
    assert note_mark(note) == "  "
    assert used_rows(3249, SeenBefore(3, 0, is_chance=True)) == []


# --- Shares at the leaves ----------------------------------------------------------------------------


def grown(seed, n=2000, **settings):
    random = np.random.default_rng(seed)
    values = random.normal(size=(n, 3))
    labels = (values[:, 0] + random.normal(size=n) > 0).astype(int)
    return grow(read(values), class_labels(labels), Settings(criterion="gini", **settings))


def shares_of(tree, rows):
    return other_shares(tree, stops(tree, read_like(rows, tree.schema)))


@pytest.mark.parametrize("max_depth", [1, 4, None])
@pytest.mark.parametrize("seed", range(10))
def test_rows_from_the_same_source_are_not_named(seed, max_depth):
    tree = grown(seed, max_depth=max_depth)
    rows = np.random.default_rng(100 + seed).normal(size=(1000, 3))
    assert shares_of(tree, rows) == []


@pytest.mark.parametrize("max_depth", [1, 4, None])
def test_rows_from_elsewhere_are_named(max_depth):
    rows = np.random.default_rng(0).normal(0.5, size=(1000, 3))
    (note,) = shares_of(grown(0, max_depth=max_depth), rows)
    assert note.code == "B208"


def test_the_leaf_whose_share_moved_most_is_named():
    tree = grow(read({"x": [1, 3] * 100}), class_labels([0, 1] * 100), GINI)
    assert [note.text for note in other_shares(tree, np.repeat([1, 2], [90, 10]))] == [
        "These rows differ from the training rows: 90 % instead of 50 % "
        "stop at x < 2. They may come from another source"
    ]


def test_a_long_trail_is_cut_and_hostile_names_are_escaped():
    bits = (np.arange(160)[:, None] >> np.arange(4)) % 2
    columns = {f"b\n{number}": bits[:, number] for number in range(4)}
    tree = grow(read(columns), class_labels(np.arange(160) % 16), GINI)
    (note,) = other_shares(tree, np.full(100, len(tree) - 1))
    assert note.text == (
        "These rows differ from the training rows: 100 % instead of 6 % stop at "
        r"…, 'b\n1' ≥ 0.5, 'b\n2' ≥ 0.5, 'b\n3' ≥ 0.5. They may come from another source"
    )


def test_a_slight_move_of_many_rows_is_not_named():
    tree = grow(read({"x": [1, 3] * 50_000}), class_labels([0, 1] * 50_000), GINI)
    assert other_shares(tree, np.repeat([1, 2], [54_000, 46_000])) == []


def test_a_few_rows_say_nothing():
    tree = grow(read({"x": [1, 3] * 100}), class_labels([0, 1] * 100), GINI)
    assert other_shares(tree, np.full(49, 1)) == []


def test_a_single_leaf_gets_all_rows():
    assert other_shares(grown(0, max_depth=0), np.zeros(100, int)) == []


# --- Unseen values and numbers outside the range -----------------------------------------------------


def test_unseen_values_are_counted_by_feature():
    assert [note.text for note in unseen_values({"embarked": 1}, 418)] == [
        "embarked: 1 of 418 rows has a value that its node never saw in training; it gets the "
        "prediction of that node"
    ]


def test_unseen_values_of_several_features_are_one_note():
    (note,) = unseen_values({"embarked": 1, "a b": 418}, 418)
    assert note.columns == ("embarked", "a b")
    assert note.text == (
        "2 features have values that a node never saw in training: embarked (1 of 418 rows), "
        "'a b' (all 418 rows). These rows get the prediction of that node"
    )


def test_no_unseen_value_is_no_note():
    assert unseen_values({}, 418) == []


def test_numbers_outside_the_range_are_counted():
    table = read({"age": [-1.0, 0.17, 80.0, 81.0, np.nan], "big": [2**60] * 5})
    ranges = {"age": (0.17, 80.0), "big": (0.0, 2.0**60)}
    assert [note.text for note in outside_ranges(table, ranges)] == [
        "age: 2 of 5 rows are outside the training range (0.17 to 80)"
    ]


def test_several_features_outside_their_range_are_one_note():
    table = read({"age": [3, 95], "fare": [1, 900]})
    (note,) = outside_ranges(table, {"age": (1, 80), "fare": (0, 500)})
    assert note.columns == ("age", "fare")
    assert note.text == (
        "2 features are outside their training range: age (1 of 2 rows, range 1 to 80), "
        "fare (1 of 2 rows, range 0 to 500)"
    )


def test_dates_outside_the_range_are_counted():
    days = [dt.date(2024, 1, day) for day in (1, 2, 3)]
    table = read({"when": days})
    ranges = {"when": tuple(float(moment) for moment in table.values[0][:2])}
    assert [note.text for note in outside_ranges(table, ranges)] == [
        "when: 1 of 3 rows is outside the training range (2024-01-01 to 2024-01-02)"
    ]


def test_missing_dates_are_not_outside():
    table = read({"when": [dt.date(2024, 1, 1), None]})
    assert outside_ranges(table, {"when": (0.0, 2e15)}) == []


def test_features_without_a_range_are_passed_over():
    assert outside_ranges(read({"a": [1.0], "b": ["x"]}), {"b": (0.0, 0.0)}) == []
