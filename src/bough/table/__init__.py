"""Reads tables of any make into named columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from bough.errors import DataError
from bough.schema import Feature, Kind, Schema
from bough.table.array import read_array, read_rows
from bough.table.column import (
    FLOATS,
    MISSING,
    MISSING_INTEGER,
    UNSEEN,
    Column,
    Source,
    finite,
)
from bough.table.convert import values_like
from bough.table.kinds import features_of
from bough.table.match import matched
from bough.table.retype import IGNORE, Types, is_text, retyped, wanted_types
from bough.table.sparse import is_sparse, read_sparse

__all__ = [
    "MISSING",
    "MISSING_INTEGER",
    "UNSEEN",
    "Table",
    "Types",
    "read",
    "read_like",
    "refuse_infinity",
]


@dataclass(frozen=True, eq=False)
class Table:
    """A table as one array of values for each feature: the rows of a matrix, or a tuple.

    Values of a NUMBER are float64 or float32, nan where missing; those of an INTEGER or DATE
    int64, `MISSING_INTEGER` where missing; those of a CHOICE or ORDERED feature positions in its
    choices in any width, `MISSING` or, in a table to predict, `UNSEEN`. Numbers may be infinite:
    the core sees it when it reads them, and then `refuse_infinity` says where.
    """

    columns: tuple[str, ...]
    named: bool
    features: tuple[Feature, ...]
    values: NDArray[Any] | tuple[NDArray[Any], ...]
    n_rows: int


def read(X: object, *, types: Types | None = None) -> Table:
    """Return a table to grow a tree from; the kind of each column is found out.

    Parameters
    ----------
    X
        An array, a list of rows, a sparse matrix, a data frame, or a dict of lists.
    types
        The kinds of some columns, by name or, where they have none, by number: "category",
        "number", "date", "ignore", or a list of values in their order.

    Examples
    --------
    >>> table = read({"size": ["S", "L"], "age": [3, None]}, types={"size": ["S", "M", "L"]})
    >>> [(feature.name, str(feature.kind)) for feature in table.features]
    [('size', 'ordered'), ('age', 'number')]
    >>> table.values
    (array([0, 2], dtype=int8), array([ 3., nan]))
    """
    source = _source(X)
    if source.matrix is not None and types is None:
        names = source.names
        numbers = tuple(Feature(name, Kind.NUMBER, i) for i, name in enumerate(names))
        return Table(names, source.named, numbers, source.matrix.T, source.n_rows)
    wanted = wanted_types(types, source.names, named=source.named)
    found = []
    for number, name in enumerate(source.names):
        kind = wanted.get(number)
        if kind == IGNORE:
            continue
        column = source.column(number)
        from_text = kind in ("number", "date") and is_text(column)
        given = retyped(column, kind, name)
        found += features_of(given, number, source.names, from_text=from_text)
    if not found:
        raise DataError("types says to ignore every column of X. Leave at least one to ask about.")
    features, values = zip(*found, strict=True)
    return Table(source.names, source.named, features, values, source.n_rows)


def read_like(X: object, schema: Schema, *, estimator: str = "the tree") -> Table:
    """Return a table to predict, read as the table that the tree was grown from.

    Parameters
    ----------
    X
        As for `read`.
    schema
        The schema of the tree.
    estimator
        What messages call the tree.
    """
    columns, named, features = schema.columns, schema.named, schema.features
    if schema.is_matrix and not named and _is_clean(X) and X.shape[1] == len(columns):
        return Table(columns, named, features, X.T, len(X))
    source = _source(X)
    numbers = matched(source, schema, estimator)
    read_columns: dict[int, Column] = {}
    values = []
    for feature in features:
        if feature.column not in read_columns:
            read_columns[feature.column] = source.column(numbers[feature.column])
        values.append(values_like(read_columns[feature.column], feature, columns[feature.column]))
    return Table(columns, named, features, tuple(values), source.n_rows)


def refuse_infinity(table: Table) -> None:
    """Refuse the first infinite number of a table, by columns."""
    for feature, values in zip(table.features, table.values, strict=True):
        if feature.kind is Kind.NUMBER:
            finite(values, table.columns[feature.column])


def _is_clean(X: object) -> TypeGuard[NDArray[Any]]:
    """Return whether X is an array that can be taken as it is: the way of single rows."""
    return type(X) is np.ndarray and X.ndim == 2 and X.size > 0 and X.dtype in FLOATS


def _source(X: object) -> Source:
    if isinstance(X, np.ndarray):
        return read_array(X)
    if isinstance(X, list | tuple) and all(isinstance(row, list | tuple) for row in X):
        return read_rows(X)
    if is_sparse(X):
        return read_sparse(X)
    from bough.table.frame import as_frame, read_dict, read_frame

    if isinstance(X, Mapping):
        return read_dict(X)
    frame = as_frame(X)
    return read_array(X) if frame is None else read_frame(frame)
