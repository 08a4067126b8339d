"""What each column is before any label is seen: constants, identifiers, many values, dates."""

import re
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.note_words import column_word, counted, value_in_note
from bough.evidence import Note
from bough.table.column import Choices, Column, Moments, missing_rows
from bough.table.dates import date, has_time_of_day
from bough.table.source import Remark

FEW_ROWS = 30  # in fewer rows, text is an identifier only if no value repeats
FEWEST_ROWS = 8  # in fewer rows, nothing is an identifier
MOSTLY_DISTINCT = 0.6  # of the values of text
GAPS = 1.2  # numbers that leave out more than some of their range are no running numbers
MANY_VALUES = 100
SOME_VALUES, FEW_ROWS_EACH = 30, 10  # so many values are many where each has few rows
SCREEN = 2**16  # rows that are looked at before all

_ID = re.compile(r"(?:^|[^a-zA-Z])(?i:id|uuid|guid)$|[a-z0-9]I[dD]$")


def look_at(
    name: str,
    column: Column,
    remarks: Iterable[Remark] = (),
    *,
    given: bool = False,
    ignored: Collection[str] = (),
) -> tuple[bool, list[Note]]:
    """Return whether a column is left out, and what there is to say about it.

    Parameters
    ----------
    name, column
        The column, of all rows: no label is looked at.
    remarks
        What the reader of the file decided; those about other columns are passed over.
    given
        Whether the user has said what kind the column is. Then it is no identifier.
    ignored
        Codes of checks that are not made.

    Examples
    --------
    >>> from bough.table import open_source
    >>> source = open_source({"day": [f"D{number}" for number in range(1, 15)]})
    >>> left_out, (note,) = look_at("day", source.column(0))
    >>> left_out, note.text
    (True, 'day left out: 14 distinct values in 14 rows, looks like an identifier')
    """
    n_rows, known = _known(column)
    left_out = None
    if "B102" not in ignored:
        left_out = _constant(name, column, known, n_rows)
    if left_out is None and not given and "B103" not in ignored and 2 * len(known) >= n_rows:
        left_out = _identifier(name, column, known)
    notes = [note for note in file_notes(remarks, name) if not (given and note.code == "B106")]
    if left_out is not None:
        notes.append(left_out)
    elif isinstance(column, Moments):
        notes.append(_date(name, column))
    elif isinstance(column, Choices) and not column.is_ordered:
        notes += _many_values(name, known)
    return left_out is not None, [note for note in notes if note.code not in ignored]


def file_notes(remarks: Iterable[Remark], column: str = "") -> list[Note]:
    """Return what the reader of a file says about a column or, without one, about the file."""
    return [_remark_note(remark) for remark in remarks if remark.column == column]


def says_identifier(name: str) -> bool:
    """Return whether a name ends in "id".

    Examples
    --------
    >>> [says_identifier(name) for name in ("id", "user_id", "userId", "Customer ID", "paid")]
    [True, True, True, True, False]
    """
    return bool(_ID.search(name))


def _remark_note(remark: Remark) -> Note:
    if not remark.column:
        return Note(remark.code, remark.text, fix=dict(remark.fix))
    text = f"{column_word(remark.column)}: {remark.text}"
    return Note(remark.code, text, (remark.column,), dict(remark.fix))


def _known(column: Column) -> tuple[int, NDArray[Any]]:
    """Return how many rows there are, and the numbers, moments or codes of those with a value."""
    missing = missing_rows(column)
    values: NDArray[Any] = column.codes if isinstance(column, Choices) else column.values
    return len(missing), values[~missing] if missing.any() else values


def _constant(name: str, column: Column, known: NDArray[Any], n_rows: int) -> Note | None:
    if len(known) == 0:
        text = f"it is missing in all {counted(n_rows, 'row')}"
    elif len(known) == n_rows and known[0] == known[-1] and (known == known[0]).all():
        text = f"it is {_word(column, known[0])} in all {counted(n_rows, 'row')}"
    else:
        return None
    return Note("B102", f"{column_word(name)} left out: {text}", (name,))


def _word(column: Column, value: Any) -> str:  # noqa: ANN401
    if isinstance(column, Choices):
        return value_in_note(column.values[int(value)])
    return date(int(value)) if isinstance(column, Moments) else value_in_note(value.item())


def _identifier(name: str, column: Column, known: NDArray[Any]) -> Note | None:
    if isinstance(column, Moments):
        return None
    if isinstance(column, Choices):
        n_distinct = _n_distinct(known)
        is_one = not column.is_ordered and _hardly_repeats(n_distinct, len(known))
    else:
        n_distinct = len(known)
        is_one = _numbers_rows(known, named_so=says_identifier(name))
    if not is_one:
        return None
    text = (
        f"{column_word(name)} left out: {n_distinct:,} distinct values in "
        f"{counted(len(known), 'row')}, looks like an identifier"
    )
    kind = "category" if isinstance(column, Choices) else "number"
    return Note("B103", text, (name,), {"types": {name: kind}})


def _n_distinct(codes: NDArray[Any]) -> int:
    return int(np.count_nonzero(np.bincount(codes)))


def _hardly_repeats(n_distinct: int, n_known: int) -> bool:
    if n_known < FEW_ROWS:
        return n_distinct == n_known >= FEWEST_ROWS
    return n_distinct > MOSTLY_DISTINCT * n_known


def _numbers_rows(known: NDArray[Any], *, named_so: bool) -> bool:
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


def _many_values(name: str, codes: NDArray[Any]) -> list[Note]:
    n_values, n_known = _n_distinct(codes), len(codes)
    are_rare = n_values > SOME_VALUES and n_known < FEW_ROWS_EACH * n_values
    if n_values <= MANY_VALUES and not are_rare:
        return []
    each = counted(round(n_known / n_values), "row")
    text = (
        f"{column_word(name)} has {n_values:,} values, about {each} each: "
        "one answer for each of them may be too many, try groups"
    )
    return [Note("B104", text, (name,), {"categorical": "group"})]


def _date(name: str, column: Moments) -> Note:
    parts = "weekday, month and hour" if has_time_of_day(column) else "weekday and month"
    text = f"{column_word(name)} is a date: its {parts} can be asked about, too"
    return Note("B107", text, (name,), {"types": {name: "ignore"}})
