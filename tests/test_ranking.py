"""What rankings gain, and the labels and weights that a tree which ranks grows from."""

import math

import numpy as np
import pytest

from bough.encode import Labels
from bough.errors import DataError
from bough.ranking import (
    MOST_RELEVANT,
    centred_gains,
    check_relevance,
    check_weighed,
    dcg,
    gains_of,
    ideal_dcg,
    places_of,
)
from bough.schema import Label


def labels(relevance, group=None, weights=None):
    given = [None if each is None else np.array(each) for each in (weights, group)]
    label = Label("stars", ranks=True)
    return Labels((label,), None, np.array([relevance], np.float64), *given)


def plain_statement(relevance, group, weights):
    """Return centred gains and their weights, one row after the other, as the module states them."""
    values, counts = [], []
    for i, own in enumerate(group):
        rows = [j for j in range(len(group)) if group[j] == own and weights[j] > 0]
        gain = [2.0**r - 1 for r in relevance]
        mean = math.fsum(weights[j] * gain[j] for j in rows) / math.fsum(weights[j] for j in rows)
        best = sorted((gain[j] for j in rows), reverse=True)
        ideal = math.fsum(g / math.log2(place + 1) for place, g in enumerate(best, 1))
        values.append(gain[i] - mean if weights[i] > 0 else 0.0)
        counts.append(weights[i] / ideal if ideal else 0.0)
    return values, counts


def test_whole_relevances_gain_whole_numbers():
    grades = np.arange(MOST_RELEVANT + 1)
    assert gains_of(grades).tolist() == [2**grade - 1 for grade in grades.tolist()]


def test_a_gain_is_divided_by_the_logarithm_of_its_place():
    gains, unit = np.array([3.0, 1.0, 7.0]), np.array([0, 0, 1])
    assert dcg(gains, unit) == pytest.approx([3 + 1 / math.log2(3), 7])


def test_only_the_first_places_count_where_asked():
    assert dcg(np.array([0.0, 1.0, 1.0]), np.zeros(3, int), most=1).tolist() == [0.0]


def test_the_ideal_order_is_by_falling_gains():
    found = ideal_dcg(np.array([1.0, 3.0, 0.0]), np.zeros(3, int))
    assert found == pytest.approx([3 + 1 / math.log2(3)])


@pytest.mark.parametrize("seed", range(20))
def test_centred_gains_are_as_stated(seed):
    rng = np.random.default_rng(seed)
    relevance, group = rng.integers(0, 4, 30), rng.integers(0, 5, 30)
    weights = rng.choice([0.0, 0.5, 1.0, 3.0], 30)
    weights[np.unique(group, return_index=True)[1]] = 1.0
    found = centred_gains(labels(relevance, group, weights))
    values, counts = plain_statement(relevance.tolist(), group.tolist(), weights.tolist())
    assert found.values[0] == pytest.approx(values, abs=1e-14)
    assert found.weights == pytest.approx(counts, rel=1e-14)


def test_equal_gains_of_a_group_are_centred_to_nothing():
    found = centred_gains(labels([3, 3, 3, 1, 0], [1, 1, 1, 2, 2], [0.1, 0.2, 0.3, 1, 1]))
    assert found.values[0, :3].tolist() == [0.0, 0.0, 0.0]


def test_the_order_of_rows_changes_no_bit():
    rng = np.random.default_rng(0)
    relevance, group = rng.uniform(0, 3, 200), rng.integers(0, 9, 200)
    weights, order = rng.uniform(size=200), rng.permutation(200)
    one = centred_gains(labels(relevance, group, weights))
    other = centred_gains(labels(relevance[order], group[order], weights[order]))
    assert other.values[0].tolist() == one.values[0, order].tolist()
    assert other.weights.tolist() == one.weights[order].tolist()


def test_a_group_without_a_relevant_row_has_no_weight():
    assert centred_gains(labels([0, 0, 1], [1, 1, 2])).weights.tolist() == [0, 0, 1]


def test_without_groups_all_rows_are_of_one_group():
    one = centred_gains(labels([0, 2, 1]))
    assert one.values.tolist() == centred_gains(labels([0, 2, 1], [5, 5, 5])).values.tolist()


def test_weights_near_the_largest_number_are_kept():
    found = centred_gains(labels([0, 1], [0, 0], [1.5e308, 1.5e308]))
    assert found.values.tolist() == [[-0.5, 0.5]]


def test_labels_that_are_all_0_are_refused():
    with pytest.raises(DataError) as error:
        centred_gains(labels([0, 0, 0]))
    assert str(error.value) == (
        "stars is 0 in every row, so every order is equally good. Give at least one row "
        "a relevance above 0."
    )


def test_rows_of_equal_scores_share_the_first_place():
    scores, group = np.array([1.0, 3.0, 1.0, 0.0, 9.0]), np.array(["a", "a", "a", "a", "b"])
    assert places_of(scores, group).tolist() == [2, 1, 2, 4, 1]


@pytest.mark.parametrize(
    ("relevance", "message"),
    [
        (
            [0, -1, 2],
            (
                "stars is -1 in row 1. A relevance must be 0 or more; rows that are not "
                "relevant have 0."
            ),
        ),
        (
            [-0.5, -1, 2],
            (
                "stars is -0.5 in row 0 (and 1 more row is out of range). A relevance must "
                "be 0 or more; rows that are not relevant have 0."
            ),
        ),
        (
            [0, 40, 100, 99],
            (
                "stars is 40 in row 1 (and 2 more rows are out of range). A relevance can be "
                "at most 31, since a row of relevance r gains 2^r - 1. Use grades such as 0 "
                "to 4, or a logarithm."
            ),
        ),
    ],
)
def test_a_number_that_is_no_relevance_is_refused(relevance, message):
    with pytest.raises(DataError) as error:
        check_relevance(np.array(relevance, float), "stars", lambda row: f"row {row}")
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (
            [1, 1, 0, 0, 1],
            (
                "all rows of group b have weight 0. Give a row of each group a weight, or "
                "leave these groups out."
            ),
        ),
        (
            [0, 0, 0, 0, 1],
            (
                "all rows of group a (and of 1 more) have weight 0. Give a row of each group "
                "a weight, or leave these groups out."
            ),
        ),
    ],
)
def test_a_group_of_which_no_row_counts_is_refused(weights, message):
    group = ["a", "a", "b", "b", "c"]
    with pytest.raises(DataError) as error:
        check_weighed(np.array(group), np.array(weights, float), lambda row: group[row])
    assert str(error.value) == message


def test_one_row_with_a_weight_is_enough():
    check_weighed(np.array([1, 1, 2]), np.array([0.0, 1.0, 2.0]), str)
