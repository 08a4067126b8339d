"""Turns the target column into labels, and decides which task it sets."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from bough.checks.target import guess_task, missing_labels
from bough.encode import Labels
from bough.errors import DataError, ParameterError, did_you_mean, listed
from bough.evidence import Note
from bough.learn.columns import rows_of
from bough.ranking import check_relevance
from bough.schema import Label, Task, Value
from bough.split import cell_hashes
from bough.table.column import (
    EXACT,
    Choices,
    Column,
    Integers,
    Moments,
    Numbers,
    as_choices,
    missing_rows,
    with_missing,
)

MOST_ALONE = 100  # rows that are the only one of their class
TASKS = ("auto", "classification", "regression", "ranking")


@dataclass(frozen=True, eq=False)
class Target:
    """The labels of the rows that have one."""

    name: str
    task: Task
    labels: Labels
    rows: NDArray[np.intp]
    """The rows that have a label."""
    notes: tuple[Note, ...]


def read_target(
    column: Column, name: str, task: str, where: Callable[[int], str], n_given: int | None = None
) -> Target:
    """Return the labels in a column; rows without one are left out.

    Parameters
    ----------
    task
        'classification', 'regression', 'ranking', or 'auto': the values decide.
    n_given
        How many rows, the first ones, decide the task; others are of tables to try and test on.
    where
        What messages call a row.
    """
    if task not in TASKS:
        raise ParameterError(
            f"task={task!r} is not known.{did_you_mean(str(task), TASKS)} Known: {listed(TASKS)}."
        )
    deciding = column if n_given is None else rows_of(column, np.arange(n_given))
    guessed, notes = guess_task(name, deciding)
    missing = missing_rows(column)
    rows = np.flatnonzero(~missing)
    if len(rows) == 0:
        raise DataError(f"target {name!r} is missing in every row. Name another column.")
    if len(rows) < len(missing):
        first = where(int(np.argmax(missing)))
        notes = missing_labels(name, len(missing) - len(rows), len(missing), first) + notes
    found: Task = guessed if task == "auto" else task  # type: ignore[assignment]
    if found == "classification":
        labels = _classes(column, name, rows)
        _refuse_lonely_rows(labels, name)
    else:
        label = Label(name, ranks=found == "ranking")
        numbers = label_numbers(column, label)[rows]
        if label.ranks:
            check_relevance(numbers, name, lambda row: where(int(rows[row])))
        labels = Labels((label,), codes=None, values=numbers[np.newaxis])
    kept = [note for note in notes if task == "auto" or note.code != "B110"]
    return Target(name, found, labels, rows, tuple(kept))


def _refuse_lonely_rows(labels: Labels, name: str) -> None:
    assert labels.codes is not None  # noqa: S101 - they are classes
    n_rows = labels.codes.shape[1]
    n_alone = int(np.count_nonzero(np.bincount(labels.codes[0]) == 1))
    if n_alone > max(MOST_ALONE, n_rows / 2):
        raise DataError(
            f"{n_alone:,} of {n_rows:,} rows are alone in their class of target {name!r}, so that "
            "nothing can be learnt about it. Name another column, or guess numbers: "
            "task='regression'."
        )


def label_codes(column: Column, label: Label) -> NDArray[np.intp]:
    """Return the class number of each row; -1 where it is none of the label's classes.

    A class is known by its value, whichever way a table holds it: 1 and "1", True and "true".
    """
    classes = cell_hashes(Choices(label.classes, np.arange(len(label.classes))))
    number = {known: code for code, known in enumerate(classes.tolist())}
    found, of_rows = np.unique(cell_hashes(column), return_inverse=True)
    return np.array([number.get(each, -1) for each in found.tolist()])[of_rows]


def _classes(column: Column, name: str, rows: NDArray[np.intp]) -> Labels:
    choices = as_choices(column, name)
    used, codes = np.unique(choices.codes[rows], return_inverse=True)
    values = [choices.values[code] for code in used.tolist()]
    order = sorted(range(len(values)), key=values.__getitem__)
    rank = np.empty(len(values), np.int32)
    rank[order] = np.arange(len(values))
    classes = tuple(values[number] for number in order)
    label = Label(name, classes, dtype_of(classes))
    return Labels((label,), codes=rank[codes][np.newaxis], values=None)


def dtype_of(classes: tuple[Value, ...]) -> str:
    """Return the NumPy type of guesses among these classes."""
    array: NDArray[Any] = np.array(classes)
    return (
        f"<U{max(1, *map(len, map(str, classes)))}" if array.dtype.kind == "U" else array.dtype.name
    )


def label_numbers(column: Column, label: Label) -> NDArray[np.float64]:
    """Return the number of each row; nan where it is missing."""
    name = label.name
    match column:
        case Numbers():
            return column.values.astype(np.float64)
        case Integers():
            if np.any(np.abs(column.values.astype(np.float64)) > EXACT):
                raise DataError(
                    f"the target {name!r} has whole numbers beyond 2**53, which lose digits as a "
                    "float64. Round them first."
                )
            return with_missing(column.values, column.missing)
        case Choices() | Moments():
            does = "task='rank' ranks by" if label.ranks else "task='regression' guesses"
            raise DataError(
                f"the target {name!r} has no numbers, but {does} numbers. Use "
                "task='classification', or name a column of numbers."
            )
        case _:
            assert_never(column)
