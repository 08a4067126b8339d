"""The same table gives the same model file: for any number of threads and any order of rows."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from bough import DecisionTreeClassifier, DecisionTreeRegressor

THREADS = (1, 2, 4, 8)


@dataclass
class Case:
    """A table as a dict of columns, its labels and weights, and an estimator's settings."""

    grows: type
    X: dict
    y: np.ndarray
    weights: np.ndarray | None = None
    settings: dict = field(default_factory=dict)

    def model_bytes(self, folder, n_jobs, rows=None):
        """Return the bytes of the model file that these rows grow with this many threads."""
        rows = slice(None) if rows is None else rows
        weights = None if self.weights is None else self.weights[rows]
        X = {name: values[rows] for name, values in self.X.items()}
        path = folder / "model.bough.json"
        self.grows(n_jobs=n_jobs, **self.settings).fit(X, self.y[rows], weights).save(path)
        return path.read_bytes()


def numbers(rng, n_rows, n_columns, n_values=None):
    """Return columns of numbers: any, or whole ones below a limit."""
    return {
        f"number {at}": rng.normal(size=n_rows)
        if n_values is None
        else rng.integers(0, n_values, n_rows).astype(float)
        for at in range(n_columns)
    }


def mixed(rng, n_rows):
    """Return columns of every kind, with missing values."""
    X = numbers(rng, n_rows, 2) | numbers(rng, n_rows, 3, n_values=30)
    X["number 1"] = np.where(rng.random(n_rows) < 0.1, np.nan, X["number 1"])
    choices = rng.choice(list("abcdefghij"), n_rows).astype(object)
    X["choice"] = np.where(rng.random(n_rows) < 0.1, None, choices)
    X["whole"] = 2**60 + rng.integers(0, 1000, n_rows)
    X["day"] = np.datetime64("2020-01-01") + rng.integers(0, 900, n_rows).astype("timedelta64[D]")
    return X


def noisy(rng, X, n_classes=3):
    """Return classes that the first number tells apart, but for noise."""
    signal = X["number 0"] + rng.normal(size=len(X["number 0"]))
    return np.digitize(signal, np.quantile(signal, np.arange(1, n_classes) / n_classes))


def classes():
    rng = np.random.default_rng(1)
    X = numbers(rng, 20_000, 5)
    return Case(DecisionTreeClassifier, X, noisy(rng, X))


def ties():
    rng = np.random.default_rng(2)
    X = numbers(rng, 5000, 6, n_values=4)
    settings = {"criterion": "entropy"}
    return Case(DecisionTreeClassifier, X, rng.integers(0, 3, 5000), settings=settings)


def awkward_labels():
    rng = np.random.default_rng(3)
    X = numbers(rng, 20_000, 4)
    y = rng.choice([0.1, 0.2, 0.3, 1e-9, 1e9, -1 / 3], 20_000) * X["number 0"]
    return Case(DecisionTreeRegressor, X, y)


def awkward_weights():
    rng = np.random.default_rng(4)
    X = mixed(rng, 4000)
    weights = rng.choice([0.1, 0.7, 1e-5, 3.0, 1e5, 0.0], 4000)
    return Case(DecisionTreeRegressor, X, rng.normal(size=4000), weights)


def weighted_classes():
    rng = np.random.default_rng(5)
    X = mixed(rng, 4000)
    settings = {"criterion": "gain_ratio", "class_weight": {0: 0.1, 1: 0.3, 2: 7.0}}
    return Case(DecisionTreeClassifier, X, noisy(rng, X), rng.uniform(size=4000), settings)


def groups():
    rng = np.random.default_rng(6)
    X = mixed(rng, 4000)
    settings = {"categorical": "group", "criterion": "entropy", "min_samples_leaf": 5}
    return Case(DecisionTreeClassifier, X, noisy(rng, X), settings=settings)


def best_first():
    rng = np.random.default_rng(7)
    X = mixed(rng, 8000)
    settings = {"max_leaf_nodes": 100, "categorical": "group"}
    return Case(DecisionTreeRegressor, X, rng.normal(size=8000) * 1e-3 + 0.1, settings=settings)


def several_outputs():
    rng = np.random.default_rng(8)
    X = mixed(rng, 4000)
    y = np.column_stack([noisy(rng, X), noisy(rng, X, 2)])
    return Case(DecisionTreeClassifier, X, y)


def several_numbers():
    rng = np.random.default_rng(9)
    X = mixed(rng, 4000)
    return Case(DecisionTreeRegressor, X, rng.normal(size=(4000, 3)) * [0.1, 1.0, 1e6])


def drawn():
    rng = np.random.default_rng(10)
    X = mixed(rng, 8000)
    settings = {"max_features": 3, "splitter": "random", "random_state": 5}
    return Case(DecisionTreeClassifier, X, noisy(rng, X), settings=settings)


def medians():
    rng = np.random.default_rng(12)
    X = mixed(rng, 4000)
    y = np.round(X["number 0"] * rng.choice([0.1, 3.0], 4000) + rng.normal(size=4000), 1)
    return Case(DecisionTreeRegressor, X, y, settings={"criterion": "absolute_error"})


def counts():
    rng = np.random.default_rng(13)
    X = mixed(rng, 4000)
    settings = {"criterion": "poisson", "categorical": "group"}
    y = rng.poisson(np.exp(X["number 0"])) * rng.choice([0.1, 1.0], 4000)
    return Case(DecisionTreeRegressor, X, y, rng.choice([0.3, 1.0, 1e4], 4000), settings)


def weighted_quantiles():
    rng = np.random.default_rng(14)
    X = mixed(rng, 3000)
    settings = {"criterion": "quantile", "quantile": 0.9, "categorical": "group"}
    return Case(DecisionTreeRegressor, X, rng.normal(size=3000), rng.uniform(size=3000), settings)


def several_medians():
    rng = np.random.default_rng(15)
    y = rng.normal(size=(2000, 2)) * [0.1, 1e6]
    settings = {"criterion": "absolute_error", "max_leaf_nodes": 60}
    return Case(DecisionTreeRegressor, mixed(rng, 2000), y, settings=settings)


def pruned():
    rng = np.random.default_rng(11)
    X = mixed(rng, 8000)
    return Case(DecisionTreeClassifier, X, noisy(rng, X), settings={"ccp_alpha": 3e-4})


CASES = [
    classes, ties, awkward_labels, awkward_weights, weighted_classes, groups, best_first,
    several_outputs, several_numbers, drawn, medians, counts, weighted_quantiles, several_medians,
    pruned,
]  # fmt: skip


@pytest.fixture(scope="module", params=CASES, ids=lambda make: make.__name__)
def case(request):
    return request.param()


@pytest.fixture(scope="module")
def expected(case, tmp_path_factory):
    """Give the model file that one thread grows from the rows as they are."""
    return case.model_bytes(tmp_path_factory.mktemp("expected"), n_jobs=1)


@pytest.mark.parametrize("n_jobs", THREADS[1:])
def test_the_number_of_threads_does_not_show(case, expected, n_jobs, tmp_path):
    assert case.model_bytes(tmp_path, n_jobs) == expected


@pytest.mark.parametrize("n_jobs", [1, 4])
def test_the_order_of_rows_does_not_show(case, expected, n_jobs, tmp_path):
    rows = np.random.default_rng(n_jobs).permutation(len(case.y))
    assert case.model_bytes(tmp_path, n_jobs, rows) == expected


def test_sorted_rows_give_the_same_model(case, expected, tmp_path):
    rows = np.argsort(case.X["number 0"], kind="stable")
    assert case.model_bytes(tmp_path, 2, rows) == expected


def test_a_second_growth_gives_the_same_model(case, expected, tmp_path):
    assert case.model_bytes(tmp_path, 2) == expected
