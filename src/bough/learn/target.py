"""The target: its labels, and the task that they set."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bough.checks.target_labels import guess_task, missing_labels, unknown_labels
from bough.encode import Labels
from bough.errors import Argument, DataError, SchemaError, did_you_mean, listed, refuse_unknown
from bough.evidence import Note
from bough.learn.labelled_rows import LabelledRows, dtype_of, weights_of
from bough.predict import read_asked
from bough.ranking import check_relevance
from bough.schema import Kind, Label, Task
from bough.table import Table, TableLike, column_like, column_of, open_source, read_like
from bough.table.column import Column, Rows
from bough.table.numbers import EXACT
from bough.table.source import Source
from bough.tree import Tree
from bough.words import plain, row_count, value_word

MOST_ALONE = 100  # rows that are the only one of their class
TASKS = ("auto", *Task)


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

    If the task is 'auto', the values decide: those of the first `n_given` rows, as others are of
    tables to try and test on.
    """
    refuse_unknown("task", task, TASKS)
    deciding = column if n_given is None else column.take(np.arange(n_given))
    guessed, notes = guess_task(name, deciding)
    rows, on_missing = _known_rows(column, name, where)
    if not len(rows):
        raise DataError(f"The target {name!r} is missing in every row. Name another column.")
    notes = on_missing + notes
    found = guessed if task == "auto" else Task(task)
    if found is Task.CLASSIFICATION:
        seen = column.take(rows).as_choices(name).seen()
        label = Label(name, seen.values, dtype_of(seen.values))
        labels = Labels((label,), codes=seen.codes.astype(np.int32)[np.newaxis], values=None)
        _refuse_lonely_rows(labels, name)
    else:
        labels = _labels(column, Label(name, ranks=found.ranks), rows, where)
    kept = [note for note in notes if task == "auto" or note.code != "B110"]
    return Target(name, found, labels, rows, tuple(kept))


def refuse_one_answer(target: Target, n_rows: int) -> None:
    """Refuse labels that are all the same; of a ranking, nothing is said before its groups are known."""
    labels = target.labels
    each = labels.values if labels.codes is None else labels.codes
    assert each is not None  # noqa: S101 - labels are codes or numbers
    if target.task.ranks or each.shape[1] == 1 or (each != each[0, 0]).any():
        return
    classes = labels.labels[0].classes
    value = classes[each[0, 0]] if classes else float(each[0, 0])
    word = plain(repr(value)) if isinstance(value, str) else value_word(value)
    known = " that have one" if each.shape[1] < n_rows else ""
    raise DataError(
        f"The target {target.name!r} is {word} in all {each.shape[1]:,} rows{known}, so "
        "there is nothing to learn. Name another column, or add rows with another answer."
    )


def _refuse_lonely_rows(labels: Labels, name: str) -> None:
    assert labels.codes is not None  # noqa: S101 - they are classes
    n_rows = labels.codes.shape[1]
    n_alone = int(np.count_nonzero(np.bincount(labels.codes[0]) == 1))
    if n_alone > max(MOST_ALONE, n_rows / 2):
        raise DataError(
            f"{n_alone:,} of {n_rows:,} rows have a class of {name!r} that occurs only once, so there is "
            "nothing to learn. Name another column, or predict numbers: ",
            Argument("task", "regression"), ".",
        )  # fmt: skip


def label_codes(column: Column, label: Label) -> NDArray[np.intp]:
    """Return the class number of each row; -1 where it is none of the label's classes.

    A class is known by its value, whichever way a table holds it: 1 and "1", True and "true".
    """
    classes = column_of(np.arange(len(label.classes)), Kind.CHOICE, label.classes).hashes()
    number = {known: code for code, known in enumerate(classes.tolist())}
    found, of_rows = np.unique(column.hashes(), return_inverse=True)
    return np.array([number.get(each, -1) for each in found.tolist()])[of_rows]


def label_numbers(column: Column, label: Label) -> NDArray[np.float64]:
    """Return the number of each row; nan where it is missing."""
    numbers, name = column.floats(), label.name
    if numbers is None:
        task, does = ("rank", "ranks by") if label.ranks else ("regression", "predicts")
        raise DataError(
            f"The target {name!r} has no numbers, but ", Argument("task", task), f" {does} numbers. "
            "Use ", Argument("task", "classification"), ", or name a column of numbers.",
        )  # fmt: skip
    if column.cells.dtype.kind in "iu" and np.any(np.abs(numbers) > EXACT):
        raise DataError(
            f"The target {name!r} has whole numbers beyond 2**53, which a float64 cannot hold exactly. "
            "Round them first."
        )
    return numbers


def read_labelled(
    tree: Tree, X: TableLike, *, weight: str | None = None, group: str | None = None
) -> tuple[LabelledRows, list[Note]]:
    """Return the rows of a table that have a label, read as those that the tree was grown from.

    The columns that said how much a row counts, and what it is about, are used if they are there.
    """
    source = open_source(X, like=tree.schema.reading)
    label = tree.schema.labels[0]
    column = _label_column(source, label)
    rows, notes = _known_rows(column, label.name, source.where)
    if not len(rows):
        raise SchemaError(
            f"Column {label.name!r} is missing in every row, so no prediction can be checked."
        )
    weights = None
    if weight is not None and weight in source.names:
        weights = weights_of(_column(source, weight), weight)
        rows = rows[weights[rows] > 0]
        weights = weights[rows]
    if label.ranks:
        _check_groups(source, group)
    groups = None
    if group is not None and group in source.names:
        groups = _column(source, group).hashes()[rows]
    labels = replace(_labels(column, label, rows, source.where), weights=weights, group=groups)
    notes += _unknown_classes(labels)
    return LabelledRows(_table(tree, source).rows(rows), labels), notes


def _table(tree: Tree, source: Source) -> Table:
    """Return all features, by which rows are known again, or else those that the tree asks about."""
    try:
        return read_like(source, tree.schema)
    except SchemaError:
        return read_asked(tree, source)


def _check_groups(source: Source, group: str | None) -> None:
    """Refuse a table that does not say which rows are ranked against each other."""
    if group is None:
        raise SchemaError(
            "The model ranks the rows of groups, but does not say which column names the group. "
            "Learn it with 'bough fit --task rank --group COLUMN', or measure it in Python: "
            "tree.score(X, y, group=…)."
        )
    if group not in source.names:
        raise SchemaError(
            f"The table has no column {group!r}, which names the groups."
            f"{did_you_mean(group, source.names)} It has {listed(source.names)}."
        )
    if (n_missing := int(_column(source, group).missing_rows().sum())) > 0:
        raise SchemaError(
            f"The group column {group!r} is missing in {row_count(n_missing)}. "
            "Fill it in, or leave these rows out."
        )


def _known_rows(column: Column, name: str, where: Callable[[int], str]) -> tuple[Rows, list[Note]]:
    """Return the rows that have a label, and a note on the others."""
    missing = column.missing_rows()
    n_missing = int(missing.sum())
    first = where(int(np.argmax(missing))) if n_missing else ""
    return np.flatnonzero(~missing), missing_labels(name, n_missing, len(missing), first)


def _column(source: Source, name: str) -> Column:
    return source.column(source.names.index(name))


def _unknown_classes(labels: Labels) -> list[Note]:
    """Return a note on rows whose label is no class of the tree; there must be others."""
    if labels.codes is None or not (is_unknown := labels.codes[0] < 0).any():
        return []
    label, n_unknown = labels.labels[0], int(is_unknown.sum())
    if n_unknown == len(is_unknown):
        raise SchemaError(
            f"No row has a label that the tree knows: it predicts {listed(label.classes)} for "
            f"{label.name!r}. Write the labels as they were when it was grown."
        )
    return unknown_labels(label.name, n_unknown, len(is_unknown))


def _label_column(source: Source, label: Label) -> Column:
    if label.name not in source.names:
        raise SchemaError(
            f"The table has no column {label.name!r} to compare the predictions with."
            f"{did_you_mean(label.name, source.names)} It has {listed(source.names)}."
        )
    return column_like(source, source.names.index(label.name), label.classes)


def _labels(column: Column, label: Label, rows: Rows, where: Callable[[int], str]) -> Labels:
    if label.classes:
        codes = label_codes(column, label)[rows].astype(np.int32)
        return Labels((label,), codes=codes[np.newaxis], values=None)
    numbers = label_numbers(column, label)[rows]
    if label.ranks:
        check_relevance(numbers, label.name, lambda row: where(int(rows[row])))
    return Labels((label,), codes=None, values=numbers[np.newaxis])
