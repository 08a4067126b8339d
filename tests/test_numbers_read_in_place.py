"""Numbers of any type are read where they lie, and grow the trees that their float64 do."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from growths import ARRAYS
from regimes import FAST

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.encode import Labels
from bough.grow import grow
from bough.schema import Feature, Kind, Label
from bough.settings import Settings
from bough.table import Table, read, read_like

TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "f4", "f8"]
MAKES = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "pandas": lambda X: pd.DataFrame(X, columns=list("abcd")),
    "polars": lambda X: pl.DataFrame({name: X[:, i] for i, name in enumerate("abcd")}),
    "Arrow": lambda X: pa.table({name: X[:, i] for i, name in enumerate("abcd")}),
}


def numbers(dtype, n_rows=3_000, seed=0):
    """Numbers of a type, up to its ends, -1 and -2 among them where it has a sign."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4)) * [1, 5, 30, 60]
    if np.dtype(dtype).kind == "f":
        return X.astype(dtype)
    ends = np.iinfo(dtype)
    low, high = max(ends.min, -(2**53)), min(ends.max, 2**53)
    X = np.clip(X.round() - 1, low, high)
    X[rng.random(X.shape) < 0.01], X[rng.random(X.shape) < 0.01] = low, high
    return X.astype(dtype)


def same(one, other):
    for name in ARRAYS:
        before, after = getattr(one, name), getattr(other, name)
        assert (before is None) == (after is None), name
        assert before is None or before.tobytes() == after.tobytes(), name


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
@pytest.mark.parametrize("dtype", TYPES)
def test_no_column_is_copied(dtype, make):
    X = make(numbers(dtype))
    model = DecisionTreeClassifier(max_depth=3).fit(X, np.arange(3_000) % 2)
    table, again = read(X), read_like(X, model.grown_tree_.schema)
    assert [values.dtype for values in table.values] == [np.dtype(dtype)] * 4
    for one, other in zip(table.values, again.values, strict=True):
        assert np.shares_memory(one, other)


@pytest.mark.parametrize("regime", FAST.values(), ids=FAST)
@pytest.mark.parametrize("dtype", TYPES)
def test_every_search_grows_the_tree_of_the_same_float64(dtype, regime):
    X = numbers(dtype, 2_000)
    features = tuple(Feature(f"x{i}", Kind.NUMBER, i) for i in range(4))
    codes = (np.random.default_rng(1).random(2_000) * 2 + (X[:, 0] > 0)).astype(np.int32)[None]
    labels = Labels((Label("y", ("a", "b", "c")),), codes, None)
    trees = [
        grow(
            Table(("x0", "x1", "x2", "x3"), False, features, values.T, 2_000),  # noqa: FBT003
            labels,
            Settings(criterion="gini", max_depth=9),
            regime=regime,
        )
        for values in (X, X.astype(np.float64))
    ]
    same(*trees)


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
@pytest.mark.parametrize("dtype", TYPES)
def test_models_guess_as_from_float64(dtype, make):
    X, new = numbers(dtype), numbers(dtype, seed=1)
    y = X @ np.array([1.0, -1.0, 0.5, 2.0]) + (X[:, 1] > 0) * 30
    one = DecisionTreeRegressor(max_depth=8).fit(make(X), y)
    other = DecisionTreeRegressor(max_depth=8).fit(make(X.astype(np.float64)), y)
    assert np.array_equal(one.predict(make(new)), other.predict(make(new.astype(np.float64))))
    assert np.array_equal(one.predict(make(new.astype(np.float64))), other.predict(make(new)))
    assert one.explain(make(new[:2])) == other.explain(make(new[:2].astype(np.float64)))


def test_integers_beyond_2_to_the_53_are_guessed_as_their_float64():
    model = DecisionTreeClassifier().fit([[-1e30], [-1.0], [1.0], [1e30]], [0, 1, 2, 3])
    X = np.array([[-(2**63)], [-(2**62)], [-1], [-2], [2**53 + 1], [2**63 - 1]])
    assert model.predict(X).tolist() == [1, 1, 1, 1, 2, 2]
    assert model.predict(X.astype(np.uint64)[4:]).tolist() == [2, 2]
