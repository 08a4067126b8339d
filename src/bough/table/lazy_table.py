"""`Source`: a table of some make, whose columns are read one at a time."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from bough.datasets import Teaching
from bough.errors import Argument, ParameterError, did_you_mean, listed
from bough.settings import COLUMN_LISTS
from bough.table.column import Choices, Column, Where, row_word
from bough.table.sparse_numbers import SparseNumbers

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
    teaching: Teaching | None = None  # which says what the target is, and what names the rows

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


def check_marks(marks: object) -> None:
    """Refuse marks of missing values that are no list of texts."""
    is_list = isinstance(marks, Iterable) and not isinstance(marks, str)
    if not is_list or not all(isinstance(mark, str) for mark in marks):  # type: ignore[attr-defined]
        raise ParameterError(
            Argument("missing_marks", marks), " must be a list of texts, such as ('', 'NA')."
        )
