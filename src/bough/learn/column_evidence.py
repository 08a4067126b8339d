"""What is known of the columns: their values in few bins, whom the tree serves badly, what each is worth.

All of it are sums over rows, no bin is one by which a row could be told, and none depends on the
order of the rows.
"""

from collections.abc import Callable
from dataclasses import replace
from math import ceil, floor, isfinite, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.drawing.leaf_rectangles import is_map, region_features
from bough.evidence import FEWEST, ColumnSeen, Estimate
from bough.grow.short_pivots import shortest
from bough.histograms import Density, Histogram
from bough.learn.labelled_rows import LabelledRows, hashes_of
from bough.learn.measure import Losses, Stopped, losses_of
from bough.loss_kinds import row_losses
from bough.losses.intervals import difference, estimate
from bough.predict import features_asked, guesses, said_of
from bough.schema import Feature, Kind, Part, Task
from bough.table import Table
from bough.table.dates import DAY
from bough.table.numbers import SparseNumbers
from bough.tree import Tree
from bough.words import round_ends, round_step

Floats = NDArray[np.float64]

MOST_BINS = 20
MOST_VALUES = 12  # that have a bin of their own
MOST_GROUPS = 5
MOST_VALUE_GROUPS = 6
ROWS_OF_GROUP = 20  # that let an error be told from another, about
FARTHEST = 5e307  # the distance of two ends must be a number
TAIL = 0.01  # of the rows at either end that do not stretch the bins
MOST_COLUMNS = 60
SHUFFLES = 5
MOST_CELLS = 20  # along each side of the plane
ROWS_OF_CELL = 2 * FEWEST  # about


def number_histogram(values: Floats) -> Histogram:
    """Return numbers in bins of one round width; the rows at the ends lie in the outermost.

    Examples
    --------
    >>> number_histogram(np.repeat([1.0, 2.0, 3.0, 4.0], [10, 20, 3, 6]))
    Histogram(counts=(10, 20, 9), edges=(2.0, 3.0), codes=())
    """
    known = np.clip(values, -FARTHEST, FARTHEST)
    if not len(known):
        return Histogram(())
    low, high = np.quantile(known, [TAIL, 1 - TAIL], method="lower").tolist()
    step = round_step((high - low) / MOST_BINS)
    if unit := _unit(known):
        step = ceil(step / unit) * unit
    first, last = floor(low / step) + 1, floor(high / step)
    edges = [each * step for each in range(first, last + 1)] if last - first < 2 * MOST_BINS else []
    return _merged(known, np.array([float(f"{each:.12g}") for each in edges]))


def number_groups(values: Floats) -> Histogram:
    """Return numbers in a few bins of about as many rows."""
    known = np.sort(np.clip(values, -FARTHEST, FARTHEST))
    n_groups = min(MOST_GROUPS, len(known) // ROWS_OF_GROUP)
    edges = edges_between(known, n_groups)
    if unit := _unit(known):  # the same rows lie below the next whole number, or day
        edges = np.unique(np.ceil(edges / unit) * unit)
    return _merged(known, edges)


def _unit(known: Floats) -> float:
    """Return what numbers are multiples of: a day in microseconds, 1, or 0: neither."""
    return next((float(unit) for unit in (DAY, 1) if not np.any(known % unit)), 0.0)


def edges_between(known: Floats, n_groups: int) -> Floats:
    """Return short numbers that part sorted ones into so many groups of about one size."""
    ends = (round(len(known) * part / n_groups) for part in range(1, n_groups))
    gaps = [gap for gap in (_gap(known, end, n_groups) for end in ends) if gap is not None]
    low, high = np.array(gaps).reshape(-1, 2).T
    return np.unique(shortest(low, high, low / 2 + high / 2, is_round=True))


def _gap(known: Floats, end: int, n_groups: int) -> tuple[float, float] | None:
    """Return between which numbers an edge may lie: a tenth of a group to either side."""
    around = len(known) // (10 * n_groups)
    low, high = known[max(end - around, 0)], known[min(end + around, len(known) - 1)]
    if low < high:
        return float(low), float(high)
    start = int(np.searchsorted(known, low))  # so many rows have one number: before it, or after it
    stop = int(np.searchsorted(known, low, side="right"))
    if end - start <= stop - end and start > 0:
        return float(known[start - 1]), float(low)
    return (float(low), float(known[stop])) if stop < len(known) else None


def choice_histogram(
    codes: NDArray[np.integer], n_choices: int, *, is_ordered: bool, most: int = MOST_VALUES
) -> Histogram:
    """Return values by number, the commonest first or in their own order; -2 is one of the others.

    Examples
    --------
    >>> choice_histogram(np.repeat([0, 1, 2, 3], [9, 30, 2, 1]), 4, is_ordered=False)
    Histogram(counts=(30, 12), edges=(), codes=(1,))
    """
    counts = np.bincount(codes[codes >= 0], minlength=n_choices)
    order = np.argsort(-counts, kind="stable").tolist()
    kept = [code for code in order[:most] if counts[code] >= FEWEST]
    n_rest = len(codes) - int(counts[kept].sum())
    while kept and 0 < n_rest < FEWEST:
        n_rest += int(counts[kept.pop()])
    shown = sorted(kept) if is_ordered else kept
    rest = (n_rest,) if n_rest else ()
    return Histogram((*counts[shown].tolist(), *rest), codes=tuple(shown))


def bin_of_numbers(found: Histogram, values: Floats) -> NDArray[np.intp]:
    """Return the bin of each number."""
    return np.searchsorted(np.array(found.edges), values, side="right")


def bin_of_codes(found: Histogram, codes: NDArray[np.integer], n_choices: int) -> NDArray[np.intp]:
    """Return the bin of each value."""
    places = np.full(n_choices + 1, len(found.codes), np.intp)
    places[list(found.codes)] = np.arange(len(found.codes))
    return places[np.where(codes < 0, n_choices, codes)]


def _merged(values: Floats, edges: Floats) -> Histogram:
    """Return bins between edges, without those that would part too few rows from the next."""
    counts = np.bincount(np.searchsorted(edges, values, side="right"), minlength=len(edges) + 1)
    found = together(counts.tolist(), 0, len(counts)) or [(0, len(counts))]
    n_rows = (int(counts[start:end].sum()) for start, end in found)
    return Histogram(tuple(n_rows), edges=tuple(edges[end - 1].item() for _, end in found[:-1]))


def together(totals: list[int], begin: int, end: int) -> list[tuple[int, int]]:
    """Return neighbouring places that have at least five rows together, if there are as many.

    Places without any rows are left out between them.
    """
    found: list[tuple[int, int]] = []
    start, n_rows, last = -1, 0, begin
    for place in range(begin, end):
        if not totals[place]:
            continue
        start, n_rows, last = place if start < 0 else start, n_rows + totals[place], place + 1
        if n_rows >= FEWEST:
            found.append((start, last))
            start, n_rows = -1, 0
    if start >= 0:  # what is left goes to the bin before
        start = found.pop()[0] if found else start
        found.append((start, last))
    return found


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
    loss, each_error = errors
    is_of = [bins == each for each in range(n_groups)]
    groups = tuple(estimate(each_error[here], loss, **rows.counted(here)) for here in is_of)
    return groups if all(isfinite(each.high) for each in groups) else ()


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
