"""`Source`: a table of some make, whose columns are read one at a time; what `types` says about them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

from numpy.typing import NDArray

from bough.datasets import Teaching
from bough.errors import Argument, ParameterError, did_you_mean, listed
from bough.file_options import FileReading
from bough.schema import Value
from bough.settings import COLUMN_LISTS
from bough.table.column import Choices, Column, Where, row_word
from bough.table.numbers import SparseNumbers

STRAY_CELLS = "B105"  # the code of remarks about cells that are not what the others are
AS_TEXT = {STRAY_CELLS, "B111"}  # codes of remarks on columns that are more as text than as read
Types = Mapping[str | int, str | Sequence[Value]]

IGNORE = "ignore"
KINDS = ("category", "date", "ignore", "number")


@dataclass(frozen=True)
class Remark:
    """What a reader of files decided about a column, for the check of this code to put in words."""

    code: str
    column: str
    """Empty if it is about the file as a whole."""
    text: str
    fix: Mapping[str, Any] = field(default_factory=dict)
    """The arguments of `bough.fit` that change it."""


@dataclass(frozen=True, eq=False)
class Source:
    """A table of some make: its columns are read one at a time, and only those that are asked for."""

    names: Sequence[str]
    named: bool
    n_rows: int
    column: Callable[[int], Column]
    matrix: NDArray[Any] | None = None  # the whole table, where it is one array of numbers
    sparse: SparseNumbers | None = None  # and where most of these are 0
    where: Where = row_word
    text: Callable[[int], Choices] | None = None  # the cells as they stand, where all are text
    remarks: tuple[Remark, ...] = ()
    teaching: Teaching | None = None  # which says what the target is, and what names the rows
    reading: FileReading | None = None  # how the file is written, where it is one
    again: "Callable[[FileReading], Source] | None" = None  # read once more, as another file was
    before: FileReading | None = None  # the one that it is read like already

    def like(self, before: FileReading | None) -> "Source":
        """Return the table read as the file of a model was, where both are files."""
        if before is None or self.again is None or self.before is before:
            return self
        return self.again(before)

    def number_of(self, name: object, role: str) -> int:
        """Return the number of the column that has a role, as in `target='species'`."""
        if not isinstance(name, str) and role in COLUMN_LISTS:
            raise ParameterError(
                Argument(role),
                f" has {name!r}, which is not the name of a column: {listed(self.names)}.",
            )
        if not isinstance(name, str):
            kind = type(name).__name__
            raise ParameterError(
                f"{role} is of type {kind!r}, but must be the name of a column of the table. "
                "Give the table with that column in it: bough.fit(table, target='…')."
            )
        if name in self.names:
            return self.names.index(name)
        raise ParameterError(
            Argument(role, name), " is not a column of the "
            f"table.{did_you_mean(str(name), self.names)} Columns: {listed(self.names, most=12)}.",
        )  # fmt: skip


def wanted_types(
    types: Types | None, names: Sequence[str], *, named: bool
) -> dict[int, str | Sequence[Value]]:
    """Return what the user wants for each column number; names and kinds are checked."""
    if types is None:
        return {}
    if not isinstance(types, Mapping):
        raise ParameterError(
            Argument("types", types), " must be a dict from columns to kinds, such as "
            "{'zip': 'category'}.",
        )  # fmt: skip
    wanted: dict[int, str | Sequence[Value]] = {}
    for key, kind in types.items():
        number = column_number(key, names, named=named)
        _check_kind(key, kind)
        if number in wanted:
            raise ParameterError(
                f"types has the column {names[number]!r} twice, by name and by number. "
                "Leave one of them out."
            )
        wanted[number] = kind
    return wanted


def retyped(
    column: Column, kind: str | Sequence[Value] | None, name: str, where: Where = row_word
) -> Column:
    """Return a column as the kind that the user wants."""
    match kind:
        case None:
            return column
        case "category":
            return column.as_choices(name)
        case "number":
            return column.as_numbers(name, where)
        case "date":
            return column.as_moments(name, where)
        case _:
            return column.as_choices(name).in_order(kind, name, where)


def column_number(
    key: str | int, names: Sequence[str], *, named: bool, parameter: str = "types"
) -> int:
    """Return the number of a column that a parameter names, or numbers where it has no name."""
    if isinstance(key, str) and key in names:
        return names.index(key)
    is_number = isinstance(key, Integral) and not isinstance(key, bool)
    if not named and is_number and 0 <= int(key) < len(names):
        return int(key)
    hint = did_you_mean(str(key), names)
    raise ParameterError(
        f"{parameter} has the column {key!r}, but X does not.{hint} Columns of X: {listed(names)}."
    )


def _check_kind(key: str | int, kind: object) -> None:
    if isinstance(kind, str) and kind in KINDS:
        return
    if isinstance(kind, str):
        hint = did_you_mean(kind, KINDS)
        raise ParameterError(
            f"types has the unknown kind {kind!r} for the column {key!r}.{hint} "
            f"Give one of {listed(KINDS)}, or a list of values in their order."
        )
    if not isinstance(kind, Sequence) or not all(isinstance(value, Value) for value in kind):
        raise ParameterError(
            f"types has {kind!r} for the column {key!r}. Give one of {listed(KINDS)}, or a list of "
            "values in their order."
        )
    if len(kind) < 1 or len(set(kind)) < len(kind):
        raise ParameterError(
            f"types has {kind!r} as the order of the column {key!r}. Name each value once."
        )
