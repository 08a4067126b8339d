"""The few hashes by which rows are known again."""

import numpy as np
import pytest

from bough.holdout import n_known, row_hashes, sketch, split_rows
from bough.table.column import Integers

ROWS = row_hashes({"x": Integers(np.arange(30_000))})


def test_a_sketch_has_at_most_k_hashes():
    assert [len(sketch(ROWS[:n])) for n in (0, 3, 256, 257, 30_000)] == [0, 3, 256, 256, 256]


def test_the_order_of_rows_does_not_matter():
    assert sketch(ROWS) == sketch(ROWS[::-1])


@pytest.mark.parametrize("n", [0, 1, 200, 256])
def test_few_rows_are_counted_exactly(n):
    assert n_known(ROWS, sketch(ROWS[:n]), n) == n


def test_all_rows_of_many_are_counted_exactly():
    assert n_known(ROWS, sketch(ROWS[:10_000]), 10_000) == 10_000


@pytest.mark.parametrize("n", [2_000, 5_000, 9_000])
def test_some_rows_of_many_are_counted_to_a_few_parts_in_a_hundred(n):
    assert n_known(ROWS[-n:], sketch(ROWS[-10_000:]), 10_000) == pytest.approx(n, abs=1000)


def test_other_rows_are_not_known():
    assert n_known(ROWS[:15_000], sketch(ROWS[15_000:]), 15_000) == 0


def test_a_part_is_known_among_all_rows():
    test = ROWS[split_rows(ROWS).test]
    assert n_known(ROWS, sketch(test), len(test)) == len(test)


def test_rows_placed_by_their_hashes_are_known_as_well_as_others():
    rows = ROWS[np.sort(split_rows(ROWS, shares=(0.5, 0.0, 0.5)).train)]
    assert n_known(rows, sketch(ROWS), len(ROWS)) == pytest.approx(15_000, abs=3000)


def test_no_more_rows_are_known_than_there_are():
    assert n_known(ROWS[:10], sketch(ROWS), len(ROWS)) <= 10


def test_a_sketch_without_rows_knows_none():
    assert n_known(ROWS, (), 0) == 0
