"""Columns that are asked about first, and columns that are never asked about."""

from dataclasses import replace

import numpy as np
import pytest
from against_reference import compare_trees, grown
from growths import differences, random_growths, violations
from random_tables import random_table

import bough.reference as ref
from bough import (
    DataError,
    DecisionTreeClassifier,
    DecisionTreeRanker,
    DecisionTreeRegressor,
    ParameterError,
)
from bough.grow import grow
from bough.pruning.ways import at_depth
from bough.walk import depths

N_TABLES = 400
BLOCK = 100
FLOWERS = {"petal": [1, 2, 3, 4], "color": ["red", "red", "blue", "blue"]}


# --- An oracle: the reference, with some columns at a time ----------------------------------------


def constrained(table, settings, first, forbid):
    """Grow a tree of the reference in which some columns are asked first, and others never."""
    allowed = only(table, [name for name in table.columns if name not in forbid])
    root = leaf(allowed, table.rows, 0, settings)
    waiting = [(root, tuple(first))]
    while waiting:
        node, unasked = waiting.pop()
        asked, best = next_query(table, node, unasked, settings)
        if best is None:
            unasked = ()
            best = leaf(allowed, node.rows, node.depth, settings).tied[:1]
        else:
            unasked = tuple(name for name in unasked if name != asked)
        for candidate in best:
            node.query, node.gain = candidate.query, candidate.gain
            node.children = [
                leaf(allowed, rows, node.depth + 1, settings) for rows in candidate.parts
            ]
        waiting += [(child, unasked) for child in node.children]
    return root


def next_query(table, node, unasked, settings):
    for name in unasked:
        alone = leaf(only(table, [name]), node.rows, node.depth, settings)
        if alone.tied:
            return name, alone.tied[:1]
    return None, None


def leaf(table, rows, depth, settings):
    """Return a leaf of some rows, and the queries that it may ask."""
    return ref.make_node(table, rows, depth, ref.NO_BOUNDS, settings)


def only(table, names):
    other = object.__new__(ref.Table)
    vars(other).update(vars(table), columns={name: table.columns[name] for name in names})
    return other


def constrained_table(seed):
    """Return a random table of two columns or more, which of them are first, and which forbidden."""
    table = random_table(seed)
    rng = np.random.default_rng(seed)
    names = rng.permutation(list(table.columns)).tolist()
    n_forbidden = int(rng.integers(0, len(names)))
    forbid = names[:n_forbidden]
    first = names[n_forbidden:][: rng.integers(0, 4)]
    settings = {key: each for key, each in table.settings.items() if key != "max_leaf_nodes"}
    return replace(table, settings=settings), first, forbid


def check_random_table(seed):
    table, first, forbid = constrained_table(seed)
    try:
        plain = table.reference_table()
        root = constrained(plain, ref.Settings(**table.settings), first, forbid)
        wanted = replace(table, settings=table.settings | {"first": first, "forbid": forbid})
        compare_trees(grown(wanted), root)
    except Exception as error:
        error.add_note(f"This was table {seed}, {table.settings}, {first=}, {forbid=}.")
        raise


@pytest.mark.parametrize("start", range(0, N_TABLES, BLOCK))
def test_the_tree_is_that_of_the_reference(start):
    for seed in range(start, start + BLOCK):
        check_random_table(seed)


# --- What is always true --------------------------------------------------------------------------


def without_budget(growth):
    return growth.set(max_leaf_nodes=None)


def asked_first(growth, n_columns=2):
    names = [f"c{column}" for column in growth.rng.permutation(len(growth.features))]
    return without_budget(growth).set(first=tuple(names[:n_columns]))


def test_forbidding_a_column_is_growing_without_it():
    def holds(growth):
        forbidden = int(growth.rng.integers(0, len(growth.features)))
        kept = [each for each in range(len(growth.features)) if each != forbidden]
        tree = growth.set(forbid=(f"c{forbidden}",)).tree
        without = growth.with_columns(kept).tree
        columns = np.array([*kept, -1])[without.feature]
        same = not differences(tree, without, apart_from=("feature",))
        return same and (tree.feature == columns).all()

    assert not violations(holds)


def test_directions_are_those_of_the_columns_that_are_left():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 9, (80, 3)).astype(float), rng.normal(size=80)
    tree = DecisionTreeRegressor(forbid=[0], monotonic_cst=[0, 1, -1]).fit(X, y)
    without = DecisionTreeRegressor(monotonic_cst=[1, -1]).fit(X[:, 1:], y)
    assert not differences(tree.grown_tree_, without.grown_tree_, apart_from=("feature",))


def test_what_may_be_drawn_are_the_columns_that_are_allowed():
    growths = [growth.set(max_features=1, random_state=3) for growth in random_growths()[:100]]

    def holds(growth):
        last = len(growth.features) - 1
        without = growth.with_columns(range(last)).tree
        return not differences(growth.set(forbid=(f"c{last}",)).tree, without)

    assert not violations(holds, growths)


def test_cut_at_a_depth_it_is_the_tree_grown_to_that_depth():
    def holds(growth):
        tree = asked_first(growth).set(max_depth=None).tree
        return not any(
            differences(at_depth(tree, depth), asked_first(growth).set(max_depth=depth).tree)
            for depth in range(int(depths(tree).max()) + 1)
        )

    assert not violations(holds, random_growths()[::4])


@pytest.mark.parametrize("chance", [{}, {"splitter": "random"}, {"max_features": 1}])
def test_the_order_of_rows_and_the_number_of_threads_do_not_matter(chance):
    growths = [asked_first(growth).set(**chance) for growth in random_growths()[:150]]

    def holds(growth):
        shuffled = growth.take(growth.rng.permutation(growth.n_rows))
        other = grow(shuffled.table, shuffled.labels, shuffled.settings, n_jobs=3)
        return not differences(growth.tree, other)

    assert not violations(holds, growths)


def test_naming_the_column_that_is_asked_first_anyway_changes_nothing():
    def holds(growth):
        growth = without_budget(growth)
        root = growth.tree.feature[0]
        return root < 0 or not differences(growth.tree, growth.set(first=(f"c{root}",)).tree)

    # A tie may be decided otherwise where the columns are not compared at all.
    growths = [growth for growth in random_growths() if growth.settings.criterion != "gain_ratio"]
    assert not violations(holds, growths)


@pytest.mark.parametrize("chance", [{"splitter": "random"}, {"max_features": 1}])
def test_another_seed_draws_otherwise_below_the_first_columns(chance):
    growths = [asked_first(growth, 1).set(**chance) for growth in random_growths()[:50]]
    differ = [bool(differences(growth.tree, growth.set(random_state=1).tree)) for growth in growths]
    assert sum(differ) > 10


def test_branches_of_the_same_rows_are_drawn_by_their_own_trails():
    rng = np.random.default_rng(0)
    half = rng.normal(size=(40, 6))
    X = np.vstack([half, half])
    X[:, 0] = np.repeat([0, 1], 40)
    labels = rng.integers(0, 2, 40)
    tree = DecisionTreeClassifier(first=[0], max_features=1, random_state=0).fit(
        X, [*labels, *(1 - labels)]
    )
    left, right = tree.grown_tree_.feature[1:3]
    assert left != right


def test_costs_choose_queries_below_the_first_columns_too():
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 6, (120, 3)).astype(float), rng.integers(0, 2, 120)
    wanted = {"first": [1], "min_impurity_decrease": 0.003}
    tree = DecisionTreeClassifier(costs=[[0, 9], [1, 0]], **wanted).fit(X, y)
    heavy = DecisionTreeClassifier(**wanted).fit(X, y, np.where(y == 0, 9 / 16, 1 / 16))
    said = ("tally", "gain", "impurity")
    assert not differences(tree.grown_tree_, heavy.grown_tree_, apart_from=said)
    assert tree.grown_tree_.tally[0].sum() == 120


def test_a_ranking_asks_first_and_never_what_it_is_told():
    rng = np.random.default_rng(6)
    X, y, group = (
        rng.integers(0, 6, (90, 3)).astype(float),
        rng.integers(0, 3, 90),
        np.arange(90) // 9,
    )
    tree = DecisionTreeRanker(first=[1], forbid=[0]).fit(X, y, group=group)
    without = DecisionTreeRanker(first=[0]).fit(X[:, 1:], y, group=group)
    assert not differences(tree.grown_tree_, without.grown_tree_, apart_from=("feature",))
    assert tree.grown_tree_.feature[0] == 1


# --- What users type ------------------------------------------------------------------------------


def test_columns_without_names_are_given_by_number():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 0, 1]
    assert DecisionTreeClassifier(first=[0]).fit(X, y).grown_tree_[0].query.feature.name == "x0"


def test_a_single_column_need_not_be_in_a_list():
    tree = DecisionTreeClassifier(first="color").fit(FLOWERS, [0, 1, 1, 1])
    assert tree.settings_.first == ("color",)


def test_all_parts_of_a_date_are_forbidden_with_it():
    days = np.array(["2024-01-01", "2024-02-01", "2024-03-02", "2024-04-03"], "M8[D]")
    tree = DecisionTreeRegressor(forbid=["day"]).fit({"day": days, "n": [1, 1, 2, 2]}, [1, 2, 3, 4])
    assert {node.query.feature.name for node in tree.grown_tree_ if node.query} == {"n"}


def test_one_query_about_any_part_of_a_date_is_enough():
    days = np.arange("2024-01-01", "2024-03-01", dtype="M8[D]")
    weekend = np.is_busday(days)
    X = {"day": days, "n": np.arange(60) % 7}
    tree = DecisionTreeClassifier(first=["day"]).fit(X, weekend)
    assert tree.grown_tree_[0].query.feature.name == "day weekday"


def test_forbidden_columns_stay_columns_of_the_table():
    tree = DecisionTreeClassifier(forbid=["color"]).fit(FLOWERS, [0, 1, 1, 1])
    assert tree.predict(FLOWERS).tolist() == [0, 1, 1, 1]
    assert tree.feature_names_in_.tolist() == ["petal", "color"]


def test_infinity_is_refused_where_it_is_forbidden_to_ask_too():
    X = [[1.0, 2.0], [2.0, np.inf], [3.0, 1.0]]
    with pytest.raises(DataError, match="infinity"):
        DecisionTreeClassifier(forbid=[1]).fit(X, [0, 1, 1])


WRONG = [
    (
        {"first": ["colour"]},
        "first has the column 'colour', but X does not. Did you mean 'color'? "
        "Columns of X: 'petal' and 'color'.",
    ),
    (
        {"forbid": ["colour"]},
        "forbid has the column 'colour', but X does not. Did you mean 'color'? "
        "Columns of X: 'petal' and 'color'.",
    ),
    (
        {"first": [1]},
        "first has the column 1, but X does not. Columns of X: 'petal' and 'color'.",
    ),
    ({"first": ["petal", "petal"]}, "first names 'petal' twice. Name each column once."),
    (
        {"first": ["petal"], "forbid": ["petal"]},
        "first and forbid both name 'petal'. Leave it out of one of them.",
    ),
    (
        {"forbid": ["petal", "color"]},
        "forbid names every usable column. Leave at least one out.",
    ),
    (
        {"first": ["petal"], "types": {"petal": "ignore"}},
        "first names 'petal', which is ignored. Leave it out, or do not ignore it.",
    ),
    (
        {"forbid": 0.5},
        (
            "forbid=0.5 must be a list of columns, such as ['age', 'sex'], or of column "
            "numbers if the columns have no names."
        ),
    ),
    (
        {"first": ["petal"], "max_leaf_nodes": 3},
        (
            "max_leaf_nodes and first cannot be combined: best-first growth itself "
            "picks the next split. Leave one of them out; max_depth and ccp_alpha also limit "
            "a tree."
        ),
    ),
    (
        {"first": ["petal"], "monotonic_cst": {"petal": 1}},
        "monotonic_cst and first cannot be combined. Leave one of them out.",
    ),
]


@pytest.mark.parametrize(("parameters", "message"), WRONG)
def test_what_cannot_be_wanted_is_refused(parameters, message):
    with pytest.raises(ParameterError) as error:
        DecisionTreeClassifier(**parameters).fit(FLOWERS, [0, 1, 1, 1])
    assert str(error.value) == message
