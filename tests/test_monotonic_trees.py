"""Trees grown under `monotonic_cst`: those of the reference, in order everywhere, and near others'."""

import random
from math import inf

import numpy as np
import pytest
import sklearn.tree
from against_reference import compare_predictions, compare_trees, grown, rows_at_pivots
from growths import differences, random_growths, violations
from random_tables import random_table

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.grow import grow
from bough.predict import stops
from bough.pruning.ways import at_depth, by_cost_complexity
from bough.reference import Settings, Table, breadth_first
from bough.reference import grow as grow_reference
from bough.reference_impurity import NO_BOUNDS, are_in_order, bounds_below
from bough.schema import Kind
from bough.walk import depths

N_TABLES = 800
BLOCK = 100
COMPARED = ("number", "integer", "ordered")

# --- The reference ---------------------------------------------------------------------------------


@pytest.mark.parametrize("first", range(0, N_TABLES, BLOCK))
def test_the_core_grows_the_reference_tree(first):
    for seed in range(first, first + BLOCK):
        table = constrained_table(seed)
        if table is None:
            continue
        root, estimator = table.reference_tree(), grown(table)
        compare_trees(estimator, root)
        compare_levels(estimator.grown_tree_, root)
        parts = [table.columns, rows_at_pivots(root, table)]
        columns = {name: [v for part in parts for v in part[name]] for name in table.columns}
        compare_predictions(estimator, root, table, columns)


def compare_levels(tree, root):
    """Compare guesses, and shares of the second of two classes, that are kept within bounds."""
    expected = [node.level for node in breadth_first(root)]
    if tree.guess is None and tree.shares.shape[2] == 1:
        assert tree.share is None
        return
    if tree.guess is None:
        assert tree.share is not None
    assert levels(tree) == pytest.approx(expected, rel=1e-12, abs=1e-300)
    most = max(map(abs, expected))
    assert np.mean(levels(tree) == expected) > 0.9 or most > 1e20


def constrained_table(seed):
    """Return a random table with directions for some columns; None where it can have none."""
    table, rng = random_table(seed), random.Random(10**6 + seed)
    names = [name for name, kind in table.kinds.items() if kind in COMPARED]
    directions = {name: rng.choice([-1, 0, 1]) for name in names}
    if not any(directions.values()) or not (table.is_regression or len(set(table.labels)) <= 2):
        return None
    table.settings["monotonic_cst"] = directions
    return table


def test_constraints_change_many_of_the_random_trees():
    tables = [table for table in map(constrained_table, range(200)) if table is not None]
    changed = [table for table in tables if len(grown(table).grown_tree_) != n_nodes_freely(table)]
    assert len(tables) > 80
    assert len(changed) > len(tables) / 5


def n_nodes_freely(table):
    return len(grown(random_table(table.seed)).grown_tree_)


def test_bounds_change_what_many_nodes_of_the_random_trees_say():
    tables = [table for table in map(constrained_table, range(200)) if table is not None]
    nodes = [node for table in tables for node in breadth_first(table.reference_tree())]
    assert sum(node.level in node.bounds for node in nodes) > 50


def test_the_guesses_below_both_answers_are_kept_apart_halfway():
    below = bounds_below([1.0, 4.0], 1, NO_BOUNDS)
    assert below == [(-inf, 2.5), (2.5, inf)]
    assert bounds_below([4.0, 1.0], -1, NO_BOUNDS) == below[::-1]


def test_the_middle_is_that_of_guesses_within_their_bounds():
    assert bounds_below([1.0, 9.0], 1, (0.0, 5.0)) == [(0.0, 3.0), (3.0, 5.0)]
    assert bounds_below([7.0, 9.0], 1, (0.0, 5.0)) == [(0.0, 5.0), (5.0, 5.0)]


def test_the_middle_of_two_floats_is_rounded_once():
    most = float(np.finfo(float).max)
    assert bounds_below([most, most], 1, NO_BOUNDS)[0] == (-inf, most)
    after = np.nextafter(1, 2)
    assert bounds_below([1.0, after], 1, NO_BOUNDS)[0] == (-inf, 1.0)


def test_guesses_are_in_order_if_they_are_within_their_bounds():
    bounds = (1.0, 2.0)
    assert are_in_order([1.0, 2.0], 1, bounds)
    assert are_in_order([2.0, 2.0], -1, bounds)
    assert not are_in_order([1.0, 2.0], -1, bounds)
    assert are_in_order([9.0, 8.0], 1, bounds)  # both are 2
    assert are_in_order([9.0, 1.0], 0, bounds)
    assert not are_in_order([9.0, 1.0], 1, bounds)


def test_a_query_about_another_column_may_lead_beyond_a_bound_which_is_then_guessed():
    columns, y = {"x": [0, 0, 1, 1], "z": [0, 1, 0, 1]}, [0.0, 10.0, 13.0, 9.0]
    tree = DecisionTreeRegressor(monotonic_cst={"x": 1}).fit(columns, y)
    assert tree.predict(columns).tolist() == [0.0, 8.0, 13.0, 9.0]  # 8 is halfway from 5 to 11
    settings = Settings(criterion="squared_error", monotonic_cst={"x": 1})
    root = grow_reference(Table(columns, y), settings)
    assert [node.guess for node in breadth_first(root)[3:]] == [0, 8, 13, 9]


def test_a_class_is_guessed_that_the_bound_makes_the_commoner():
    columns = {"x": [0] * 4 + [1] * 8, "z": [0, 0, 0, 1] + [0] * 4 + [1] * 4}
    y = ["no", "no", "no", "yes"] + ["no"] * 2 + ["yes"] * 2 + ["no"] * 3 + ["yes"]
    tree = DecisionTreeClassifier(monotonic_cst={"x": 1}, max_depth=2).fit(columns, y)
    settings = Settings(monotonic_cst={"x": 1}, max_depth=2)
    nodes = breadth_first(grow_reference(Table(columns, y), settings))
    assert [node.guess for node in tree.grown_tree_] == [node.guess for node in nodes]
    assert tree.grown_tree_.share.tolist() == [node.level for node in nodes]


# --- Order ------------------------------------------------------------------------------------------


def constrained(growth):
    """Return a growth of two classes or of numbers, with a direction for each column of numbers."""
    if growth.is_classes:
        growth = growth.but(y=(growth.y > 0).astype(growth.y.dtype))
    directions = tuple(
        int(growth.rng.choice([-1, 1])) if feature.kind is Kind.NUMBER else 0
        for feature in growth.features
    )
    return growth.set(monotonic_cst=directions)


def constrained_growths():
    growths = [constrained(growth) for growth in random_growths()[::2]]
    return [growth for growth in growths if any(growth.settings.monotonic_cst)]


def levels(tree):
    """What must go one way at each node: the guess, or the share of the second class."""
    return tree.shares[:, 0, -1] if tree.guess is None else tree.guess[:, 0]


def is_in_order(growth, tree):
    """Return whether guesses go the right way along each number, all else staying as it is."""
    said = levels(tree)
    for column, direction in enumerate(growth.settings.monotonic_cst):
        if direction == 0:
            continue
        values = growth.values[column]
        known = np.unique(values[~np.isnan(values)])
        probes = np.concatenate(
            [known, (known[1:] + known[:-1]) / 2, known[-1:] + 1, known[:1] - 1]
        )
        rows = [
            stops(tree, growth.but(values=with_column(growth, column, probe)).table)
            for probe in np.sort(probes)
        ]
        if np.any(direction * np.diff([said[each] for each in rows], axis=0) < 0):
            return False
    return True


def with_column(growth, column, value):
    """Return the columns of a growth, one of them with the same value in every row."""
    return (
        *growth.values[:column],
        np.full(growth.n_rows, value),
        *growth.values[column + 1 :],
    )


def test_guesses_go_one_way_along_each_column():
    assert violations(lambda growth: is_in_order(growth, growth.tree), constrained_growths()) == []


def test_guesses_go_one_way_in_a_tree_cut_at_any_depth():
    def holds(growth):
        deepest = int(depths(growth.tree).max())
        return all(is_in_order(growth, at_depth(growth.tree, depth)) for depth in range(deepest))

    assert violations(holds, constrained_growths()[::3]) == []


def test_guesses_go_one_way_in_pruned_trees():
    def holds(growth):
        alphas = np.quantile(growth.tree.gain, [0.25, 0.5, 0.75])
        trees = [by_cost_complexity(growth.tree, float(alpha)) for alpha in alphas]
        return all(is_in_order(growth, tree) for tree in trees)

    assert violations(holds, constrained_growths()[::3]) == []


def test_guesses_go_one_way_where_queries_are_drawn_by_chance():
    def holds(growth):
        return is_in_order(growth, growth.set(splitter="random", max_features=1).tree)

    assert violations(holds, constrained_growths()) == []


def test_shares_and_guesses_go_one_way_where_wrong_guesses_cost_more():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3))
    y = X[:, 0] + rng.normal(size=len(X)) > 0
    tree = DecisionTreeClassifier(costs=[[0, 1], [9, 0]], monotonic_cst=[1, 0, 0]).fit(X, y)
    rows = np.repeat(X[:50], 40, axis=0)
    rows[:, 0] = np.tile(np.linspace(-3, 3, 40), 50)
    assert tree.get_n_leaves() > 3
    for said in (tree.predict_proba(rows)[:, 1], tree.predict(rows).astype(int)):
        assert np.all(np.diff(said.reshape(50, 40), axis=1) >= 0)


def test_without_constraints_guesses_go_both_ways():
    def holds(growth):
        free = grow(growth.table, growth.labels, growth.set(monotonic_cst=None).settings)
        return is_in_order(growth, free)

    assert len(violations(holds, constrained_growths()[:50])) > 25


def test_a_tree_cut_at_a_depth_is_the_tree_grown_to_it():
    def holds(growth):
        shallow = growth.set(max_depth=2).tree
        return not differences(at_depth(growth.tree, 2), shallow)

    free_of_leaves = [
        growth for growth in constrained_growths() if growth.settings.max_leaf_nodes is None
    ]
    assert violations(holds, [growth.set(max_depth=None) for growth in free_of_leaves]) == []


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_labels_and_weights_may_be_of_any_size(criterion):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 20, size=(200, 2)).astype(float)
    y, weights = 10.0 ** rng.uniform(-300, 300, size=(2, len(X)))
    tree = DecisionTreeRegressor(criterion=criterion, monotonic_cst=[1, -1]).fit(X, y, weights)
    probes = np.stack([np.arange(-1.0, 21.0), np.full(22, 7.0)], axis=1)
    assert tree.get_n_leaves() > 1
    assert np.all(np.diff(tree.predict(probes)) >= 0)
    assert np.all(np.diff(tree.predict(probes[:, ::-1])) <= 0)


# --- Sameness ---------------------------------------------------------------------------------------


def test_the_order_of_rows_does_not_matter():
    def holds(growth):
        shuffled = growth.take(growth.rng.permutation(growth.n_rows))
        return not differences(growth.tree, shuffled.tree)

    assert violations(holds, constrained_growths()) == []


def test_the_number_of_threads_does_not_matter():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 6))
    y = X[:, 0] + np.sin(3 * X[:, 1]) + rng.normal(size=len(X))
    trees = [
        DecisionTreeRegressor(monotonic_cst=[1, 0, -1, 0, 0, 0], max_depth=6, n_jobs=n_jobs)
        .fit(X, y)
        .grown_tree_
        for n_jobs in (1, 2, 4)
    ]
    assert differences(trees[0], trees[1]) == differences(trees[0], trees[2]) == []


def test_means_that_are_equal_are_in_order_however_they_are_summed():
    # Both sides have the mean 0.1 × 1.1, which sums of doubles get differently.
    y = [0.1, 0.2, 0.3, 0.3, 0.2, 0.1, 0.1, 0.2, 0.3]
    X = [[0.0]] * 3 + [[1.0]] * 6
    for direction in (-1, 1):
        tree = DecisionTreeRegressor(monotonic_cst=[direction]).fit(X, y)
        assert tree.get_n_leaves() == 2


# --- scikit-learn -----------------------------------------------------------------------------------

CRITERIA = ["squared_error", "absolute_error", "poisson", "gini", "entropy"]


def both(criterion, seed, directions):
    """Grow scikit-learn's tree and bough's from tie-free numbers."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 3))
    y, weights = np.abs(X[:, 0] - X[:, 1] + rng.normal(size=len(X))), rng.uniform(0.5, 2, len(X))
    settings = {"criterion": criterion, "monotonic_cst": directions, "random_state": 0}
    settings |= {"max_depth": 6, "min_samples_leaf": 5}
    if criterion in ("gini", "entropy"):
        theirs, ours, y = sklearn.tree.DecisionTreeClassifier, DecisionTreeClassifier, y > 1
    else:
        theirs, ours = sklearn.tree.DecisionTreeRegressor, DecisionTreeRegressor
    return (each(**settings).fit(X, y, weights).tree_ for each in (theirs, ours))


def n_compared(theirs, ours, directions, nodes=(0, 0), bounds=NO_BOUNDS):
    """Compare node by node, and return how many; below some there is nothing to compare.

    A query about a column that has a direction is barred by scikit-learn also where guesses leave
    the bounds of its node in the right order. And it goes on below a node that is pure but for
    rounding.
    """
    here, there = nodes
    assert ours.impurity[there] == pytest.approx(theirs.impurity[here], rel=1e-9, abs=1e-12)
    assert ours.n_node_samples[there] == theirs.n_node_samples[here]
    assert ours.value[there, 0, -1] == pytest.approx(theirs.value[here, 0, -1], rel=1e-9)
    below = children(ours, there)
    if theirs.impurity[here] < 1e-12 or not below:
        return 1
    direction = directions[ours.feature[there]]
    guesses = [float(ours.value[child, 0, -1]) for child in below]
    if direction != 0 and any(guess in bounds for guess in guesses):
        return 1
    pairs = zip(children(theirs, here), below, strict=True)
    return 1 + sum(
        n_compared(theirs, ours, directions, pair, each)
        for pair, each in zip(pairs, bounds_below(guesses, direction, bounds), strict=True)
    )


def children(tree, node):
    found = [tree.children_left[node], tree.children_right[node]]
    return found if found[0] >= 0 else []


@pytest.mark.parametrize(("directions", "least"), [([1, -1, 1], 18), ([1, 0, 0], 200)], ids=str)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_trees_are_those_of_scikit_learn_down_to_where_it_bars_more(criterion, directions, least):
    counts = [n_compared(*both(criterion, seed, directions), directions) for seed in range(6)]
    assert sum(counts) > least
