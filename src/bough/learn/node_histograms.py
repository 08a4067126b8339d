"""What is known of the rows of nodes: counts in bins, from which no row can be told, and likely other questions."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import ceil, floor
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bough.checks.tree import UNSTABLE, chance_of
from bough.costs import altered_priors
from bough.drawing.style import COLORS, colored_classes
from bough.evidence import FEWEST, Evidence
from bough.histograms import Bins, NodeRows, Rival
from bough.learn.column_evidence import MOST_BINS, TAIL, together
from bough.learn.labelled_rows import LabelledRows
from bough.learn.row_plan import Problem
from bough.learn.tried_sizes import Setting
from bough.learn.tuning import Tuning
from bough.predict import stops
from bough.query_kinds import QueryKind
from bough.tree import Tree
from bough.walk import parents, sizes_below, steps_below
from bough.words import round_step

MOST_NODES = 500  # whose rows are kept in bins: those with the most rows

Places: TypeAlias = NDArray[np.intp]
MOST_COMPARED = 60  # that are looked at: those with the most rows,
MOST_ROWS = 3  # and as long as they have no more rows together than so many tables
FEWEST_ROWS = 20  # from which a chance can be told


class PlacedRows(NamedTuple):
    """The places of some rows, and where these are."""

    places: Places
    n_places: int
    mark: int = 0
    first: float = 0.0
    step: float = 0.0
    codes: NDArray[Any] | None = None  # of places that are values


class RowsOfNodes:
    """Which rows come to each node."""

    def __init__(self, tree: Tree, rows: LabelledRows, n_jobs: int) -> None:
        self.tree = tree
        place = _preorder(tree)
        at = place[stops(tree, rows.table, n_jobs=n_jobs)]
        if rows.weights is not None:  # rows of no weight take no part
            at[rows.weights == 0] = len(tree)
        self._order = np.argsort(at, kind="stable")
        at = at[self._order]
        self._from = np.searchsorted(at, place)
        self._to = np.searchsorted(at, place + sizes_below(tree) + 1)

    def of(self, node: int) -> NDArray[np.intp]:
        return self._order[self._from[node] : self._to[node]]

    def largest(self, most: int) -> list[int]:
        """Return the nodes with the most rows, in order."""
        return sorted(np.argsort(-self.tree.n_rows, kind="stable")[:most].tolist())


def rows_in_bins(tree: Tree, rows: LabelledRows, ordered: RowsOfNodes) -> NodeRows:
    """Return what the rows of nodes look like that a tree was grown from."""
    counted = _Counted(tree, rows)
    asked: list[Bins] = []
    labels: list[Bins] = []
    whole = None if tree.schema.has_classes else _interval_axis(counted.answers, None)
    for node in ordered.largest(MOST_NODES):
        here = ordered.of(node)
        if tree.feature[node] >= 0:
            asked += counted.asked(node, here)
        if whole is not None:
            axis = whole._replace(places=whole.places[here])
            labels += [replace(each, means=()) for each in counted.bins(node, here, axis)]
    return NodeRows(tuple(asked), tuple(labels))


def _preorder(tree: Tree) -> NDArray[np.int64]:
    """Return for each node how many come before it, if all that lies below one follows it."""
    sizes, found = sizes_below(tree).tolist(), [0] * len(tree)
    after = [0] * len(tree)  # where the next child of each node goes
    for node, above in enumerate(parents(tree).tolist()):
        if above >= 0:
            found[node] = after[above]
            after[above] += sizes[node] + 1
        after[node] = found[node] + 1
    return np.array(found)


class _Counted:
    """Counts the rows of nodes by class, or with the mean of their labels."""

    def __init__(self, tree: Tree, rows: LabelledRows) -> None:
        self.tree, self.table = tree, rows.table
        relevance = rows.labels.relevance
        self.answers = rows.answers if relevance is None else relevance
        self.n_classes = 0
        if tree.schema.has_classes:
            colored = colored_classes(tree)
            classes = len(tree.schema.labels[0].classes)
            self.n_classes = min(classes, len(COLORS))
            place = np.full(classes, self.n_classes - 1)
            place[colored] = np.arange(len(colored))
            self.answers = place[self.answers]

    def asked(self, node: int, rows: NDArray[np.intp]) -> Iterator[Bins]:
        """Count the rows of a node by what its question asks about."""
        tree, feature = self.tree, int(self.tree.feature[node])
        values = self.table.values[feature][rows]
        kind = tree.schema.features[feature].kind
        is_missing = np.isnan(values) if kind.missing != kind.missing else values == kind.missing
        known, missing = rows[~is_missing], rows[is_missing]
        if kind.has_choices:
            axis: PlacedRows | None = _value_axis(tree, node, values[~is_missing])
        else:
            axis = _interval_axis(values[~is_missing], self._pivot(node))
        for found in () if axis is None else self.bins(node, known, axis):
            n_missing = self._counts(np.zeros(len(missing), np.intp), missing, 1)[0]
            enough = len(missing) >= FEWEST
            yield replace(found, missing=tuple(n_missing.tolist()) if enough else ())

    def _pivot(self, node: int) -> float | None:
        """Return where the question of a node splits; None: it asks whether there is a value."""
        tree = self.tree
        if tree.query_kind[node] == QueryKind.IS_MISSING:
            return None
        if tree.has_integer_pivot[node]:
            assert tree.pivot_int is not None  # noqa: S101 - checked when a tree is made
            return int(tree.pivot_int[node])
        return float(tree.pivot[node])

    def bins(self, node: int, rows: NDArray[np.intp], axis: PlacedRows) -> Iterator[Bins]:
        """Count rows at the places of an axis; nothing, if there are too few."""
        counts = self._counts(axis.places, rows, axis.n_places)
        found = spans(counts.sum(axis=1).tolist(), axis.mark)
        if axis.codes is not None:
            found = [*_shortened(found, axis.mark)]
        if not found:
            return
        starts, ends = (np.array(each) for each in zip(*found, strict=True))
        summed = np.vstack([counts[:1] * 0, np.cumsum(counts, axis=0)])
        n_rows = summed[ends] - summed[starts]
        means: tuple[float, ...] = ()
        if not self.n_classes:
            with np.errstate(over="ignore", invalid="ignore"):  # of labels of 1e300
                sums = np.bincount(axis.places, self.answers[rows], minlength=axis.n_places)
                totals = np.concatenate([[0.0], np.cumsum(sums)])
                exact = (totals[ends] - totals[starts]) / n_rows[:, 0]
            means = tuple(float(f"{each:.4g}") for each in np.nan_to_num(exact).tolist())
        yield Bins(
            node,
            tuple(each for start, end in found for each in (start, end - start)),
            tuple(n_rows.ravel().tolist()),
            means,
            axis.first,
            axis.step,
            () if axis.codes is None else tuple(axis.codes[starts].tolist()),
            axis.mark,
        )

    def _counts(self, places: Places, rows: NDArray[np.intp], n_places: int) -> NDArray[np.int64]:
        width = self.n_classes or 1
        at = places * width + self.answers[rows] if self.n_classes else places
        return np.bincount(at, minlength=n_places * width).reshape(n_places, width)


def _value_axis(tree: Tree, node: int, codes: NDArray[Any]) -> PlacedRows:
    """Return values in their order, or those of the first answer first and common ones first."""
    n_rows = np.bincount(codes, minlength=1)
    present = np.flatnonzero(n_rows)
    if tree.query_kind[node] == QueryKind.BELOW:
        mark = int(np.count_nonzero(present < tree.pivot[node]))
    else:
        seen = slice(tree.codes_start[node], tree.codes_start[node + 1])
        answer = np.zeros(len(n_rows), np.intp)
        is_group = tree.query_kind[node] == QueryKind.ONE_OF
        if is_group:
            inside = tree.codes[seen] < len(n_rows)
            answer[tree.codes[seen][inside]] = tree.answers[seen][inside]
        present = present[np.lexsort((present, -n_rows[present], answer[present]))]
        mark = int(np.count_nonzero(answer[present] == 0)) if is_group else 0
    place = np.zeros(len(n_rows), np.intp)
    place[present] = np.arange(len(present))
    return PlacedRows(place[codes], len(present), mark, codes=present)


def _interval_axis(values: NDArray[Any], pivot: float | None) -> PlacedRows | None:
    """Return intervals of a round width, of which one begins at the pivot; None: there are none.

    No end of an interval is a value of a row: it is round, or a round distance from the pivot.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        away = np.asarray(values, np.float64) - float(pivot or 0.0)
    if len(away) < FEWEST or not np.isfinite(away).all():
        return None
    rank = floor(TAIL * (len(away) - 1))
    low, high = (
        float(each) for each in np.partition(away, (rank, len(away) - 1 - rank))[[rank, -1 - rank]]
    )
    if pivot is not None:
        low, high = min(low, 0.0), max(high, 0.0)
    least = (high - low) / MOST_BINS
    step = round_step(least) if 1e-300 < least < 1e300 else 0.0
    if step == 0 or abs(low) + abs(high) > step * 2**52:
        return None
    if step < 1 and not np.any(np.asarray(values, np.float64) % 1):
        step = 1.0
    begin, end = floor(low / step), max(ceil(high / step), floor(high / step) + (pivot is None))
    if pivot is not None:
        begin, end = min(begin, -1), max(end, 1)
    places = np.clip(np.floor(away / step), begin, end - 1).astype(np.intp) - begin
    if pivot is None:
        return PlacedRows(places, end - begin, 0, begin * step, step)
    is_below = values < pivot
    places = np.where(is_below, np.minimum(places, -begin - 1), np.maximum(places, -begin))
    return PlacedRows(places, end - begin, -begin, float(pivot) + begin * step, step)


def spans(totals: list[int], mark: int) -> list[tuple[int, int]]:
    """Return neighbouring places that have at least five rows together, from where to where.

    Places on both sides of the mark come together only where a side has fewer rows; places
    without any rows are left out. With fewer rows in all there are none.

    Examples
    --------
    >>> spans([9, 2, 0, 4, 0, 7, 1], 0), spans([9, 2, 0, 4, 0, 7, 1], 5)
    ([(0, 1), (1, 4), (5, 7)], [(0, 1), (1, 4), (5, 7)])
    >>> spans([3, 8], 1), spans([1, 2], 1)
    ([(0, 2)], [])
    """
    sides = [(0, mark), (mark, len(totals))]
    found = [together(totals, *side) for side in sides if side[0] < side[1]]
    enough = [sum(totals[begin:end]) >= FEWEST for begin, end in sides if begin < end]
    if all(enough):
        return [each for side in found for each in side]
    if len(found) == 1 or sum(totals) < FEWEST:
        return []
    before, after = found
    if not before or not after:
        return before or after
    return [*before[:-1], (before[-1][0], after[0][1]), *after[1:]]


def _shortened(found: Iterable[tuple[int, int]], mark: int) -> Iterator[tuple[int, int]]:
    """Join all bins of values of a side after the first ones."""
    bins = list(found)
    middle = next((number for number, (start, _) in enumerate(bins) if start >= mark), len(bins))
    for begin, end in pairwise([0, middle, len(bins)]):
        side = bins[begin:end]
        yield from side[: MOST_BINS - 1]
        if side[MOST_BINS - 1 :]:
            yield side[MOST_BINS - 1][0], side[-1][1]


def rivals_of(
    tree: Tree, rows: LabelledRows, ordered: RowsOfNodes, setting: Setting, n_jobs: int
) -> Iterator[Rival]:
    """Give the best question about another column where it would often win, but for the first.

    `bough.checks.tree.chance_of` says how that is known.
    """
    if setting.first or tree.schema.task.ranks:  # the user has decided; groups do not end in a node
        return
    columns, room = tree.schema.columns, MOST_ROWS * len(rows)
    for node in ordered.largest(MOST_COMPARED):
        here = ordered.of(node)
        if node == 0 or len(here) > room:  # the check B301 is about the first question
            continue
        answers = [len(ordered.of(step.node.id)) for step in steps_below(tree, node)]
        if len(here) < FEWEST_ROWS or sum(answers) < len(here):  # a leaf has no answers
            continue
        room -= len(here)
        asked = columns[tree.schema.features[tree.feature[node]].column]
        there = rows.take(here)
        if (found := setting.runner_up(there, asked, n_jobs)) is None:
            continue
        second, others = found
        chance = chance_of(
            stops(second, others, n_jobs=n_jobs),
            np.repeat(np.arange(len(answers)), answers),
            altered_priors(there.labels),
            setting.criterion,
            setting.quantile,
        )
        if chance is not None and chance >= UNSTABLE:
            rival = second.schema.features[second.feature[0]]
            yield Rival(node, columns[rival.column], round(chance, 3))


def with_nodes(
    evidence: Evidence, problem: Problem, tuning: Tuning, trees: tuple[Tree, Tree | None]
) -> Evidence:
    """Return evidence that also tells of the rows from which nodes have their counts."""
    tree, smaller = trees
    plan, request = problem.plan, problem.request
    rows = plan.rows.take(plan.pairs[0][1]) if request.is_honest else problem.learnt
    evidence = replace(evidence, nodes=_nodes(tree, rows, tuning, request.n_jobs))
    if smaller is None or tuning.simpler is None or evidence.simpler is None:
        return evidence
    nodes = _nodes(smaller, rows, tuning.simpler, request.n_jobs)
    return replace(evidence, simpler=replace(evidence.simpler, nodes=nodes))


def _nodes(tree: Tree, rows: LabelledRows, tuning: Tuning, n_jobs: int) -> NodeRows:
    ordered = RowsOfNodes(tree, rows, n_jobs)
    rivals = tuple(rivals_of(tree, rows, ordered, tuning.setting, n_jobs))
    return replace(rows_in_bins(tree, rows, ordered), rivals=rivals)
