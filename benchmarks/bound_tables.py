"""Seeded tables that are hard on bounds: every kind of label with every kind of column and weight."""

from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

# Those of quantiles have no bounds: every cut of a column is looked at.
CLASS_CRITERIA = ("gini", "entropy", "gain_ratio", "error")
NUMBER_CRITERIA = ("squared_error", "poisson")


@dataclass(frozen=True)
class Hard:
    """A table, and the criteria by which a tree may be grown from it."""

    name: str
    X: Any
    y: np.ndarray
    weights: np.ndarray | None
    is_class: bool

    @property
    def has_many_classes(self):
        return self.is_class and self.y.max() > 3

    @property
    def criteria(self):
        if self.is_class:
            return CLASS_CRITERIA
        return [each for each in NUMBER_CRITERIA if each != "poisson" or self.y.min() >= 0]


# --- Columns, some of which lean on a hidden number --------------------------------------------------


def normal(rng, hidden, n):
    return np.column_stack([hidden[:, :n] + rng.standard_normal((len(hidden), n))])


def ties(rng, hidden, n):
    return np.round(2 * normal(rng, hidden, n))


def with_missing(rng, hidden, n):
    X = normal(rng, hidden, n)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X


def close_values(rng, hidden, n):
    """Values that differ in their last bits only."""
    return 1 + 1e-12 * np.round(2 * normal(rng, hidden, n))


def copies(rng, hidden, n):
    X = normal(rng, hidden, n)
    X[:, -1] = np.exp(X[:, 0])
    return X


COLUMNS = {
    "normal": normal,
    "ties": ties,
    "missing": with_missing,
    "close values": close_values,
    "copies": copies,
}


# --- Labels ------------------------------------------------------------------------------------------


def two_classes(rng, lean):
    return (lean + rng.standard_normal(len(lean)) > 0).astype(int)


def classes_256(rng, lean):
    return np.clip(128 + 40 * (lean + rng.standard_normal(len(lean))), 0, 255).astype(int)


def rare_class(rng, lean):
    return (lean + rng.standard_normal(len(lean)) > 5).astype(int)


def random_classes(rng, lean):
    return rng.integers(0, 3, len(lean))


def few_labels(rng, lean):
    """Three labels, two of them nearly equal: their squares add up to almost nothing."""
    step = rng.choice([1e-4, 1.3e-4, 3e-4, 1e-5, 1e-6])
    return np.where(lean < 0, 0.0, np.where(rng.random(len(lean)) < 0.5, 1.0, 1 + step))


def far_from_zero(rng, lean):
    return 1e9 + lean + rng.standard_normal(len(lean))


def orders_15(rng, lean):
    signs = np.where(rng.random(len(lean)) < 0.5, -1.0, 1.0)
    return signs * 10.0 ** np.clip(lean + rng.uniform(-7, 7, len(lean)), -7.5, 7.5)


def positive_orders(rng, lean):
    return np.abs(orders_15(rng, lean))


def integers(rng, lean):
    return np.round(10 * (lean + rng.standard_normal(len(lean))))


def counts(rng, lean):
    return rng.poisson(np.exp(lean / 2)).astype(float)


def random_labels(rng, lean):
    return rng.standard_normal(len(lean))


CLASSES = (two_classes, classes_256, rare_class, random_classes)
NUMBERS = (
    few_labels, far_from_zero, orders_15, positive_orders, integers, counts, random_labels,
)  # fmt: skip
LABELS = CLASSES + NUMBERS


# --- Weights -----------------------------------------------------------------------------------------


def orders_of_weights(rng, n_rows):
    return 10.0 ** rng.uniform(-7.5, 7.5, n_rows)


def some_zero(rng, n_rows):
    return rng.poisson(1.0, n_rows).astype(float)


def floats(rng, n_rows):
    return rng.uniform(0.1, 3, n_rows)


WEIGHTS = {
    "no weights": lambda _rng, _n_rows: None,
    "weights of 15 orders": orders_of_weights,
    "bootstrap weights": some_zero,
    "floats as weights": floats,
}


def tables(n_rows, first=0):
    """Yield tables without end; the numbers of their kinds share no divisor, so all pairs come."""
    columns, weights = list(COLUMNS), list(WEIGHTS)  # 5 and 4; there are 11 kinds of labels
    for seed in count(first):
        rng = np.random.default_rng(seed)
        kind, weight = columns[seed % len(columns)], weights[seed % len(weights)]
        label = LABELS[seed % len(LABELS)]
        hidden = rng.standard_normal((n_rows, 6))
        lean = hidden[:, 0] * hidden[:, 1] + hidden[:, 2]
        X = COLUMNS[kind](rng, hidden, int(rng.integers(3, 7)))
        name = f"{seed}: {label.__name__.replace('_', ' ')}, {kind}, {weight}"
        yield Hard(name, X, label(rng, lean), WEIGHTS[weight](rng, n_rows), label in CLASSES)
