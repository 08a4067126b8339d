"""No node of a grown tree could have asked a better query, and the audit would have seen it."""

import sys
from dataclasses import replace
from pathlib import Path

import audit_queries
import numpy as np
import pytest
from audit import audit, audit_estimator, class_labels, exact_pivot, number_labels
from growths import random_growth

import bough
from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.grow import grow
from bough.settings import Settings
from bough.table import read
from bough.walk import cut

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))
import real_tables

CLASS_CRITERIA = ("gini", "entropy", "error", "gain_ratio")
WAYS = ("each", "group")
FOLDER = real_tables.find_folder()
needs_real_tables = pytest.mark.skipif(FOLDER is None, reason=real_tables.why_absent())


def sample(name, n_rows=1500):
    """Return some rows of a real table, always the same."""
    table = real_tables.read(FOLDER, name)
    n_rows = min(n_rows, len(table.labels))
    rows = np.random.default_rng(0).permutation(len(table.labels))[:n_rows]
    return replace(table, columns=table.columns.iloc[rows], labels=table.labels[rows])


# --- Real tables -----------------------------------------------------------------------------------


@needs_real_tables
@pytest.mark.parametrize("categorical", WAYS)
@pytest.mark.parametrize("criterion", CLASS_CRITERIA)
@pytest.mark.parametrize("name", ["soybean", "nursery", "adult", "covtype_sample15k"])
def test_no_node_of_a_real_table_with_classes_is_wrong(name, criterion, categorical):
    table = sample(name)
    estimator = DecisionTreeClassifier(
        criterion=criterion, categorical=categorical, types=table.types, n_jobs=1
    ).fit(table.columns, table.labels)
    assert audit_estimator(estimator, table.columns, table.labels).violations == []


@needs_real_tables
@pytest.mark.parametrize("categorical", WAYS)
@pytest.mark.parametrize("name", ["california_housing", "bike_sharing_hour"])
def test_no_node_of_a_real_table_with_numbers_is_wrong(name, categorical):
    table = sample(name)
    estimator = DecisionTreeRegressor(categorical=categorical, types=table.types, n_jobs=1)
    estimator.fit(table.columns, table.labels)
    assert audit_estimator(estimator, table.columns, table.labels).violations == []


@pytest.mark.parametrize("categorical", WAYS)
@pytest.mark.parametrize("criterion", CLASS_CRITERIA)
def test_no_node_of_the_penguins_is_wrong(criterion, categorical):
    penguins = bough.datasets.load("penguins")
    estimator = DecisionTreeClassifier(criterion=criterion, categorical=categorical, n_jobs=1)
    estimator.fit(penguins.features, penguins.labels)
    assert audit_estimator(estimator, penguins.features, penguins.labels).violations == []


# --- Made tables -----------------------------------------------------------------------------------


def test_no_node_of_400_random_tables_is_wrong():
    wrong = {}
    for seed in range(400):
        growth = random_growth(seed)
        found = audit(growth.tree, growth.table, growth.labels, growth.settings)
        if found.violations:
            wrong[seed] = found.violations
    assert wrong == {}


def test_no_node_grown_from_awkward_weights_is_wrong():
    wrong = {}
    for seed in range(100):
        growth = random_growth(seed)
        weights = growth.rng.choice([0.1, 0.3, 1e-6, 7.0, 1e6, 0.0], growth.n_rows)
        weights[0] = 0.1
        growth = growth.but(weights=weights)
        found = audit(growth.tree, growth.table, growth.labels, growth.settings)
        if found.violations:
            wrong[seed] = found.violations
    assert wrong == {}


@pytest.mark.parametrize("categorical", WAYS)
@pytest.mark.parametrize("is_classes", [True, False], ids=["classes", "numbers"])
def test_no_node_with_several_outputs_is_wrong(is_classes, categorical):
    rng = np.random.default_rng(5)
    X = {"number": rng.integers(0, 9, 200).tolist(), "choice": list(rng.choice(list("abcd"), 200))}
    y = rng.integers(0, 3, (200, 3)) * (1 if is_classes else [1.0, 1e-3, 1e6])
    grows = DecisionTreeClassifier if is_classes else DecisionTreeRegressor
    estimator = grows(categorical=categorical, min_samples_leaf=3, n_jobs=1).fit(X, y)
    assert audit_estimator(estimator, X, y).violations == []


def test_no_node_of_dates_orders_and_large_integers_is_wrong():
    rng = np.random.default_rng(6)
    days = np.datetime64("2020-01-01") + rng.integers(0, 900, 300).astype("timedelta64[D]")
    X = {
        "large": (2**60 + rng.integers(0, 50, 300)).tolist(),
        "size": list(rng.choice(["S", "M", "L"], 300)),
        "day": days.tolist(),
    }
    y = rng.integers(0, 3, 300)
    estimator = DecisionTreeClassifier(types={"size": ["S", "M", "L"]}, n_jobs=1).fit(X, y)
    kinds = {str(feature.kind) for feature in estimator.grown_tree_.schema.features}
    assert {"integer", "ordered", "date"} <= kinds
    assert audit_estimator(estimator, X, y).violations == []


# --- The audit itself ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def grown():
    """Give a tree with ties and missing values, and what it was grown from."""
    rng = np.random.default_rng(3)
    X = rng.integers(0, 6, (120, 3)).astype(float)
    X[rng.random(120) < 0.2, 1] = np.nan
    X = np.column_stack([X, X[:, 1]])  # column 3 is column 1 again
    table = read(X)
    labels = class_labels((np.nan_to_num(X[:, 1]) + X[:, 0] + rng.integers(0, 3, 120) > 6) * 1)
    settings = Settings(criterion="gini")
    return grow(table, labels, settings), table, labels, settings


def wrong(grown, **arrays):
    """Return what the audit finds in a tree some of whose arrays were changed."""
    tree, *rest = grown
    return audit(replace(tree, **arrays), *rest).violations


def changed(array, node, value):
    copy = array.copy()
    copy[node] = value
    return copy


def test_the_audit_finds_nothing_in_a_tree_as_it_was_grown(grown):
    assert audit(*grown).violations == []


def test_the_audit_counts_nodes_queries_and_ties(grown):
    found = audit(*grown)
    assert found.nodes == len(grown[0])
    assert found.candidates > found.nodes
    assert found.ties > 0


def test_the_audit_of_some_nodes_looks_at_no_others(grown):
    found = audit(*grown, nodes={0, 3})
    assert found.nodes == 2
    assert found.violations == []


def test_the_audit_of_some_nodes_finds_what_is_wrong_with_them(grown):
    tree, *rest = grown
    gain = changed(changed(tree.gain, 0, 1.0), 1, 1.0)
    found = audit(replace(tree, gain=gain), *rest, nodes={0}).violations
    assert len(found) == 1
    assert found[0].startswith("node 0: gain is 1.0, not ")


def test_a_node_that_is_audited_column_by_column_asks_the_same(grown, monkeypatch):
    at_once = audit(*grown)
    monkeypatch.setattr(audit_queries, "MOST_CELLS", 1)
    assert audit(*grown) == at_once


def test_the_audit_finds_another_pivot(grown):
    tree = grown[0]
    found = wrong(grown, pivot=changed(tree.pivot, 0, tree.pivot[0] + 1))
    assert found[0].startswith("node 0: asks Asked(feature=")


def test_the_audit_finds_a_pivot_that_splits_alike_but_is_not_halfway(grown):
    tree = grown[0]
    found = wrong(grown, pivot=changed(tree.pivot, 0, np.nextafter(tree.pivot[0], 9)))
    assert len(found) == 1
    assert found[0].startswith("node 0: asks Asked(feature=")


def test_the_audit_finds_a_tie_decided_for_the_later_column(grown):
    tree = grown[0]
    node = int(np.flatnonzero(tree.feature == 1)[0])
    found = wrong(grown, feature=changed(tree.feature, node, 3))
    assert len(found) == 1
    assert found[0].startswith(f"node {node}: asks Asked(feature=3")


def test_the_audit_finds_missing_rows_at_the_wrong_answer(grown):
    tree = grown[0]
    node = int(np.flatnonzero((tree.missing_child > 0) & (tree.query_kind == 0))[0])
    other = 2 * tree.first_child[node] + 1 - tree.missing_child[node]
    found = wrong(grown, missing_child=changed(tree.missing_child, node, other))
    assert any(says.startswith(f"node {node}: asks Asked(feature=") for says in found)


def test_the_audit_finds_a_branch_that_was_made_a_leaf(grown):
    tree, *rest = grown
    node = int(np.flatnonzero(tree.n_children > 0)[-1])
    found = audit(cut(tree, np.arange(len(tree)) == node), *rest).violations
    assert len(found) == 1
    assert found[0].startswith(f"node {node}: is a leaf, but Query(")


def test_the_audit_finds_a_branch_that_should_be_a_leaf(grown):
    tree, table, labels, settings = grown
    found = audit(tree, table, labels, replace(settings, max_depth=1)).violations
    assert "node 1: is a branch, but must be a leaf" in found


def test_the_audit_finds_a_branch_that_gains_too_little(grown):
    tree, table, labels, settings = grown
    found = audit(tree, table, labels, replace(settings, min_impurity_decrease=0.01)).violations
    assert any("is a branch that gains" in says for says in found)


def test_the_audit_finds_answers_with_too_few_rows(grown):
    tree, table, labels, settings = grown
    assert audit(tree, table, labels, replace(settings, min_samples_leaf=5)).violations


def test_the_audit_finds_a_tree_that_grew_in_another_order(grown):
    _, table, labels, settings = grown
    best_first = replace(settings, max_leaf_nodes=6)
    tree = grow(table, labels, best_first)
    assert audit(tree, table, labels, best_first).violations == []
    found = audit(tree, table, labels, replace(settings, max_leaf_nodes=7)).violations
    assert len(found) == 1
    assert found[0].endswith("is a leaf in the wrong order")


@pytest.mark.parametrize("name", ["gain", "impurity"])
def test_the_audit_finds_a_number_wrong_in_the_twelfth_digit(grown, name):
    array = getattr(grown[0], name)
    found = wrong(grown, **{name: changed(array, 0, array[0] * (1 + 5e-11))})
    assert len(found) == 1
    assert found[0].startswith(f"node 0: {name} is ")


def test_the_audit_finds_a_wrong_tally(grown):
    tree = grown[0]
    found = wrong(grown, tally=changed(tree.tally, 2, tree.tally[2] + [[1, 0]]))
    assert any(says.startswith("node 2: a weight in the tally is ") for says in found)


def test_the_audit_finds_a_wrong_guess_of_equal_labels():
    table, labels = read([[1.0], [2.0]]), number_labels([0.1, 0.2])
    settings = Settings(criterion="squared_error")
    tree = grow(table, labels, settings)
    guess = changed(tree.guess, 2, np.nextafter(0.2, 1))
    assert audit(replace(tree, guess=guess), table, labels, settings).violations == [
        "node 2: guesses 0.20000000000000004, though every label is 0.2"
    ]


def test_the_audit_finds_another_group():
    X = {"choice": list("abcdef") * 4}
    y = [0, 0, 1, 1, 0, 1] * 4
    estimator = DecisionTreeClassifier(categorical="group", n_jobs=1).fit(X, y)
    table, labels = read(X), class_labels(y)
    tree = estimator.grown_tree_
    assert tree.answers.tolist() == [0, 0, 1, 1, 0, 1]
    swapped = replace(tree, answers=np.array([0, 1, 0, 1, 0, 1], np.int32))
    found = audit(swapped, table, labels, estimator.settings_).violations
    assert found[0].startswith("node 0: asks Asked(feature=0, kind=<QueryKind.ONE_OF: 2>")


@pytest.mark.parametrize(
    ("low", "high", "pivot"),
    [
        (1.0, 2.0, 1.5),
        (-5e-324, 0.0, 0.0),
        (1.0, 1.0000000000000002, 1.0000000000000002),
        (1.7e308, 1.79e308, 1.745e308),
        (2**60, 2**60 + 1, 2**60 + 1),
        (2**60, 2**60 + 3, 2**60 + 2),
        (-(2**60) - 3, -(2**60), -(2**60) - 1),
    ],
)
def test_the_audit_knows_where_a_pivot_lies(low, high, pivot):
    assert repr(exact_pivot(low, high)) == repr(pivot)


def test_a_tree_that_draws_by_chance_cannot_be_audited(grown):
    tree, table, labels, settings = grown
    with pytest.raises(ValueError, match=r"^A tree that draws by chance cannot be audited\.$"):
        audit(tree, table, labels, replace(settings, max_features=1))
