"""Looks at a table: the kind of each column from its values alone, and what is left out and why."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.columns import (
    alike,
    constant,
    file_notes,
    identifier,
    kind_notes,
    says_identifier,
)
from bough.errors import Argument, DataError, DataTypeError, SchemaError, did_you_mean
from bough.evidence import ColumnLook, Note
from bough.file_options import FileReading
from bough.learn.request import LEFT_OUT, Roles
from bough.schema import Value
from bough.table import Table, column_as
from bough.table.column import Column, Read, Rows
from bough.table.source import IGNORE, STRAY_CELLS, Remark, Source, wanted_types

FEW_ROWS = 30  # in fewer rows, text is an identifier only if no value repeats
FEWEST_ROWS = 8  # in fewer rows, nothing is an identifier
MOSTLY_DISTINCT = 0.6  # of the values of text
GAPS = 1.2  # numbers that leave out more than some of their range are no running numbers
SCREEN = 2**16  # rows that are looked at before all


@dataclass(frozen=True, eq=False)
class Look:
    """What was seen of a table before any label was read."""

    columns: dict[str, Column]
    """All columns that were not ignored, with the rows of all sources."""
    ignored: dict[str, Column]
    """The others, which still say where a row is placed: what is ignored does not move rows."""
    features: dict[str, list[Read]]
    """The features of each column that queries may ask about."""
    seen: tuple[ColumnLook, ...]
    named: bool
    """Whether the columns have names of their own."""
    n_rows: tuple[int, ...]
    """The number of rows of each source."""
    where: Callable[[int], str]
    """What messages call a row."""
    reading: FileReading | None = None
    """How the file of the table was read; None: it is none."""

    @property
    def notes(self) -> list[Note]:
        return [note for column in self.seen for note in column.notes]

    def source_of(self, rows: Rows) -> NDArray[np.intp]:
        return np.repeat(np.arange(len(self.n_rows)), self.n_rows)[rows]

    @cached_property
    def table(self) -> Table:
        """The features that queries may ask about; there must be one."""
        if not self.features:
            raise _no_feature(self.notes)
        found = [
            (replace(feature, column=number), values)
            for number, reads in enumerate(self.features.values())
            for feature, values in reads
        ]
        features, values = zip(*found, strict=True)
        n_rows = sum(self.n_rows)
        return Table(tuple(self.features), self.named, features, values, n_rows, self.reading)


def _no_feature(notes: Iterable[Note]) -> DataError:
    """Return an error about a table without features, that says which cells cost a column."""
    odd = [note for note in notes if note.code == STRAY_CELLS]
    if not odd:
        return DataError(
            "No usable feature: every column is the target, ignored, constant or an identifier. "
            "Name the type of one to keep, as in ",
            Argument("types", {"zip": "category"}), ".",
        )  # fmt: skip
    marks = dict.fromkeys(mark for note in odd for mark in note.fix.get("missing_marks", ()))
    asked = (
        "Correct these cells, or make them missing: ",
        Argument("missing_marks", tuple(marks) or ...),
    )
    return DataError(f"No usable feature. {'. '.join(note.text for note in odd)}. ", *asked, ".")


def look(sources: Sequence[Source], roles: Roles) -> Look:
    """Return what the columns of a table are; the rows of all sources are one table.

    The first source says what the columns are called, and the roles are of its columns.
    """
    first = sources[0]
    wanted = wanted_types(roles.types, first.names, named=first.named)
    columns: dict[str, Column] = {}
    ignored: dict[str, Column] = {}
    seen: list[ColumnLook] = []
    features: dict[str, list[Read]] = {}
    refused: list[DataTypeError] = []
    for number, name in enumerate(first.names):
        kind = wanted.get(number)
        is_ignored = kind == IGNORE or name in roles.ignore
        if is_ignored and not roles.role_of(name):
            ignored |= _readable(sources, name)
            continue
        try:
            column, from_text = _joined_column(sources, name, None if kind == IGNORE else kind)
        except DataTypeError as error:
            if roles.role_of(name) or error.column is None:  # it cannot be left out
                raise
            refused.append(error)
            continue
        columns[name] = column
        role = "feature" if roles.may_be_asked(name) and not is_ignored else roles.role_of(name)
        n_missing = int(column.missing_rows().sum())
        found = ColumnLook(name, column.kind, role, n_missing)
        found = _with_notes(sources, found, column, roles.ignored_codes, given=kind is not None)
        if found.role == "feature":
            features[name] = column.features(number, first.names, from_text=from_text)
        seen.append(found)
    if refused:
        raise _refused(refused)
    n_rows = tuple(source.n_rows for source in sources)
    used = [name for name in columns if name in features or roles.role_of(name)]
    where, reading = _where(sources), _remembered(first, used)
    return Look(columns, ignored, features, tuple(seen), first.named, n_rows, where, reading)


def _remembered(source: Source, columns: Collection[str]) -> FileReading | None:
    """Return how a file was read, as far as its columns are used."""
    if source.reading is None:
        return None
    forms, strays = source.reading.columns, source.reading.strays
    return replace(
        source.reading,
        columns={name: form for name, form in forms.items() if name in columns},
        strays={name: texts for name, texts in strays.items() if name in columns},
    )


def _refused(errors: Sequence[DataTypeError]) -> DataError:
    """Return one error about all columns that a tree cannot ask about."""
    names = tuple(error.column or "" for error in errors)
    if len(errors) == 1:
        leave_out = " Or leave it out: ", Argument("ignore", names), "."
        return DataError(*errors[0].args, *leave_out)
    each = ", ".join(f"{error.column!r} has {error.found}" for error in errors)
    return DataError(
        f"{len(errors):,} columns hold what a tree cannot ask about: {each}. Convert them to text, "
        "numbers or dates, or leave them out: ",
        Argument("ignore", names), ".",
    )  # fmt: skip


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
        return {name: _joined_column(sources, name, None)[0]}
    except DataError:
        return {}


def _with_notes(
    sources: Sequence[Source], seen: ColumnLook, column: Column, ignored: set[str], *, given: bool
) -> ColumnLook:
    """Return what there is to say about a column; a feature may be left out."""
    remarks = [remark for source in sources for remark in source.remarks]
    if seen.role != "feature":
        notes = file_notes(remarks, seen.name)
        return replace(
            seen, notes=(*notes, *(alike(seen.name, column) if seen.role == "target" else ()))
        )
    is_left_out, notes = look_at(seen.name, column, remarks, given=given, ignored=ignored)
    role = LEFT_OUT if is_left_out else "feature"
    return replace(seen, role=role, notes=tuple(notes))


def _joined_column(
    sources: Sequence[Source], name: str, kind: str | Sequence[Value] | None
) -> tuple[Column, bool]:
    """Return a column with the rows of all sources, and whether it was read from text.

    Text in the first source is text in the others, even where their cells look like numbers.
    """
    columns: list[Column] = []
    column: Column
    from_text = False
    for source in sources:
        number = _number_in_part(source, name)
        if kind is None and source.text is not None and columns and columns[0].is_text:
            column, is_read = source.text(number), False
        else:
            column, is_read = column_as(source, number, kind)
        column.refuse_infinity(name)
        columns.append(column)
        from_text |= is_read
    joined = columns[0] if len(columns) == 1 else columns[0].joined(columns[1:])
    if joined is None:
        raise SchemaError(
            f"Column {name!r} has a different kind in the development or test table than in the "
            "training table. Name its kind, as in ", Argument("types", {name: "category"}),
            ".",
        )  # fmt: skip
    return joined, from_text


def _number_in_part(source: Source, name: str) -> int:
    if name in source.names:
        return source.names.index(name)
    raise SchemaError(
        f"The development or test table has no column {name!r}."
        f"{did_you_mean(name, source.names)} It needs the columns of the training table."
    )


def look_at(
    name: str,
    column: Column,
    remarks: Iterable[Remark] = (),
    *,
    given: bool = False,
    ignored: Collection[str] = (),
) -> tuple[bool, list[Note]]:
    """Return whether a column is left out, and what there is to say about it; no label is looked at.

    Remarks about other columns are passed over. If the user has said what kind it is (`given`), it
    is no identifier. The codes `ignored` are of checks that are not made.

    Examples
    --------
    >>> from bough.table import open_source
    >>> source = open_source({"day": [f"D{number}" for number in range(1, 15)]})
    >>> left_out, (note,) = look_at("day", source.column(0))
    >>> left_out, note.text
    (True, 'day left out: 14 distinct values in 14 rows, looks like an identifier')
    """
    is_named = {"B106", "B111"} if given else set()
    notes = [note for note in file_notes(remarks, name) if note.code not in is_named]
    known, left_out = column.known(), True
    if "B102" not in ignored and _is_constant(known, len(column.cells)):
        notes.append(constant(name, column))
    elif not given and "B103" not in ignored and _is_identifier(name, column, known):
        notes = _with_reason(notes, identifier(name, column))
    else:
        left_out = False
        notes += kind_notes(name, column)
    said = {"types": {name: column.kind}} if given else None  # what need not be advised
    return left_out, [note for note in notes if note.code not in ignored and note.fix != said]


def _with_reason(notes: Sequence[Note], left_out: Note) -> list[Note]:
    """Return notes and why a column is left out; of its odd cells one note speaks."""
    odd = [note for note in notes if note.code == left_out.code == STRAY_CELLS]
    if not odd:
        return [*notes, left_out]
    whole = replace(odd[0], text=f"{odd[0].text}. As text it is left out")
    return [whole if note is odd[0] else note for note in notes]


def _is_constant(known: NDArray[Any], n_rows: int) -> bool:
    if len(known) == 0:
        return True
    return bool(len(known) == n_rows and known[0] == known[-1] and (known == known[0]).all())


def _is_identifier(name: str, column: Column, known: NDArray[Any]) -> bool:
    if 2 * len(known) < len(column.cells) or not len(known):
        return False
    if column.kind == "number":
        return _number_rows(known, named_so=says_identifier(name))
    return column.kind == "category" and _hardly_repeat(column.n_distinct(), len(known))


def _hardly_repeat(n_distinct: int, n_known: int) -> bool:
    if n_known < FEW_ROWS:
        return n_distinct == n_known >= FEWEST_ROWS
    return n_distinct > MOSTLY_DISTINCT * n_known


def _number_rows(known: NDArray[Any], *, named_so: bool) -> bool:
    """Return whether whole numbers run on: none repeats, and few are left out between them.

    The order of the rows is not asked, as it must not matter to the tree.
    """
    n_known = len(known)
    least, most = known.min(), known.max()
    if n_known < FEWEST_ROWS or not (np.isfinite(least) and np.isfinite(most)):
        return False
    n_possible = int(most) - int(least) + 1
    if n_known > n_possible:
        return False
    runs_on = n_known >= FEW_ROWS and n_possible <= GAPS * n_known
    if not runs_on and not named_so:
        return False
    some = known[:: -(-n_known // SCREEN)]
    return _are_distinct_integers(some) and _are_distinct_integers(known)


def _are_distinct_integers(values: NDArray[Any]) -> bool:
    if values.dtype.kind == "f" and not (values == np.floor(values)).all():
        return False
    in_order = np.sort(values)  # faster than np.unique where hardly any value repeats
    return not (in_order[1:] == in_order[:-1]).any()
