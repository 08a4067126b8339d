"""Reads arrays, masked and sparse ones too, and lists of rows."""

import sys
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Protocol, TypeGuard

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from bough import _core
from bough.errors import DataError
from bough.schema import DefaultNames
from bough.table.column import Choices, Column, Integers, Moments, Numbers
from bough.table.dates import as_microseconds
from bough.table.numbers import (
    EXACT,
    FLOATS,
    IN_PLACE,
    Floats,
    SparseNumbers,
    as_numbers_lie,
    stored_numbers,
)
from bough.table.objects import Family, read_cells, refused
from bough.table.source import Source


def read_array(X: object) -> Source:
    """Return the columns of a two-dimensional array, or of what NumPy makes one of."""
    values = _array(X)
    if values.dtype.names is not None:
        raise DataError(
            "X is a structured array, whose columns are fields. Give a data frame instead: "
            "pandas.DataFrame(X)."
        )
    check_shape(values.shape, X)
    mask = np.ma.getmaskarray(X) if isinstance(X, np.ma.MaskedArray) else None
    if mask is not None and not mask.any():
        mask = None
    names = DefaultNames(values.shape[1])
    whole = _as_numbers(values, mask, names)
    columns = _columns(values, mask, names) if whole is None else _columns(whole, None, names)
    return Source(names, named=False, n_rows=len(values), column=columns, matrix=whole)


def read_rows(rows: Sequence[Sequence[Any]]) -> Source:
    """Return the columns of a list of rows; each cell stays as it is: 1 beside 'a' is a number."""
    n_columns = len(rows[0]) if rows else 0
    for number, row in enumerate(rows):
        if len(row) != n_columns:
            raise DataError(
                f"row {number} of X has length {len(row):,}, but row 0 has length {n_columns:,}. "
                "Give every row the same number of cells."
            )
    check_shape((len(rows), n_columns), rows)
    names = DefaultNames(n_columns)
    return Source(
        names,
        named=False,
        n_rows=len(rows),
        column=lambda number: read_cells(list(map(itemgetter(number), rows)), names[number]),
    )


def check_shape(shape: tuple[int, ...], X: object) -> None:
    """Refuse what is no table of at least one row and one column."""
    if len(shape) == 0:
        raise DataError(
            f"X must be a table with rows and columns, but it is of type {type(X).__name__!r}. "
            "Give a data frame, a two-dimensional array or a list of rows."
        )
    if len(shape) == 1 and isinstance(X, list | tuple) and isinstance(X[0], Mapping):
        raise DataError(
            "X is a list of dicts, one for each row. Give a dict of lists, one for each column, or "
            "a data frame: pandas.DataFrame(X)."
        )
    if len(shape) == 1:
        raise DataError(
            "X has 1 dimension, but a table has 2, rows and columns. Reshape your data: "
            "X.reshape(-1, 1) if it is one column, X.reshape(1, -1) if it is one row."
        )
    if len(shape) > 2:
        raise DataError(
            f"X has {len(shape)} dimensions, but a table has 2, rows and columns. "
            "Reshape your data: X.reshape(len(X), -1) makes one row of each entry."
        )
    for size, what in zip(shape, ("sample", "feature"), strict=True):
        if size == 0:
            raise DataError(
                f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required."
            )


def read_vector(values: NDArray[Any], name: str, mask: NDArray[np.bool_] | None = None) -> Column:
    """Return the column that a one-dimensional array makes."""
    kind = values.dtype.kind
    if kind == "U" and mask is None and values.itemsize > 0:
        first, codes = _core.distinct(bytes_of(values))
        return Choices(tuple(values[first].tolist()), codes)
    if kind in "OUT" or (mask is not None and kind not in "iufM"):
        cells = values.astype(object, copy=mask is not None)
        if mask is not None:
            cells[mask] = None
        return read_cells(cells, name)
    if kind == "f":
        floats = _as_floats(values, (name,))
        return Numbers(floats if mask is None else np.where(mask, np.nan, floats))
    if kind in "iu":
        return Integers(values.astype(values.dtype.newbyteorder("="), copy=False), mask)
    if kind == "b":
        return Choices((False, True), values.view(np.int8))
    if kind == "M":
        known = values if mask is None else np.where(mask, np.datetime64("NaT"), values)
        return Moments(as_microseconds(known, name))
    raise _refused_type(values.dtype, name)


def bytes_of(values: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the bytes of each value of a one-dimensional array, as (values, bytes)."""
    strides = (*values.strides, values.itemsize)
    return as_strided(values, (len(values), 1), strides, writeable=False).view(np.uint8)


def _columns(
    values: NDArray[Any], mask: NDArray[np.bool_] | None, names: Sequence[str]
) -> Callable[[int], Column]:
    masks = [None] * len(names) if mask is None else list(mask.T)
    return lambda number: read_vector(values[:, number], names[number], masks[number])


def _as_numbers(
    values: NDArray[Any], mask: NDArray[np.bool_] | None, names: Sequence[str]
) -> NDArray[Any] | None:
    """Return an array of numbers at one go, if float64 can hold them exactly."""
    kind = values.dtype.kind
    if kind == "f":
        floats = _as_floats(values, names)
        return floats if mask is None else np.where(mask, np.nan, floats)
    if kind in "iu" and (values.itemsize < 8 or -EXACT <= values.min() <= values.max() <= EXACT):
        return as_numbers_lie(values.astype(values.dtype.newbyteorder("="), copy=False), mask)
    return None


def _as_floats(values: NDArray[Any], names: Sequence[str]) -> Floats:
    if values.dtype in FLOATS:
        return values
    if values.itemsize <= 8:
        return values.astype(np.float64, copy=False)
    with np.errstate(over="ignore"):
        floats: NDArray[np.float64] = values.astype(np.float64)
    is_rounded = (floats != values) & ~np.isnan(values)
    if is_rounded.any():
        row, column = np.argwhere(is_rounded.reshape(len(values), -1))[0].tolist()
        raise DataError(
            f"column {names[column]!r} has a long double in row {row} that loses digits as a "
            "float64. Round the column: X.astype('float64')."
        )
    return floats


def _array(X: object) -> NDArray[Any]:
    try:
        return np.asarray(X)  # of a masked array the data, without the mask
    except ValueError as error:
        if not isinstance(X, list | tuple):
            raise
        raise DataError(
            "X is a list of rows of different lengths. Give every row the same number of cells."
        ) from error


def _refused_type(dtype: np.dtype[Any], name: str) -> DataError:
    families = {"c": Family.COMPLEX, "m": Family.DURATION, "S": Family.BYTES, "V": Family.BYTES}
    return refused(families.get(dtype.kind, Family.NESTED), name, f"the type {dtype}")


class Sparse(Protocol):
    """What is asked of SciPy's matrices and arrays, which say little about their types."""

    shape: tuple[int, ...]
    format: str
    data: Any

    def tocsc(self) -> Any: ...  # noqa: ANN401

    def tocsr(self) -> Any: ...  # noqa: ANN401


def is_sparse(X: object) -> TypeGuard[Sparse]:
    """Return whether X is one of SciPy's; where SciPy is not loaded, nothing is."""
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and bool(scipy_sparse.issparse(X))


def read_sparse(X: Sparse) -> Source:
    """Return the columns of a sparse matrix; a zero that is stored and one that is not are equal."""
    check_shape(X.shape, X)
    columns = stored_numbers(X if X.format == "csr" else X.tocsc())
    names = DefaultNames(X.shape[1])

    def column(number: int) -> Column:
        return read_vector(columns[number], names[number])

    return Source(
        names,
        named=False,
        n_rows=X.shape[0],
        column=column,
        sparse=columns if _are_exact(columns.matrix.data) else None,
    )


def read_asked_of(X: Sparse, asked: Sequence[int]) -> SparseNumbers | None:
    """Return a sparse matrix of which only some columns are read; None if it holds no numbers."""
    found = stored_numbers(X.tocsr(), asked)
    return found if _are_exact(found.matrix.data) else None


def _are_exact(values: NDArray[Any]) -> bool:
    """Return whether the core takes the values as they are, and float64 can hold them exactly."""
    if values.dtype not in IN_PLACE:
        return False
    return (
        values.dtype != np.int64
        or not values.size
        or -EXACT <= values.min() <= values.max() <= EXACT
    )
