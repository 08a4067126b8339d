"""Reads SciPy's sparse matrices and arrays, one column at a time."""

import sys
from typing import Any, Protocol, TypeGuard

import numpy as np

from bough.table.array import check_shape, default_names, read_vector
from bough.table.column import Column
from bough.table.source import Source


class Sparse(Protocol):
    """What is asked of SciPy's matrices and arrays, which say little about their types."""

    shape: tuple[int, ...]

    def tocsc(self) -> Any: ...  # noqa: ANN401


def is_sparse(X: object) -> TypeGuard[Sparse]:
    """Return whether X is one of SciPy's; where SciPy is not loaded, nothing is."""
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and bool(scipy_sparse.issparse(X))


def read_sparse(X: Sparse) -> Source:
    """Return the columns of a sparse matrix; a zero that is stored and one that is not are equal."""
    check_shape(X.shape, X)
    by_column = X.tocsc()
    if not by_column.has_canonical_format:
        by_column = by_column.copy()  # X belongs to the caller
        by_column.sum_duplicates()
    names = default_names(X.shape[1])

    def column(number: int) -> Column:
        stored = slice(by_column.indptr[number], by_column.indptr[number + 1])
        values = np.zeros(X.shape[0], by_column.dtype)
        values[by_column.indices[stored]] = by_column.data[stored]
        return read_vector(values, names[number])

    return Source(names, named=False, n_rows=X.shape[0], column=column)
