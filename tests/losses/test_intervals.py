"""Means of losses and their intervals. `tests/test_interval_coverage.py` has how often they hold the truth."""

import numpy as np
import pytest
from scipy import stats

from bough.errors import DataError
from bough.evidence import Estimate
from bough.loss_kinds import LOSSES as KNOWN
from bough.losses.intervals import difference, estimate, score, student

RANDOM = np.random.default_rng(4)
LOSSES = RANDOM.exponential(size=200)
ERRORS = (RANDOM.random(200) < 0.2).astype(float)
WEIGHTS = RANDOM.random(200)
GROUPS = RANDOM.integers(0, 30, 200)


def ends(found):
    return found.low, found.high


@pytest.mark.parametrize(("n_wrong", "n"), [(0, 5), (1, 5), (20, 100), (5, 5), (0, 1), (1, 1)])
def test_errors_have_the_interval_of_wilson(n_wrong, n):
    found = estimate(np.repeat([1.0, 0.0], [n_wrong, n - n_wrong]), "error")
    theirs = stats.binomtest(n_wrong, n).proportion_ci(method="wilson")
    assert (*ends(found), found.value) == pytest.approx((theirs.low, theirs.high, n_wrong / n))


def test_without_an_error_the_interval_begins_at_0():
    assert estimate(np.zeros(50), "error").low == 0


def test_with_nothing_but_errors_the_interval_ends_at_1():
    assert estimate(np.ones(50), "error").high == 1


@pytest.mark.parametrize("losses", [ERRORS, LOSSES])
@pytest.mark.parametrize("further", [{}, {"weights": WEIGHTS}, {"groups": GROUPS}])
def test_the_order_of_rows_does_not_matter(losses, further):
    order = RANDOM.permutation(200)
    turned = {name: values[order] for name, values in further.items()}
    loss = "error" if losses is ERRORS else "squared_error"
    assert estimate(losses, loss, **further) == estimate(losses[order], loss, **turned)


@pytest.mark.parametrize("loss", ["error", "squared_error"])
def test_equal_weights_change_nothing(loss):
    one, other = estimate(ERRORS, loss), estimate(ERRORS, loss, weights=np.full(200, 7.0))
    assert (*ends(one), one.value) == pytest.approx((*ends(other), other.value))


@pytest.mark.parametrize("loss", ["error", "squared_error"])
def test_rows_of_weight_0_take_no_part(loss):
    weights = np.repeat([1.0, 0.0], 100)
    assert estimate(ERRORS, loss, weights=weights) == estimate(ERRORS[:100], loss)


def test_unequal_weights_make_the_interval_of_errors_wider_as_kish_says():
    found = estimate(ERRORS, "error", weights=WEIGHTS)
    n = WEIGHTS.sum() ** 2 / (WEIGHTS**2).sum()
    share = (WEIGHTS * ERRORS).sum() / WEIGHTS.sum()
    squared = stats.norm.ppf(0.975) ** 2 / n
    reach = np.sqrt(squared * share * (1 - share) + squared**2 / 4) / (1 + squared)
    assert found.high - found.low == pytest.approx(2 * reach)


@pytest.mark.parametrize("loss", ["error", "squared_error"])
def test_copies_of_rows_tell_nothing_new_when_grouped(loss):
    losses = ERRORS if loss == "error" else LOSSES
    once = estimate(losses, loss)
    copied = estimate(np.repeat(losses, 4), loss, groups=np.repeat(np.arange(200), 4))
    assert ends(copied) == pytest.approx(ends(once), abs=0.003)


@pytest.mark.parametrize("loss", ["error", "squared_error"])
def test_groups_that_go_wrong_together_make_the_interval_wider(loss):
    losses = np.repeat(ERRORS[:50], 4)
    one, other = estimate(losses, loss), estimate(losses, loss, groups=np.repeat(range(50), 4))
    assert other.high - other.low > 1.5 * (one.high - one.low)


def test_one_group_tells_hardly_anything():
    found = estimate(np.repeat([1.0, 0.0], 50), "error", groups=np.zeros(100, int))
    assert found.high - found.low > 0.95


def test_the_interval_of_a_skewed_loss_reaches_further_up():
    found = estimate(LOSSES**2, "squared_error")
    assert found.high - found.value > 1.3 * (found.value - found.low)


def test_the_interval_of_a_symmetric_loss_is_that_ofstudent():
    losses = np.concatenate([LOSSES, -LOSSES]) + 5
    theirs = stats.ttest_1samp(losses, 0).confidence_interval()
    assert ends(estimate(losses, "squared_error")) == pytest.approx((theirs.low, theirs.high))


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_losses_may_be_of_any_size(scale):
    found, scaled = estimate(LOSSES, "squared_error"), estimate(LOSSES * scale, "squared_error")
    assert (*ends(scaled), scaled.value) == pytest.approx(
        (found.low * scale, found.high * scale, found.value * scale), rel=1e-9
    )


def test_no_end_is_infinite():
    assert estimate(np.array([0.0, 1.7e308]), "squared_error").high == np.finfo(float).max


def test_equal_losses_have_an_interval_of_no_width():
    assert ends(estimate(np.full(7, 0.25), "squared_error")) == (0.25, 0.25)


@pytest.mark.parametrize("n_queries", [1, 3, 20])
def test_queries_that_are_all_ranked_alike_have_the_interval_of_a_share(n_queries):
    found = estimate(np.zeros(n_queries), "ndcg_loss")
    assert found == estimate(np.zeros(n_queries), "error")
    assert found.high > 0
    rounded = estimate(np.linspace(0, 1e-15, n_queries), "ndcg_loss")
    assert ends(rounded) == pytest.approx(ends(found))
    some = estimate(np.full(n_queries, 0.1), "ndcg_loss")
    assert 0 <= some.low < 0.1 < some.high < 1


def test_one_loss_has_the_interval_of_one_normal_residual():
    found = estimate(np.array([3.0]), "squared_error")
    assert ends(found) == pytest.approx((0, 3 + 3 / stats.chi2.ppf(0.025, 1)))


def test_the_value_lies_in_its_interval():
    for n in range(1, 30):
        found = estimate(LOSSES[:n] ** 3, "squared_error")
        assert found.low <= found.value <= found.high


def test_no_rows_are_refused():
    with pytest.raises(DataError) as error:
        estimate(np.array([]), "error")
    assert str(error.value) == "There are no rows to measure a loss on. Give at least one."


def test_the_method_is_named():
    found = [
        estimate(ERRORS, "error"),
        estimate(ERRORS, "error", groups=GROUPS),
        estimate(LOSSES, "log_loss"),
        estimate(LOSSES, "log_loss", groups=GROUPS),
        difference(ERRORS, ERRORS, "error"),
        difference(ERRORS, ERRORS, "error", groups=GROUPS),
    ]
    assert [each.method for each in found] == [
        "Wilson", "Wilson, by group", "Hall", "Hall, by group", "paired", "paired, by group",
    ]  # fmt: skip


def test_a_difference_is_that_of_the_means():
    found = difference(LOSSES, LOSSES[::-1] / 2, "squared_error")
    assert found.value == pytest.approx(LOSSES.mean() / 2)


def test_a_difference_turns_its_sign_with_the_sides():
    found, turned = difference(ERRORS, 1 - ERRORS, "error"), difference(1 - ERRORS, ERRORS, "error")
    assert (turned.value, turned.low, turned.high) == pytest.approx(
        (-found.value, -found.high, -found.low)
    )


def test_sides_that_never_differ_may_still_differ_elsewhere():
    found = difference(ERRORS[:20], ERRORS[:20], "error")
    assert found.low < -0.1 < found.value == 0 < 0.1 < found.high


def test_pairs_tell_more_than_two_means():
    found = difference(LOSSES + 0.01, LOSSES, "squared_error")
    assert 0.009 < found.low < 0.01 < found.high < 0.0101


@pytest.mark.parametrize("loss", ["ndcg_loss", "log_loss", "error"])
def test_equal_differences_of_a_few_rows_show_nothing(loss):
    found = difference(np.full(2, 0.2), np.full(2, 0.8), loss)
    assert found.value == pytest.approx(-0.6)
    assert found.low < -0.6 < 0 < found.high
    assert loss == "log_loss" or -1 <= found.low < found.high <= 1


def test_trees_that_say_the_same_do_not_differ():
    assert ends(difference(LOSSES, LOSSES, "squared_error")) == (0, 0)


def test_accuracy_is_what_is_left_of_the_error():
    found = score(Estimate(0.25, 0.125, 0.5, 9, "Wilson"), KNOWN["error"].score_of)
    assert found == Estimate(0.75, 0.5, 0.875, 9, "Wilson")


def test_the_root_of_an_estimate_has_the_roots_of_its_ends():
    found = score(Estimate(4.0, 1.0, 9.0, 9, "Hall"), KNOWN["squared_error"].score_of)
    assert found == Estimate(2.0, 1.0, 3.0, 9, "Hall")


@pytest.mark.parametrize("freedom", [1, 2, 4, 5, 6, 10, 30, 1000, 10**6])
def test_the_quantile_ofstudent_is_right(freedom):
    assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=3e-4)
