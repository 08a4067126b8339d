"""`Numbers`, `Integers`, `Choices`, `Moments`: a column as its source gives it, before it has a kind."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.errors import DataError, did_you_mean, listed
from bough.schema import Value
from bough.table.sparse_numbers import SparseNumbers

MISSING_INTEGER = -(2**63)
MISSING = -1
UNSEEN = -2
TRUTHS = {"true": True, "True": True, "false": False, "False": False}  # as programs write them
EXACT = 2**53  # every integer up to here is a float64

Codes = NDArray[np.signedinteger[Any]]  # of any width; `MISSING` is missing
FLOATS = (np.dtype(np.float64), np.dtype(np.float32))  # the core reads these as they are
INTEGERS = tuple(np.dtype(f"{sign}{size}") for size in (1, 2, 4, 8) for sign in "iu")[:-1]
IN_PLACE = frozenset((*FLOATS, *INTEGERS))  # types of numbers that the core reads where they lie
Floats = NDArray[np.float64] | NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Numbers:
    """Numbers; nan is missing. Whoever does more than hand them on makes sure that they are `finite`."""

    values: Floats


@dataclass(frozen=True, eq=False)
class Integers:
    """Integers of any width, and which of them are missing."""

    values: NDArray[np.integer[Any]]
    missing: NDArray[np.bool_] | None = None


@dataclass(frozen=True, eq=False)
class Choices:
    """Values that are text, booleans or numbers, and the position of each row's value among them."""

    values: tuple[Value, ...]
    codes: Codes
    is_ordered: bool = False


@dataclass(frozen=True, eq=False)
class Moments:
    """Microseconds since 1970 in UTC; `MISSING_INTEGER` is missing."""

    values: NDArray[np.int64]


Column = Numbers | Integers | Choices | Moments


STRAY_CELLS = "B105"  # the code of remarks about cells that are not what the others are


@dataclass(frozen=True)
class Remark:
    """What a reader of files decided about a column, for the check of this code to put in words."""

    code: str
    column: str
    """Empty if it is about the file as a whole."""
    text: str
    fix: Mapping[str, Any] = field(default_factory=dict)
    """The arguments of `bough.fit` that change it."""


Where = Callable[[int], str]  # what messages call a row: 'row 3', or 'line 5' of a file


def row_word(row: int) -> str:
    """Return what messages call a row of an array or a frame."""
    return f"row {row}"


@dataclass(frozen=True, eq=False)
class Source:
    """A table of some make: its columns are read one at a time, and only those that are asked for."""

    names: tuple[str, ...]
    named: bool
    n_rows: int
    column: Callable[[int], Column]
    matrix: NDArray[Any] | None = None  # the whole table, where it is one array of numbers
    sparse: SparseNumbers | None = None  # and where most of these are 0
    where: Where = row_word
    text: Callable[[int], Choices] | None = None  # the cells as they stand, where all are text
    remarks: tuple[Remark, ...] = ()


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


def recoded(codes: Codes, positions: Sequence[int]) -> Codes:
    """Return for each code its position, in as few bytes as they need; missing stays missing."""
    width = np.min_scalar_type(-1 - max((0, *positions)))
    if list(positions) == list(range(len(positions))):
        return codes.astype(width, copy=False)
    return _core.recode(codes, np.array([MISSING, *positions], width))


def without(column: Column, marks: AbstractSet[object]) -> Column:
    """Return a column in which these texts are missing."""
    if not isinstance(column, Choices) or not marks & set(column.values):
        return column
    kept = [value for value in column.values if value not in marks]
    position = {value: number for number, value in enumerate(kept)}
    positions = [position.get(value, MISSING) for value in column.values]
    return Choices(tuple(kept), recoded(column.codes, positions), column.is_ordered)


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


def missing_rows(column: Column) -> NDArray[np.bool_]:
    """Return which rows of a column have no value."""
    match column:
        case Numbers():
            return np.isnan(column.values)
        case Integers():
            if column.missing is None:
                return np.zeros(len(column.values), np.bool_)
            return column.missing
        case Choices():
            return np.less(column.codes, 0)
        case Moments():
            return np.equal(column.values, MISSING_INTEGER)


def as_choices(column: Column, name: str) -> Choices:
    """Return a column as values to be asked for by name; whole numbers as integers."""
    if isinstance(column, Choices):
        return Choices(column.values, column.codes)
    if isinstance(column, Moments):
        raise DataError(
            f"column {name!r} has dates, which cannot be a category. Turn them into text first."
        )
    if isinstance(column, Numbers):
        finite(column.values, name)
    missing = missing_rows(column)
    distinct, codes = np.unique(column.values[~missing], return_inverse=True)
    if (np.abs(distinct) <= EXACT).all() and (distinct == np.floor(distinct)).all():
        distinct = distinct.astype(np.int64)
    distinct = distinct + 0  # so that -0.0 and 0.0 are the same value in any order of rows
    positions = np.full(len(missing), MISSING, np.int32)
    positions[~missing] = codes
    return Choices(tuple(distinct.tolist()), positions)


def in_order(
    column: Choices, order: Sequence[Value], name: str, where: Where = row_word
) -> Choices:
    """Return a column of ordered values, which must all be in the list that says the order."""
    position = {value: number for number, value in enumerate(order)}
    for number, value in enumerate(column.values):
        if value not in position and (column.codes == number).any():
            row = int(np.argmax(column.codes == number))
            hint = did_you_mean(str(value), [str(known) for known in order])
            raise DataError(
                f"column {name!r} has {value!r} in {where(row)}, which is not in its order "
                f"{listed(order)}.{hint} Add it to the order, or correct the cell."
            )
    positions = [position.get(value, MISSING) for value in column.values]
    return Choices(tuple(order), recoded(column.codes, positions), is_ordered=True)
