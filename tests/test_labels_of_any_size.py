"""The grid on which labels are summed never shows, whatever their size and range."""

import numpy as np
import pytest
from against_reference import compare_trees
from audit import audit_estimator

from bough import DecisionTreeRegressor
from bough.reference import Settings, Table, grow

N_ROWS = 150
N_FEW = 40  # for the reference, which takes its time
SEEDS = range(4)


def columns(rng, n_rows=N_ROWS):
    """Return a table with few and with many distinct values, and with missing ones."""
    X = np.column_stack(
        [rng.integers(0, 6, n_rows), rng.normal(size=n_rows), rng.integers(0, 40, n_rows)]
    )
    X[rng.random(n_rows) < 0.1, 0] = np.nan
    return X


def fifteen_orders(rng):
    return rng.choice([-1, 1], N_ROWS) * 10 ** rng.uniform(-8, 7, N_ROWS)


def whole_orders(rng):
    return 10.0 ** rng.integers(-8, 8, N_ROWS)


def tiny_spread_on_an_offset(rng):
    return 1e6 + 1e-9 * rng.integers(0, 1000, N_ROWS)


def a_cluster_a_billionth_wide(rng):
    in_cluster = rng.random(N_ROWS) < 0.7
    return np.where(in_cluster, 5 + 1e-9 * rng.random(N_ROWS), rng.uniform(-10, 10, N_ROWS))


def neighbours(rng):
    return 1 + np.finfo(float).eps * rng.integers(0, 3, N_ROWS)


def huge(rng):
    return 1e300 * rng.normal(size=N_ROWS)


def the_largest(rng):
    return np.finfo(float).max * rng.choice([-1.0, 1.0, 0.5], N_ROWS)


def tiny(rng):
    return 1e-300 * rng.normal(size=N_ROWS)


def the_smallest(rng):
    return 5e-324 * rng.integers(-4, 5, N_ROWS)


def awkward(rng):
    return rng.choice([0.1, 0.2, 0.3, 1 / 3, -0.7, 0.0, -0.0], N_ROWS)


LABELS = [
    fifteen_orders, whole_orders, tiny_spread_on_an_offset, a_cluster_a_billionth_wide, neighbours,
    huge, the_largest, tiny, the_smallest, awkward,
]  # fmt: skip


# Those whose squares and gains a float64 holds to all digits.
WITHIN_FLOATS = [each for each in LABELS if each not in (huge, the_largest, the_smallest)]


def weights_of_six_orders(rng):
    return 10 ** rng.uniform(-3, 3, N_ROWS)


def weights_of_fifteen_orders(rng):
    return 10 ** rng.uniform(-8, 7, N_ROWS)


def weights_in_tenths(rng):
    return rng.integers(1, 30, N_ROWS) / 10


WEIGHTS = [None, weights_in_tenths, weights_of_six_orders]


def name_of(make):
    return getattr(make, "__name__", "none")


@pytest.mark.parametrize("make_weights", WEIGHTS, ids=name_of)
@pytest.mark.parametrize("make_labels", LABELS, ids=lambda make: make.__name__)
def test_every_gain_and_guess_is_right(make_labels, make_weights):
    wrong = {}
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        X, y = columns(rng), make_labels(rng)
        weights = None if make_weights is None else make_weights(rng)
        estimator = DecisionTreeRegressor(n_jobs=1).fit(X, y, weights)
        if found := audit_estimator(estimator, X, y, weights).violations:
            wrong[seed] = found
    assert wrong == {}


@pytest.mark.parametrize("make_weights", WEIGHTS, ids=name_of)
@pytest.mark.parametrize("make_labels", LABELS, ids=lambda make: make.__name__)
def test_a_row_without_a_twin_gets_its_own_label_back(make_labels, make_weights):
    rng = np.random.default_rng(9)
    X, y = np.arange(N_ROWS).reshape(-1, 1), make_labels(rng)
    weights = None if make_weights is None else make_weights(rng)
    guess = DecisionTreeRegressor(n_jobs=1).fit(X, y, weights).predict(X)
    assert guess.tolist() == y.tolist()


@pytest.mark.parametrize("make_weights", WEIGHTS, ids=name_of)
@pytest.mark.parametrize("make_labels", WITHIN_FLOATS, ids=name_of)
@pytest.mark.parametrize("criterion", ["absolute_error", "poisson", "quantile"])
def test_criteria_that_the_audit_does_not_know_grow_the_reference_tree(
    criterion, make_labels, make_weights
):
    rng = np.random.default_rng(21)
    X, y = columns(rng)[:N_FEW], make_labels(rng)[:N_FEW]
    y = np.abs(y) if criterion == "poisson" else y
    weights = None if make_weights is None else make_weights(rng)[:N_FEW]
    settings = {"criterion": criterion, "max_depth": 3}
    settings |= {"quantile": 0.3} if criterion == "quantile" else {}
    values = {f"x{at}": [None if v != v else v for v in X[:, at].tolist()] for at in range(3)}
    table = Table(values, y.tolist(), None if weights is None else weights.tolist())
    estimator = DecisionTreeRegressor(n_jobs=1, **settings).fit(X, y, weights)
    compare_trees(estimator, grow(table, Settings(**settings)))


def test_equal_labels_are_guessed_exactly_beside_labels_six_hundred_orders_larger():
    y = np.repeat([1e300, 1e-300, -3e-305, 0.1, 5e-324], 4)
    X = np.repeat(np.arange(5), 4).reshape(-1, 1)
    guess = DecisionTreeRegressor(n_jobs=1).fit(X, y).predict(X)
    assert guess.tolist() == y.tolist()


def test_many_copies_of_one_label_are_guessed_exactly():
    y = np.repeat([0.1, 1 / 3, 1e17 + 2], 1001)
    X = np.repeat(np.arange(3), 1001).reshape(-1, 1)
    weights = np.random.default_rng(0).uniform(0, 1, len(y)) + 1e-9
    estimator = DecisionTreeRegressor(n_jobs=1).fit(X, y, weights)
    assert estimator.predict(X).tolist() == y.tolist()
    assert (
        estimator.grown_tree_.impurity[estimator.grown_tree_.n_children == 0].tolist() == [0.0] * 3
    )


@pytest.mark.parametrize("scale", [1e-15, 1e-9, 1.0, 1e9, 1e15])
def test_several_outputs_of_different_sizes_are_right(scale):
    rng = np.random.default_rng(12)
    X, y = columns(rng), rng.normal(size=(N_ROWS, 2)) * [1.0, scale]
    estimator = DecisionTreeRegressor(n_jobs=1).fit(X, y)
    assert audit_estimator(estimator, X, y).violations == []


LARGE_LABELS = {
    "nothing": [0.0],
    "a third": [1e150 / 3],
    "two": [1e150, 3e149],
    "both ends of all numbers": [-1.7e308, 1.7e308],
}


@pytest.mark.parametrize("make_weights", [None, weights_of_fifteen_orders], ids=name_of)
@pytest.mark.parametrize("scale", [1e20, 1.0, 1e-150])
@pytest.mark.parametrize("large_labels", LARGE_LABELS.values(), ids=LARGE_LABELS)
def test_a_small_output_decides_where_a_large_one_does_not_differ(
    large_labels, scale, make_weights
):
    rng = np.random.default_rng(3)
    X, large = columns(rng), rng.choice(large_labels, N_ROWS)
    y = np.column_stack([large, scale * rng.normal(size=N_ROWS), large])
    weights = None if make_weights is None else make_weights(rng)
    estimator = DecisionTreeRegressor(n_jobs=1).fit(X, y, weights)
    assert audit_estimator(estimator, X, y, weights).violations == []


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_the_best_is_asked_first_where_no_float_holds_what_it_gains(scale):
    rng = np.random.default_rng(5)
    X, y = columns(rng), scale * np.round(4 * rng.normal(size=N_ROWS))
    estimator = DecisionTreeRegressor(n_jobs=1, max_leaf_nodes=12).fit(X, y)
    assert audit_estimator(estimator, X, y).violations == []


@pytest.mark.parametrize("exponent", [-1000, -990, 0, 990, 1017])
@pytest.mark.parametrize("n_rows", [2, 16, 200])
def test_a_direction_is_kept_at_any_size(exponent, n_rows):
    X = np.arange(n_rows, dtype=float)[:, None]
    y = np.where(X[:, 0] < n_rows / 2, 0.0, 1.0) * 2.0**exponent
    assert DecisionTreeRegressor(monotonic_cst=[1]).fit(X, y).get_n_leaves() == 2
    assert DecisionTreeRegressor(monotonic_cst=[-1]).fit(X, y).get_n_leaves() == 1


@pytest.mark.parametrize("exponent", [-1000, -500, 500, 950])
def test_scaling_heavy_labels_does_not_change_what_a_direction_bars(exponent):
    light, heavy = 1429652742736743.0, 1843055011260170.0
    X, weights = np.arange(4.0)[:, None], [heavy, 3 * heavy, light, 2 * light]
    y = np.array([-3.0, 1.0, -2.0, 1.0])
    leaves = {
        DecisionTreeRegressor(monotonic_cst=[1], min_samples_leaf=2)
        .fit(X, scale * y, sample_weight=weights)
        .get_n_leaves()
        for scale in (1.0, 2.0**exponent)
    }
    assert leaves == {2}
