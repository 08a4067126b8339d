"""Merging leaves that guess alike changes no guess, and no share unless asked."""

from dataclasses import replace

import growths
import handmade
import numpy as np
import pytest
from handmade import branch, leaf, make_tree
from small_trees import CLASSES, NUMBER, NUMBERS, random_tree

from bough.predict import guesses, stops
from bough.pruning.ways import at_depth, merged
from bough.query_kinds import Below, EachValue
from bough.walk import fold

CLASS_SEEDS = range(1, 200, 2)
LETTERS = {  # rows of 0 and 1 that guess alike
    "other shares": branch(Below(NUMBER, 0.5), leaf(0, 0, 1), leaf(0, 0, 0)),
    "same shares": branch(Below(NUMBER, 0.5), leaf(0, 0, 1), leaf(0, 1, 0)),
    "other guesses": branch(Below(NUMBER, 0.5), leaf(0, 0, 1), leaf(1, 1, 0)),
}


def n_leaves(name, **options):
    return merged(make_tree(CLASSES, LETTERS[name]), **options).n_leaves


def other_rows(growth):
    """Return the table of a growth with every column shuffled, so that rows stop anywhere."""
    rng = growth.rng
    return growth.but(values=tuple(rng.permutation(values) for values in growth.values)).table


def cut_growths(seeds):
    """Give random growths, cut at each depth, with rows to try them on."""
    for growth in map(growths.random_growth, seeds):
        for depth in (2, 3, 30):
            yield at_depth(growth.tree, depth), other_rows(growth)


def test_leaves_with_the_same_shares_are_merged():
    assert n_leaves("same shares") == 1


def test_leaves_with_other_probabilities_are_kept_apart():
    laplace = replace(
        CLASSES.labels[0], probability="laplace"
    )  # shares of more rows are believed more
    schema = replace(CLASSES, labels=(laplace,))
    tree = make_tree(schema, branch(Below(NUMBER, 0.5), leaf(0, 1), leaf(0, 1, 0, 1)))
    assert (merged(tree).n_leaves, merged(tree, keep_probabilities=False).n_leaves) == (2, 1)


def test_leaves_with_other_shares_are_kept_apart():
    assert n_leaves("other shares") == 2


def test_leaves_with_other_shares_are_merged_if_asked():
    assert n_leaves("other shares", keep_probabilities=False) == 1


def test_leaves_that_guess_otherwise_are_never_merged():
    assert n_leaves("other guesses", keep_probabilities=False) == 2


def test_a_branch_whose_children_became_leaves_is_merged_in_turn():
    tree = make_tree(CLASSES, branch(Below(NUMBER, 0.2), leaf(0), LETTERS["other shares"]))
    assert merged(tree, keep_probabilities=False).n_leaves == 1


def test_leaves_that_guess_the_same_number_are_merged():
    tree = make_tree(NUMBERS, branch(Below(NUMBER, 0.2), leaf(1, 3), leaf(2, 2)))
    assert merged(tree).n_leaves == 1


@pytest.mark.parametrize("keep_probabilities", [True, False])
def test_no_guess_of_any_row_changes(keep_probabilities):
    n_smaller = 0
    for tree, rows in cut_growths(range(200)):
        smaller = merged(tree, keep_probabilities=keep_probabilities)
        before, after = guesses(tree, stops(tree, rows)), guesses(smaller, stops(smaller, rows))
        assert np.array_equal(before, after)
        n_smaller += len(smaller) < len(tree)
    assert n_smaller > (5 if keep_probabilities else 80)


def test_no_share_of_any_row_changes():
    for tree, rows in cut_growths(CLASS_SEEDS):
        smaller = merged(tree)
        before, after = (each.shares[stops(each, rows)] for each in (tree, smaller))
        np.testing.assert_allclose(after, before, atol=1e-11)


@pytest.mark.parametrize("seed", range(40))
def test_some_child_of_each_branch_that_stays_guesses_otherwise(seed):
    tree = merged(random_tree(seed, depth=5), keep_probabilities=False)

    def at_branch(node, below):  # what a branch says is no guess
        assert set(below) != {node.guess}

    fold(tree, lambda node: node.guess, at_branch)


def test_a_tree_of_two_outputs_keeps_leaves_that_differ_in_one():
    tree = handmade.two_outputs()
    assert merged(tree, keep_probabilities=False).n_leaves == tree.n_leaves


def test_each_value_is_merged_only_if_all_of_them_guess_alike():
    letter = CLASSES.features[1]
    tree = make_tree(CLASSES, branch(EachValue(letter, (0, 1, 2)), leaf(0), leaf(0), leaf(1)))
    assert merged(tree, keep_probabilities=False).n_leaves == 3


def test_the_deepest_tree_is_merged_without_recursion():
    tree = handmade.chain(100_000)
    assert merged(tree, keep_probabilities=False).n_leaves <= tree.n_leaves
