"""Pivots that are short to say: where in its gap a pivot lies, and what words give for it."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import handmade
import numpy as np
import pytest
from scipy.sparse import csr_array

import bough
from bough.exports.model_file import Model, dumps, loads
from bough.grow.short_pivots import MOMENTS, WHOLE, shortest, shortest_whole
from bough.predict import stops
from bough.table import read

LEAST = 5e-324
MOST = np.finfo(float).max
GAPS = [  # the ends, and the shortest number in the middle half and between them
    (42.3, 42.4, 42.35, 42.35),
    (9, 34, 20, 20),
    (10, 11, 10.5, 10.5),
    (1.2, 2.1, 1.6, 2),
    (0.1, 0.1 + 0.2, 0.2, 0.2),
    (-5, 5.2, 0, 0),
    (-1, 1000, 500, 500),
    (-0.4, -0.1, -0.2, -0.2),
    (1.0, np.nextafter(1.0, 2), np.nextafter(1.0, 2), np.nextafter(1.0, 2)),
    (0.0, LEAST, LEAST, LEAST),
    (-LEAST, 0.0, 0.0, 0.0),
    (-MOST, MOST, 0, 0),
    (1e300, 1.7e308, 9e307, 9e307),
    (1e-310, 2e-310, 1.5e-310, 1.5e-310),
]


def halfway(low, high):
    middle = low / 2 + high / 2 if np.isinf(low + high) else (low + high) / 2
    return middle if middle > low else high


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize(("low", "high", "rounded", "shown"), GAPS)
def test_the_shortest_number_of_a_gap(low, high, rounded, shown):
    ends = np.array([low], float), np.array([high], float), np.array([halfway(low, high)], float)
    assert shortest(*ends, is_round=True) == [rounded]
    found = shortest(*ends, is_round=False)
    assert found == [shown]
    assert not np.signbit(found[found == 0]).any()


def n_digits(number):
    return len(Decimal(repr(number)).normalize().as_tuple().digits) if number else 0


@pytest.mark.parametrize("is_round", [True, False])
def test_no_number_in_the_gap_has_fewer_digits(is_round):
    rng = np.random.default_rng(1)
    low = rng.normal(size=3000) * 10.0 ** rng.integers(-12, 12, 3000)
    low[::2] = low[::2].round(2)
    high = low + np.abs(low) * 10.0 ** rng.integers(-16, 3, 3000) * rng.random(3000)
    low, high = low[low < high], high[low < high]
    middle = np.array([halfway(*ends) for ends in zip(low, high, strict=True)])
    found = shortest(low, high, middle, is_round=is_round)
    assert np.all((found > low) & (found <= high))
    for one, other, near, number in zip(
        *(e.tolist() for e in (low, high, middle, found)), strict=True
    ):
        margin = (Fraction(other) - Fraction(one)) / 4 if is_round else 0
        shorter = [float(f"{near:.{digits - 1}e}") for digits in range(1, n_digits(number))]
        first, last = Fraction(one) + margin, Fraction(other) - margin
        assert not [each for each in shorter if first < Fraction(each) < last]


def moment(text):
    return (dt.datetime.fromisoformat(text) - dt.datetime(1970, 1, 1)) // dt.timedelta(
        microseconds=1
    )


DATES = [
    ("2011-01-01", "2011-01-09", "2011-01-05"),
    ("2011-01-01", "2011-01-02", "2011-01-01 12:00"),
    ("2011-01-01 10:00", "2011-01-01 10:10", "2011-01-01 10:05"),
    ("2011-01-01 10:00:00", "2011-01-01 10:00:09", "2011-01-01 10:00:05"),
    ("2011-01-01 10:00:00.1", "2011-01-01 10:00:00.9", "2011-01-01 10:00:00.5"),
    ("1960-01-01", "1960-03-01", "1960-01-31"),
]


@pytest.mark.parametrize(("low", "high", "between"), DATES)
def test_a_date_is_of_the_coarsest_unit(low, high, between):
    found = shortest_whole(moment(low), moment(high), MOMENTS, is_round=True)
    assert found == moment(between)


def test_whole_numbers_beyond_float64_are_rounded_as_they_are():
    assert shortest_whole(2**62, 2**62 + 10**15, WHOLE, is_round=True) % 10**14 == 0
    assert shortest_whole(2**62, 2**62 + 1, WHOLE, is_round=True) is None
    X = np.array([[2**60 + 1000], [2**60 + 9000]])
    tree = bough.DecisionTreeClassifier(pivots="round").fit(X, [0, 1]).grown_tree_
    assert tree.pivot_int[0] % 1000 == 0
    assert str(tree.pivot_int[0]) in bough.draw(tree)


def test_rows_of_weight_0_take_no_part():
    X, y = [[1.0], [1.9], [2.0], [4.0]], [0, 0, 1, 1]
    tree = bough.DecisionTreeClassifier().fit(X, y, sample_weight=[1, 0, 0, 1]).grown_tree_
    assert (tree.pivot[0], tree.shown[0]) == (2.5, 2.0)
    tree = bough.DecisionTreeClassifier(pivots="round").fit(X, y, sample_weight=[1, 0, 0, 1])
    assert tree.grown_tree_.pivot[0] == 2.0


def test_a_sparse_table_gives_the_same_words():
    X = np.random.default_rng(0).random((200, 4)).round(3) * (np.arange(200) % 3 > 0)[:, None]
    y = X.sum(axis=1) > 1
    dense, sparse = (bough.DecisionTreeClassifier().fit(each, y) for each in (X, csr_array(X)))
    assert bough.draw(dense) == bough.draw(sparse)


@pytest.mark.parametrize(
    "settings",
    [
        {"splitter": "random", "random_state": 0},
        {"first": [2]},
        {"max_leaf_nodes": 9},
        {"min_samples_leaf": 5, "ccp_alpha": 0.01},
        {"monotonic_cst": [1, 0, -1]},
        {"costs": {(False, True): 5}},
    ],
)
def test_the_rows_part_alike_wherever_a_pivot_lies(settings):
    X = np.random.default_rng(0).normal(size=(300, 3))
    y = X[:, 0] + X[:, 1] ** 2 > 0.5
    one, other = (
        bough.DecisionTreeClassifier(pivots=pivots, **settings).fit(X, y).grown_tree_
        for pivots in ("midpoint", "round")
    )
    table = read(X)
    assert np.array_equal(stops(one, table), stops(other, table))
    assert np.array_equal(one.tally, other.tally)
    assert np.array_equal(one.gain, other.gain)
    if "splitter" not in settings:
        said = np.where(np.isnan(one.shown), one.pivot, one.shown)
        lengths = [
            sum(len(repr(each)) for each in pivots.tolist()) for pivots in (said, other.pivot)
        ]
        assert lengths[0] <= lengths[1] < sum(len(repr(each)) for each in one.pivot.tolist())


def test_a_forced_query_is_rounded_and_one_with_a_pivot_is_not():
    X = np.array([[0.0, 1.23], [1.0, 7.91], [2.0, 1.37], [3.0, 8.02]])
    model = bough.DecisionTreeClassifier(pivots="round").fit(X, [0, 0, 1, 1])
    assert model.force(0, 1, X, [0, 0, 1, 1]).grown_tree_.pivot[0] in (1.3, 5.0, 8.0)
    forced = model.force(0, 1, X, [0, 0, 1, 1], below=3.14159).grown_tree_
    assert forced.pivot[0] == 3.14159
    assert "x1 < 3.14159" in bough.draw(forced)


def test_a_pruned_tree_keeps_what_is_shown():
    X = np.random.default_rng(0).normal(size=(300, 2))
    y = X[:, 0] + X[:, 1] ** 2 > 0.5
    model = bough.DecisionTreeClassifier().fit(X, y)
    smaller = model.cut(2)
    assert smaller.grown_tree_.shown[0] == model.grown_tree_.shown[0]
    assert (
        bough.draw(model, max_depth=1).splitlines()[1][:14]
        == bough.draw(smaller).splitlines()[1][:14]
    )


def test_what_is_shown_for_a_pivot_is_kept_and_drawn():
    X = np.array([[0.1], [0.2], [0.7], [0.7]])
    tree = bough.DecisionTreeClassifier().fit(X, [0, 1, 0, 1]).grown_tree_
    assert tree.pivot[0] == (0.1 + 0.2) / 2 != tree.shown[0] == 0.15
    again = loads(dumps(Model(tree, {}))).tree
    assert handmade.same_tree(again, tree)
    assert bough.draw(again) == bough.draw(tree)
    assert "x0 < 0.15 " in bough.draw(again)
