"""Where rows stop: values at a pivot, beside it, missing and unseen."""

import numpy as np
import polars as pl
import pytest

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.predict import guesses, next_nodes, probabilities, stops, unseen
from bough.table import read_like


def test_a_row_with_the_pivots_value_goes_to_the_second_answer():
    tree = DecisionTreeClassifier().fit([[1.0], [2.0]], ["low", "high"])
    assert tree.predict([[np.nextafter(1.5, 0)], [1.5]]).tolist() == ["low", "high"]


def test_a_missing_value_stops_where_the_node_saw_none():
    tree = DecisionTreeClassifier().fit([[1.0], [2.0], [3.0]], ["a", "b", "b"])
    assert tree.apply([[np.nan]]).tolist() == [0]
    assert tree.predict([[np.nan]]).tolist() == ["b"]


def test_a_missing_value_goes_where_the_missing_rows_went():
    X = [[1.0], [2.0], [np.nan], [np.nan]]
    tree = DecisionTreeClassifier().fit(X, ["a", "b", "c", "c"])
    assert tree.predict([[np.nan]]).tolist() == ["c"]


def test_an_unseen_value_stops_at_the_branch_and_is_counted():
    X = pl.DataFrame({"colour": ["red", "green", "blue"], "size": [1.0, 2.0, 3.0]})
    tree = DecisionTreeClassifier().fit(X, [1, 1, 0])
    new = pl.DataFrame({"colour": ["pink", "blue", None], "size": [1.0, 1.0, 1.0]})
    table = read_like(new, tree.grown_tree_.schema)
    assert stops(tree.grown_tree_, table).tolist()[0] == 0
    assert unseen(tree.grown_tree_, table) == {"colour": 1}


def test_a_value_unseen_at_the_node_stops_there_though_the_tree_knows_it():
    X = pl.DataFrame({"n": [1.0] * 4 + [2.0] * 4, "b": list("uuvvwwuv")})
    tree = DecisionTreeClassifier().fit(X, list("ppqqrrrr")).grown_tree_
    assert tree[0].query.feature.name == "n"
    assert tree[1].query.feature.name == "b"
    table = read_like(pl.DataFrame({"n": [1.0], "b": ["w"]}), tree.schema)
    assert stops(tree, table).tolist() == [1]


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_any_number_of_threads_stops_rows_at_the_same_nodes(n_jobs):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20_000, 3)), rng.normal(size=20_000)
    model = DecisionTreeRegressor(max_depth=6).fit(X, y)
    table = read_like(X, model.grown_tree_.schema)
    nodes = stops(model.grown_tree_, table, n_jobs=n_jobs)
    assert np.array_equal(nodes, stops(model.grown_tree_, table))


def test_guesses_and_shares_are_those_of_the_nodes():
    tree = DecisionTreeClassifier(max_depth=0).fit([[0.0], [1.0], [2.0]], ["a", "b", "b"])
    assert guesses(tree.grown_tree_, np.array([0])).tolist() == [[1]]
    assert probabilities(tree.grown_tree_, np.array([0])).tolist() == [[[1 / 3, 2 / 3]]]


def test_integers_beyond_float64_are_compared_as_integers():
    ids = np.array([[2**60], [2**60 + 1], [2**60 + 2]])
    tree = DecisionTreeClassifier().fit(ids, ["a", "b", "c"])
    assert tree.predict(ids).tolist() == ["a", "b", "c"]


def test_the_next_nodes_of_a_row_lead_to_where_it_stops():
    X = pl.DataFrame({"n": [1.0, 1.0, 2.0, 2.0, None], "b": ["u", "v", "u", "w", "v"]})
    tree = DecisionTreeClassifier().fit(X, list("pqrst")).grown_tree_
    new = pl.DataFrame({"n": [1.0, 2.0, None, 9.0], "b": ["u", "v", "w", "new"]})
    table = read_like(new, tree.schema)
    for row, stop in enumerate(stops(tree, table).tolist()):
        found, node = next_nodes(tree, table, row), 0
        while found[node] >= 0:
            node = int(found[node])
        assert node == stop


def test_no_node_follows_a_leaf():
    model = DecisionTreeRegressor(max_depth=0).fit([[1.0], [2.0]], [1.0, 2.0])
    table = read_like([[1.0]], model.grown_tree_.schema)
    assert next_nodes(model.grown_tree_, table, 0).tolist() == [-1]


def test_a_row_that_is_not_there_has_no_next_nodes():
    model = DecisionTreeRegressor().fit([[1.0], [2.0]], [1.0, 2.0])
    table = read_like([[1.0]], model.grown_tree_.schema)
    with pytest.raises(ValueError, match="there is no such row"):
        next_nodes(model.grown_tree_, table, 1)
