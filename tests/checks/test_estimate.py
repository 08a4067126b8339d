"""Whether an estimate is sharp, and whether it beats always guessing the same."""

import pytest

from bough.checks.tree import few_test_rows, no_better
from bough.evidence import Estimate


def test_a_wide_interval_is_named():
    (note,) = few_test_rows("error", Estimate(0.2, 0.149, 0.251, 150))
    assert note.text == ("Only 150 test rows: the true error could be as high as 25.1 %")


def test_few_rows_are_named_for_any_loss():
    (note,) = few_test_rows("squared_error", Estimate(2.5, 1.25, 5, 99))
    assert note.text == ("Only 99 test rows: the true squared error could be as high as 5")


@pytest.mark.parametrize("loss", ["error", "squared_error"])
def test_a_hundred_rows_and_a_narrow_interval_are_enough(loss):
    assert few_test_rows(loss, Estimate(0.02, 0.01, 0.06, 100)) == []


def test_a_wide_interval_of_another_loss_says_nothing():
    assert few_test_rows("squared_error", Estimate(900, 800, 1000, 100)) == []


def test_a_tree_that_is_worse_than_the_baseline_is_named():
    (note,) = no_better(
        "log_loss",
        Estimate(0.71, 0.69, 0.73, 500),
        Estimate(0.69, 0.68, 0.7, 500),
        Estimate(0.02, 0.01, 0.03, 500),
    )
    assert note.text == (
        "The tree is not better than always predicting the same: its log loss is 0.71, the "
        "baseline 0.69, a difference of +0.02 (+0.01 to +0.03)"
    )


def test_a_tree_whose_interval_holds_the_baseline_is_not_clearly_better():
    (note,) = no_better(
        "error",
        Estimate(0.4, 0.35, 0.45, 500),
        Estimate(0.45, 0.4, 0.5, 500),
        Estimate(-0.05, -0.11, 0.01, 500),
    )
    assert note.text == (
        "The tree is not clearly better than always predicting the same: its error is 40.0 %, the "
        "baseline 45.0 %, a difference of −5.0 (−11.0 to +1.0)"
    )


def test_a_tree_that_is_clearly_better_is_not_named():
    tree, same = Estimate(0.25, 0.1, 0.4, 50), Estimate(0.31, 0.2, 0.4, 50)
    assert no_better("error", tree, same, Estimate(-0.06, -0.1, -0.02, 50)) == []


def test_nothing_is_concluded_from_a_few_groups():
    tree, same = Estimate(0.38, 0.05, 0.9, 6), Estimate(0.5, 0.2, 0.8, 6)
    (note,) = no_better("ndcg_loss", tree, same, Estimate(-0.12, -0.4, 0.1, 6))
    assert note.text == (
        "Cannot tell from 6 test groups whether the tree is better than a random order: its NDCG@10 "
        "is 0.62, the baseline 0.5"
    )


def test_rows_that_depend_on_each_other_are_counted_by_group():
    test, same = Estimate(0.2, 0.1, 0.3, 360), Estimate(0.3, 0.2, 0.4, 360)
    (note,) = few_test_rows("error", test, n_groups=6)
    assert note.text == "Only 6 groups of test rows: the true error could be as high as 30.0 %"
    assert few_test_rows("squared_error", test, n_groups=40) == []
    (note,) = no_better("error", test, same, Estimate(-0.1, -0.3, 0.1, 360), n_groups=6)
    assert note.text == (
        "Cannot tell from 6 groups of test rows whether the tree is better than always predicting "
        "the same: its error is 20.0 %, the baseline 30.0 %"
    )
