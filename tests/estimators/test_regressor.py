"""`DecisionTreeRegressor`: guesses of numbers."""

import numpy as np
import pytest

from bough import DecisionTreeRegressor

X = [[0.0], [1.0], [2.0], [3.0]]


def test_a_leaf_guesses_the_mean():
    assert DecisionTreeRegressor(max_depth=0).fit(X, [1, 2, 3, 6]).predict([[9]]).tolist() == [3.0]


def test_equal_labels_are_guessed_exactly():
    y = np.array([0.1, 0.1, 1e15, 1e15])
    assert DecisionTreeRegressor().fit(X, y).predict(X).tolist() == y.tolist()


def test_several_outputs_give_a_column_each():
    y = [[1, 10], [2, 20], [3, 30], [4, 40]]
    assert DecisionTreeRegressor().fit(X, y).predict(X).tolist() == y


def test_a_column_of_labels_is_one_output():
    assert DecisionTreeRegressor().fit(X, [[1], [2], [3], [4]]).predict(X).tolist() == [1, 2, 3, 4]


def test_weights_move_the_mean():
    tree = DecisionTreeRegressor(max_depth=0).fit(X, [0, 0, 0, 8], [1, 1, 1, 5])
    assert tree.predict([[0]]).tolist() == [5.0]


def test_the_score_is_the_share_of_variance_explained():
    assert DecisionTreeRegressor(max_depth=1).fit(X, [0, 2, 4, 6]).score(X, [0, 2, 4, 6]) == 0.8


def test_the_old_name_of_squared_error_warns():
    with pytest.warns(FutureWarning) as warned:
        DecisionTreeRegressor(criterion="friedman_mse").fit(X, [1, 2, 3, 4])
    assert str(warned[0].message) == (
        "criterion='friedman_mse' is an old name that scikit-learn gives up. "
        "Use criterion='squared_error', which grows the same tree."
    )
    assert warned[0].filename == __file__


@pytest.mark.filterwarnings("ignore:criterion='friedman_mse':FutureWarning")
def test_the_old_name_of_squared_error_grows_the_same_tree():
    old = DecisionTreeRegressor(criterion="friedman_mse").fit(X, [1, 5, 2, 4])
    new = DecisionTreeRegressor().fit(X, [1, 5, 2, 4])
    assert old.tree_.threshold.tolist() == new.tree_.threshold.tolist()
