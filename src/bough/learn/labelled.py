"""Reads rows with their labels for a tree that has been grown."""

import numpy as np

from bough.checks.target import missing_labels
from bough.encode import Labels
from bough.errors import SchemaError, did_you_mean, listed
from bough.evidence import Note
from bough.learn.rows import LabelledRows
from bough.learn.target import label_codes, label_numbers
from bough.schema import Label
from bough.table import column_like, open_source, read_like
from bough.table.column import Column, Source, missing_rows
from bough.tree import Tree


def read_labelled(tree: Tree, X: object) -> tuple[LabelledRows, list[Note]]:
    """Return the rows of a table that have a label, read as those that the tree was grown from."""
    source = open_source(X)
    label = tree.schema.labels[0]
    column = _label_column(source, label)
    missing = missing_rows(column)
    rows, notes = np.flatnonzero(~missing), []
    if len(rows) == 0:
        raise SchemaError(
            f"column {label.name!r} is missing in every row, so that no guess can be checked."
        )
    if len(rows) < len(missing):
        first = source.where(int(np.argmax(missing)))
        notes = missing_labels(label.name, len(missing) - len(rows), len(missing), first)
    table = read_like(source, tree.schema).rows(rows)
    labels = _labels(column, label, rows)
    return LabelledRows(table, labels, np.zeros(len(rows), np.uint64)), notes


def _label_column(source: Source, label: Label) -> Column:
    if label.name not in source.names:
        raise SchemaError(
            f"the table has no column {label.name!r}, with which guesses could be compared."
            f"{did_you_mean(label.name, source.names)} It has {listed(source.names)}."
        )
    return column_like(source, source.names.index(label.name), label.classes)


def _labels(
    column: Column, label: Label, rows: np.ndarray[tuple[int], np.dtype[np.intp]]
) -> Labels:
    if label.classes:
        codes = label_codes(column, label)[rows].astype(np.int32)
        return Labels((label,), codes=codes[np.newaxis], values=None)
    return Labels((label,), codes=None, values=label_numbers(column, label.name)[np.newaxis, rows])
