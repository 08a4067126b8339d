"""Hashes of values and rows: equal for equal values, and for nothing else."""

import numpy as np
import pytest

from bough.holdout import copy_numbers, row_hashes
from bough.schema import MISSING_INTEGER
from bough.table import open_source
from bough.table.column import Choices, Integers, Moments, Numbers

THREE = [
    Numbers(np.array([3.0])),
    Numbers(np.array([3.0], np.float32)),
    Integers(np.array([3], np.int8)),
    Integers(np.array([3], np.uint64)),
    Choices(("3",), np.array([0])),
    Choices((2, 3), np.array([1])),
    Choices((2.5, 3.0), np.array([1], np.int8)),
]
MISSING = [
    Numbers(np.array([np.nan])),
    Integers(np.array([3]), np.array([True])),
    Choices(("3",), np.array([-1])),
    Choices((), np.array([-1])),
    Moments(np.array([MISSING_INTEGER])),
]
OTHERS = [
    Numbers(np.array([4.0])),
    Choices(("03",), np.array([0])),
    Choices(("3.0",), np.array([0])),
    Choices(("three",), np.array([0])),
    Choices(("missing",), np.array([0])),
    Choices((False, True), np.array([0])),
    Choices((False, True), np.array([1])),
    Integers(np.array([1])),
    Integers(np.array([0])),
    Moments(np.array([3])),
    Integers(np.array([2**53 + 1])),
    Integers(np.array([2**53 + 2])),
    Integers(np.array([2**63 - 1])),
    Integers(np.array([2**64 - 1], np.uint64)),
    Numbers(np.array([2.0**63])),
]


def name(column):
    return f"{type(column).__name__}-{column.values}"


@pytest.mark.parametrize("column", THREE, ids=name)
def test_three_is_three_in_every_column(column):
    assert column.hashes() == THREE[0].hashes()


@pytest.mark.parametrize("column", MISSING, ids=name)
def test_a_missing_value_is_missing_in_every_column(column):
    assert column.hashes() == MISSING[0].hashes()


def test_other_values_have_other_hashes():
    found = [int(each.hashes()[0]) for each in [THREE[0], MISSING[0], *OTHERS]]
    assert len(set(found)) == len(found)


def test_zero_has_no_sign():
    assert len(set(Numbers(np.array([0.0, -0.0])).hashes().tolist())) == 1


def test_an_integer_that_a_float_equals_is_that_float():
    integer, number = Integers(np.array([-(2**63), 2**60])), Numbers(np.array([-(2.0**63), 2**60]))
    assert (integer.hashes() == number.hashes()).all()


def test_other_values_of_the_column_do_not_matter():
    text, more = Choices(("b", "a"), np.array([1, 0])), Choices(("a", "b", "7"), np.array([0, 1]))
    assert (text.hashes() == more.hashes()).all()


def test_text_that_is_no_text_has_a_hash():
    assert len(Choices(("\ud800",), np.array([0])).hashes()) == 1


def columns(table):
    source = open_source(table)
    return {each: source.column(number) for number, each in enumerate(source.names)}


TABLE = {"age": [3, 4, None], "sex": ["m", "f", "m"], "name": ["f", "m", "m"]}


def test_the_order_of_columns_does_not_matter_to_a_row():
    turned = dict(reversed(TABLE.items()))
    assert (row_hashes(columns(TABLE)) == row_hashes(columns(turned))).all()


def test_the_order_of_rows_turns_the_hashes():
    turned = {name: cells[::-1] for name, cells in TABLE.items()}
    assert (row_hashes(columns(TABLE))[::-1] == row_hashes(columns(turned))).all()


def test_values_that_change_columns_make_another_row():
    swapped = TABLE | {"sex": TABLE["name"], "name": TABLE["sex"]}
    same = row_hashes(columns(TABLE)) == row_hashes(columns(swapped))
    assert same.tolist() == [False, False, True]


def test_columns_that_repeat_each_other_do_not_cancel_out():
    twins = {"a": [1, 2, 3], "b": [1, 2, 3]}
    assert len(set(row_hashes(columns(twins)).tolist())) == 3


def test_another_seed_gives_unrelated_hashes():
    named = {"x": Integers(np.arange(2000))}
    one, other = (np.argsort(np.argsort(row_hashes(named, seed))) for seed in (0, 1))
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.1


def test_hashes_are_spread_evenly():
    high = row_hashes({"x": Integers(np.arange(64_000))}) >> np.uint64(58)
    counts = np.bincount(high.astype(int), minlength=64)
    assert np.abs(counts - 1000).max() < 4.5 * np.sqrt(1000)


def test_hashes_stay_the_same_for_ever():
    assert [f"{each:016x}" for each in row_hashes(columns(TABLE)).tolist()] == [
        "edd2d646d5c1fcc3",
        "ed4a45f09fa75d6e",
        "fb10499a4ce2a3bc",
    ]


def test_copies_are_numbered_from_0():
    assert copy_numbers(np.array([5, 1, 5, 2, 1, 5], np.uint64)).tolist() == [0, 0, 1, 0, 1, 2]


def test_no_rows_have_no_copies():
    assert len(copy_numbers(np.array([], np.uint64))) == 0
