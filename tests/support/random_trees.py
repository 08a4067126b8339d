"""Random tables of any makes of columns, and trees grown from them."""

import numpy as np
from audit import class_labels

from bough.grow import grow
from bough.schema import MISSING, MISSING_INTEGER, UNSEEN, Feature, Kind
from bough.settings import Settings
from bough.table import Table

N_ROWS = 600
CHOICES = tuple("abcdefghijkl")
MAKES = {
    "float64": lambda rng: rng.normal(size=N_ROWS).round(1),
    "float32": lambda rng: rng.normal(size=N_ROWS).astype(np.float32),
    "whole": lambda rng: rng.integers(-9, 9, N_ROWS),
    "up to 2^53": lambda rng: rng.choice([-1, 1], N_ROWS) * (2**53 - rng.integers(0, 7, N_ROWS)),
    "beyond 2^53": lambda rng: 2**60 + rng.integers(-3, 4, N_ROWS),
    "ordered": lambda rng: rng.integers(0, len(CHOICES), N_ROWS).astype(np.int32),
    "choice": lambda rng: rng.integers(0, len(CHOICES), N_ROWS).astype(np.int32),
}
KINDS = {
    "float64": Kind.NUMBER,
    "float32": Kind.NUMBER,
    "whole": Kind.INTEGER,
    "up to 2^53": Kind.INTEGER,
    "beyond 2^53": Kind.INTEGER,
    "ordered": Kind.ORDERED,
    "choice": Kind.CHOICE,
}


def gap(values):
    """What a missing value is among these."""
    if values.dtype.kind == "f":
        return np.nan
    return MISSING if values.dtype == np.int32 else MISSING_INTEGER


def random_table(rng, makes, *, share_missing=0.1, share_unseen=0.0):
    values, features = [], []
    for number, make in enumerate(makes):
        column = MAKES[make](rng)
        if column.dtype == np.int32:
            column[rng.random(N_ROWS) < share_unseen] = UNSEEN
        column[rng.random(N_ROWS) < share_missing] = gap(column)
        choices = CHOICES if column.dtype == np.int32 else ()
        features.append(Feature(f"x{number}", KINDS[make], number, choices=choices))
        values.append(column)
    names = tuple(feature.name for feature in features)
    return Table(names, False, tuple(features), tuple(values), N_ROWS)  # noqa: FBT003


def random_tree(rng, makes, *, share_missing=0.1, categorical="each"):
    table = random_table(rng, makes, share_missing=share_missing)
    settings = Settings(criterion="gini", categorical=categorical, max_depth=9)
    return grow(table, class_labels(rng.integers(0, 3, N_ROWS)), settings)
