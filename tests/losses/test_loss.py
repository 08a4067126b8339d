"""What a guess costs in a row, and what the tallies say of the training rows."""

from dataclasses import replace
from math import log

import numpy as np
import pytest
from handmade import branch, leaf, make_tree
from sklearn.metrics import (
    brier_score_loss,
    log_loss,
    mean_absolute_error,
    mean_pinball_loss,
    mean_poisson_deviance,
    mean_squared_error,
)

from bough.errors import DataError, ParameterError
from bough.loss_kinds import LOSSES, known_loss, node_losses, row_losses
from bough.query_kinds import Below
from bough.schema import Feature, Kind, Label, Schema, Task

NUMBER = Feature("x", Kind.NUMBER, 0)
THREE = Schema(("x",), (NUMBER,), (Label("y", ("a", "b", "c"), "<U1"),))
TWO = Schema(("x",), (NUMBER,), (Label("y", ("a", "b"), "<U1"),))
PRICE = Schema(("x",), (NUMBER,), (Label("price"),))
COSTS = ((0.0, 1.0, 9.0), (1.0, 0.0, 1.0), (4.0, 1.0, 0.0))
WITH_COSTS = replace(THREE, labels=(replace(THREE.labels[0], costs=COSTS),))

# The root has 3 a, 2 b, 1 c and its children 3 a, 1 b (node 1) and 1 b, 1 c (node 2).
CLASSES = make_tree(THREE, branch(Below(NUMBER, 0.5), leaf(0, 0, 0, 1), leaf(1, 2)))
PRICED = replace(CLASSES, schema=WITH_COSTS)
NUMBERS = make_tree(PRICE, branch(Below(NUMBER, 0.5), leaf(1, 2, 6), leaf(10)))
NODES = np.array([1, 1, 2, 2, 0])
LABELS = np.array([0, 1, 1, 2, 0])


def test_an_error_is_a_wrong_guess():
    assert row_losses(CLASSES, "error", NODES, LABELS).tolist() == [0, 1, 0, 1, 0]


def test_log_loss_is_that_of_scikit_learn():
    found = row_losses(CLASSES, "log_loss", NODES, LABELS)
    assert found.mean() == pytest.approx(log_loss(LABELS, CLASSES.shares[NODES, 0]))


def test_the_log_loss_of_a_class_that_the_node_never_saw_is_finite():
    found = row_losses(CLASSES, "log_loss", np.array([1]), np.array([2]))
    assert found.tolist() == [52 * log(2)]


def test_a_certain_guess_that_is_right_has_no_log_loss():
    certain = make_tree(THREE, leaf(1, 1))
    assert row_losses(certain, "log_loss", np.array([0]), np.array([1])).tolist() == [0]


def test_costs_are_those_of_the_guess_of_least_expected_cost():
    # At node 1 guessing a, b, c costs 1/4, 3/4, 7 on average; at node 2 it costs 5/2, 1/2, 1/2; at
    # the root 1, 4/6, 29/6.
    assert row_losses(PRICED, "cost", NODES, LABELS).tolist() == [0, 1, 0, 1, 1]


def test_without_costs_a_wrong_guess_costs_1():
    found = row_losses(CLASSES, "cost", NODES, LABELS)
    assert found.tolist() == row_losses(CLASSES, "error", NODES, LABELS).tolist()


def test_the_brier_score_is_that_of_scikit_learn():
    found = row_losses(CLASSES, "brier", NODES, LABELS)
    assert found.mean() == pytest.approx(brier_score_loss(LABELS, CLASSES.shares[NODES, 0]))


def test_the_brier_score_of_two_classes_is_that_of_one_of_them():
    tree = make_tree(TWO, branch(Below(NUMBER, 0.5), leaf(0, 0, 0, 1), leaf(1, 1, 0)))
    nodes, labels = np.array([1, 1, 2]), np.array([0, 1, 1])
    found = row_losses(tree, "brier", nodes, labels)
    assert found.mean() == pytest.approx(brier_score_loss(labels, tree.shares[nodes, 0, 1]))


@pytest.mark.parametrize("loss", ["log_loss", "brier"])
def test_smoothed_probabilities_are_measured_where_the_label_has_them(loss):
    smoothed = replace(THREE.labels[0], probability="laplace")
    tree = replace(CLASSES, schema=replace(THREE, labels=(smoothed,)))
    theirs = {"log_loss": log_loss, "brier": brier_score_loss}[loss]
    # At node 1 there are 3 a and 1 b, at node 2 there are 1 b and 1 c, at the root 3, 2 and 1.
    probabilities = {0: [4 / 9, 3 / 9, 2 / 9], 1: [4 / 7, 2 / 7, 1 / 7], 2: [1 / 5, 2 / 5, 2 / 5]}
    expected = theirs(LABELS, np.array([probabilities[node] for node in NODES.tolist()]))
    assert row_losses(tree, loss, NODES, LABELS).mean() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("loss", "greatest"),
    [("error", 1), ("log_loss", 52 * log(2)), ("brier", 1 + 10 / 16), ("cost", 4)],
)
def test_a_class_that_the_tree_does_not_know_costs_most(loss, greatest):
    assert row_losses(PRICED, loss, np.array([1]), np.array([-1])).tolist() == [greatest]


@pytest.mark.parametrize(
    ("loss", "theirs"),
    [("squared_error", mean_squared_error), ("absolute_error", mean_absolute_error)],
)
def test_errors_of_numbers_are_those_of_scikit_learn(loss, theirs):
    nodes, labels = np.array([0, 1, 2]), np.array([4.0, 8.5, -1.0])
    found = row_losses(NUMBERS, loss, nodes, labels)
    assert found.mean() == pytest.approx(theirs(labels, NUMBERS.guess[nodes, 0]))


def test_the_poisson_loss_is_half_the_deviance_of_scikit_learn():
    nodes, labels = np.array([0, 1, 2, 2]), np.array([4.0, 8.5, 0.0, 0.25])
    found = row_losses(NUMBERS, "poisson", nodes, labels)
    theirs = mean_poisson_deviance(labels, NUMBERS.guess[nodes, 0])
    assert found.mean() == pytest.approx(theirs / 2)


def test_a_guess_of_0_has_a_finite_poisson_loss():
    nothing = make_tree(PRICE, leaf(0.0, 0.0))
    found = row_losses(nothing, "poisson", np.array([0, 0]), np.array([0.0, 1.0]))
    assert found == pytest.approx([0, 52 * log(2) - 1])


def test_negative_labels_have_no_poisson_loss():
    with pytest.raises(DataError) as error:
        row_losses(NUMBERS, "poisson", np.array([0]), np.array([-1.0]))
    assert str(error.value) == (
        "loss='poisson' is for numbers that are 0 or more, but some labels are negative. "
        "Use loss='squared_error' or 'absolute_error', or leave these rows out."
    )


@pytest.mark.parametrize("quantile", [0.1, 0.5, 0.9])
def test_the_pinball_loss_is_that_of_scikit_learn(quantile):
    nodes, labels = np.array([0, 1, 2]), np.array([4.0, 8.5, -1.0])
    found = row_losses(NUMBERS, "pinball", nodes, labels, quantile=quantile)
    theirs = mean_pinball_loss(labels, NUMBERS.guess[nodes, 0], alpha=quantile)
    assert found.mean() == pytest.approx(theirs)


def test_the_pinball_loss_needs_a_quantile():
    with pytest.raises(ParameterError) as error:
        known_loss("pinball", Task.REGRESSION)
    assert str(error.value) == (
        "loss='pinball' needs a quantile between 0 and 1: quantile=0.9 predicts what nine of ten "
        "labels do not exceed."
    )


def test_the_square_of_a_huge_error_is_the_largest_number():
    found = row_losses(NUMBERS, "squared_error", np.array([0]), np.array([1e300]))
    assert found.tolist() == [np.finfo(float).max]


ROWS = [np.array([0, 0, 0, 1, 1, 2]), np.array([0, 0, 0, 1]), np.array([1, 2])]


@pytest.mark.parametrize("node", range(3))
@pytest.mark.parametrize("loss", ["error", "log_loss", "brier", "cost"])
def test_tallies_tell_the_training_loss_of_classes(loss, node):
    labels = ROWS[node]
    of_rows = row_losses(PRICED, loss, np.full(len(labels), node), labels)
    assert node_losses(PRICED, loss)[node] == pytest.approx(of_rows.mean())


@pytest.mark.parametrize(("node", "labels"), [(0, [1, 2, 6, 10]), (1, [1, 2, 6]), (2, [10])])
def test_tallies_tell_the_training_loss_of_numbers(node, labels):
    of_rows = row_losses(NUMBERS, "squared_error", np.full(len(labels), node), np.array(labels))
    assert node_losses(NUMBERS, "squared_error")[node] == pytest.approx(of_rows.mean())


def test_the_training_loss_of_numbers_is_never_below_0():
    far = make_tree(PRICE, leaf(1e9 + 0.1, 1e9 + 0.1, 1e9 + 0.1))
    assert node_losses(far, "squared_error") >= 0


@pytest.mark.parametrize("loss", ["absolute_error", "poisson", "pinball"])
def test_tallies_do_not_tell_other_losses_of_numbers(loss):
    assert node_losses(NUMBERS, loss) is None


def test_the_cost_needs_costs():
    with pytest.raises(ParameterError) as error:
        known_loss("cost", Task.CLASSIFICATION)
    assert str(error.value) == (
        "loss='cost' needs costs, as in costs={('ill', 'well'): 20}: predicting 'well' where 'ill' is "
        "true costs 20."
    )


def test_a_loss_that_is_not_known_is_refused():
    with pytest.raises(ParameterError) as error:
        known_loss("eror", Task.CLASSIFICATION)
    assert str(error.value) == (
        "loss='eror' is not known for classification. Did you mean 'error'? "
        "Known: 'error', 'log_loss', 'brier' and 'cost'."
    )


def test_a_loss_of_another_task_is_refused():
    with pytest.raises(ParameterError) as error:
        known_loss("error", Task.REGRESSION)
    assert str(error.value) == (
        "loss='error' is not known for regression. "
        "Known: 'squared_error', 'absolute_error', 'poisson' and 'pinball'."
    )


@pytest.mark.parametrize("loss", LOSSES)
def test_every_loss_is_known_for_its_task(loss):
    assert known_loss(loss, LOSSES[loss].task, quantile=0.5, has_costs=True) == loss


def test_the_usual_loss_is_that_of_the_criteria_where_they_agree():
    task = Task.REGRESSION
    assert known_loss(None, task) == "squared_error"
    assert known_loss(None, task, ["quantile"], 0.9) == "pinball"
    assert known_loss(None, task, ["quantile", "poisson"], 0.9) == "squared_error"
    assert known_loss(None, Task.CLASSIFICATION, ["gini"], has_costs=True) == "cost"
