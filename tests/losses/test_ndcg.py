"""NDCG: against all orders of tied rows, and against scikit-learn's."""

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

import bough
from bough import DecisionTreeRanker
from bough.errors import BoughError, DataError
from bough.predict import stops
from bough.pruning.ways import series_by_cost, series_by_depth
from bough.ranking import Groups, ndcg
from bough.table import read

RANDOM = np.random.default_rng(0)
GROUP = RANDOM.integers(0, 30, 400)
RELEVANCE = RANDOM.integers(0, 5, 400).astype(float)
SCORES = RANDOM.integers(0, 6, 400).astype(float)


def mean_over_orders(scores, relevance, k):
    """Return the mean NDCG over all orders in which no score rises."""
    gains = [2.0**r - 1 for r in relevance]
    best = sum(g / math.log2(p + 2) for p, g in enumerate(sorted(gains, reverse=True)[:k]))
    found = [
        sum(gains[row] / math.log2(place + 2) for place, row in enumerate(order[:k])) / best
        for order in permutations(range(len(scores)))
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]
    return sum(found) / len(found)


@pytest.mark.parametrize("k", [1, 2, 3, 10])
@pytest.mark.parametrize("seed", range(15))
def test_tied_rows_count_as_their_mean_over_all_orders(seed, k):
    rng = np.random.default_rng(seed)
    scores, relevance = rng.integers(0, 3, 6), rng.integers(0, 4, 6)
    relevance[0] = 1
    assert ndcg(scores, relevance, k=k) == pytest.approx(mean_over_orders(scores, relevance, k))


@pytest.mark.parametrize("k", [1, 5, 10, 1000])
def test_it_is_scikit_learns_of_the_same_gains(k):
    found = Groups(RELEVANCE, GROUP, k=k).ndcg(SCORES)
    expected = [
        ndcg_score([2 ** RELEVANCE[each == GROUP] - 1], [SCORES[each == GROUP]], k=k)
        for each in np.unique(GROUP)
    ]
    assert found == pytest.approx(expected)


def test_equal_scores_are_a_random_order():
    rng = np.random.default_rng(1)
    random = [ndcg(rng.random(400), RELEVANCE, GROUP) for _ in range(300)]
    deviation = np.std(random, ddof=1) / math.sqrt(300)
    assert ndcg(np.zeros(400), RELEVANCE, GROUP) == pytest.approx(
        np.mean(random), abs=4 * deviation
    )


def test_scores_that_follow_the_relevance_have_1():
    assert ndcg(RELEVANCE, RELEVANCE, GROUP) == pytest.approx(1, abs=1e-15)


def test_groups_without_a_relevant_row_are_left_out():
    scores, relevance, group = [2, 1, 5, 4], [0, 1, 0, 0], ["a", "a", "b", "b"]
    assert ndcg(scores, relevance, group) == ndcg(scores[:2], relevance[:2])


def test_a_group_counts_as_much_as_its_rows_on_average():
    scores, relevance, group = [2, 1, 2, 1, 0], [0, 1, 1, 0, 0], [1, 1, 2, 2, 2]
    found = ndcg(scores, relevance, group, weights=[1, 3, 1, 2, 3])
    assert found == pytest.approx((1 / math.log2(3) + 1) / 2)


def test_rows_of_weight_0_are_not_shown():
    scores, relevance, group = [9, 2, 1, 1, 8], [0, 2, 0, 1, 0], [1, 1, 1, 2, 2]
    with_rest = ndcg(scores, relevance, group, weights=[0, 1, 1, 1, 0])
    assert with_rest == ndcg(scores[1:4], relevance[1:4], group[1:4])


def test_the_order_of_rows_does_not_matter():
    order = np.random.default_rng(3).permutation(400)
    shuffled = Groups(RELEVANCE[order], GROUP[order]).ndcg(SCORES[order])
    assert shuffled.tolist() == Groups(RELEVANCE, GROUP).ndcg(SCORES).tolist()


def test_some_groups_have_the_ndcg_that_they_have_among_all():
    groups, some = Groups(RELEVANCE, GROUP), np.array([0, 7, 29])
    assert groups.ndcg(SCORES, some).tolist() == groups.ndcg(SCORES)[some].tolist()


@pytest.mark.parametrize("kind", ["by depth", "by cost"])
def test_every_tree_of_a_series_has_the_losses_of_its_own_scores(ranked, kind):
    tree, table, relevance, group = ranked
    series = series_by_depth(tree) if kind == "by depth" else series_by_cost(tree, tree.impurity)[1]
    groups, moves = Groups(relevance, group), series.moves(stops(tree, table))
    found = groups.losses_in_series(tree.guess[:, 0], moves, len(series))
    for number, losses in enumerate(found):
        own = series[number]
        scores = own.guess[stops(own, table), 0]
        assert losses.tolist() == (1 - groups.ndcg(scores)).tolist()
    assert number == len(series) - 1 > 3


@pytest.fixture(scope="module")
def ranked():
    """Give a tree that ranks, and other rows: their table, their relevance and their groups."""
    rng = np.random.default_rng(2)
    X, group = rng.normal(size=(300, 3)), rng.integers(0, 20, 300)
    relevance = np.clip(np.round(X[:, 0] + rng.normal(size=300) + 1), 0, 4)
    tree = DecisionTreeRanker(min_samples_leaf=4, n_jobs=1).fit(X[:150], relevance[:150])
    return tree.grown_tree_, read(X[150:]), relevance[150:], group[150:]


def test_labels_that_are_all_0_cannot_be_measured():
    with pytest.raises(DataError) as error:
        ndcg([1, 2], [0, 0])
    assert str(error.value) == (
        "No group has a relevant row, so every order is equally good. Give rows with a "
        "relevance above 0."
    )


def test_as_many_scores_as_relevances_are_needed():
    with pytest.raises(DataError) as error:
        ndcg([1, 2, 3], [0, 1])
    assert str(error.value) == ("There are 3 scores, but 2 relevances. Give one of each per row.")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"scores": [], "relevance": []},
            "scores must be a list of finite numbers, one for each row.",
        ),
        ({"scores": [1, np.nan]}, "scores must be a list of finite numbers, one for each row."),
        ({"scores": ["a", "b"]}, "scores must be a list of finite numbers, one for each row."),
        ({"relevance": [[0, 1]]}, "relevance must be a list of finite numbers, one for each row."),
        (
            {"relevance": [0, np.nan]},
            "relevance must be a list of finite numbers, one for each row.",
        ),
        ({"group": [1]}, "group has 1 values, but there are 2 rows. Give one for each row."),
        ({"weights": [1]}, "weights has 1 values, but there are 2 rows. Give one for each row."),
        ({"weights": [0, 0]}, "weights must be 0 or more, and at least one must be above 0."),
        ({"weights": [-1, 2]}, "weights must be 0 or more, and at least one must be above 0."),
        ({"k": 0}, "k=0 must be a whole number, 1 or more."),
        ({"k": 2.5}, "k=2.5 must be a whole number, 1 or more."),
    ],
)
def test_what_cannot_be_measured_is_refused_in_words(given, message):
    with pytest.raises(BoughError) as error:
        ndcg(**{"scores": [1, 2], "relevance": [0, 1], **given})
    assert str(error.value) == message


def test_a_negative_relevance_is_refused():
    with pytest.raises(DataError, match="relevance is -1 in row 1"):
        ndcg([1, 2], [0, -1])


def test_users_find_it_where_the_pages_say():
    assert bough.losses.ndcg is ndcg


@pytest.mark.parametrize("seed", range(15))
def test_the_first_relevant_row_has_its_mean_place_over_all_orders(seed):
    rng = np.random.default_rng(seed)
    scores, relevance = rng.integers(0, 3, 6).astype(float), rng.integers(0, 3, 6)
    relevance[0] = 1
    orders = [
        order
        for order in permutations(range(6))
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]
    firsts = [1 / (1 + next(i for i, row in enumerate(o) if relevance[row])) for o in orders]
    found = Groups(relevance, None).reciprocal_ranks(scores)
    assert found.tolist() == pytest.approx([sum(firsts) / len(firsts)])


def test_each_group_has_its_own_first_relevant_row():
    relevance, group = np.array([0, 1, 1, 0, 0, 0, 2]), np.array([1, 1, 2, 2, 3, 3, 1])
    scores = np.array([9.0, 8, 3, 4, 1, 2, 7])
    assert Groups(relevance, group).reciprocal_ranks(scores).tolist() == [0.5, 0.5, 0.0]


def test_rows_of_weight_0_are_at_no_place():
    groups = Groups(np.array([0, 1, 1]), None, np.array([0.0, 1.0, 1.0]))
    assert groups.reciprocal_ranks(np.array([3.0, 2, 1])).tolist() == [1.0]
