"""Reads SciPy's sparse matrices and arrays, one column at a time."""

import sys
from collections.abc import Sequence
from typing import Any, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from bough.schema import DefaultNames
from bough.table.array import check_shape, read_vector
from bough.table.column import Column
from bough.table.lazy_table import Source
from bough.table.numbers import EXACT, IN_PLACE
from bough.table.sparse_numbers import SparseNumbers, stored_numbers


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
