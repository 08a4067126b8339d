"""`DecisionTreeClassifier`: guesses and shares of classes."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from bough import DecisionTreeClassifier

COLOURS = pd.DataFrame({"colour": ["red", "red", "blue", "blue"], "size": [1, 2, 1, np.nan]})
FRUIT = ["apple", "cherry", "plum", "plum"]


def fitted(**options):
    return DecisionTreeClassifier(**options).fit(COLOURS, FRUIT)


def test_a_full_tree_knows_every_row():
    assert fitted().predict(COLOURS).tolist() == FRUIT


def test_shares_are_those_of_the_node_where_a_row_stops():
    tree = fitted(max_depth=1)
    assert tree.predict_proba(COLOURS).tolist() == [[0.5, 0.5, 0]] * 2 + [[0, 0, 1]] * 2


def test_an_unseen_value_stops_at_the_branch_that_asks():
    unseen = pd.DataFrame({"colour": ["green"], "size": [1]})
    assert fitted().predict_proba(unseen).tolist() == [[0.25, 0.25, 0.5]]


def test_equally_common_classes_guess_the_first():
    assert DecisionTreeClassifier().fit([[0], [0]], ["b", "a"]).predict([[0]]).tolist() == ["a"]


def test_one_class_is_one_leaf():
    tree = DecisionTreeClassifier().fit([[0], [1]], ["only", "only"])
    assert (tree.get_n_leaves(), tree.predict([[5]]).tolist()) == (1, ["only"])


def test_logarithms_of_shares_of_0_are_minus_infinity_without_a_warning():
    logs = fitted(max_depth=1).predict_log_proba(COLOURS[:1])
    assert logs.tolist() == [[np.log(0.5), np.log(0.5), -np.inf]]


def test_several_outputs_give_a_column_each():
    y = np.array([["a", "x"], ["b", "x"], ["c", "y"]])
    tree = DecisionTreeClassifier().fit([[0], [1], [2]], y)
    assert tree.predict([[0], [1], [2]]).tolist() == y.tolist()


def test_several_outputs_give_a_list_of_shares():
    y = np.array([["a", "x"], ["b", "x"], ["c", "y"]])
    tree = DecisionTreeClassifier(max_depth=0).fit([[0], [1], [2]], y)
    three, two = tree.predict_proba([[0]])
    assert three.tolist() == [pytest.approx([1 / 3] * 3)]
    assert two.tolist() == [pytest.approx([2 / 3, 1 / 3])]


def test_several_outputs_give_a_list_of_logarithms():
    tree = DecisionTreeClassifier().fit([[0], [1]], [[0, 1], [1, 1]])
    assert [each.tolist() for each in tree.predict_log_proba([[0]])] == [[[0, -np.inf]], [[0]]]


def test_several_outputs_of_different_kinds_keep_their_kinds():
    y = np.array([[1, "x"], [2, "y"]], dtype=object)
    tree = DecisionTreeClassifier().fit([[0], [1]], y)
    assert tree.predict([[0], [1]]).tolist() == [[1, "x"], [2, "y"]]


def test_several_outputs_list_their_classes():
    tree = DecisionTreeClassifier().fit([[0], [1], [2]], [[0, 5], [1, 5], [2, 6]])
    assert [each.tolist() for each in tree.classes_] == [[0, 1, 2], [5, 6]]
    assert tree.n_classes_.tolist() == [3, 2]
    assert tree.n_outputs_ == 2


def test_one_output_counts_its_classes():
    tree = fitted()
    assert (tree.n_classes_, tree.n_outputs_) == (3, 1)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "log_loss", "error", "gain_ratio"])
def test_every_criterion_grows_a_tree_that_knows_the_irises(criterion):
    X, y = load_iris(return_X_y=True)
    assert DecisionTreeClassifier(criterion=criterion).fit(X, y).score(X, y) == 1


@pytest.mark.parametrize("method", ["predict", "predict_proba", "predict_log_proba"])
def test_a_tree_that_is_not_fitted_guesses_nothing(method):
    with pytest.raises(NotFittedError) as error:
        getattr(DecisionTreeClassifier(), method)(COLOURS)
    assert str(error.value) == (
        "This DecisionTreeClassifier instance is not fitted yet. Call 'fit' with appropriate "
        "arguments before using this estimator."
    )
