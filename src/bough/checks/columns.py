"""What to say about a column: a constant, an identifier, of many values, of dates."""

import re
from collections.abc import Iterable

from bough.checks.note_words import column_word, counted, value_in_note
from bough.evidence import Note
from bough.table.column import Column
from bough.table.dates import has_time_of_day
from bough.table.lazy_table import Remark

MANY_VALUES = 100
SOME_VALUES, FEW_ROWS_EACH = 30, 10  # so many values are many where each has few rows

_ID = re.compile(r"(?:^|[^a-zA-Z])(?i:id|uuid|guid)$|[a-z0-9]I[dD]$")


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


def constant(name: str, column: Column) -> Note:
    """Return a note on a column that is left out as it has one value."""
    n_rows = len(column.cells)
    is_missing = column.missing_rows()[:1].any()
    what = "missing" if is_missing else value_in_note(column.value(0))
    text = f"{column_word(name)} left out: it is {what} in all {counted(n_rows, 'row')}"
    return Note("B102", text, (name,))


def identifier(name: str, column: Column) -> Note:
    """Return a note on a column that is left out as it only names the rows."""
    text = (
        f"{column_word(name)} left out: {column.n_distinct():,} distinct values in "
        f"{counted(len(column.known()), 'row')}, looks like an identifier"
    )
    return Note("B103", text, (name,), {"types": {name: column.kind}})


def kind_notes(name: str, column: Column) -> list[Note]:
    """Return what there is to say about how a column may be asked about."""
    if column.kind == "category":
        return _many_values(name, column.n_distinct(), len(column.known()))
    return [_date(name, column)] if column.kind == "date" else []


def _many_values(name: str, n_values: int, n_known: int) -> list[Note]:
    are_rare = n_values > SOME_VALUES and n_known < FEW_ROWS_EACH * n_values
    if n_values <= MANY_VALUES and not are_rare:
        return []
    text = f"{_values_words(name, n_values, n_known)}: consider grouping them"
    return [Note("B104", text, (name,), {"categorical": "group"})]


def left_out(name: str, n_values: int, n_known: int) -> Note:
    """Return a note on a column of many values that a tree was better without."""
    words = _values_words(name, n_values, n_known)
    return Note("B104", f"{words}: left out, as trees without it did better", (name,))


def _values_words(name: str, n_values: int, n_known: int) -> str:
    each = counted(round(n_known / n_values), "row")
    return f"{column_word(name)} has {n_values:,} values, about {each} each"


def _date(name: str, column: Column) -> Note:
    parts = "weekday, month and hour" if has_time_of_day(column.cells) else "weekday and month"
    text = f"{column_word(name)} is a date: its {parts} are features, too"
    return Note("B107", text, (name,), {"types": {name: "ignore"}})
