"""`SparseNumbers`: columns of numbers of which only those are stored that are not 0."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class SparseNumbers(Sequence[NDArray[Any]]):
    """The values of features; one that is asked for by its number is given with all its zeros."""

    n_rows: int
    starts: NDArray[np.int64]
    """Where each column begins among the values, and the end."""
    row_numbers: NDArray[np.uint32]
    """The row of each value, ascending within a column."""
    values: NDArray[Any]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, number: int) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, number: slice) -> "list[NDArray[Any]]": ...
    def __getitem__(self, number: int | slice) -> NDArray[Any] | list[NDArray[Any]]:
        if isinstance(number, slice):
            return [self[each] for each in range(len(self))[number]]
        stored = self._stored(range(len(self))[number])
        column = np.zeros(self.n_rows, self.values.dtype)
        column[self.row_numbers[stored]] = self.values[stored]
        return column

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return (self[number] for number in range(len(self)))

    def asked(self, numbers: Sequence[int]) -> list[NDArray[Any]]:
        """Return all columns, but those that are not asked about without their values."""
        columns = [np.broadcast_to(np.zeros(1), self.n_rows)] * len(self)
        for number in numbers:
            columns[number] = self[number]
        return columns

    def by_row(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Return where each row begins, and the columns and the values that are stored."""
        return _arrays(self._matrix().tocsr())

    def only(self, numbers: Sequence[int]) -> "SparseNumbers":
        """Return some of the columns."""
        stored = [self._stored(number) for number in numbers]
        return SparseNumbers(
            self.n_rows,
            np.cumsum([0, *(each.stop - each.start for each in stored)], dtype=np.int64),
            np.concatenate([self.row_numbers[:0], *(self.row_numbers[s] for s in stored)]),
            np.concatenate([self.values[:0], *(self.values[s] for s in stored)]),
        )

    def rows(self, rows: NDArray[np.intp]) -> "SparseNumbers":
        """Return some of the rows, in this order."""
        return stored_numbers(self._matrix()[rows])

    def _matrix(self) -> Any:  # noqa: ANN401 - SciPy says little of types
        from scipy.sparse import csc_array

        stored = self.values, self.row_numbers.view(np.int32), self.starts
        return csc_array(stored, (self.n_rows, len(self)))

    def _stored(self, number: int) -> slice:
        return slice(int(self.starts[number]), int(self.starts[number + 1]))


def stored_numbers(by_column: Any) -> SparseNumbers:  # noqa: ANN401 - SciPy says little of types
    """Return the columns of a matrix of SciPy in its format CSC."""
    if not by_column.has_canonical_format:
        by_column = by_column.copy()
        by_column.sum_duplicates()
    return SparseNumbers(
        by_column.shape[0],
        by_column.indptr.astype(np.int64, copy=False),
        _unsigned(by_column.indices),
        by_column.data,
    )


class SparseRows(SparseNumbers):
    """The numbers of a matrix in SciPy's format CSR; columns are made only if they are asked for.

    Then only those have values that a tree asks about.
    """

    matrix: Any
    asked_of: Sequence[int]

    def __init__(self, matrix: Any, asked: Sequence[int]) -> None:  # noqa: ANN401
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        self.__dict__.update(n_rows=matrix.shape[0], matrix=matrix, asked_of=asked)

    def __len__(self) -> int:
        return int(self.matrix.shape[1])

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        if name not in ("starts", "row_numbers", "values"):
            raise AttributeError(name)
        return getattr(self._columns, name)

    def by_row(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Return where each row begins, and the columns and the values that are stored."""
        return _arrays(self.matrix)

    @cached_property
    def _columns(self) -> SparseNumbers:
        few = stored_numbers(self.matrix[:, self.asked_of].tocsc())
        counts = np.zeros(len(self) + 1, np.int64)
        counts[np.array(self.asked_of, np.intp) + 1] = np.diff(few.starts)
        return SparseNumbers(self.n_rows, np.cumsum(counts), few.row_numbers, few.values)


def _arrays(by_row: Any) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:  # noqa: ANN401
    n_stored = int(by_row.indptr[-1])  # there may be room for more
    return (
        np.ascontiguousarray(by_row.indptr, np.int64),
        np.ascontiguousarray(by_row.indices[:n_stored], np.int32),
        np.ascontiguousarray(by_row.data[:n_stored], np.float64),
    )


def _unsigned(indices: NDArray[Any]) -> NDArray[np.uint32]:
    is_int32 = indices.dtype == np.int32  # none is negative
    return indices.view(np.uint32) if is_int32 else indices.astype(np.uint32)
