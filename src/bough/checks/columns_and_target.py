"""Columns and the target: constants, identifiers, many values, dates; missing labels, and whether they are classes."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks import column_word, counted, part_of_all, value_in_note
from bough.encode import Labels
from bough.errors import DataError, listed
from bough.evidence import Note
from bough.schema import Task, Value
from bough.table.column import Column
from bough.table.dates import has_time_of_day
from bough.table.source import STRAY_CELLS, Remark

MANY_VALUES = 100
MOST_COMPARED = 1000  # values that are compared for their case and blanks
SOME_VALUES, FEW_ROWS_EACH = 30, 10  # so many values are many where each has few rows

# Text of nothing but digits may well be a name.
_LIKE_NUMBER = re.compile(r"(?=.*\D)\W{0,4}\d+(?:[.,' ]\d+)*\W{0,3}[^\W\d_]{0,4}\W{0,2}")
_ID = re.compile(r"(?:^|[^a-zA-Z])(?i:id|uuid|guid)$|[a-z0-9]I[dD]$")

Floats = NDArray[np.float64]
MOST_CLASSES = 20  # whole numbers with more values are not classes
MOST_OFFERED = 100  # classes that are worth offering
SCREEN = 4096  # rows that are looked at before all


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


@dataclass(frozen=True, eq=False)
class ClassLabels:
    """Labels that are classes, by number."""

    name: str
    classes: tuple[Value, ...]
    each: NDArray[np.int32]
    weights: Floats | None = None

    @property
    def word(self) -> str:
        return column_word(self.name)

    @cached_property
    def tally(self) -> NDArray[np.intp]:
        """How many rows each class has."""
        return np.bincount(self.each, minlength=len(self.classes))

    @property
    def n_others(self) -> int:
        """How many rows do not have the commonest label."""
        return len(self.each) - int(self.tally.max())

    @property
    def numbers(self) -> Floats | None:
        """The labels as numbers, where classes have numbers as names."""
        if any(isinstance(value, str | bool) for value in self.classes):
            return None
        return np.asarray(np.array(self.classes, np.float64)[self.each])


@dataclass(frozen=True, eq=False)
class NumberLabels:
    """Labels that are numbers."""

    name: str
    each: Floats
    weights: Floats | None = None

    @property
    def word(self) -> str:
        return column_word(self.name)

    @cached_property
    def n_others(self) -> int:
        """How many rows do not have the commonest label."""
        return len(self.each) - int(np.unique(self.each, return_counts=True)[1].max())

    @property
    def numbers(self) -> Floats:
        return self.each


KnownLabels = ClassLabels | NumberLabels


def known_labels(labels: Labels) -> KnownLabels:
    """Return the labels of a table with one output."""
    (label,) = labels.labels
    if labels.codes is not None:
        return ClassLabels(label.name, label.classes, labels.codes[0], labels.weights)
    values: Any = labels.values
    return NumberLabels(label.name, values[0], labels.weights)


def missing_labels(name: str, n_missing: int, n_rows: int, first: str) -> list[Note]:
    """Return a note if labels are missing; `first` is what messages call the first such row.

    Examples
    --------
    >>> [note.text for note in missing_labels("play", 3, 14, "line 9")]
    ['play is missing in 3 of 14 rows, first in line 9: these rows are left out']
    """
    if n_missing == 0:
        return []
    text = (
        f"{column_word(name)} is missing in {part_of_all(n_missing, n_rows, 'row')}, "
        f"first in {first}: these rows are left out"
    )
    return [Note("B109", text, (name,))]


def unknown_labels(name: str, n_unknown: int, n_rows: int) -> list[Note]:
    """Return a note on rows whose label is no class that the tree knows.

    Examples
    --------
    >>> [note.text for note in unknown_labels("species", 2, 50)]
    ['species: 2 of 50 rows have a class that the tree does not know; every prediction there is wrong']
    """
    have = "has" if n_unknown == 1 else "have"
    text = (
        f"{column_word(name)}: {part_of_all(n_unknown, n_rows, 'row')} {have} a class that the tree "
        "does not know; every prediction there is wrong"
    )
    return [Note("B303", text, (name,))]


def guess_task(name: str, column: Column) -> tuple[Task, list[Note]]:
    """Return the task that a target asks for, and a note if it could be the other one.

    Numbers are regression, except whole numbers with at most 20 values, which are classes.

    Examples
    --------
    >>> from bough.table import open_source
    >>> source = open_source({"quality": [5, 6, 7, 6]})
    >>> task, (note,) = guess_task("quality", source.column(0))
    >>> task, note.text
    ('classification', 'quality is predicted as 3 categories, not as an amount')
    """
    if column.kind == "date":
        raise DataError(
            f"target {name!r} has dates, which a tree does not predict. Turn them into numbers, of "
            "days for example, or into text."
        )
    if column.kind != "number":
        return Task.CLASSIFICATION, []
    known = column.known()
    some = known[:: max(len(known) // SCREEN, 1)]
    if not (some == np.floor(some)).all() or not (known == np.floor(known)).all():
        return _amount(name, may_be_classes=False)
    if (n_some := len(np.unique(some))) > MOST_CLASSES:
        return _amount(name, may_be_classes=2 * n_some <= len(some) and n_some <= MOST_OFFERED)
    if (n := len(np.unique(known))) > MOST_CLASSES:
        return _amount(name, may_be_classes=n <= MOST_OFFERED)
    categories = "1 category" if n == 1 else f"{n} categories"
    text = f"{column_word(name)} is predicted as {categories}, not as an amount"
    return Task.CLASSIFICATION, [Note("B110", text, (name,), {"task": str(Task.REGRESSION)})]


def _amount(name: str, *, may_be_classes: bool) -> tuple[Task, list[Note]]:
    text = f"{column_word(name)} is predicted as an amount, not as categories"
    fix = {"task": str(Task.CLASSIFICATION)} if may_be_classes else {}
    return Task.REGRESSION, [Note("B110", text, (name,), fix)]
