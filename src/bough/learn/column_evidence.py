"""What is known of the columns: their values, whom the tree serves badly, what each is worth.

All of it are sums over rows (`bough.learn.histograms`), and none depends on the order of the rows.
"""

from collections.abc import Callable
from dataclasses import replace
from math import isfinite, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.drawing.plane_partition import is_map, region_features
from bough.evidence import FEWEST, ColumnSeen, Estimate
from bough.learn.histograms import (
    MOST_VALUE_GROUPS,
    MOST_VALUES,
    bin_of_codes,
    bin_of_numbers,
    choice_histogram,
    edges_between,
    number_groups,
    number_histogram,
)
from bough.learn.measure import Losses, Stopped, losses_of
from bough.learn.rows import LabelledRows, hashes_of
from bough.losses import difference, estimate, row_losses
from bough.predict import features_asked, guesses, said_of
from bough.rows_counted import Density, Histogram
from bough.schema import Feature, Kind, Part
from bough.table import SparseNumbers, Table
from bough.tree import Tree
from bough.tree_task import Task
from bough.words import round_ends

Floats = NDArray[np.float64]

MOST_COLUMNS = 60
SHUFFLES = 5
MOST_CELLS = 20  # along each side of the plane
ROWS_OF_CELL = 2 * FEWEST  # about


def columns_seen(
    tree: Tree, rows: LabelledRows, stopped: Stopped, missing: str, loss: tuple[str, float | None]
) -> tuple[ColumnSeen, ...]:
    """Return what was seen of the columns, those that the tree uses first; none of sparse tables."""
    sealed, features = stopped[2], tree.schema.features
    if isinstance(sealed.table.values, SparseNumbers) or len(tree.schema.labels) > 1:
        return ()
    asked = {features[each].column for each in features_asked(tree)}
    shown = [number for number, each in enumerate(features) if each.part is Part.ITSELF]
    shown.sort(key=lambda number: features[number].column not in asked)
    errors, shuffled = _row_errors(stopped), _Shuffled(tree, stopped, missing, loss)
    found = []
    for number in shown[:MOST_COLUMNS]:
        feature = features[number]
        known = _known(sealed.table, number)
        test = _histogram(feature, known, number_groups, MOST_VALUE_GROUPS)
        of_groups = _group_errors(sealed, errors, number, test)
        found.append(
            ColumnSeen(
                name=feature.name,
                n_missing=sum(int(each.table.missing(number).sum()) for each in (rows, sealed)),
                rows=_histogram(
                    feature,
                    np.concatenate([_known(each.table, number) for each in (rows, sealed)]),
                    number_histogram,
                    MOST_VALUES,
                ),
                test=test if of_groups else Histogram(()),
                errors=of_groups,
                importance=shuffled.importance(feature.column) if feature.column in asked else None,
            )
        )
    return tuple(found)


def labels_seen(rows: LabelledRows, stopped: Stopped) -> dict[str, Any]:
    """Return the labels of all rows, and by how much those of test rows lie above predictions."""
    said, places, sealed = stopped
    label = said.schema.labels[0]
    answers = np.concatenate([rows.answers, sealed.answers])
    if label.classes:
        n_classes = len(label.classes)
        return {"labels": choice_histogram(answers, n_classes, is_ordered=False, most=n_classes)}
    found = {"labels": number_histogram(answers)}
    if said.schema.task is Task.REGRESSION:
        off = sealed.answers - guesses(said, places)[:, 0]
        found["off"] = number_histogram(off[np.isfinite(off)])
    return found


def density_of(tree: Tree, rows: LabelledRows) -> Density | None:
    """Return how many rows lie where on the plane of the two numbers that matter most."""
    names = region_features(tree)
    if names is None or isinstance(rows.table.values, SparseNumbers):
        return None
    by_name = {each.name: number for number, each in enumerate(rows.table.features)}
    numbers = [by_name[name] for name in names]
    is_known = ~(rows.table.missing(numbers[0]) | rows.table.missing(numbers[1]))
    values = [np.asarray(rows.table.values[each][is_known], np.float64) for each in numbers]
    if len(values[0]) < FEWEST or not all(np.isfinite(each).all() for each in values):
        return None
    edges = [_plane_edges(each, is_linear=is_map(names)) for each in values]
    if min(map(len, edges)) < 2 or not all(np.diff(each).all() for each in edges):
        return None
    across, upwards = (
        np.searchsorted(each[1:-1], of, side="right")
        for each, of in zip(edges, values, strict=True)
    )
    n_across, n_upwards = (len(each) - 1 for each in edges)
    counts = np.bincount(upwards * n_across + across, minlength=n_across * n_upwards)
    counts[counts < FEWEST] = 0
    lines = counts.reshape(n_upwards, n_across).tolist()
    across_edges, upwards_edges = (tuple(each.tolist()) for each in edges)
    return Density(names, across_edges, upwards_edges, tuple(map(tuple, lines)))


def _plane_edges(values: Floats, *, is_linear: bool) -> Floats:
    """Return the edges of cells: of one width on a map, else of about as many rows."""
    known = np.sort(values)
    first, last = round_ends(float(known[0]), float(known[-1]))
    n_cells = min(MOST_CELLS, max(int(sqrt(len(known) / ROWS_OF_CELL)), 2))
    if is_linear:
        return np.linspace(first, last, n_cells + 1)
    inner = edges_between(known, n_cells)
    return np.unique(np.concatenate([[first], inner, [last]]))


def _known(table: Table, number: int) -> NDArray[np.generic]:
    return np.asarray(table.values[number][~table.missing(number)])


def _histogram(
    feature: Feature,
    known: NDArray[np.generic],
    of_numbers: Callable[[Floats], Histogram],
    most_values: int,
) -> Histogram:
    if not feature.kind.has_choices:
        return of_numbers(known.astype(np.float64))
    n_choices, is_ordered = len(feature.choices), feature.kind is Kind.ORDERED
    return choice_histogram(
        known.astype(np.intp), n_choices, is_ordered=is_ordered, most=most_values
    )


def _row_errors(stopped: Stopped) -> tuple[str, Floats] | None:
    """Return the error of each row, or of numbers the absolute error; None for a ranking."""
    said, places, rows = stopped
    match said.schema.task:
        case Task.CLASSIFICATION:
            return "error", row_losses(said, "error", places, rows.answers)
        case Task.REGRESSION:
            return "absolute_error", row_losses(said, "absolute_error", places, rows.answers)
        case Task.RANKING:
            return None


def _group_errors(
    rows: LabelledRows, errors: tuple[str, Floats] | None, number: int, found: Histogram
) -> tuple[Estimate, ...]:
    """Return the error of each group of rows; none if there is a single one."""
    table, feature = rows.table, rows.table.features[number]
    is_missing = table.missing(number)
    has_missing = int(is_missing.sum()) >= FEWEST
    if errors is None or len(found.counts) + has_missing < 2 or min(found.counts) < FEWEST:
        return ()
    values = table.values[number]
    if feature.kind.has_choices:
        bins = bin_of_codes(found, np.asarray(values, np.intp), len(feature.choices))
    else:
        bins = bin_of_numbers(found, np.asarray(values, np.float64))
    bins = np.where(is_missing, len(found.counts), bins)
    n_groups = len(found.counts) + has_missing
    groups = tuple(_group_error(rows, errors, bins == each) for each in range(n_groups))
    return groups if all(isfinite(each.high) for each in groups) else ()


def _group_error(
    rows: LabelledRows, errors: tuple[str, Floats], here: NDArray[np.bool_]
) -> Estimate:
    loss, each = errors
    return estimate(
        each[here],
        loss,
        weights=None if rows.weights is None else rows.weights[here],
        groups=None if rows.group is None else rows.group[here],
    )


class _Shuffled:
    """The test rows with the values of one column given to other rows.

    Rows are sorted by their hash, and each gets the values of the row some places further: which one
    that is has nothing to do with the rows, but is the same for the same rows.
    """

    def __init__(
        self, tree: Tree, stopped: Stopped, missing: str, loss: tuple[str, float | None]
    ) -> None:
        self._tree, self._rows, self._missing, self._loss = tree, stopped[2], missing, loss
        self._before = losses_of([stopped], *loss)
        self._order = np.argsort(hashes_of(self._rows), kind="stable")

    def importance(self, column: int) -> Estimate | None:
        """Return by how much the loss is greater; None where it is beyond all numbers."""
        shuffled = [self._losses(column, shift).each for shift in self._shifts()]
        if not shuffled:
            return None
        before = self._before
        with np.errstate(over="ignore", invalid="ignore"):
            after = np.mean(shuffled, axis=0)
            found = difference(
                after, before.each, self._loss[0], weights=before.weights, groups=before.groups
            )
        return found if all(map(isfinite, (found.value, found.low, found.high))) else None

    def _shifts(self) -> list[int]:
        n_rows = len(self._rows)
        return sorted(
            {round(n_rows * part / (SHUFFLES + 1)) for part in range(1, SHUFFLES + 1)} - {0}
        )

    def _losses(self, column: int, shift: int) -> Losses:
        other = np.empty_like(self._order)
        other[self._order] = np.roll(self._order, shift)
        table = self._rows.table
        values = tuple(
            of_feature[other] if feature.column == column else of_feature
            for feature, of_feature in zip(table.features, table.values, strict=True)
        )
        rows = replace(self._rows, table=replace(table, values=values))
        stopped = (*said_of(self._tree, rows.table, missing=self._missing), rows)
        return losses_of([stopped], *self._loss)
