"""Pruning, against all subtrees of small trees and against scikit-learn."""

from itertools import product

import growths
import handmade
import numpy as np
import pytest
from handmade import branch, leaf, make_tree
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from small_trees import CLASSES, NUMBER, NUMBERS, random_tree

from bough.pruning.ways import at_depth, by_cost_complexity, cost_complexity_path
from bough.query_kinds import Below
from bough.schema import Feature, Kind, Label, Schema
from bough.tree import Tree
from bough.walk import depths, fold


def size_and_impurity(tree):
    is_leaf = tree.feature < 0
    return int(is_leaf.sum()), float(np.dot(tree.weight, tree.impurity * is_leaf) / tree.weight[0])


def all_subtrees(tree):
    """Return (leaves, impurity) of every subtree that pruning can give."""

    def as_leaf(node):
        return {(1, round(node.impurity * node.weight / tree.weight[0], 12))}

    def as_branch(node, below):
        sums = {
            (sum(n for n, _ in chosen), round(sum(i for _, i in chosen), 12))
            for chosen in product(*below)
        }
        return as_leaf(node) | sums

    return fold(tree, as_leaf, as_branch)


@pytest.mark.parametrize("depth", range(6))
def test_a_tree_cut_at_a_depth_has_no_node_below_it(depth):
    tree = random_tree(3)
    assert depths(at_depth(tree, depth)).max() == min(depth, depths(tree).max())


def test_a_node_at_the_depth_of_the_cut_keeps_its_tally():
    cut = at_depth(handmade.play_tennis(), 1)
    assert cut.tally[:, 0].tolist() == [[5, 9], [0, 4], [2, 3], [3, 2]]


def test_an_alpha_of_0_gives_the_same_tree():
    tree = random_tree(5)
    assert by_cost_complexity(tree, 0.0) is tree


@pytest.mark.parametrize("schema", [CLASSES, NUMBERS], ids=["classes", "numbers"])
@pytest.mark.parametrize("seed", range(40))
def test_the_pruned_tree_is_the_smallest_of_least_cost(seed, schema):
    tree = random_tree(seed, schema, depth=3)
    subtrees = all_subtrees(tree)
    alphas, _ = cost_complexity_path(tree)
    between = (alphas[1:] + alphas[:-1]) / 2
    for alpha in [*alphas[1:], *between, alphas[-1] + 1]:
        size, impurity = size_and_impurity(by_cost_complexity(tree, alpha))
        least = min(impurity + alpha * size for size, impurity in subtrees)
        assert impurity + alpha * size == pytest.approx(least, abs=1e-9)
        assert size == min(n for n, i in subtrees if i + alpha * n <= least + 1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_the_path_tells_the_impurity_of_each_pruned_tree(seed):
    tree = random_tree(seed, depth=5)
    alphas, impurities = cost_complexity_path(tree)
    found = [size_and_impurity(by_cost_complexity(tree, alpha))[1] for alpha in alphas]
    assert found == pytest.approx(impurities.tolist(), abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_each_alpha_of_the_path_gives_a_smaller_tree(seed):
    tree = random_tree(seed, depth=5)
    alphas, _ = cost_complexity_path(tree)
    sizes = [len(by_cost_complexity(tree, alpha)) for alpha in alphas]
    assert sizes == sorted(set(sizes), reverse=True)


@pytest.mark.parametrize("seed", range(40))
def test_each_tree_of_the_path_is_part_of_the_one_before(seed):
    tree = random_tree(seed, depth=5)
    alphas, _ = cost_complexity_path(tree)
    before = tree
    for alpha in alphas[1:]:
        pruned = by_cost_complexity(tree, alpha)
        assert growths.differences(by_cost_complexity(before, alpha), pruned) == []
        before = pruned


def test_the_path_ends_with_a_single_leaf():
    tree = random_tree(7)
    alphas, _ = cost_complexity_path(tree)
    assert len(by_cost_complexity(tree, alphas[-1])) == 1


def test_a_single_leaf_has_a_path_of_one_step():
    alphas, impurities = cost_complexity_path(handmade.one_leaf())
    assert (alphas.tolist(), impurities.tolist()) == ([0.0], [pytest.approx(4 / 9)])


def test_queries_that_gain_nothing_are_cut_by_the_smallest_alpha():
    xor = make_tree(
        CLASSES,
        branch(Below(NUMBER, 0.5), leaf(0, 1), branch(Below(NUMBER, 0.7), leaf(0, 1), leaf(1, 0))),
    )
    assert len(by_cost_complexity(xor, 1e-300)) == 1


def test_the_deepest_tree_is_pruned_without_recursion():
    assert len(by_cost_complexity(handmade.chain(100_000), 0.1)) == 1


def tree_of(fitted, schema):
    """Copy the arrays of scikit-learn's tree, numbered breadth first."""
    theirs, order = fitted.tree_, [0]
    for node in order:  # grows while it is read
        if theirs.children_left[node] >= 0:
            order += [theirs.children_left[node], theirs.children_right[node]]
    order = np.array(order)
    is_branch = theirs.children_left[order] >= 0
    new_id = np.argsort(order)
    weight = theirs.weighted_n_node_samples[order]
    value = theirs.value[order]
    numbers = np.stack([weight, weight * value[:, 0, 0], weight * value[:, 0, 0] ** 2], axis=1)
    tally = value * weight[:, None, None] if schema.has_classes else numbers[:, None]
    return Tree(
        schema,
        feature=np.where(is_branch, theirs.feature[order], -1).astype(np.int32),
        query_kind=np.zeros(len(order), np.uint8),
        pivot=np.where(is_branch, theirs.threshold[order], np.nan),
        pivot_int=None,
        codes=np.zeros(0, np.int32),
        answers=np.zeros(0, np.int32),
        codes_start=np.zeros(len(order) + 1, np.int32),
        first_child=np.where(is_branch, new_id[theirs.children_left[order]], -1).astype(np.int32),
        n_children=np.where(is_branch, 2, 0).astype(np.int32),
        missing_child=np.full(len(order), -1, np.int32),
        tally=tally,
        guess=None if schema.has_classes else value[:, :, 0].copy(),
        n_rows=theirs.n_node_samples[order],
        impurity=np.maximum(theirs.impurity[order], 0),
        gain=np.zeros(len(order)),
    )


def schema_of(X, label):
    names = tuple(f"x{number}" for number in range(X.shape[1]))
    features = tuple(Feature(name, Kind.NUMBER, number) for number, name in enumerate(names))
    return Schema(names, features, (label,), named=False)


THEIR_TREES = {
    "iris": (load_iris, DecisionTreeClassifier, Label("y", (0, 1, 2), "int64")),
    "diabetes": (load_diabetes, DecisionTreeRegressor, Label("y")),
}


@pytest.mark.parametrize("name", THEIR_TREES)
def test_the_path_is_that_of_scikit_learn(name):
    load, estimator, label = THEIR_TREES[name]
    X, y = load(return_X_y=True)
    theirs = estimator(random_state=0).cost_complexity_pruning_path(X, y)
    fitted = estimator(random_state=0).fit(X, y)
    alphas, impurities = cost_complexity_path(tree_of(fitted, schema_of(X, label)))
    # Links of one strength break one at a time there, so the last of equal steps counts.
    is_last = np.append(np.diff(theirs.ccp_alphas) > 1e-9 * theirs.ccp_alphas[-1], True)
    ours = np.append(np.diff(alphas) > 1e-9 * alphas[-1], True)
    np.testing.assert_allclose(alphas[ours], theirs.ccp_alphas[is_last], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(impurities[ours], theirs.impurities[is_last], rtol=1e-9)


@pytest.mark.parametrize("name", THEIR_TREES)
def test_a_pruned_tree_has_the_size_of_scikit_learns(name):
    load, estimator, label = THEIR_TREES[name]
    X, y = load(return_X_y=True)
    tree = tree_of(estimator(random_state=0).fit(X, y), schema_of(X, label))
    alphas, _ = cost_complexity_path(tree)
    between = (alphas[1:] + alphas[:-1])[::10] / 2
    sizes = [len(by_cost_complexity(tree, alpha)) for alpha in between]
    theirs = [estimator(random_state=0, ccp_alpha=alpha).fit(X, y) for alpha in between]
    assert sizes == [each.tree_.node_count for each in theirs]
