"""A series of pruned trees says of each what the tree itself would say."""

import growths
import numpy as np
import pytest

from bough.predict import stops
from bough.pruning.ways import at_depth, by_cost_complexity, series_by_cost, series_by_depth
from bough.walk import depths, trails

TABLES = range(40)


def by_cost(tree):
    return series_by_cost(tree, tree.impurity)[1]


def value_of(nodes):
    """Return some number for each node, by what a pruned tree keeps of it."""
    return np.sin(nodes.n_rows * 1.0) + nodes.impurity


@pytest.mark.parametrize("seed", TABLES)
def test_trees_cut_at_every_depth_are_those_of_the_series(seed):
    tree = growths.random_growth(seed).tree
    series, deepest = series_by_depth(tree), int(depths(tree).max())
    assert len(series) == deepest + 1
    for number in range(len(series)):
        assert np.array_equal(series[number].n_rows, at_depth(tree, deepest - number).n_rows)


@pytest.mark.parametrize("seed", TABLES)
def test_trees_pruned_at_every_price_are_those_of_the_series(seed):
    tree = growths.random_growth(seed).tree
    alphas, series = series_by_cost(tree, tree.impurity)
    assert len(series) == len(alphas)
    for number, alpha in enumerate(alphas):
        if alpha > 0:
            assert np.array_equal(series[number].n_rows, by_cost_complexity(tree, alpha).n_rows)


@pytest.mark.parametrize("make", [series_by_depth, by_cost])
@pytest.mark.parametrize("seed", TABLES)
def test_sums_over_leaves_are_those_of_each_tree(make, seed):
    series = make(growths.random_growth(seed).tree)
    sums = series.sums_over_leaves(value_of(series.tree))
    for number, found in enumerate(sums):
        tree = series[number]
        assert found == pytest.approx(value_of(tree)[tree.feature < 0].sum())
        assert series.n_leaves[number] == np.count_nonzero(tree.feature < 0)


@pytest.mark.parametrize("make", [series_by_depth, by_cost])
@pytest.mark.parametrize("seed", TABLES)
def test_sums_over_rows_are_those_of_the_rows_followed_through_each_tree(make, seed):
    growth = growths.random_growth(seed)
    series = make(growth.tree)
    followed = trails(growth.tree, stops(growth.tree, growth.table))
    runs = series.runs_of_rows(followed, value_of(growth.tree)[followed[1]])
    for number, found in enumerate(series.sums_over_runs(runs)):
        tree = series[number]
        assert found == pytest.approx(value_of(tree)[stops(tree, growth.table)].sum())


@pytest.mark.parametrize("make", [series_by_depth, by_cost])
@pytest.mark.parametrize("seed", TABLES)
def test_squares_over_groups_are_those_of_what_the_rows_of_each_add_up_to(make, seed):
    growth = growths.random_growth(seed)
    series = make(growth.tree)
    groups = np.random.default_rng(seed).integers(5, size=growth.n_rows)
    followed = trails(growth.tree, stops(growth.tree, growth.table))
    runs = series.runs_of_rows(followed, value_of(growth.tree)[followed[1]])
    for number, found in enumerate(series.squares_over_groups(runs, groups)):
        tree = series[number]
        sums = np.bincount(groups, value_of(tree)[stops(tree, growth.table)])
        assert found == pytest.approx(np.square(sums).sum())
