"""How a model knows its rows again: sketches of their hashes, and the range of each column."""

import numpy as np
from numpy.typing import NDArray

from bough.checks.copies_and_imbalance import RowHashes
from bough.holdout import hashes_but_one, row_hashes, sketch
from bough.learn.row_plan import Plan
from bough.learn.rows import LabelledRows, label_column
from bough.table import Table
from bough.table.column import Column


def sketches_of(plan: Plan, sealed: LabelledRows) -> dict[str, tuple[str, ...]]:
    """Return the sketches by which training, development and test rows are known again."""
    is_tried = np.ones(len(plan.rows), np.bool_)
    is_tried[plan.train] = False
    tried = np.flatnonzero(is_tried)
    parts = {"train": plan.rows.take(plan.train), "dev": plan.rows.take(tried), "test": sealed}
    return {name: sketch(hashes_of(rows)) for name, rows in parts.items()}


def hashes_of(rows: LabelledRows) -> NDArray[np.uint64]:
    """Return a hash of the features and the label of each row."""
    return row_hashes(_columns(rows))


def all_hashes_of(rows: LabelledRows) -> RowHashes:
    """Return all hashes by which equal rows are told from copies."""
    return RowHashes(hashes_of(rows), rows.places, lambda: hashes_but_one(_columns(rows)))


def _columns(rows: LabelledRows) -> dict[str, Column]:
    return rows.table.columns_asked() | label_column(rows.labels)


def ranges_of(table: Table) -> dict[str, tuple[float, float]]:
    """Return the least and the greatest value of each number and date."""
    found = {}
    for number, (feature, values) in enumerate(zip(table.features, table.values, strict=True)):
        known = values[~table.missing(number)]
        if not feature.kind.has_choices and len(known):
            found[feature.name] = float(known.min()), float(known.max())
    return found
