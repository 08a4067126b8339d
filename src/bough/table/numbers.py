"""Numbers as arrays hold them: which are exact, infinite or missing, how text says them, and sparse ones."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, DataError
from bough.schema import MISSING_INTEGER, Kind

EXACT = 2**53  # every integer up to here is a float64
FLOATS = (np.dtype(np.float64), np.dtype(np.float32))  # the core reads these as they are
INTEGERS = tuple(np.dtype(f"{sign}{size}") for size in (1, 2, 4, 8) for sign in "iu")[:-1]
IN_PLACE = frozenset((*FLOATS, *INTEGERS))  # types of numbers that the core reads where they lie
Floats = NDArray[np.float64] | NDArray[np.float32]

INTEGER = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
Lines = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]


def finite(values: Floats, name: str) -> Floats:
    """Return the numbers of a column; infinite ones are refused."""
    is_infinite = np.isinf(values)
    if is_infinite.any():
        row = int(np.argmax(is_infinite))
        raise DataError(
            f"Input X contains infinity: column {name!r} has {values[row]} in row {row}. "
            "Replace it by a finite number, or by nan if it is missing."
        )
    return values


def as_numbers_lie(
    values: NDArray[np.integer[Any]], missing: NDArray[np.bool_] | None
) -> NDArray[Any]:
    """Return integers as numbers of a table: as they lie, or float64 if some are missing."""
    if missing is None and values.dtype in IN_PLACE:
        return values
    return with_missing(values, missing)


def floats(values: NDArray[Any]) -> Floats:
    """Return the values of a number as floats."""
    return values if values.dtype in FLOATS else values.astype(np.float64)


def with_missing(values: NDArray[Any], missing: NDArray[np.bool_] | None) -> NDArray[np.float64]:
    """Return integers as float64, nan where they are missing."""
    result = values.astype(np.float64)
    if missing is not None:
        result[missing] = np.nan
    return result


def kind_of_integers(
    values: NDArray[np.integer[Any]], missing: NDArray[np.bool_] | None, name: str
) -> tuple[Kind, NDArray[Any]]:
    """Return whether integers are numbers, as far as float64 holds them, and their values."""
    known = values if missing is None else values[~missing]
    least, most = (int(known.min()), int(known.max())) if len(known) else (0, 0)
    if least >= -EXACT and most <= EXACT:
        return Kind.NUMBER, as_numbers_lie(values, missing)
    if least > MISSING_INTEGER and most < 2**63:
        wide = values.astype(np.int64)
        if missing is not None:
            wide[missing] = MISSING_INTEGER
        return Kind.INTEGER, wide
    return Kind.NUMBER, _as_exact_floats(values, missing, name)


def _as_exact_floats(
    values: NDArray[np.integer[Any]], missing: NDArray[np.bool_] | None, name: str
) -> NDArray[np.float64]:
    """Return integers that 64 bits with a sign cannot hold as float64, if it holds all of them."""
    floats = with_missing(values, missing)
    limit = 2.0 ** (64 if values.dtype.kind == "u" else 63)
    is_exact = np.isnan(floats) | (floats < limit)
    is_exact &= np.where(is_exact, np.nan_to_num(floats), 0).astype(values.dtype) == np.where(
        np.isnan(floats), 0, values
    )
    if not is_exact.all():
        row = int(np.argmin(is_exact))
        raise DataError(
            f"column {name!r} has integers outside ±(2**63 - 1), and {values[row]} in row {row} "
            "loses digits as a float64. Give the column as text, or leave it out: ",
            Argument("types", {name: "ignore"}), ".",
        )  # fmt: skip
    return floats


def number_from_text(text: str) -> float | int | None:
    """Return the number that a text says; None if it says none."""
    if INTEGER.fullmatch(text) and len(text.lstrip("+-")) < 20:
        return int(text)
    return float(text) if NUMBER.fullmatch(text) else None


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
        return stored_numbers(self.matrix[:, numbers])

    def rows(self, rows: NDArray[np.intp]) -> "SparseNumbers":
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
