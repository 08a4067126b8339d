"""How mixed a tally is, and what is guessed for it."""

import random
from fractions import Fraction
from math import log

import pytest

from bough.reference import Settings, Table, groupings, grow
from bough.reference_impurity import absolute, cut, middle, pinball, poisson

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("tally", "median"),
    [
        ({1: 1, 3: 1, 9: 1}, 3),
        ({1: 1, 3: 1, 4: 1, 9: 1}, Fraction(7, 2)),
        ({1: 3, 3: 1, 9: 1}, 1),
        ({1: 2, 3: 1, 9: 1}, 2),
        ({1: 1, 2: Fraction(1, 10**13), 9: 1}, 5),  # what is within rounding weighs nothing
    ],
)
def test_the_middle_is_that_of_all_medians(tally, median):
    assert middle(tally) == median


def test_a_cut_is_the_first_label_that_reaches_a_share():
    tally = {1: 1, 2: 1, 3: 2}
    assert [cut(tally, Fraction(share, 4)) for share in (1, 2, 3, 4)] == [1, 2, 3, 3]


def test_the_last_label_is_the_cut_of_what_none_reaches():
    assert cut({1: 1, 2: 1}, 1 + HALF) == 2


@pytest.mark.parametrize("level", [Fraction(1, 10), HALF, Fraction(9, 10)])
def test_no_guess_has_less_pinball_loss_than_the_cut(level):
    tally = {-3: 2, 0: 1, 1: 4, 7: 1}

    def loss(guess):
        parts = ((label - guess, weight) for label, weight in tally.items())
        return sum(w * max(level * d, (level - 1) * d) for d, w in parts) / 8

    guesses = [Fraction(number, 4) for number in range(-16, 32)]
    assert pinball(tally, level) == min(map(loss, guesses))


def test_the_absolute_error_is_the_mean_distance_from_the_median():
    assert absolute({1: 1, 2: 1, 6: 2}) == Fraction(9, 4)


def test_the_poisson_impurity_is_half_the_mean_deviance():
    # From the mean 2: 0 costs 2, and 4 costs 4 ln 2 - 2.
    assert float(poisson({0: 1, 4: 1})) == pytest.approx(2 * log(2))


@pytest.mark.parametrize("impurity", [absolute, pinball, poisson])
def test_equal_labels_are_not_mixed(impurity):
    assert impurity({3: 5}) == 0


def test_a_query_that_leaves_only_zeros_to_an_answer_is_barred_by_poisson():
    table = Table({"x": [1, 2, 3, 4]}, [0, 0, 3, 1])
    assert grow(table, Settings(criterion="poisson")).query.pivot == 3.5


def test_groups_are_cut_in_order_of_median_and_mean():
    # Medians: b 1, c 1, a 2. The mean of b is less than that of c, which is more than that of a.
    table = Table({"x": list("aabbbccc")}, [2, 2, 1, 1, 1, 1, 1, 9])
    pairs = groupings(table, table.rows, "x", Settings(criterion="absolute_error"))
    assert [group for group, _ in pairs] == [("a",), ("a", "c")]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    "criterion", ["gini", "entropy", "squared_error", "absolute_error", "poisson"]
)
def test_gains_of_numbers_without_ties_are_those_of_scikit_learn(criterion, seed):
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    rng = random.Random(seed)
    X = [rng.sample(range(1000), 3) for _ in range(30)]
    y = [int(row[0] + 0.3 * row[1] > 600) + int(row[2] > 800) for row in X]
    table = Table({f"x{i}": [row[i] for row in X] for i in range(3)}, y)
    root = grow(table, Settings(criterion=criterion, max_depth=1))
    is_classes = criterion in ("gini", "entropy")
    model = DecisionTreeClassifier if is_classes else DecisionTreeRegressor
    theirs = model(criterion=criterion, max_depth=1, random_state=0).fit(X, y).tree_
    left, right = theirs.weighted_n_node_samples[1:] / theirs.weighted_n_node_samples[0]
    remainder = left * theirs.impurity[1] + right * theirs.impurity[2]
    assert float(root.gain) == pytest.approx(theirs.impurity[0] - remainder, abs=1e-9)
