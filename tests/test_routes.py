"""The core leads rows of any make to the nodes where their queries, asked one by one, lead."""

import copy
import pickle

import numpy as np
import pytest
from handmade import branch, leaf, make_tree
from random_trees import KINDS, N_ROWS, gap, random_table, random_tree

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.errors import DataError
from bough.predict import look_up, stops
from bough.query_kinds import Below, EachValue, IsMissing
from bough.schema import UNSEEN, Feature, Kind, Label, Schema
from bough.table import Table

LAYOUTS = {
    "rows": lambda X: X,
    "columns": np.asfortranarray,
    "float32": lambda X: X.astype(np.float32),
    "columns of float32": lambda X: np.asfortranarray(X, np.float32),
    "every other row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "every other column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "unaligned": lambda X: np.frombuffer(b"." + X.tobytes(), X.dtype, offset=1).reshape(X.shape),
}


def answer(query, value, missing):
    """The answer of a value to a query; None: there is none."""
    is_missing = value == missing or value != value
    if isinstance(query, IsMissing):
        return int(not is_missing)
    if is_missing:
        return query.missing
    if isinstance(query, Below):
        is_unseen = query.feature.choices and value == UNSEEN
        return None if is_unseen else int(value >= query.pivot)
    sides = [(code,) for code in query.codes] if isinstance(query, EachValue) else None
    for number, side in enumerate(sides or (query.codes, query.others)):
        if value in side:
            return number
    return None


def asked_one_by_one(tree, table):
    """The node where each row stops."""
    columns = [column.tolist() for column in table.values]
    gaps = [gap(column) for column in table.values]
    found = []
    for row in range(table.n_rows):
        node = tree[0]
        while (query := node.query) is not None:
            at = query.feature.column
            if (given := answer(query, columns[at][row], gaps[at])) is None:
                break
            node = tree[node.children[given]]
        found.append(node.id)
    return found


@pytest.mark.parametrize("seed", range(24))
def test_rows_of_any_columns_stop_where_their_queries_lead(seed):
    rng = np.random.default_rng(seed)
    makes = rng.choice(list(KINDS), size=rng.integers(1, 8)).tolist()
    tree = random_tree(rng, makes, categorical=["each", "group"][seed % 2])
    table = random_table(rng, makes, share_missing=0.2, share_unseen=0.1)
    assert stops(tree, table).tolist() == asked_one_by_one(tree, table)


@pytest.mark.parametrize("make", KINDS)
def test_rows_without_missing_values_stop_where_their_queries_lead(make):
    rng = np.random.default_rng(6)
    tree = random_tree(rng, [make, make], share_missing=0.0)
    table = random_table(rng, [make, make], share_missing=0.0)
    assert stops(tree, table).tolist() == asked_one_by_one(tree, table)


@pytest.mark.parametrize("make", KINDS)
def test_a_missing_value_stops_at_a_node_that_saw_none(make):
    rng = np.random.default_rng(1)
    tree = random_tree(rng, [make, make], share_missing=0.0)
    table = random_table(rng, [make, make], share_missing=0.3)
    found = stops(tree, table)
    assert found.tolist() == asked_one_by_one(tree, table)
    assert (tree.feature[found] >= 0).any()


@pytest.mark.parametrize("share_missing", [0.0, 0.1])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_an_array_of_any_layout_is_read_where_it_lies(layout, share_missing):
    rng = np.random.default_rng(2)
    X = layout(
        np.where(rng.random((N_ROWS, 5)) < share_missing, np.nan, rng.normal(size=(N_ROWS, 5)))
    )
    model = DecisionTreeClassifier(max_depth=9).fit(X, rng.integers(0, 3, N_ROWS))
    table = Table(("x",) * 5, False, (), tuple(np.array(X, order="F").T), N_ROWS)  # noqa: FBT003
    assert model.apply(X).tolist() == asked_one_by_one(model.grown_tree_, table)


def test_values_whose_lists_would_be_too_long_are_looked_for():
    n_values, n_branches = 100_000, 60
    number = Feature("x0", Kind.NUMBER, 0)
    choice = Feature("x1", Kind.CHOICE, 1, choices=tuple(range(n_values)))
    tree = leaf(0)
    for pivot in range(n_branches):
        asks = branch(EachValue(choice, (n_values - 2, n_values - 1)), leaf(0), leaf(1))
        tree = branch(Below(number, float(pivot)), tree, asks)
    tree = make_tree(Schema(("x0", "x1"), (number, choice), (Label("y", ("a", "b")),)), tree)
    rng = np.random.default_rng(3)
    numbers = rng.integers(-1, n_branches, N_ROWS).astype(float)
    codes = n_values - rng.integers(1, 4, N_ROWS).astype(np.int32)
    table = Table(("x0", "x1"), True, (number, choice), (numbers, codes), N_ROWS)  # noqa: FBT003
    assert stops(tree, table).tolist() == asked_one_by_one(tree, table)


@pytest.mark.parametrize("dtype", ["?", "i1", "f4", "f8", "U3", "U40", "O"])
def test_entries_of_any_type_are_looked_up(dtype):
    rng = np.random.default_rng(4)
    tree, table = random_tree(rng, ["float64"]), random_table(rng, ["float64"])
    entries = rng.integers(0, 99, len(tree)).astype(dtype)
    found = look_up(tree, table, entries)
    assert found.dtype == entries.dtype
    assert found.tolist() == entries[stops(tree, table)].tolist()


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("share_missing", [0.0, 0.1, 0.9])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_infinity_is_refused_where_a_query_meets_it(layout, share_missing, n_jobs):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(20_000, 3))
    model = DecisionTreeClassifier(n_jobs=n_jobs).fit(X, X[:, 2] > 0)
    X[rng.random(X.shape) < share_missing] = np.nan
    X[12_345, 2] = -np.inf
    for use in (model.predict, model.unseen_counts, lambda X: model.fit(X, X[:, 0] > 0)):
        with pytest.raises(DataError) as raised:
            use(layout(X))
        assert str(raised.value) == (
            "Input X contains infinity: column 'x2' has -inf in row 12345. "
            "Replace it by a finite number, or by nan if it is missing."
        )


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_what_no_query_asks_about_may_be_infinite(layout):
    X = np.random.default_rng(5).normal(size=(5_000, 3))
    X[:, 0] = np.arange(5_000) % 2  # which the tree asks about first, and of 1 nothing else
    y = np.where(X[:, 0] == 1, 2, X[:, 1] > 0)
    model = DecisionTreeClassifier(max_depth=4).fit(layout(X), y)
    expected = model.predict(layout(X))
    X[:, 2] = np.inf  # which is noise
    X[X[:, 0] == 1, 1] = -np.inf
    assert set(model.grown_tree_.feature.tolist()) == {-1, 0, 1}
    for use in (model.predict, lambda X: model.predict(X[:1]), lambda X: model.predict(X[:100])):
        assert np.array_equal(use(layout(X)), expected[: len(use(layout(X)))])
    assert model.unseen_counts(layout(X)) == {}
    with pytest.raises(DataError, match="infinity: column 'x2'"):
        model.fit(layout(X[:, [0, 0, 2]]), y)


def test_a_part_of_a_row_that_meets_infinity_is_refused():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(500, 2))
    model = DecisionTreeClassifier(max_depth=2, missing="weigh").fit(X, (X > 0) @ [1, 2])
    X[3] = np.inf
    X[3, model.grown_tree_.feature[0]] = np.nan  # so that the row goes both ways, and meets it
    with pytest.raises(DataError, match=r"contains infinity: .* in row 3"):
        model.predict(X)


def test_a_tree_can_be_copied_and_pickled_after_it_has_predicted():
    model = DecisionTreeRegressor().fit([[1.0], [2.0]], [1.0, 2.0])
    expected = model.predict([[1.0], [2.0]]).tolist()
    for twin in (copy.deepcopy(model.grown_tree_), pickle.loads(pickle.dumps(model.grown_tree_))):
        table = Table(("x0",), False, twin.schema.features, (np.array([1.0, 2.0]),), 2)  # noqa: FBT003
        assert look_up(twin, table, twin.guess[:, 0]).tolist() == expected
