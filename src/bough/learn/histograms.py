"""Counts of rows by value: few bins, round edges, and no bin by which a row could be told."""

from math import floor

import numpy as np
from numpy.typing import NDArray

from bough.evidence import FEWEST
from bough.grow.pivots import shortest
from bough.rows_counted import Histogram
from bough.words import round_step

Floats = NDArray[np.float64]

MOST_BINS = 20
MOST_VALUES = 12  # that have a bin of their own
MOST_GROUPS = 5
MOST_VALUE_GROUPS = 6
ROWS_OF_GROUP = 20  # that let an error be told from another, about
FARTHEST = 5e307  # the distance of two ends must be a number
TAIL = 0.01  # of the rows at either end that do not stretch the bins


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
    if np.all(known == np.round(known)):
        step = max(step, 1.0)
    first, last = floor(low / step) + 1, floor(high / step)
    edges = [each * step for each in range(first, last + 1)] if last - first < 2 * MOST_BINS else []
    return _merged(known, np.array([float(f"{each:.12g}") for each in edges]))


def number_groups(values: Floats) -> Histogram:
    """Return numbers in a few bins of about as many rows."""
    known = np.sort(np.clip(values, -FARTHEST, FARTHEST))
    n_groups = min(MOST_GROUPS, len(known) // ROWS_OF_GROUP)
    edges = edges_between(known, n_groups)
    if np.all(known == np.round(known)):  # the same rows lie below the next whole number
        edges = np.unique(np.ceil(edges))
    return _merged(known, edges)


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
