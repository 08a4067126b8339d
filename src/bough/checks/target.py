"""Checks of the target: missing and unknown labels; whether they are classes or amounts."""

import numpy as np

from bough.checks.note_words import column_word, part_of_all
from bough.errors import DataError
from bough.evidence import Note
from bough.schema import Task
from bough.table.column import Column
from bough.words import counted

MOST_CLASSES = 20  # whole numbers with more values are not classes
MOST_OFFERED = 100  # classes that are worth offering
SCREEN = 4096  # rows that are looked at before all


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
