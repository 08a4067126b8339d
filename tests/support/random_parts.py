"""Growths of random tables by random settings: from parts as from memory."""

import pickle

import numpy as np
import pandas as pd
from partitioned_tables import bytes_of, parts_of

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.errors import BoughError
from bough.partitioned import InProcess, fit, levels
from bough.partitioned.fit import FitsParts

N_SEEDS = 40  # which the suite has
DAY = pd.Timestamp("2020-01-01")
COLUMNS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "single": lambda rng, n: rng.normal(size=n).astype(np.float32),
    "round": lambda rng, n: rng.normal(size=n).round(1),
    "gaps": lambda rng, n: np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
    "tiny": lambda rng, n: rng.normal(size=n) * 1e-310,
    "near": lambda rng, n: 1 + rng.integers(0, 40, n) * 2.0**-52,
    "count": lambda rng, n: rng.integers(-5, 6, n),
    "far": lambda rng, n: rng.integers(2**60, 2**62, n),
    "counted": lambda rng, n: pd.Series(rng.integers(0, 9, n), dtype="Int64").mask(rng.random(n) < 0.3),
    "letter": lambda rng, n: rng.choice(list("abcd"), n),
    "town": lambda rng, n: rng.choice([f"k{each}" for each in range(60)], n),
    "word": lambda rng, n: pd.Series(rng.choice(["p", "q", None], n)),
    "flag": lambda rng, n: rng.random(n) < 0.3,
    "size": lambda rng, n: pd.Categorical(rng.choice(list("SML"), n), list("SML"), ordered=True),
    "day": lambda rng, n: DAY + pd.to_timedelta(rng.integers(0, 400, n), unit="D"),
    "moment": lambda rng, n: DAY + pd.to_timedelta(rng.integers(0, 10**7, n), unit="s"),
    "one": lambda _, n: np.ones(n),
    "none": lambda _, n: np.full(n, np.nan),
}  # fmt: skip
SETTINGS = {
    "max_depth": [0, 1, 2, 3, 4, 5, 6, None],
    "min_samples_split": [2, 2, 5, 20, 0.1],
    "min_samples_leaf": [1, 1, 3, 10, 0.05],
    "min_weight_fraction_leaf": [0.0, 0.0, 0.0, 0.01, 0.1],
    "min_impurity_decrease": [0.0, 0.0, 0.001, 0.02],
    "ccp_alpha": [0.0, 0.0, 0.0, 0.01],
    "categorical": ["auto", "each", "group"],
    "pivots": ["midpoint", "midpoint", "round"],
    "exact": [True, True, True, True, False],
}
OF_CLASSES = {
    "criterion": ["gini", "entropy", "gain_ratio", "error", "log_loss"],
    "class_weight": [None, None, "balanced"],
}


class Pickling(InProcess):
    """Every part and every shared value is pickled on the way, as between processes."""

    def map(self, function, parts, *shared, keep=False):  # noqa: ARG002
        return [sent(function(sent(part), *sent(shared))) for part in parts]


def sent(value):
    return pickle.loads(pickle.dumps(value))


def check_random_parts(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    estimator, X, y, weights = drawn(rng)
    expected = said(lambda: estimator.fit(X, y, sample_weight=weights))
    for n_parts in (1, 3, int(rng.integers(2, 41))):
        monkeypatch.setattr(levels, "FEW_ROWS", int(rng.choice([5, 20, 4096])))
        monkeypatch.setattr(levels, "MOST_REQUESTS", int(rng.choice([7, 30, 20_000])))
        monkeypatch.setattr(levels, "SUB_CELLS", int(rng.choice([3, 64])))
        monkeypatch.setattr(fit, "CELLS", int(rng.choice([4, 64])))
        estimator.gather_rows = int(rng.choice([1, 5, 20, len(X) // 3, len(X) - 1, 10**6]))
        parts = parts_of(X, y, weights, n_parts)
        found = said(lambda parts=parts: FitsParts._fit_parts(estimator, Pickling(), parts))
        assert found == expected, (n_parts, estimator.gather_rows, estimator, list(X))


def said(fitted):
    """Return the model file, or that the table is refused."""
    try:
        return bytes_of(fitted())
    except BoughError as error:
        return type(error)


def drawn(rng):
    """Return an estimator, a table, labels and weights."""
    n = int(rng.choice([2, 5, 30, 120, 300, 800]))
    names = rng.choice(list(COLUMNS), rng.integers(1, 8))
    X = pd.DataFrame({f"{each} {at}": COLUMNS[each](rng, n) for at, each in enumerate(names)})
    score = sum(pd.factorize(X[name])[0] % 7 for name in X) + rng.normal(size=n) * 2
    has_classes = rng.random() < 0.6
    options = SETTINGS | OF_CLASSES if has_classes else SETTINGS
    chosen = {name: values[rng.integers(len(values))] for name, values in options.items()}
    n_outputs = int(rng.choice([1, 1, 1, 2]))
    if has_classes:
        if n_outputs == 2:
            chosen["class_weight"] = None
        classes = np.clip(score // 3, 0, rng.integers(0, 6)).astype(int)
        y = pd.Series(classes if rng.random() < 0.3 else [f"c{each}" for each in classes], name="y")
    else:
        y = pd.Series(score * rng.choice([1, 1e-9]) + rng.choice([0, 1e6]), name="y")
    if n_outputs == 2:
        y = pd.DataFrame({"one": y, "two": rng.permutation(y)})
    weights = [None, None, rng.choice([0, 0.5, 1, 1 / 3, 2.7], n), rng.integers(0, 4, n) * 1.0]
    kind = DecisionTreeClassifier if has_classes else DecisionTreeRegressor
    return kind(**chosen), X, y, weights[rng.integers(4)]
