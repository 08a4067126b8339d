"""`SparseNumbers`: columns of numbers of which only those are stored that are not 0."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

N_CACHED = 2**18  # values that a cache holds


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

    def stretches(self, numbers: Sequence[int]) -> Iterator[tuple[slice, list[NDArray[Any]]]]:
        """Give rows that follow each other, no more than a cache holds, and these columns of them."""
        by_row = self._matrix()[:, numbers].tocsr()
        step = N_CACHED // max(len(numbers), 1) + 1
        for begin in range(0, self.n_rows, step):
            columns = by_row[begin : begin + step].toarray(order="F")
            rows = slice(begin, begin + len(columns))
            yield rows, [*columns.T]

    def only(self, numbers: Sequence[int]) -> "SparseNumbers":
        """Return some of the columns."""
        stored = [self._stored(number) for number in numbers]
        return replace(
            self,
            starts=np.cumsum([0, *(each.stop - each.start for each in stored)], dtype=np.int64),
            row_numbers=np.concatenate(
                [self.row_numbers[:0], *(self.row_numbers[s] for s in stored)]
            ),
            values=np.concatenate([self.values[:0], *(self.values[s] for s in stored)]),
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


def some_numbers(matrix: Any, numbers: Sequence[int]) -> SparseNumbers:  # noqa: ANN401
    """Return all columns of a matrix of SciPy, but those that are not asked about empty."""
    rows = matrix if matrix.format in ("csr", "csc") else matrix.tocsr()
    few = stored_numbers(rows[:, numbers].tocsc())
    starts = np.zeros(matrix.shape[1] + 1, np.int64)
    starts[np.array(numbers, np.intp) + 1] = np.diff(few.starts)
    return replace(few, starts=np.cumsum(starts))


def _unsigned(indices: NDArray[Any]) -> NDArray[np.uint32]:
    is_int32 = indices.dtype == np.int32  # none is negative
    return indices.view(np.uint32) if is_int32 else indices.astype(np.uint32)
