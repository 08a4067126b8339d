"""`Column`, and a class for each kind: numbers, integers, choices, moments."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.errors import DataError, did_you_mean, listed
from bough.schema import MISSING, MISSING_INTEGER, Feature, Kind, Value, date, what_are
from bough.table.dates import as_microseconds, date_features, moment_from_text, part_of
from bough.table.numbers import (
    EXACT,
    Floats,
    as_numbers_lie,
    finite,
    kind_of_integers,
    number_from_text,
    with_missing,
)
from bough.table.value_hashes import MISSING_HASH, Hashes, of_floats, of_integers, of_values, tagged

Codes = NDArray[np.signedinteger[Any]]  # of any width; `MISSING` is missing
Read = tuple[Feature, NDArray[Any]]  # a feature, and its value in each row
Rows = NDArray[np.intp]
Where = Callable[[int], str]  # what messages call a row: 'row 3', or 'line 5' of a file


def row_word(row: int) -> str:
    """Return what messages call a row of an array or a frame."""
    return f"row {row}"


class Column(ABC):
    """A column as its source gives it, before it is a feature.

    What is done with columns are methods, so that a new kind of column is one class.
    """

    @property
    @abstractmethod
    def kind(self) -> str:
        """What it is, as users name it in `types`; or 'ordered'."""

    @property
    @abstractmethod
    def holds(self) -> str:
        """What messages call its values, as in 'numbers'."""

    values: Any

    @property
    def cells(self) -> NDArray[Any]:
        """For each row a number, greater for a greater value; any number where it is missing."""
        cells: NDArray[Any] = self.values
        return cells

    @abstractmethod
    def missing_rows(self) -> NDArray[np.bool_]:
        """Return which rows have no value."""

    @abstractmethod
    def take(self, rows: Rows) -> "Column":
        """Return some rows."""

    @abstractmethod
    def joined(self, others: Sequence["Column"]) -> "Column | None":
        """Return a column with the rows of others below its own; None where they do not fit."""

    @abstractmethod
    def hashes(self) -> Hashes:
        """Return a hash of the value of each row, the same in whichever column and source it stands."""

    @abstractmethod
    def value(self, row: int) -> Value:
        """Return the value of a row that has one, a date as text."""

    @abstractmethod
    def features(self, number: int, names: Sequence[str], *, from_text: bool) -> list[Read]:
        """Return the features that the column with this number gives, each with its values."""

    @property
    def is_text(self) -> bool:
        return self.holds == "text"

    def known(self) -> NDArray[Any]:
        """Return the cells of the rows that have a value."""
        missing = self.missing_rows()
        return self.cells[~missing] if missing.any() else self.cells

    def n_distinct(self) -> int:
        """Return how many values occur."""
        in_order = np.sort(self.known())  # which is faster than np.unique
        return len(in_order[:1]) + int(np.count_nonzero(in_order[1:] != in_order[:-1]))

    def floats(self) -> NDArray[np.float64] | None:
        """Return its numbers, nan where they are missing; None if it has none."""
        return None

    def array(self) -> NDArray[Any]:
        """Return the values as NumPy holds them; any value where it is missing."""
        return self.cells

    def refuse_infinity(self, name: str) -> None:  # noqa: B027 - most kinds have none
        """Refuse an infinite number."""

    def without(self, marks: AbstractSet[object]) -> "Column":  # noqa: ARG002
        """Return the column with these texts missing."""
        return self

    def as_choices(self, name: str) -> "Choices":
        """Return values to be asked for by name; whole numbers as integers."""
        raise DataError(
            f"column {name!r} has {self.holds}, which cannot be a category. Convert them to text "
            "first."
        )

    def as_numbers(self, name: str, where: Where = row_word) -> "Numeric":  # noqa: ARG002
        """Return booleans, categories of numbers, and text that says numbers, as numbers."""
        raise DataError(
            f"column {name!r} has {self.holds}, which cannot be read as numbers. Convert them "
            "to numbers first, or remove the column from types."
        )

    def as_moments(self, name: str, where: Where = row_word) -> "Moments":  # noqa: ARG002
        """Return text that says dates or times in the ISO form as moments."""
        if self.missing_rows().all():
            return Moments(np.full(len(self.cells), MISSING_INTEGER, np.int64))
        raise DataError(
            f"column {name!r} has {self.holds}, which cannot be read as dates. Convert them to "
            "dates first, or remove the column from types."
        )


class Numeric(Column):
    """Numbers of any type."""

    kind = "number"
    holds = "numbers"
    values: NDArray[Any]

    @abstractmethod
    def floats(self) -> NDArray[np.float64]: ...

    @abstractmethod
    def as_they_lie(self) -> NDArray[Any]:
        """Return the values of a number in a table: as they lie where the core can read them."""

    def joined(self, others: Sequence[Column]) -> Column | None:
        columns = [self, *(each for each in others if isinstance(each, Numeric))]
        if len(columns) < 1 + len(others):
            return None
        values = np.concatenate([each.values for each in columns])
        # Beside floats, and int64 beside uint64, they are float64.
        if values.dtype.kind in "iu":
            return Integers(values, np.concatenate([each.missing_rows() for each in columns]))
        return Numbers(np.concatenate([each.floats() for each in columns]))

    def value(self, row: int) -> Value:
        value: Value = self.values[row].item()
        return value

    def as_numbers(self, name: str, where: Where = row_word) -> "Numeric":  # noqa: ARG002
        return self

    def as_choices(self, name: str) -> "Choices":
        self.refuse_infinity(name)
        missing = self.missing_rows()
        distinct, codes = np.unique(self.values[~missing], return_inverse=True)
        if (np.abs(distinct) <= EXACT).all() and (distinct == np.floor(distinct)).all():
            distinct = distinct.astype(np.int64)
        distinct = distinct + 0  # so that -0.0 and 0.0 are the same value in any order of rows
        positions = np.full(len(missing), MISSING, np.int32)
        positions[~missing] = codes
        return Choices(tuple(distinct.tolist()), positions)


@dataclass(frozen=True, eq=False)
class Numbers(Numeric):
    """Numbers; nan is missing. Whoever does more than hand them on has infinite ones refused."""

    values: Floats

    def missing_rows(self) -> NDArray[np.bool_]:
        return np.isnan(self.values)

    def take(self, rows: Rows) -> "Numbers":
        return Numbers(self.values[rows])

    def hashes(self) -> Hashes:
        return np.where(self.missing_rows(), MISSING_HASH, of_floats(self.values))

    def features(self, number: int, names: Sequence[str], *, from_text: bool) -> list[Read]:
        return [(Feature(names[number], Kind.NUMBER, number, from_text=from_text), self.values)]

    def floats(self) -> NDArray[np.float64]:
        return self.values.astype(np.float64, copy=False)

    def as_they_lie(self) -> NDArray[Any]:
        return self.values

    def refuse_infinity(self, name: str) -> None:
        finite(self.values, name)


@dataclass(frozen=True, eq=False)
class Integers(Numeric):
    """Integers of any width, and which of them are missing."""

    values: NDArray[np.integer[Any]]
    missing: NDArray[np.bool_] | None = None

    def missing_rows(self) -> NDArray[np.bool_]:
        return np.zeros(len(self.values), np.bool_) if self.missing is None else self.missing

    def take(self, rows: Rows) -> "Integers":
        return Integers(self.values[rows], None if self.missing is None else self.missing[rows])

    def hashes(self) -> Hashes:
        return np.where(self.missing_rows(), MISSING_HASH, of_integers(self.values))

    def features(self, number: int, names: Sequence[str], *, from_text: bool) -> list[Read]:
        kind, values = kind_of_integers(self.values, self.missing, names[number])
        return [(Feature(names[number], kind, number, from_text=from_text), values)]

    def floats(self) -> NDArray[np.float64]:
        return with_missing(self.values, self.missing)

    def as_they_lie(self) -> NDArray[Any]:
        return as_numbers_lie(self.values, self.missing)


@dataclass(frozen=True, eq=False)
class Choices(Column):
    """Values that are text, booleans or numbers, and the position of each row's value among them."""

    values: tuple[Value, ...]
    codes: Codes
    is_ordered: bool = False

    @property
    def kind(self) -> str:
        return "ordered" if self.is_ordered else "category"

    @property
    def holds(self) -> str:
        return what_are(self.values)

    @property
    def cells(self) -> NDArray[Any]:
        return self.codes

    def missing_rows(self) -> NDArray[np.bool_]:
        return np.less(self.codes, 0)

    def take(self, rows: Rows) -> "Choices":
        return Choices(self.values, self.codes[rows], self.is_ordered)

    def joined(self, others: Sequence[Column]) -> Column | None:
        columns = [self, *(each for each in others if isinstance(each, Choices))]
        if len(columns) < 1 + len(others):
            return None
        values = tuple(dict.fromkeys(value for each in columns for value in each.values))
        codes = np.concatenate([each.positions(values) for each in columns])
        return Choices(values, codes, all(each.is_ordered for each in columns))

    def hashes(self) -> Hashes:
        return np.append(of_values(self.values), MISSING_HASH)[self.codes]

    def value(self, row: int) -> Value:
        return self.values[int(self.codes[row])]

    def features(self, number: int, names: Sequence[str], *, from_text: bool) -> list[Read]:  # noqa: ARG002
        kind = Kind.ORDERED if self.is_ordered else Kind.CHOICE
        seen = self if self.is_ordered else self.seen()
        return [(Feature(names[number], kind, number, choices=seen.values), seen.codes)]

    def array(self) -> NDArray[Any]:
        any_value = self.values[0] if self.values else None
        values = np.array([*self.values, any_value], object if self.is_text else None)
        return values[self.codes]

    def positions(self, values: Sequence[Value], other: int = MISSING) -> Codes:
        """Return for each row the position of its value among these."""
        position = {value: number for number, value in enumerate(values)}
        return recoded(self.codes, [position.get(value, other) for value in self.values])

    def seen(self) -> "Choices":
        """Return a column whose values are those that occur, sorted."""
        occurs = np.flatnonzero(_core.occurring(self.codes, len(self.values))[1:]).tolist()
        values = sorted(self.values[code] for code in occurs)
        return Choices(tuple(values), self.positions(values))

    def without(self, marks: AbstractSet[object]) -> "Choices":
        kept = tuple(value for value in self.values if value not in marks)
        if len(kept) == len(self.values):
            return self
        return Choices(kept, self.positions(kept), self.is_ordered)

    def in_order(self, order: Sequence[Value], name: str, where: Where = row_word) -> "Choices":
        """Return a column of ordered values, which must all be in the list that says the order."""
        for number, value in enumerate(self.values):
            if value not in order and (self.codes == number).any():
                row = int(np.argmax(self.codes == number))
                hint = did_you_mean(str(value), [str(known) for known in order])
                raise DataError(
                    f"column {name!r} has {value!r} in {where(row)}, which is not in its order "
                    f"{listed(order)}.{hint} Add it to the order, or correct the cell."
                )
        return Choices(tuple(order), self.positions(order), is_ordered=True)

    def as_choices(self, name: str) -> "Choices":  # noqa: ARG002
        return Choices(self.values, self.codes)

    def as_numbers(self, name: str, where: Where = row_word) -> Numeric:
        known = self.without({""})
        values = [
            number_from_text(each) if isinstance(each, str) else each for each in known.values
        ]
        _refuse_unread(known, values, "a number", name, where)
        if all(isinstance(value, int) and abs(value) < 2**63 for value in values):
            return Integers(np.array([*values, 0], np.int64)[known.codes], known.codes < 0)
        return Numbers(np.array([*values, np.nan], np.float64)[known.codes])

    def as_moments(self, name: str, where: Where = row_word) -> "Moments":
        if not self.is_text or self.missing_rows().all():
            return super().as_moments(name, where)
        known = self.without({""})
        values = [moment_from_text(str(value)) for value in known.values]
        what = "a date such as '2024-12-31' or '2024-12-31 23:59'"
        _refuse_unread(known, values, what, name, where)
        moments = np.array([*values, MISSING_INTEGER], np.int64)[known.codes]
        return Moments(as_microseconds(moments.view("M8[us]"), name))


@dataclass(frozen=True, eq=False)
class Moments(Column):
    """Microseconds since 1970 in UTC; `MISSING_INTEGER` is missing."""

    values: NDArray[np.int64]
    kind = "date"
    holds = "dates"

    def missing_rows(self) -> NDArray[np.bool_]:
        return np.equal(self.values, MISSING_INTEGER)

    def take(self, rows: Rows) -> "Moments":
        return Moments(self.values[rows])

    def joined(self, others: Sequence[Column]) -> Column | None:
        columns = [self, *(each for each in others if isinstance(each, Moments))]
        if len(columns) < 1 + len(others):
            return None
        return Moments(np.concatenate([each.values for each in columns]))

    def hashes(self) -> Hashes:
        return np.where(self.missing_rows(), MISSING_HASH, tagged(self.values, "date"))

    def value(self, row: int) -> Value:
        return date(int(self.values[row]))

    def features(self, number: int, names: Sequence[str], *, from_text: bool) -> list[Read]:
        features = date_features(self.values, number, names, from_text=from_text)
        return [(feature, part_of(self.values, feature.part)) for feature in features]

    def array(self) -> NDArray[Any]:
        return self.values.view("M8[us]")

    def as_moments(self, name: str, where: Where = row_word) -> "Moments":  # noqa: ARG002
        return self


def recoded(codes: Codes, positions: Sequence[int]) -> Codes:
    """Return for each code its position, in as few bytes as they need; missing stays missing."""
    width = np.min_scalar_type(-1 - max((0, *positions)))
    if list(positions) == list(range(len(positions))):
        return codes.astype(width, copy=False)
    return _core.recode(codes, np.array([MISSING, *positions], width))


def _refuse_unread(
    column: Choices, read: Sequence[object], what: str, name: str, where: Where
) -> None:
    """Refuse the first row, if any, whose text did not say what was wanted."""
    is_unread = np.array([*(each is None for each in read), False])[column.codes]
    if is_unread.any():
        row = int(np.argmax(is_unread))
        raise DataError(
            f"column {name!r} has {column.value(row)!r} in {where(row)}, which is not {what}. "
            "Correct the cell, or make it missing."
        )
