"""The labels of the target as checks look at them; checks of them: missing, unknown, classes or amounts."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.note_words import column_word, part_of_all
from bough.encode import Labels
from bough.errors import DataError
from bough.evidence import Note
from bough.schema import Task, Value
from bough.table.column import Column
from bough.words import counted

Floats = NDArray[np.float64]
MOST_CLASSES = 20  # whole numbers with more values are not classes
MOST_OFFERED = 100  # classes that are worth offering
SCREEN = 4096  # rows that are looked at before all


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
    categories = counted(n, "category", "categories")
    text = f"{column_word(name)} is predicted as {categories}, not as an amount"
    return Task.CLASSIFICATION, [Note("B110", text, (name,), {"task": str(Task.REGRESSION)})]


def _amount(name: str, *, may_be_classes: bool) -> tuple[Task, list[Note]]:
    text = f"{column_word(name)} is predicted as an amount, not as categories"
    fix = {"task": str(Task.CLASSIFICATION)} if may_be_classes else {}
    return Task.REGRESSION, [Note("B110", text, (name,), fix)]
