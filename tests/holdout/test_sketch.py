"""The few hashes by which rows are known again."""

import numpy as np
import pytest

from bough.holdout import is_chance, merged, n_equal, row_hashes, sketch, split_rows
from bough.table.column import Integers

ROWS = row_hashes({"x": Integers(np.arange(30_000))})


def test_a_sketch_has_at_most_k_hashes():
    assert [len(sketch(ROWS[:n])) for n in (0, 3, 256, 257, 30_000)] == [0, 3, 256, 256, 256]


def test_the_order_of_rows_does_not_matter():
    assert sketch(ROWS) == sketch(ROWS[::-1])


@pytest.mark.parametrize("n", [0, 100, 200, 256])
def test_few_rows_are_counted_exactly(n):
    assert n_equal(ROWS[:1000], sketch(ROWS[:n]), n) == n


def test_all_rows_of_many_are_counted_exactly():
    assert n_equal(ROWS[:12_000], sketch(ROWS[:10_000]), 10_000) == 10_000


@pytest.mark.parametrize("n", [2_000, 5_000, 9_000])
def test_some_rows_of_many_are_counted_to_a_few_parts_in_a_hundred(n):
    assert n_equal(ROWS[-n:], sketch(ROWS[-10_000:]), 10_000) == pytest.approx(n, abs=1000)


def test_other_rows_are_not_known():
    assert n_equal(ROWS[:15_000], sketch(ROWS[15_000:]), 15_000) == 0


def test_less_than_a_hundredth_is_not_worth_a_word():
    assert is_chance(ROWS[:10_000], sketch(ROWS[9_950:20_000]))


def test_a_part_is_known_among_all_rows():
    test = ROWS[split_rows(ROWS).test]
    assert n_equal(ROWS, sketch(test), len(test)) == len(test)


def test_rows_placed_by_their_hashes_are_known_as_well_as_others():
    rows = ROWS[np.sort(split_rows(ROWS, shares=(0.5, 0.0, 0.5)).train)]
    assert n_equal(rows, sketch(ROWS), len(ROWS)) == pytest.approx(15_000, abs=3000)


def test_a_sketch_without_rows_knows_none_and_no_row_is_known():
    assert n_equal(ROWS, (), 0) == 0
    assert n_equal(ROWS[:0], sketch(ROWS), 30_000) == 0


@pytest.mark.parametrize("n", [100, 5000])
def test_sketches_of_parts_are_together_that_of_all(n):
    both = merged(sketch(ROWS[:n]), sketch(ROWS[n : n + 8000]))
    assert 200 < len(both) <= 512
    assert both == sketch(ROWS[: n + 8000], k=len(both))


def test_rows_equal_to_two_parts_are_counted_once():
    learnt, test = ROWS[:8000], ROWS[7000:10_000]
    assert n_equal(ROWS[:10_000], sketch(test), 3000, sketch(learnt)) == pytest.approx(
        2000, abs=600
    )


def with_copies(n, share, seed):
    """Rows of which a share equals another."""
    random = np.random.default_rng(seed)
    rows = random.integers(0, 2**63, n, dtype=np.uint64)
    n_copies = round(n * share / 2)
    rows[:n_copies] = rows[n_copies : 2 * n_copies]
    return random.permutation(rows)


@pytest.mark.parametrize("share", [0.05, 0.1, 0.3])
def test_copies_by_chance_accuse_nobody(share):
    accused = 0
    for seed in range(50):
        rows = with_copies(20_000, share, seed)
        accused += not is_chance(rows[10_000:], sketch(rows[:10_000]))
    assert accused <= 1


@pytest.mark.parametrize("share", [0.05, 0.1, 0.3])
def test_used_rows_are_found_among_copies(share):
    rows = with_copies(20_000, share, 0)
    known = sketch(rows[:10_000])
    assert not is_chance(rows[5_000:15_000], known)
    assert n_equal(rows[:10_000], known, 10_000) == 10_000
    assert n_equal(rows[5_000:15_000], known, 10_000) > 4000
