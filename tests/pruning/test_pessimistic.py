"""Pessimistic pruning, against limits that were worked out by hand."""

import growths
import handmade
import numpy as np
import pytest
from handmade import branch, leaf, make_tree
from small_trees import CLASSES, NUMBER, NUMBERS, random_tree

from bough.errors import ParameterError
from bough.pruning.ways import limits, pessimistic
from bough.query_kinds import Below
from bough.walk import fold


def limit(errors, n_rows, confidence=0.25):
    return float(limits(np.array([float(errors)]), np.array([float(n_rows)]), confidence)[0])


# Quinlan, 1993, chapter 4: the limits of the congressional votes.
@pytest.mark.parametrize(
    ("errors", "n_rows", "expected"), [(0, 6, 0.206), (0, 9, 0.143), (0, 1, 0.750), (1, 16, 0.157)]
)
def test_limits_are_those_of_the_book(errors, n_rows, expected):
    assert limit(errors, n_rows) == pytest.approx(expected, abs=5e-4)


def test_a_branch_of_the_book_becomes_a_leaf():
    # 6 × 0.206 + 9 × 0.143 + 1 × 0.750 = 3.273 errors, and 16 × 0.157 = 2.512 as a leaf.
    votes = branch(
        Below(NUMBER, 0.5),
        leaf(*[0] * 6),
        branch(Below(NUMBER, 0.7), leaf(*[0] * 9), leaf(1)),
    )
    assert pessimistic(make_tree(CLASSES, votes)).n_leaves == 1


def test_between_none_and_one_error_the_limit_lies_on_a_line():
    assert limit(0.25, 8) == pytest.approx(0.75 * limit(0, 8) + 0.25 * limit(1, 8))


def test_where_nearly_all_are_errors_two_thirds_of_the_others_are_added():
    assert limit(7.8, 8) == pytest.approx((7.8 + 0.67 * 0.2) / 8)


@pytest.mark.parametrize("n_rows", [1, 2, 5, 40, 1000])
@pytest.mark.parametrize("confidence", [0.5, 0.25, 0.1, 0.01, 0.001])
def test_a_limit_lies_between_the_share_of_errors_and_1(n_rows, confidence):
    for errors in range(n_rows + 1):
        assert errors / n_rows <= limit(errors, n_rows, confidence) <= 1


@pytest.mark.parametrize("errors", [0, 0.5, 1, 3, 10])
def test_a_smaller_confidence_gives_a_higher_limit(errors):
    found = [limit(errors, 12, confidence) for confidence in (0.5, 0.25, 0.1, 0.05, 0.01, 0.001)]
    assert found == sorted(found)


@pytest.mark.parametrize("seed", range(60))
def test_each_branch_that_stays_promises_fewer_errors_than_a_leaf(seed):
    tree = pessimistic(random_tree(seed, depth=5))

    def at_leaf(node):
        counts = node.tally[0]
        return counts.sum() * limit(counts.sum() - counts.max(), counts.sum())

    def at_branch(node, below):
        assert at_leaf(node) > sum(below) + 0.1
        return sum(below)

    fold(tree, at_leaf, at_branch)


@pytest.mark.parametrize("seed", range(60))
def test_pruning_twice_is_pruning_once(seed):
    once = pessimistic(random_tree(seed, depth=5))
    assert len(pessimistic(once)) == len(once)


def test_heavier_rows_are_believed_more():
    growth = growths.random_growth(9)
    heavier = growth.but(weights=growth.weights * 64)
    found = [pessimistic(each.tree).n_leaves for each in (growth, heavier)]
    assert (growth.tree.n_leaves, found) == (9, [2, 9])


def test_the_deepest_tree_is_pruned_without_recursion():
    tree = handmade.chain(100_000)
    assert len(pessimistic(tree)) < len(tree)


@pytest.mark.parametrize("confidence", [0, -0.1, 0.51, 1, float("nan"), "0.25", True, None])
def test_a_confidence_that_is_none_is_refused(confidence):
    with pytest.raises(ParameterError) as error:
        pessimistic(handmade.play_tennis(), confidence)
    assert str(error.value) == (
        f"confidence={confidence!r} must be a number above 0 and at most 0.5. Smaller values "
        "prune more."
    )


@pytest.mark.parametrize("tree", [random_tree(2, NUMBERS), handmade.two_outputs()])
def test_a_tree_that_does_not_guess_one_class_is_refused(tree):
    with pytest.raises(ParameterError) as error:
        pessimistic(tree)
    assert str(error.value) == (
        "Pessimistic pruning is for classification with one output. Prune this tree by "
        "'depth' or 'cost_complexity'."
    )
