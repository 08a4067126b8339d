"""Checks of columns, each alone: what its file said, constants, identifiers, many values, values alike, dates."""

import re
from collections.abc import Iterable, Sequence

from bough.checks.note_words import column_word, value_in_note
from bough.errors import listed
from bough.evidence import Note
from bough.schema import Value
from bough.table.column import Column
from bough.table.dates import has_time_of_day
from bough.table.source import STRAY_CELLS, Remark
from bough.words import counted

MANY_VALUES = 100
MOST_COMPARED = 1000  # values that are compared for their case and blanks
SOME_VALUES, FEW_ROWS_EACH = 30, 10  # so many values are many where each has few rows

# Text of nothing but digits may well be a name.
_LIKE_NUMBER = re.compile(r"(?=.*\D)\W{0,4}\d+(?:[.,' ]\d+)*\W{0,3}[^\W\d_]{0,4}\W{0,2}")
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
    informs = remark.code == STRAY_CELLS and not remark.fix
    return Note(remark.code, text, (remark.column,), dict(remark.fix), informs=informs)


def constant(name: str, column: Column) -> Note:
    """Return a note on a column that is left out as it has one value."""
    n_rows = len(column.cells)
    is_missing = column.missing_rows()[:1].any()
    what = "missing" if is_missing else value_in_note(column.value(0))
    text = f"{column_word(name)} left out: it is {what} in all {counted(n_rows, 'row')}"
    return Note("B102", text, (name,))


def identifier(name: str, column: Column) -> Note:
    """Return a note on a column that is left out as it only names the rows.

    Text that looks like numbers is no name, but cannot be asked about as long as it is text.
    """
    if column.is_text and _look_like_numbers(column.values):
        text = (
            f"{column_word(name)} left out: it is text, and most of its {column.n_distinct():,} values "
            "look like numbers. Write them all in one way, or convert them to numbers"
        )
        return Note("B105", text, (name,), {"types": {name: "category"}})
    text = (
        f"{column_word(name)} left out: {column.n_distinct():,} distinct values in "
        f"{counted(len(column.known()), 'row')}, looks like an identifier"
    )
    return Note("B103", text, (name,), {"types": {name: column.kind}})


def _look_like_numbers(values: Sequence[Value]) -> bool:
    n_like = sum(_LIKE_NUMBER.fullmatch(str(value)) is not None for value in values)
    return 2 * n_like > len(values)


def kind_notes(name: str, column: Column) -> list[Note]:
    """Return what there is to say about how a column may be asked about."""
    if column.kind == "category":
        return [*_many_values(name, column.n_distinct(), len(column.known())), *alike(name, column)]
    return [_date(name, column)] if column.kind == "date" else []


def alike(name: str, column: Column) -> list[Note]:
    """Return a note on values that differ only in capitals or spaces, as they may be one value.

    Examples
    --------
    >>> from bough.table import open_source
    >>> [
    ...     note.text
    ...     for note in alike("paid", open_source({"paid": ["Yes", "yes ", "no"]}).column(0))
    ... ]
    ["paid: 'Yes' and 'yes ' differ only in capitals or spaces. Write them alike if they mean the same"]
    """
    if not column.is_text or len(column.values) > MOST_COMPARED:
        return []
    found: dict[str, list[str]] = {}
    for value in sorted(column.values):
        found.setdefault(" ".join(str(value).casefold().split()), []).append(str(value))
    same = [values for values in found.values() if len(values) > 1]
    if not same:
        return []
    more = f", and {counted(len(same) - 1, 'more such group')}" if same[1:] else ""
    text = (
        f"{column_word(name)}: {listed(same[0])} differ only in capitals or spaces{more}. Write them "
        "alike if they mean the same"
    )
    return [Note("B113", text, (name,))]


def _many_values(name: str, n_values: int, n_known: int) -> list[Note]:
    are_rare = n_values > SOME_VALUES and n_known < FEW_ROWS_EACH * n_values
    if n_values <= MANY_VALUES and not are_rare:
        return []
    text = f"{_values_words(name, n_values, n_known)}: consider grouping them"
    return [Note("B104", text, (name,), {"categorical": "group"})]


def left_out(name: str, n_values: int, n_known: int) -> Note:
    """Return a note on a column of many values that a tree was better without."""
    words = _values_words(name, n_values, n_known)
    return Note("B104", f"{words}: left out, as trees without it did better", (name,), informs=True)


def _values_words(name: str, n_values: int, n_known: int) -> str:
    each = counted(round(n_known / n_values), "row")
    return f"{column_word(name)} has {n_values:,} values, about {each} each"


def _date(name: str, column: Column) -> Note:
    parts = "weekday, month and hour" if has_time_of_day(column.cells) else "weekday and month"
    text = f"{column_word(name)} is a date: its {parts} are features, too"
    return Note("B107", text, (name,), {"types": {name: "ignore"}})
