"""Turns labels, weights and columns into what the core reads."""

from dataclasses import dataclass, replace
from functools import cached_property
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.errors import DataError
from bough.schema import Label
from bough.table import Table
from bough.table.numbers import SparseNumbers

MOST_ROWS = 2**32 - 1  # the core numbers rows with 32 bits
CoreColumns = NDArray[Any] | list[NDArray[Any]]


@dataclass(frozen=True)
class Labels:
    """The labels of a table, and the weights of its rows."""

    labels: tuple[Label, ...]
    codes: NDArray[np.int32] | None  # classes by number, (outputs, rows)
    values: NDArray[np.float64] | None  # number labels, (outputs, rows)
    weights: NDArray[np.float64] | None = None  # none: all 1
    group: NDArray[Any] | None = None  # what each row is about
    relevance: NDArray[np.float64] | None = None  # of which `values` are the centred gains

    @cached_property
    def weight(self) -> float:
        """The weight of all rows, in whichever order it is summed up."""
        return float(_n_rows(self)) if self.weights is None else fsum(self.weights)

    def rows(self, rows: NDArray[np.intp]) -> "Labels":
        of_rows: dict[str, Any] = {
            name: each for name, each in vars(self).items() if isinstance(each, np.ndarray)
        }
        return replace(self, **{name: each[..., rows] for name, each in of_rows.items()})


def core_columns(table: Table) -> CoreColumns:
    """Return the columns of a table as the core's functions take them."""
    if isinstance(table.values, np.ndarray):
        return aligned(table.values)
    return [aligned(values) for values in table.values]


def grown_columns(table: Table) -> CoreColumns | _core.SparseTable:
    """Return the columns of a table as the core grows from them."""
    sparse = table.values
    if not isinstance(sparse, SparseNumbers):
        return core_columns(table)
    starts, places, values = sparse.lines()
    unsigned = places.view(np.uint32)  # none is negative
    return _core.SparseTable(table.n_rows, len(sparse), sparse.is_by_row, starts, unsigned, values)


def core_labels(labels: Labels) -> dict[str, Any]:
    """Return labels and weights as the core's functions take them."""
    if (n_rows := _n_rows(labels)) > MOST_ROWS:
        raise DataError(
            f"The table has {n_rows:,} rows; bough grows from at most {MOST_ROWS:,}. "
            "Grow from a part of the rows."
        )
    return {
        "classes": None if labels.codes is None else np.ascontiguousarray(labels.codes, np.int32),
        "n_classes": [len(label.classes) for label in labels.labels],
        "numbers": (
            None if labels.values is None else np.ascontiguousarray(labels.values, np.float64)
        ),
        "weights": (
            None if labels.weights is None else np.ascontiguousarray(labels.weights, np.float64)
        ),
    }


def n_rows_with_weight(labels: Labels) -> int:
    """Return the number of rows that take part in growing."""
    if labels.weights is None:
        return _n_rows(labels)
    return int(np.count_nonzero(labels.weights))


def _n_rows(labels: Labels) -> int:
    arrays = (labels.codes, labels.values)
    return next(int(array.shape[1]) for array in arrays if array is not None)


def aligned(values: NDArray[Any]) -> NDArray[Any]:
    """Return values as the core can step through them."""
    # It does so value by value, so a stride is a whole number of values.
    if values.flags.aligned and not any(stride % values.itemsize for stride in values.strides):
        return values
    return values.copy()
