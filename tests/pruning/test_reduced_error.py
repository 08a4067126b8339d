"""Pruning by other rows, against all subtrees of small trees."""

from itertools import product

import growths
import handmade
import numpy as np
import pytest
from small_trees import CLASSES, NUMBERS, random_tree

from bough.loss_kinds import row_losses
from bough.predict import stops
from bough.pruning.ways import branches_of_no_use, reduced_error
from bough.walk import fold, trails

LOSSES = {"error": CLASSES, "log_loss": CLASSES, "squared_error": NUMBERS}


def rows_at(tree, seed, n_rows=30):
    """Return where some rows stop, at leaves or branches, and their labels."""
    rng = np.random.default_rng(seed)
    reached = rng.choice(len(tree), size=max(len(tree) // 2, 1), replace=False)
    return rng.choice(reached, n_rows), rng.integers(0, 3, n_rows)


def losses_at(tree, loss, labels):
    def losses(rows, nodes):
        return row_losses(tree, loss, nodes, labels[rows])

    return losses


def pruned(tree, loss, here, labels, weights=None):
    return reduced_error(tree, here, losses_at(tree, loss, labels), weights)


def subtrees(tree, loss, here, labels, are_leaves=None):
    """Return (loss, leaves) of every subtree that pruning can give, or of that with these leaves."""
    starts, nodes = trails(tree, here)
    row = np.repeat(np.arange(len(here)), np.diff(starts))
    of_rows = row_losses(tree, loss, nodes, labels[row])
    as_leaf = np.bincount(nodes, of_rows, len(tree))
    beside = np.bincount(here, of_rows[starts[1:] - 1], len(tree))

    def leaf(node):
        return {(round(as_leaf[node.id], 9), 1)}

    def branch(node, below):
        sums = {
            (
                round(beside[node.id] + sum(each for each, _ in chosen), 9),
                sum(size for _, size in chosen),
            )
            for chosen in product(*below)
        }
        if are_leaves is not None:
            return leaf(node) if are_leaves[node.id] else sums
        return leaf(node) | sums

    return fold(tree, leaf, branch)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("seed", range(40))
def test_the_pruned_tree_is_the_smallest_of_least_loss(seed, loss):
    tree = random_tree(seed, LOSSES[loss], depth=3)
    here, labels = rows_at(tree, seed)
    leaves = branches_of_no_use(tree, here, losses_at(tree, loss, labels))
    [found] = subtrees(tree, loss, here, labels, leaves)
    assert found == min(subtrees(tree, loss, here, labels))
    assert pruned(tree, loss, here, labels).n_leaves == found[1]


@pytest.mark.parametrize("seed", range(1, 40, 2))
def test_no_row_of_a_growth_is_guessed_worse_in_sum(seed):
    growth = growths.random_growth(seed)
    here = stops(growth.tree, growth.table)
    labels = growth.rng.permutation(growth.y)
    smaller = pruned(growth.tree, "error", here, labels)
    before = row_losses(growth.tree, "error", here, labels).sum()
    after = row_losses(smaller, "error", stops(smaller, growth.table), labels).sum()
    assert after <= before


def test_a_branch_that_no_row_reaches_becomes_a_leaf():
    tree = handmade.play_tennis()  # rows of Overcast alone, all of them guessed right
    assert pruned(tree, "error", np.full(5, 1), np.ones(5, int)).n_leaves == 1


def test_a_weight_of_2_is_two_rows():
    tree = random_tree(3)
    here, labels = rows_at(tree, 3)
    twice = np.arange(len(here)) % 3 == 0
    weighted = pruned(tree, "error", here, labels, 1.0 + twice)
    repeated = np.repeat(np.arange(len(here)), 1 + twice)
    by_rows = pruned(tree, "error", here[repeated], labels[repeated])
    assert growths.differences(weighted, by_rows) == []


def test_without_rows_a_single_leaf_is_left():
    tree = handmade.play_tennis()
    assert pruned(tree, "error", np.zeros(0, int), np.zeros(0, int)).n_leaves == 1


def test_the_deepest_tree_is_pruned_without_recursion():
    tree = handmade.chain(100_000)
    here = np.array([0, 1, len(tree) - 1])
    assert len(pruned(tree, "error", here, np.zeros(3, int))) < len(tree)
