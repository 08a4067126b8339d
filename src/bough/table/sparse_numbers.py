"""`SparseNumbers`: columns of numbers of which only those are stored that are not 0."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from bough.table.numbers import EXACT, IN_PLACE

Lines = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class SparseNumbers(Sequence[NDArray[Any]]):
    """The values of features; one that is asked for by its number is given with all its zeros."""

    matrix: Any
    """SciPy's, in its format CSR or CSC, as it lies; see `stored_numbers`."""
    asked_of: Sequence[int] | None = None
    """The columns whose values are needed, others are all 0; None: all."""

    @property
    def n_rows(self) -> int:
        return int(self.matrix.shape[0])

    @property
    def is_by_row(self) -> bool:
        return bool(self.matrix.format == "csr")

    def __len__(self) -> int:
        return int(self.matrix.shape[1])

    @overload
    def __getitem__(self, number: int) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, number: slice) -> "list[NDArray[Any]]": ...
    def __getitem__(self, number: int | slice) -> NDArray[Any] | list[NDArray[Any]]:
        if isinstance(number, slice):
            return [self[each] for each in range(len(self))[number]]
        place = range(len(self))[number]
        column = np.zeros(self.n_rows, self.matrix.dtype)
        if self.asked_of is not None:
            if place not in self.asked_of:
                return column
            place = self.asked_of.index(place)
        stored = self.stored(place)
        column[self.by_column.indices[stored]] = self.by_column.data[stored]
        return column

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return (self[number] for number in range(len(self)))

    def asked(self, numbers: Sequence[int]) -> list[NDArray[Any]]:
        """Return all columns, but those that are not asked about without their values."""
        columns = [np.broadcast_to(np.zeros(1), self.n_rows)] * len(self)
        for number in numbers:
            columns[number] = self[number]
        return columns

    def lines(self) -> Lines:
        """Return where each row or column begins, and the places and the values that are stored."""
        return _lines(self.matrix)

    def by_row(self) -> Lines:
        """Return the same, always of rows."""
        return _lines(self.matrix.tocsr())

    def only(self, numbers: Sequence[int]) -> "SparseNumbers":
        """Return some of the columns."""
        return stored_numbers(self.matrix[:, numbers])

    def rows(self, rows: NDArray[np.intp]) -> "SparseNumbers":
        """Return some of the rows, in this order."""
        return stored_numbers(self.matrix[rows])

    def stored(self, place: int) -> slice:
        """Return where the values of a column are among those of `by_column`."""
        begin, end = self.by_column.indptr[place : place + 2].tolist()
        return slice(begin, end)

    @cached_property
    def by_column(self) -> Any:  # noqa: ANN401 - SciPy says little of types
        """The columns whose values are needed, in SciPy's format CSC."""
        needed = self.matrix if self.asked_of is None else self.matrix[:, self.asked_of]
        return needed.tocsc()


def stored_numbers(matrix: Any, asked: Sequence[int] | None = None) -> SparseNumbers:  # noqa: ANN401
    """Return the columns of a matrix of SciPy in its format CSR or CSC, in order, no cell twice."""
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    if (dtype := _same_in_place(matrix.data)) is not None:
        with np.errstate(over="ignore"):  # infinity is refused by name
            matrix = matrix.astype(dtype)
    return SparseNumbers(matrix, asked)


def _same_in_place(values: NDArray[Any]) -> type | None:
    """Return a type that holds the same values and that the core takes, if one is needed.

    As categories, booleans would fill the table with every False.
    """
    if values.dtype.kind == "b":
        return np.uint8
    if values.dtype.kind == "f":
        return None if values.dtype in IN_PLACE else np.float64
    return np.int64 if values.dtype == np.uint64 and values.max(initial=0) <= EXACT else None


def _lines(matrix: Any) -> Lines:  # noqa: ANN401 - SciPy says little of types
    n_stored = int(matrix.indptr[-1])  # there may be room for more
    return (
        np.ascontiguousarray(matrix.indptr, np.int64),
        np.ascontiguousarray(matrix.indices[:n_stored], np.int32),
        np.ascontiguousarray(matrix.data[:n_stored], np.float64),
    )
