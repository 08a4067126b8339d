"""`Source`: a table of some make, whose columns are read one at a time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from bough.datasets import Teaching
from bough.errors import Argument, ParameterError, did_you_mean, listed
from bough.reading import FileReading
from bough.settings import COLUMN_LISTS
from bough.table.column import Choices, Column, Where, row_word
from bough.table.numbers import SparseNumbers

STRAY_CELLS = "B105"  # the code of remarks about cells that are not what the others are
AS_TEXT = {STRAY_CELLS, "B111"}  # codes of remarks on columns that are more as text than as read


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
