"""Seeded tables whose size is known, and the limits that trees grown from them keep.

Labels depend on products and on "where this, then that", so that no column decides alone and the
accuracy of a tree says something about its queries.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

SEED = 2024
N_VALUES = (3, 5, 8, 12, 20, 32, 50, 80, 125, 200)  # of the categories
MISSING = 0.1
QUICK = 10  # a quick run takes one row in ten


@dataclass(frozen=True)
class Synthetic:
    """The rows that a tree grows from, and held-out rows that it is tried on."""

    X: Any  # an array, or a pandas data frame where there are categories
    y: Any
    X_test: Any
    y_test: Any


@dataclass(frozen=True)
class Workload:
    """A seeded table and the limits of the trees grown from it."""

    name: str
    title: str
    n_rows: int
    draw: Callable[[np.random.Generator, int], tuple[Any, Any]]
    max_depth: int | None = 8
    min_samples_leaf: int = 20
    task: str = "classification"
    n_classes: int = 2
    has_categories: bool = False
    goal: float | None = None  # at least this many times as fast as the fastest peer
    slow: tuple[str, ...] = ()  # peers that take minutes
    is_for_all: bool = True  # False: only bough grows it

    def make(self):
        """Return the table: the same rows on every machine with the same NumPy."""
        n_test = min(max(self.n_rows // 10, 5_000), 100_000)
        rng = np.random.default_rng(SEED)
        X, y = self.draw(rng, self.n_rows + n_test)
        return Synthetic(head(X, self.n_rows), y[: self.n_rows], *tail(X, y, self.n_rows))

    def resized(self, n_rows):
        return replace(self, n_rows=n_rows)

    @property
    def limits(self):
        depth = "any depth" if self.max_depth is None else f"depth {self.max_depth}"
        return f"{depth}, leaves of {self.min_samples_leaf} rows or more"


def head(X, n_rows):
    return X[:n_rows] if isinstance(X, np.ndarray) else X.iloc[:n_rows]


def tail(X, y, start):
    """Return copies of the last rows, so that the first ones are what memory is spent on."""
    rows = X[start:].copy() if isinstance(X, np.ndarray) else X.iloc[start:].reset_index(drop=True)
    return rows, y[start:].copy()


def signal(columns, rng):
    """Return a number for each row that six columns decide, together, up to some noise."""
    a, b, c, d, e, f = columns
    noise = 0.5 * rng.standard_normal(len(a))
    return a * b + np.sin(2 * c) + np.where(d > 0, e, -f) + noise


def numbers(rng, n_rows, *, n_columns=20, dtype=np.float64):
    X = rng.standard_normal((n_rows, n_columns), dtype=dtype)
    return X, (signal(X[:, :6].T, rng) > 0).astype(np.int64)


def few_values(rng, n_rows):
    """Draw numbers with at most 256 distinct values in each column."""
    X = np.clip(np.round(40 * rng.standard_normal((n_rows, 20))), -128, 127)
    return X, (signal(X[:, :6].T / 40, rng) > 0).astype(np.int64)


def number_labels(rng, n_rows):
    X = rng.standard_normal((n_rows, 20))
    return X, signal(X[:, :6].T, rng)


def random_labels(rng, n_rows):
    return rng.standard_normal((n_rows, 20)), rng.integers(0, 2, n_rows)


def categories(rng, n_rows):
    """Draw categories of 3 to 200 values, some rare, and one of three classes for each row."""
    codes = [codes_of(rng, n_rows, n) for n in N_VALUES]
    lean = rng.gumbel(size=(n_rows, 3))
    for mine, n in zip(codes, N_VALUES, strict=True):
        lean += (0.4 * rng.standard_normal((n, 3)))[mine]
    pair = codes[1] * N_VALUES[5] + codes[5]
    lean += rng.standard_normal((N_VALUES[1] * N_VALUES[5], 3))[pair]
    return frame({f"c{n}": named(mine, n) for mine, n in zip(codes, N_VALUES, strict=True)}), (
        lean.argmax(axis=1)
    )


def mixed(rng, n_rows):
    """Draw twelve numbers and eight categories, of which one value in ten is missing."""
    values = N_VALUES[:8]
    X = rng.standard_normal((12, n_rows))
    codes = [codes_of(rng, n_rows, n) for n in values]
    lean = signal(X[:6], rng)
    for mine, n in zip(codes[2:6], values[2:6], strict=True):
        lean += (0.5 * rng.standard_normal(n))[mine]
    lean += np.where(codes[0] == 0, X[6], 0)
    gone = rng.random((20, n_rows)) < MISSING
    lean += np.where(gone[0], 1.0, 0.0)  # that a value is missing may say something
    X[gone[:12]] = np.nan
    columns = {f"x{i}": column for i, column in enumerate(X)}
    for mine, n, absent in zip(codes, values, gone[12:], strict=True):
        columns[f"c{n}"] = named(np.where(absent, -1, mine), n)
    return frame(columns), (lean > 0).astype(np.int64)


def codes_of(rng, n_rows, n_values):
    return (n_values * rng.random(n_rows) ** 1.5).astype(np.int16)


def named(codes, n_values):
    import pandas as pd

    return pd.Categorical.from_codes(codes, [f"v{value:03}" for value in range(n_values)])


def frame(columns):
    import pandas as pd

    return pd.DataFrame(columns)


MILLION = 1_000_000
SINGLE = partial(numbers, n_columns=10, dtype=np.float32)
WIDE = partial(numbers, n_columns=1000)
WORKLOADS = {
    each.name: each
    for each in (
        Workload("small", "10k × 20", 10_000, numbers, goal=2.5),
        Workload("million", "1M × 20", MILLION, numbers, goal=7),
        Workload(
            "million-deep", "1M × 20", MILLION, numbers, max_depth=None, goal=6, slow=("sklearn",)
        ),
        Workload(
            "ten-million", "10M × 10, float32", 10 * MILLION, SINGLE, goal=4, slow=("sklearn",)
        ),
        Workload("few-values", "1M × 20, at most 256 distinct values", MILLION, few_values, goal=5),
        Workload(
            "categories",
            "1M × 10 categories of 3 to 200 values, 3 classes",
            MILLION,
            categories,
            n_classes=3,
            has_categories=True,
            goal=3,
        ),
        Workload(
            "mixed",
            "1M × 20, numbers and categories, 10 % missing",
            MILLION,
            mixed,
            has_categories=True,
            goal=5,
        ),
        Workload(
            "regression",
            "1M × 20, number labels",
            MILLION,
            number_labels,
            task="regression",
            goal=5,
            slow=("sklearn",),
        ),
        Workload("wide", "20k × 1000", 20_000, WIDE, goal=6),
        Workload(
            "purity",
            "200k × 20, random labels",
            200_000,
            random_labels,
            max_depth=None,
            min_samples_leaf=1,
            goal=6,
        ),
        Workload("random", "1M × 20, random labels", MILLION, random_labels, is_for_all=False),
        Workload(
            "random-deep",
            "1M × 20, random labels",
            MILLION,
            random_labels,
            max_depth=None,
            is_for_all=False,
        ),
    )
}
