"""A tree that is refilled asks the same, and says what other rows tell."""

import numpy as np
import pytest
from growths import differences, random_growths, violations

from bough.grow import refilled
from bough.predict import stops


def refilled_from(growth, rows, n_jobs=1):
    """Refill the tree of a growth from some of its rows."""
    part = growth.take(rows)
    found = stops(growth.tree, part.table)
    return refilled(growth.tree, found, part.labels, growth.settings, n_jobs=n_jobs)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_from_its_own_rows_a_tree_is_refilled_to_the_last_bit(n_jobs):
    assert not violations(
        lambda growth: (
            not differences(
                growth.tree, refilled_from(growth, growth.rng.permutation(growth.n_rows), n_jobs)
            )
        ),
    )


def test_rows_taken_twice_count_twice():
    assert not violations(
        lambda growth: np.allclose(
            refilled_from(growth, np.repeat(np.arange(growth.n_rows), 2)).tally,
            2 * growth.tree.tally,
        )
    )


def test_a_leaf_without_rows_is_refused():
    growth = next(each for each in random_growths() if len(each.tree) > 1)
    left_out = stops(growth.tree, growth.table) != len(growth.tree) - 1
    with pytest.raises(ValueError, match="a node has no rows"):
        refilled_from(growth, np.flatnonzero(left_out))
