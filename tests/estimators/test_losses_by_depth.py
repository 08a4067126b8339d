"""`depths_path`: the loss at every depth from one growth."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.metrics import mean_squared_error, zero_one_loss

from bough import DataError, DecisionTreeClassifier, DecisionTreeRegressor

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def test_each_depth_has_the_error_of_the_tree_grown_to_it():
    X, y = IRIS
    tree = DecisionTreeClassifier().fit(X[::2], y[::2])
    grown = [
        DecisionTreeClassifier(max_depth=d).fit(X[::2], y[::2]) for d in range(tree.get_depth() + 1)
    ]
    expected = [zero_one_loss(y[1::2], each.predict(X[1::2])) for each in grown]
    assert tree.depths_path(X[1::2], y[1::2]).tolist() == pytest.approx(expected, abs=1e-15)


def test_each_depth_has_the_squared_error_of_the_tree_grown_to_it():
    X, y = DIABETES
    tree = DecisionTreeRegressor(max_depth=8).fit(X[::2], y[::2])
    grown = [DecisionTreeRegressor(max_depth=d).fit(X[::2], y[::2]) for d in range(9)]
    expected = [mean_squared_error(y[1::2], each.predict(X[1::2])) for each in grown]
    assert tree.depths_path(X[1::2], y[1::2]).tolist() == pytest.approx(expected, rel=1e-12)


def test_the_full_tree_makes_no_error_on_its_own_rows():
    X, y = DIABETES
    assert DecisionTreeRegressor().fit(X, y).depths_path(X, y)[-1] == 0


def test_weights_count_in_the_loss():
    tree = DecisionTreeClassifier().fit([[0], [1], [2]], ["a", "b", "b"])
    assert tree.depths_path([[0], [1]], ["a", "b"], [3, 1]).tolist() == [0.75, 0.0]


def test_the_largest_weights_count_in_the_loss():
    tree = DecisionTreeClassifier().fit([[0], [1], [2]], ["a", "b", "b"])
    assert tree.depths_path([[0], [1]], ["a", "b"], [1.5e308, 0.5e308]).tolist() == [0.75, 0.0]


def test_a_squared_error_beyond_the_largest_number_is_infinite():
    tree = DecisionTreeRegressor(max_depth=0).fit([[0], [1]], [0.0, 1e200])
    assert tree.depths_path([[0]], [0.0]).tolist() == [np.inf]


def test_several_outputs_share_the_loss():
    tree = DecisionTreeClassifier().fit([[0], [1]], [["a", "c"], ["b", "c"]])
    assert tree.depths_path([[0], [1]], [["a", "c"], ["b", "d"]]).tolist() == [0.5, 0.25]


def test_a_label_that_was_never_seen_is_never_guessed():
    tree = DecisionTreeClassifier().fit([[0], [1]], ["a", "b"])
    assert tree.depths_path([[0], [1]], ["new", "b"]).tolist() == [1.0, 0.5]


def test_a_row_that_stops_early_keeps_its_guess():
    X = [["red", 1.0], ["red", 2.0], ["blue", 1.0], ["blue", 1.0]]
    tree = DecisionTreeClassifier().fit(X, ["a", "b", "c", "c"])
    assert tree.depths_path([["green", 1.0]], ["c"]).tolist() == [0.0, 0.0, 0.0]


def test_one_leaf_has_one_depth():
    tree = DecisionTreeClassifier().fit([[0], [0]], ["a", "a"])
    assert tree.depths_path([[5], [6]], ["a", "b"]).tolist() == [0.5]


def test_another_number_of_outputs_is_refused():
    tree = DecisionTreeClassifier().fit([[0], [1]], ["a", "b"])
    with pytest.raises(DataError) as error:
        tree.depths_path([[0], [1]], np.array([["a", "a"], ["b", "b"]]))
    assert str(error.value) == "y has 2 outputs, but the tree predicts 1."
