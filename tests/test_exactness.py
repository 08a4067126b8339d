"""Trees that rounding, rows that do not count, other outputs or threads once changed."""

import numpy as np
import pytest
from against_plain import assert_same
from against_reference import check_random_table
from copied_columns import COPIES, SETTINGS, with_copy
from option_growths import table_of
from regimes import FAST, PLAIN

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.encode import Labels
from bough.grow import grow
from bough.schema import Label
from bough.settings import Settings

MANY = 1_000_000  # rows: errors of sums grow with them
STEPS = (1e-4, 1.3e-4, 3e-4)
WEIGHTS = {
    "none": lambda _: None,
    "all 3": lambda n_rows: np.full(n_rows, 3.0),
    "1 and 2": lambda n_rows: 1.0 + (np.arange(n_rows) % 2),
    "any": lambda n_rows: np.random.default_rng(1).uniform(0.5, 2, n_rows),
}


def nearly_equal_labels(step, n_rows=MANY):
    """Return rows that column 0 parts into 0 and about 1, column 2 perfectly, column 1 almost."""
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 4, n_rows)
    y = np.array([0, 0, 1, 1 + step])[kind]
    side = np.where(kind < 2, rng.integers(0, 2, n_rows), kind - 2)
    almost = side.copy()
    wrong = np.flatnonzero(kind >= 2)[:20]
    almost[wrong] = 1 - almost[wrong]
    X = np.column_stack([(kind >= 2) * 1.0, almost, np.where(side == 1, 1 + 1e-12, 1.0)])
    return X, y


@pytest.mark.parametrize("weights", list(WEIGHTS))
@pytest.mark.parametrize("step", STEPS)
def test_the_best_cut_among_a_million_rows_is_not_passed_over(step, weights):
    X, y = nearly_equal_labels(step)
    estimator = DecisionTreeRegressor(max_depth=2, n_jobs=1)
    estimator.fit(X, y, sample_weight=WEIGHTS[weights](MANY))
    assert estimator.tree_.feature.tolist() == [0, -2, 2, -2, -2]
    assert estimator.tree_.value.ravel()[3:].tolist() == [1, 1 + step]


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_labels_of_rows_that_do_not_count_do_not_show(criterion):
    X = np.arange(6.0).reshape(-1, 1)
    y = np.array([0.001, 0.0011, 0.0012, 0.003, 0.0031, 1e60])
    weights = np.array([1.0, 1, 1, 1, 1, 0])
    all_rows, counted = (
        DecisionTreeRegressor(criterion=criterion, max_depth=1).fit(X[:n], y[:n], weights[:n])
        for n in (6, 5)
    )
    assert all_rows.predict(X).tolist() == counted.predict(X).tolist()
    assert all_rows.tree_.value.tolist() == counted.tree_.value.tolist()
    assert all_rows.tree_.impurity.tolist() == counted.tree_.impurity.tolist()


def test_the_mean_of_rows_that_count_is_right():
    X = np.arange(6.0).reshape(-1, 1)
    y = [0.001, 0.0011, 0.0012, 0.003, 0.0031, 1e60]
    estimator = DecisionTreeRegressor(max_depth=1).fit(X, y, [1, 1, 1, 1, 1, 0])
    assert estimator.tree_.value.ravel().tolist() == pytest.approx([0.00188, 0.0011, 0.00305])


def test_an_output_does_not_set_the_grid_of_another():
    Y = [[1e30, 0.001], [2e30, 0.0011], [3e30, 0.0012], [2e30, 0.0013]]
    guess = DecisionTreeRegressor().fit(np.zeros((4, 1)), Y).predict([[0.0]])
    assert guess.tolist() == [[2e30, pytest.approx(0.00115, rel=1e-15)]]


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_outputs_are_guessed_as_alone(scale):
    rng = np.random.default_rng(3)
    Y = rng.normal(size=(500, 2)) * [1.0, scale]
    guess = DecisionTreeRegressor().fit(np.zeros((500, 1)), Y).predict([[0.0]])[0]
    alone = [DecisionTreeRegressor().fit(np.zeros((500, 1)), y).predict([[0.0]])[0] for y in Y.T]
    assert guess.tolist() == alone


@pytest.mark.parametrize("labels", ["cancelling", "of 15 orders"])
def test_the_order_in_which_threads_finish_does_not_show(labels, tmp_path):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(MANY, 2))
    y = rng.normal(size=MANY)
    y *= 10.0 ** rng.uniform(-8, 7, MANY) if labels == "of 15 orders" else 1e9
    path = tmp_path / "model.bough.json"

    def model_bytes(n_jobs):
        DecisionTreeRegressor(max_depth=3, n_jobs=n_jobs).fit(X, y).save(path)
        return path.read_bytes()

    expected = model_bytes(1)
    for n_jobs in (2, 8, 8, 16):
        assert model_bytes(n_jobs) == expected


@pytest.mark.parametrize("seed", [2994, 6548, 16667, 19322])
def test_a_tie_at_its_very_edge_is_decided_as_the_reference_does(seed):
    check_random_table(seed)


@pytest.mark.parametrize("is_weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("criterion", list(SETTINGS))
@pytest.mark.parametrize("kind", list(COPIES))
def test_a_column_that_comes_twice_is_asked_about_where_it_comes_first(
    kind, criterion, is_weighted
):
    tables, labels, weights = with_copy(kind, 4000)
    is_number = criterion == "squared error"
    grows = DecisionTreeRegressor if is_number else DecisionTreeClassifier
    y = labels["numbers" if is_number else "classes"]
    weights = weights if is_weighted else None
    trees = [grows(**SETTINGS[criterion]).fit(X, y, sample_weight=weights).tree_ for X in tables]
    assert trees[1].feature.tolist() == trees[0].feature.tolist()
    assert trees[1].threshold.tolist() == trees[0].threshold.tolist()


@pytest.mark.parametrize("weights", ["floats", "tenths", "far apart", "heavy"])
@pytest.mark.parametrize("share", [0.5, 0.03])  # of the rarer class: little or nothing is gained
def test_wrong_guesses_are_weighed_exactly(weights, share):
    rng = np.random.default_rng(5)
    columns = [np.round(rng.normal(size=2500), digits) for digits in (0, 1, 9)]
    codes = (columns[1] + rng.normal(size=2500) > np.quantile(columns[1], 1 - share)).astype(int)
    codes[:40] = 2
    heavy = {
        "floats": rng.random(2500) + 0.1,
        "tenths": rng.choice([0.1, 0.2, 0.3], 2500),
        "far apart": 10.0 ** rng.uniform(-7, 7, 2500),
        "heavy": rng.choice([1.0, 2.0**45, 3.0], 2500),
    }[weights]
    y = Labels((Label("y", (0, 1, 2), "int64"),), codes[None].astype(np.int32), None, heavy)
    for min_rows in (1, 60):
        settings = Settings(criterion="error", max_depth=4, min_samples_leaf=min_rows)
        oracle = grow(table_of(columns), y, settings, regime=PLAIN)
        for name, regime in FAST.items():
            tree = grow(table_of(columns), y, settings, regime=regime)
            assert_same(tree, oracle, f"{name}, {min_rows} rows")


@pytest.mark.parametrize("criterion", ["gini", "entropy", "log_loss", "gain_ratio", "error"])
@pytest.mark.parametrize("weight", [1e30, 1e34, 5.7e45, 1e100])
def test_a_row_beside_which_all_others_weigh_nothing(criterion, weight):
    for categorical in ("each", "group"):
        estimator = DecisionTreeClassifier(
            criterion=criterion, categorical=categorical, max_depth=2
        )
        estimator.fit({"c": ["b", "b", "a"]}, [1, 0, 1], sample_weight=[1.0, weight, 1.0])
        assert estimator.predict({"c": ["b"]}).tolist() == [0]
