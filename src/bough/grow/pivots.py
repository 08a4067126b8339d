"""Pivots that are short to say: moved within the gap between the values of a node's rows, or said so.

Any number in the gap asks the same of these rows. Under `pivots="round"` a pivot becomes the number
of fewest digits in the middle half of its gap; under `pivots="midpoint"` it stays, and words give the
number of fewest digits in the gap, which the tree keeps as `shown`. A date is the shorter, the coarser
the unit that it is a multiple of; ordered values have names.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.grow.ground import Ground
from bough.predict import stops
from bough.query import QueryKind
from bough.schema import Kind
from bough.table import MISSING_INTEGER, Table
from bough.tree import Tree
from bough.walk import depths, parents

MANY_ROWS = 2048  # of a node: it is looked at alone, since the rows then take longer than the call
DIGITS = 15  # up to here a float64 holds the whole number that the digits are
POWERS = np.array([float(10**power) for power in range(23)])  # those that a float64 holds
SECOND = 1_000_000  # microseconds
MOMENTS = (
    *(86_400 * SECOND, 3_600 * SECOND, 60 * SECOND),
    *(10**power for power in range(6, -1, -1)),
)
WHOLE = tuple(10**power for power in range(18, -1, -1))

Floats = NDArray[np.float64]
Nodes = NDArray[np.intp]


def with_short_pivots(tree: Tree, ground: Ground) -> Tree:
    """Return the tree that grew from some ground, with pivots that are short, or are said so."""
    asks = (tree.feature >= 0) & (tree.query_kind == QueryKind.BELOW)
    if not asks.any():
        return tree
    is_round = ground.settings.pivots == "round"
    pivot, whole = _short_pivots(tree, _rows_of(tree, ground), asks, is_round=is_round)
    if is_round:
        return replace(tree, pivot=pivot, pivot_int=whole)
    shown = np.where(pivot == tree.pivot, np.nan, pivot)
    return tree if np.isnan(shown).all() else replace(tree, shown=shown)


def _short_pivots(
    tree: Tree, rows: "_Rows", asks: NDArray[np.bool_], *, is_round: bool
) -> tuple[Floats, NDArray[np.int64] | None]:
    pivot, is_integer = tree.pivot.copy(), tree.has_integer_pivot
    whole = None if tree.pivot_int is None else tree.pivot_int.copy()
    low, high = np.full((2, len(tree)), np.nan)  # of what is compared as float64
    for number in np.unique(tree.feature[asks]).tolist():
        kind = tree.schema.features[number].kind
        if kind is Kind.ORDERED:
            continue
        nodes = np.flatnonzero(asks & (tree.feature == number))
        ends = _gaps(tree, rows, number, nodes)
        is_whole = is_integer[nodes] | (kind is Kind.DATE)
        low[nodes], high[nodes] = (np.where(is_whole, np.nan, end) for end in ends)
        for node, first, last in zip(
            *(each[is_whole].tolist() for each in (nodes, *ends)), strict=True
        ):
            units = MOMENTS if kind is Kind.DATE else WHOLE
            found = shortest_whole(first, last, units, is_round=is_round)
            if found is not None:
                (whole if whole is not None and is_integer[node] else pivot)[node] = found
    some = np.flatnonzero(low < high)
    pivot[some] = shortest(low[some], high[some], pivot[some], is_round=is_round)
    return pivot, whole


def shortest(low: Floats, high: Floats, pivot: Floats, *, is_round: bool) -> Floats:
    """Return the numbers of fewest digits in gaps; of several, those nearest to the pivots.

    Parameters
    ----------
    low, high
        The ends of the gaps. A pivot is above the lower one and at most the higher one.
    pivot
        The pivots as they are, which stay where no shorter number lies in the gap.
    is_round
        Whether only the middle half of each gap is looked at, and numbers nearest to the midpoint
        are taken. 0 has no digits if it lies in the middle half, and else one.
    """
    with np.errstate(over="ignore"):
        quarter = np.where(np.isinf(high - low), high / 4 - low / 4, (high - low) / 4)
        middle = np.where(np.isinf(low + high), low / 2 + high / 2, (low + high) / 2)
    first = np.maximum(low + quarter, np.nextafter(low, np.inf))
    last = np.minimum(high - quarter, high)
    found = np.where((first <= 0) & (last >= 0), 0.0, np.nan)
    if is_round:
        near = np.clip(middle, first, last)
    else:
        first, last, near = np.nextafter(low, np.inf), np.nextafter(high, -np.inf), pivot
    with np.errstate(divide="ignore"):
        size = np.floor(np.log10(np.abs(near)))
    for digits in range(1, DIGITS + 1):
        left = np.flatnonzero(np.isnan(found) & (np.abs(digits - 1 - size) < len(POWERS)))
        if not len(left):
            break
        rounded = _rounded(near[left], (digits - 1 - size[left]).astype(np.intp))
        fits = (first[left] <= rounded) & (rounded <= last[left])
        found[left[fits]] = rounded[fits]
    for place in np.flatnonzero(np.isnan(found)).tolist():
        found[place] = _shortest_text(near[place], first[place], last[place], pivot[place])
    return np.asarray(found + 0.0)  # never -0.0


def _rounded(numbers: Floats, decimals: NDArray[np.intp]) -> Floats:
    """Return numbers rounded to so many decimals, which reads back as so many: one step rounds."""
    scale = POWERS[np.abs(decimals)]
    is_fine = decimals >= 0
    whole = np.rint(np.where(is_fine, numbers * scale, numbers / scale))
    return np.asarray(np.where(is_fine, whole / scale, whole * scale))


def _shortest_text(near: float, first: float, last: float, pivot: float) -> float:
    """Return the same for numbers that are very large, very small, or very near to each other."""
    for digits in range(17):
        found = float(f"{near:.{digits}e}")
        if first <= found <= last:
            return found
    return pivot


def shortest_whole(low: int, high: int, units: tuple[int, ...], *, is_round: bool) -> int | None:
    """Return the multiple of the greatest unit in the gap between two whole numbers; None: none is.

    Of several, the one nearest to the midpoint.

    Examples
    --------
    >>> shortest_whole(1_203, 1_391, WHOLE, is_round=True)
    1300
    """
    margin = -(-(high - low) // 4) if is_round else 1
    for unit in units:
        found = ((low + high + unit) // (2 * unit)) * unit
        if low + margin <= found <= high - margin:
            return found
    return None


class _Rows(NamedTuple):
    """The rows that a tree grew from, in an order in which those of each node lie side by side."""

    table: Table
    order: NDArray[np.intp]
    start: NDArray[np.int64]
    """Where the rows of each node begin."""
    end: NDArray[np.int64]


def _rows_of(tree: Tree, ground: Ground) -> _Rows:
    table, labels = ground.own_rows
    here = stops(tree, table, n_jobs=ground.n_jobs)
    rows = None if labels.weights is None else np.flatnonzero(labels.weights > 0)
    here = here if rows is None else here[rows]
    start, end = _ranges(tree, np.bincount(here, minlength=len(tree)))
    rank = np.empty(len(tree), np.intp)
    rank[np.lexsort((-depths(tree), start))] = np.arange(len(tree))
    key = rank[here].astype(np.min_scalar_type(len(tree)))  # narrow ones are sorted fastest
    order = np.argsort(key, kind="stable")
    return _Rows(table, order if rows is None else rows[order], start, end)


def _ranges(tree: Tree, n_stops: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the rows of each node begin and end; those that stop at a branch come last."""
    n_rows, start = n_stops.astype(np.int64), np.zeros(len(tree), np.int64)
    above = parents(tree)
    level_starts = np.append(0, np.flatnonzero(np.diff(depths(tree))) + 1)
    levels = [
        np.arange(*pair) for pair in zip(level_starts, [*level_starts[1:], len(tree)], strict=True)
    ]
    for level in levels[:0:-1]:
        np.add.at(n_rows, above[level], n_rows[level])
    for level in levels[1:]:
        before = np.cumsum(n_rows[level]) - n_rows[level]
        first = tree.first_child[above[level]] - level[0]
        start[level] = start[above[level]] + before - before[first]
    return start, start + n_rows


def _gaps(
    tree: Tree, rows: _Rows, feature: int, nodes: Nodes
) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    """Return the greatest value below the pivot and the least one not below it, of each node's rows."""
    values = rows.table.values[feature]
    is_number = tree.schema.features[feature].kind is Kind.NUMBER
    child = tree.first_child[nodes]
    found = []
    for side, extreme in ((child, np.fmax), (child + 1, np.fmin)):
        ends = np.empty(len(nodes), np.float64 if is_number else np.int64)
        start, end = rows.start[side], rows.end[side]
        is_large = end - start >= MANY_ROWS
        for place in np.flatnonzero(is_large).tolist():
            some = _known(values[rows.order[start[place] : end[place]]], extreme)
            ends[place] = extreme.reduce(some)
        if len(small := np.flatnonzero(~is_large)):
            counts = end[small] - start[small]
            begins = np.cumsum(counts) - counts
            places = np.repeat(start[small] - begins, counts) + np.arange(counts.sum())
            some = _known(values[rows.order[places]], extreme)
            ends[small] = extreme.reduceat(some, begins)
        found.append(ends)
    return found[0], found[1]


def _known(values: NDArray[np.generic], extreme: np.ufunc) -> NDArray[np.generic]:
    """Return values of which the missing ones are never the greatest, or the least."""
    if values.dtype == np.int64 and extreme is np.fmin:
        return np.where(values == MISSING_INTEGER, np.iinfo(np.int64).max, values)
    return values
