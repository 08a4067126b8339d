"""Reads rows with their labels for a tree that has been grown."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bough.checks.target import missing_labels, unknown_labels
from bough.encode import Labels
from bough.errors import SchemaError, did_you_mean, listed
from bough.evidence import Note
from bough.learn.columns import Rows, weights_of
from bough.learn.rows import LabelledRows
from bough.learn.target import label_codes, label_numbers
from bough.ranking import check_relevance
from bough.schema import Label
from bough.split import cell_hashes
from bough.table import column_like, open_source, read_like
from bough.table.column import Column, Source, missing_rows
from bough.tree import Tree


def read_labelled(
    tree: Tree, X: object, *, weight: str | None = None, group: str | None = None
) -> tuple[LabelledRows, list[Note]]:
    """Return the rows of a table that have a label, read as those that the tree was grown from.

    Parameters
    ----------
    weight, group
        The columns that said how much a row counts, and what it is about; used if they are there.
    """
    source = open_source(X)
    label = tree.schema.labels[0]
    column = _label_column(source, label)
    rows, notes = _known_rows(column, label, source)
    weights = None
    if weight in source.names:
        weights = weights_of(_column(source, weight), weight)
        rows = rows[weights[rows] > 0]
        weights = weights[rows]
    if label.ranks:
        _check_queries(source, group)
    groups = None if group not in source.names else cell_hashes(_column(source, group))[rows]
    labels = replace(_labels(column, label, rows, source.where), weights=weights, group=groups)
    notes += _unknown_classes(labels)
    table = read_like(source, tree.schema).rows(rows)
    return LabelledRows(table, labels), notes


def _check_queries(source: Source, group: str | None) -> None:
    """Refuse a table that does not say which rows are ranked against each other."""
    if group is None:
        raise SchemaError(
            "the model ranks the rows of queries, but does not say which column names the query. "
            "Learn it with 'bough fit --task rank --group COLUMN', or measure it in Python: "
            "tree.score(X, y, group=…)."
        )
    if group not in source.names:
        raise SchemaError(
            f"the table has no column {group!r}, which says which query a row is of."
            f"{did_you_mean(group, source.names)} It has {listed(source.names)}."
        )
    if (n_missing := int(missing_rows(_column(source, group)).sum())) > 0:
        raise SchemaError(
            f"column {group!r}, which says which query a row is of, is missing in {n_missing:,} rows. "
            "Fill it in, or leave these rows out."
        )


def _known_rows(column: Column, label: Label, source: Source) -> tuple[Rows, list[Note]]:
    missing = missing_rows(column)
    rows = np.flatnonzero(~missing)
    if len(rows) == 0:
        raise SchemaError(
            f"column {label.name!r} is missing in every row, so that no guess can be checked."
        )
    if len(rows) == len(missing):
        return rows, []
    first = source.where(int(np.argmax(missing)))
    n_missing = len(missing) - len(rows)
    return rows, missing_labels(label.name, n_missing, len(missing), first)


def _column(source: Source, name: str) -> Column:
    return source.column(source.names.index(name))


def _unknown_classes(labels: Labels) -> list[Note]:
    """Return a note on rows whose label is no class of the tree; there must be others."""
    if labels.codes is None or not (is_unknown := labels.codes[0] < 0).any():
        return []
    label, n_unknown = labels.labels[0], int(is_unknown.sum())
    if n_unknown == len(is_unknown):
        raise SchemaError(
            f"no row has a label that the tree knows: it guesses {listed(label.classes)} for "
            f"{label.name!r}. Write the labels as they were when it was grown."
        )
    return unknown_labels(label.name, n_unknown, len(is_unknown))


def _label_column(source: Source, label: Label) -> Column:
    if label.name not in source.names:
        raise SchemaError(
            f"the table has no column {label.name!r}, with which guesses could be compared."
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
