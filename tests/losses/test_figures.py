"""Figures beside the loss: scikit-learn finds the same. `tests/test_interval_coverage.py` has the intervals."""

import numpy as np
import pytest
from sklearn import metrics

from bough.evidence import Estimate
from bough.losses.figures import MOST_CLASSES, class_figures, number_figures

RANDOM = np.random.default_rng(7)
N_ROWS, N_PLACES = 500, 20
PLACES = RANDOM.integers(0, N_PLACES, N_ROWS)
WEIGHTS = RANDOM.random(N_ROWS) * (RANDOM.random(N_ROWS) < 0.9)
GROUPS = RANDOM.integers(0, 60, N_ROWS)
FURTHER = {
    "rows": {},
    "weights": {"weights": WEIGHTS},
    "groups": {"groups": GROUPS},
    "both": {"weights": WEIGHTS, "groups": GROUPS},
}


def drawn(n_classes):
    """Give probabilities at some places, and what rows there are and are predicted to be."""
    probabilities = RANDOM.dirichlet(np.ones(n_classes), N_PLACES)
    probabilities[:n_classes] = np.eye(n_classes) * 0.4 + 0.6 / n_classes  # each is predicted
    probabilities[-1] = probabilities[-2]  # equal ones at two places
    labels = np.array([RANDOM.choice(n_classes, p=probabilities[place]) for place in PLACES])
    return probabilities, probabilities.argmax(axis=1)[PLACES], labels


DRAWN = {n_classes: drawn(n_classes) for n_classes in (2, 3, 5)}
GUESSES = RANDOM.normal(size=N_PLACES)[PLACES]
NUMBERS = GUESSES + RANDOM.normal(size=N_ROWS)


def measured(n_classes, **further):
    found = class_figures(*DRAWN[n_classes], PLACES, **further)
    return {key: each.estimate for key, each in found.items()}


def theirs(name, n_classes, code, weights):
    probabilities, predicted, labels = DRAWN[n_classes]
    is_it, given = labels == code, probabilities[PLACES, code]
    if name in ("auc", "average_precision"):
        function = {
            "auc": metrics.roc_auc_score,
            "average_precision": metrics.average_precision_score,
        }
        return function[name](is_it, given, sample_weight=weights)
    function = {
        "recall": metrics.recall_score,
        "precision": metrics.precision_score,
        "f1": metrics.f1_score,
    }[name]
    return function(is_it, predicted == code, sample_weight=weights)


@pytest.mark.parametrize("n_classes", DRAWN)
@pytest.mark.parametrize("further", FURTHER)
@pytest.mark.parametrize("name", ["recall", "precision", "f1", "average_precision"])
def test_figures_of_each_class_are_those_of_scikit_learn(n_classes, further, name):
    found = measured(n_classes, **FURTHER[further])
    weights = FURTHER[further].get("weights")
    for code in range(n_classes):
        expected = theirs(name, n_classes, code, weights)
        assert found[name, code].value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("further", FURTHER)
def test_the_area_of_two_classes_is_that_of_scikit_learn(further):
    found = measured(2, **FURTHER[further])
    expected = theirs("auc", 2, 1, FURTHER[further].get("weights"))
    assert found["auc", None].value == pytest.approx(expected, rel=1e-12)
    assert ("auc", 0) not in found


@pytest.mark.parametrize("n_classes", [3, 5])
def test_the_area_of_more_classes_is_the_mean_of_one_against_the_rest(n_classes):
    found = measured(n_classes)
    probabilities, _, labels = DRAWN[n_classes]
    expected = metrics.roc_auc_score(labels, probabilities[PLACES], multi_class="ovr")
    assert found["auc", None].value == pytest.approx(expected, rel=1e-12)
    for code in range(n_classes):
        expected = theirs("auc", n_classes, code, None)
        assert found["auc", code].value == pytest.approx(expected, rel=1e-12)


def test_lift_counts_the_class_in_the_tenth_of_highest_probability():
    """Of equal probabilities at the border, as many count as there is room for, whichever."""
    probabilities = np.array([[0.9, 0.1], [0.5, 0.5], [0.8, 0.2]])
    places = np.repeat([0, 1, 2], [80, 6, 14])
    labels = np.concatenate([np.repeat([0, 1], [76, 4]), [1] * 6, np.repeat([0, 1], [7, 7])])
    found = class_figures(probabilities, np.zeros(100, int), labels, places)
    # 6 rows of the first level, and 4 of the 14 of the next, half of which are of the class.
    assert found["lift", 1].estimate.value == pytest.approx((6 + 4 / 2) / 10 / 0.17)


@pytest.mark.parametrize("further", FURTHER)
def test_figures_of_numbers_are_those_of_scikit_learn(further):
    found = number_figures(GUESSES, NUMBERS, **FURTHER[further])
    weights = FURTHER[further].get("weights")
    expected = metrics.r2_score(NUMBERS, GUESSES, sample_weight=weights)
    assert found["r2"].estimate.value == pytest.approx(expected, rel=1e-12)
    expected = metrics.median_absolute_error(NUMBERS, GUESSES, sample_weight=weights)
    assert found["median_absolute_error"].estimate.value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("further", FURTHER)
def test_the_numbers_of_rows_have_the_figure_as_their_mean(further):
    """So that the difference of two models is the mean of differences."""
    given = FURTHER[further]
    found = class_figures(*DRAWN[3], PLACES, **given) | number_figures(GUESSES, NUMBERS, **given)
    for key, each in found.items():
        mean = np.average(each.each, weights=given.get("weights"))
        slack = 0.05 if key == "median_absolute_error" else 1e-9  # of which the share is not half
        assert mean == pytest.approx(each.estimate.value, abs=slack), key


def jackknife(function, rows):
    """Return the standard error of a figure: from leaving out each row once."""
    left_out = np.array([function(np.delete(rows, row)) for row in range(len(rows))])
    return np.sqrt((len(rows) - 1) * np.var(left_out))


@pytest.mark.parametrize("name", ["recall", "precision", "f1", "auc", "average_precision", "lift"])
def test_the_numbers_of_rows_vary_as_the_figure_does(name):
    probabilities, predicted, labels = DRAWN[2]

    def figure(rows):
        found = class_figures(probabilities, predicted[rows], labels[rows], PLACES[rows])
        return found[name, None if name == "auc" else 1]

    rows = np.arange(200)
    error = figure(rows).each.std(ddof=1) / np.sqrt(len(rows))
    expected = jackknife(lambda rows: figure(rows).estimate.value, rows)
    assert error == pytest.approx(expected, rel=0.05)


def test_the_numbers_of_rows_vary_as_r2_does():
    found = number_figures(GUESSES, NUMBERS)["r2"]
    error = found.each.std(ddof=1) / np.sqrt(N_ROWS)
    rows = np.arange(N_ROWS)
    expected = jackknife(
        lambda rows: number_figures(GUESSES[rows], NUMBERS[rows])["r2"].estimate.value, rows
    )
    assert error == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize("further", FURTHER)
def test_the_order_of_rows_does_not_matter(further):
    order = RANDOM.permutation(N_ROWS)
    turned = {name: values[order] for name, values in FURTHER[further].items()}
    probabilities, predicted, labels = DRAWN[3]
    one = class_figures(probabilities, predicted, labels, PLACES, **FURTHER[further])
    other = class_figures(probabilities, predicted[order], labels[order], PLACES[order], **turned)
    assert {key: each.estimate for key, each in one.items()} == {
        key: each.estimate for key, each in other.items()
    }
    one = number_figures(GUESSES, NUMBERS, **FURTHER[further])
    other = number_figures(GUESSES[order], NUMBERS[order], **turned)
    assert [each.estimate for each in one.values()] == [each.estimate for each in other.values()]


def test_copies_of_rows_tell_nothing_new_when_grouped():
    probabilities, predicted, labels = DRAWN[2]
    once = class_figures(probabilities, predicted, labels, PLACES)
    copied = class_figures(
        probabilities, *(np.repeat(each, 4) for each in (predicted, labels, PLACES)),
        groups=np.repeat(np.arange(N_ROWS), 4),
    )  # fmt: skip
    for key, each in once.items():
        found = copied[key].estimate
        assert (found.low, found.high) == pytest.approx(
            (each.estimate.low, each.estimate.high), abs=0.02 * each.estimate.value
        ), key


def test_nothing_is_said_that_cannot_be_measured():
    probabilities = np.array([[0.7, 0.2, 0.1], [0.2, 0.7, 0.1]])
    predicted, labels = np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0])
    found = class_figures(probabilities, predicted, labels, predicted)
    assert not any(code == 2 for _, code in found)
    assert ("recall", 1) in found
    assert ("auc", 1) not in found  # of one row


def test_a_class_that_is_never_predicted_has_no_precision():
    probabilities = np.array([[0.7, 0.3]])
    labels = np.array([0, 0, 1, 1])
    found = class_figures(probabilities, np.zeros(4, int), labels, np.zeros(4, int))
    assert ("precision", 1) not in found
    assert found["recall", 1].estimate.value == found["f1", 1].estimate.value == 0
    assert found["auc", None].estimate.value == 0.5
    assert found["lift", 1].estimate.value == pytest.approx(1)


def test_classes_that_the_tree_does_not_know_are_others():
    probabilities = np.array([[0.7, 0.3], [0.4, 0.6]])
    labels = np.array([0, -1, 1, -1, 0, 1])
    predicted = np.array([0, 0, 1, 1, 0, 1])
    found = class_figures(probabilities, predicted, labels, predicted)
    assert found["precision", 1].estimate.value == pytest.approx(2 / 3)
    assert found["recall", 1].estimate.value == 1


@pytest.mark.parametrize("further", FURTHER)
def test_rows_of_unknown_classes_take_no_part_in_orders(further):
    probabilities, predicted, labels = DRAWN[2]
    unknown = RANDOM.random(N_ROWS) < 0.2
    found = class_figures(
        probabilities, predicted, np.where(unknown, -1, labels), PLACES, **FURTHER[further]
    )
    known = {name: each[~unknown] for name, each in FURTHER[further].items()}
    alone = class_figures(
        probabilities, predicted[~unknown], labels[~unknown], PLACES[~unknown], **known
    )
    for key in [key for key in alone if key[0] in ("auc", "average_precision", "lift")]:
        ours, theirs = found[key].estimate, alone[key].estimate
        assert (ours.value, ours.low, ours.high) == pytest.approx(
            (theirs.value, theirs.low, theirs.high)
        ), key
        weights = FURTHER[further].get("weights")
        assert np.average(found[key].each, weights=weights) == pytest.approx(ours.value)


def test_classes_of_few_rows_do_not_count_in_the_mean_area():
    probabilities, predicted, labels = DRAWN[3]
    some = np.concatenate([np.flatnonzero(labels < 2), np.flatnonzero(labels == 2)[:9]])
    found = class_figures(probabilities, predicted[some], labels[some], PLACES[some])
    areas = [found["auc", code].estimate.value for code in range(2)]
    assert found["auc", None].estimate.value == pytest.approx(np.mean(areas))
    few = np.concatenate([np.flatnonzero(labels == code)[:9] for code in range(3)])
    assert ("auc", None) not in class_figures(
        probabilities, predicted[few], labels[few], PLACES[few]
    )


def test_a_top_of_few_groups_tells_less_than_its_rows():
    probabilities, labels = np.array([[0.0, 1.0], [0.9, 0.1]]), np.repeat([1, 0], [40, 360])
    labels[40:60] = 1
    predicted = np.repeat([0, 1], [40, 360])
    alone = class_figures(probabilities, 1 - predicted, labels, predicted)["lift", 1].estimate
    groups = np.arange(400) // 20
    grouped = class_figures(probabilities, 1 - predicted, labels, predicted, groups=groups)
    assert grouped["lift", 1].estimate.low < alone.low


def test_of_very_many_classes_the_commonest_have_figures():
    n_classes = MOST_CLASSES + 50
    labels = np.concatenate([np.arange(n_classes), np.arange(60, n_classes)])
    probabilities = np.full((1, n_classes), 1 / n_classes)
    found = class_figures(
        probabilities, np.zeros(len(labels), int), labels, np.zeros(len(labels), int)
    )
    assert {code for _, code in found if code is not None} == {*range(10), *range(60, n_classes)}
    assert ("auc", None) not in found


def test_equal_labels_have_no_r2():
    assert "r2" not in number_figures(np.array([1.0, 2.0]), np.array([3.0, 3.0]))


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_numbers_of_any_size_have_figures(size):
    found = number_figures(GUESSES * size, NUMBERS * size)
    plain = number_figures(GUESSES, NUMBERS)
    assert found["r2"].estimate.value == pytest.approx(plain["r2"].estimate.value)
    assert found["median_absolute_error"].estimate.high == pytest.approx(
        plain["median_absolute_error"].estimate.high * size
    )


def test_a_single_row_has_a_median():
    found = number_figures(np.array([1.0]), np.array([3.0]))["median_absolute_error"].estimate
    assert found == Estimate(2.0, 2.0, 2.0, 1, "Woodruff")
