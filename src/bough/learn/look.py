"""Looks at a table: the kind of each column from its values alone, and what is left out and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bough.checks.columns import file_notes, look_at
from bough.errors import Argument, DataError
from bough.evidence import Note
from bough.learn.columns import Rows, joined_column
from bough.learn.request import LEFT_OUT, Roles
from bough.schema import Feature
from bough.table import Table
from bough.table.column import (
    Choices,
    Column,
    Integers,
    Moments,
    Numbers,
    Source,
    missing_rows,
)
from bough.table.kinds import Read, features_of
from bough.table.types_argument import IGNORE, wanted_types


@dataclass(frozen=True)
class ColumnLook:
    """What was seen of one column."""

    name: str
    kind: str
    role: str
    """'feature', 'target', 'group', 'time', 'weight' or 'left out'."""
    n_missing: int
    notes: tuple[Note, ...] = ()


@dataclass(eq=False)
class Features:
    """The features that are found, column by column."""

    names: tuple[str, ...]
    named: bool
    columns: list[str] = field(default_factory=list)
    found: list[Read] = field(default_factory=list)

    def add(self, column: Column, name: str, *, from_text: bool) -> None:
        """Add the features of a column."""
        number = self.names.index(name)
        for feature, values in features_of(column, number, self.names, from_text=from_text):
            self.found.append((replace(feature, column=len(self.columns)), values))
        self.columns.append(name)

    def table(self, n_rows: int) -> Table:
        """Return a table of the features that were found."""
        if not self.found:
            raise DataError(
                "no column is left to ask about: all are the target, ignored, constant or "
                "identifiers. Name the type of one that should stay, as in ",
                Argument("types", {"zip": "category"}), ".",
            )  # fmt: skip
        features: tuple[Feature, ...]
        features, values = zip(*self.found, strict=True)
        return Table(tuple(self.columns), self.named, features, values, n_rows)


@dataclass(frozen=True, eq=False)
class Look:
    """What was seen of a table before any label was read."""

    columns: dict[str, Column]
    """All columns that were not ignored, with the rows of all sources."""
    ignored: dict[str, Column]
    """The others, which still say where a row is placed: what is ignored does not move rows."""
    features: Features
    seen: tuple[ColumnLook, ...]
    n_rows: tuple[int, ...]
    """The number of rows of each source."""
    where: Callable[[int], str]
    """What messages call a row."""

    @property
    def notes(self) -> list[Note]:
        return [note for column in self.seen for note in column.notes]

    def source_of(self, rows: Rows) -> NDArray[np.intp]:
        """Return for each row which source it is from."""
        return np.repeat(np.arange(len(self.n_rows)), self.n_rows)[rows]

    @cached_property
    def table(self) -> Table:
        """The features that queries may ask about; there must be one."""
        return self.features.table(sum(self.n_rows))


def look(sources: Sequence[Source], roles: Roles) -> Look:
    """Return what the columns of a table are; the rows of all sources are one table.

    The first source says what the columns are called, and the roles are of its columns.
    """
    first = sources[0]
    wanted = wanted_types(roles.types, first.names, named=first.named)
    columns: dict[str, Column] = {}
    ignored: dict[str, Column] = {}
    seen: list[ColumnLook] = []
    features = Features(first.names, first.named)
    for number, name in enumerate(first.names):
        kind = wanted.get(number)
        is_ignored = kind == IGNORE or name in roles.ignore
        if is_ignored and not roles.role_of(name):
            ignored |= _readable(sources, name)
            continue
        column, from_text = joined_column(sources, name, None if kind == IGNORE else kind)
        columns[name] = column
        role = "feature" if roles.may_be_asked(name) and not is_ignored else roles.role_of(name)
        n_missing = int(missing_rows(column).sum())
        found = ColumnLook(name, _kind(column), role, n_missing)
        found = _with_notes(sources, found, column, roles.ignored_codes, given=kind is not None)
        if found.role == "feature":
            features.add(column, name, from_text=from_text)
        seen.append(found)
    n_rows = tuple(source.n_rows for source in sources)
    return Look(columns, ignored, features, tuple(seen), n_rows, _where(sources))


def _where(sources: Sequence[Source]) -> Callable[[int], str]:
    """Return what messages call a row, when rows of further tables follow those of the first."""
    starts = np.cumsum([0, *(source.n_rows for source in sources)])

    def where(row: int) -> str:
        number = int(np.searchsorted(starts, row, side="right")) - 1
        place = sources[number].where(row - int(starts[number]))
        return place if number == 0 else f"{place} of the development or test table"

    return where


def _readable(sources: Sequence[Source], name: str) -> dict[str, Column]:
    """Return an ignored column by name, unless it is one that cannot be read."""
    try:
        return {name: joined_column(sources, name, None)[0]}
    except DataError:
        return {}


def _with_notes(
    sources: Sequence[Source], seen: ColumnLook, column: Column, ignored: set[str], *, given: bool
) -> ColumnLook:
    """Return what there is to say about a column; a feature may be left out."""
    remarks = [remark for source in sources for remark in source.remarks]
    if seen.role != "feature":
        return replace(seen, notes=tuple(file_notes(remarks, seen.name)))
    is_left_out, notes = look_at(seen.name, column, remarks, given=given, ignored=ignored)
    role = LEFT_OUT if is_left_out else "feature"
    return replace(seen, role=role, notes=tuple(notes))


def _kind(column: Column) -> str:
    match column:
        case Numbers() | Integers():
            return "number"
        case Choices():
            return "ordered" if column.is_ordered else "category"
        case Moments():
            return "date"
