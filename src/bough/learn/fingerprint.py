"""How a model knows its rows again: sketches of their hashes, and the range of each column."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.learn.plan import Plan
from bough.learn.rows import LabelledRows, label_column
from bough.schema import Feature, Kind, Part
from bough.split import row_hashes, sketch
from bough.table import MISSING_INTEGER, Table
from bough.table.column import Choices, Column, Integers, Moments, Numbers
from bough.table.numbers import floats


def feature_columns(table: Table) -> dict[str, Column]:
    """Return the columns of a table that are features; parts of dates are not columns."""
    return {
        feature.name: _column(feature, values)
        for feature, values in zip(table.features, table.values, strict=True)
        if feature.part is Part.ITSELF
    }


def sketches_of(plan: Plan, sealed: LabelledRows) -> dict[str, tuple[str, ...]]:
    """Return the sketches by which training, development and test rows are known again."""
    tried = np.setdiff1d(np.arange(len(plan.rows)), plan.train)
    parts = {"train": plan.rows.take(plan.train), "dev": plan.rows.take(tried), "test": sealed}
    return {name: sketch(hashes_of(rows)) for name, rows in parts.items()}


def hashes_of(rows: LabelledRows) -> NDArray[np.uint64]:
    """Return a hash of the features and the label of each row."""
    return row_hashes(feature_columns(rows.table) | label_column(rows.labels))


def ranges_of(table: Table) -> dict[str, tuple[float, float]]:
    """Return the least and the greatest value of each number and date."""
    found = {}
    for number, (feature, values) in enumerate(zip(table.features, table.values, strict=True)):
        known = values[~table.missing(number)]
        if feature.kind in (Kind.NUMBER, Kind.INTEGER, Kind.DATE) and len(known):
            found[feature.name] = float(known.min()), float(known.max())
    return found


def _column(feature: Feature, values: NDArray[Any]) -> Column:
    match feature.kind:
        case Kind.NUMBER:
            return Numbers(floats(values))
        case Kind.INTEGER:
            return Integers(values, values == MISSING_INTEGER)
        case Kind.DATE:
            return Moments(values)
        case Kind.ORDERED | Kind.CHOICE:
            # A value that the tree does not know is no value that it has learnt from.
            return Choices(feature.choices, np.maximum(values, -1))
