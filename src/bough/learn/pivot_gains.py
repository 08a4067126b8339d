"""The gain of every pivot of a number, from running sums: what a search looks at, to be shown."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.encode import Labels
from bough.errors import Argument, BudgetError
from bough.grow.short_pivots import MOMENTS, shortest_whole
from bough.reference import pivot_between
from bough.schema import Feature, Kind
from bough.words import cell_word

Floats = NDArray[np.float64]
MOST_CELLS = 20_000_000  # of rows times labels, where every label has a column of its own
Impurity = Callable[[Floats, Floats, Floats], Floats]


@dataclass(frozen=True)
class PivotTried:
    """A pivot that was tried, and what it would gain."""

    pivot: float | int
    words: str
    """The pivot as a person would work it out."""
    n_below: int
    """How many rows lie below it, without the missing ones."""
    gain: float


@dataclass(frozen=True, eq=False)
class LabelSums:
    """Rows of which sums say how mixed they are, by a criterion.

    A row has a 1 in the column of its label or, by squared error, the powers of its label.
    """

    criterion: str
    rows: Floats
    labels: Floats
    """The number that each column stands for; classes and powers have none."""

    @classmethod
    def of(cls, labels: Labels, criterion: str) -> "LabelSums":
        """Return what a criterion needs to know of each row."""
        if labels.codes is not None:
            n_classes = len(labels.labels[0].classes)
            return cls(criterion, np.eye(n_classes)[labels.codes[0]], np.empty(0))
        assert labels.values is not None  # noqa: S101 - numbers, then
        values = labels.values[0]
        if criterion == "squared_error":
            away = values - values.mean()
            return cls(criterion, np.stack([away**0, away, away**2], axis=1), np.empty(0))
        known, codes = np.unique(values, return_inverse=True)
        if len(known) * len(values) > MOST_CELLS:
            raise BudgetError(
                "Too many rows to list the pivots by ", Argument("criterion", criterion), ". Use ",
                Argument("criterion", "squared_error"), ", or fewer rows.",
            )  # fmt: skip
        return cls(criterion, np.eye(len(known))[codes], known)

    def some(self, rows: NDArray[np.intp]) -> "LabelSums":
        return LabelSums(self.criterion, self.rows[rows], self.labels)

    @cached_property
    def whole(self) -> Floats:
        """The sums of all rows."""
        return np.asarray(self.rows.sum(axis=0))

    def n_rows(self, sums: Floats) -> Floats:
        return np.asarray(sums[..., 0] if self.criterion == "squared_error" else sums.sum(axis=-1))

    def impurity(self, sums: Floats) -> Floats:
        """Return how mixed sets of rows are, given the sums of each; none is empty."""
        return IMPURITIES[self.criterion](sums, self.n_rows(sums), self.labels)

    def gains(self, first: Floats) -> Floats:
        """Return the gains of questions with two answers, given the sums of the first answer."""
        second = self.whole - first
        parts = [self.n_rows(part) * self.impurity(part) for part in (first, second)]
        left = (parts[0] + parts[1]) / self.n_rows(self.whole)
        return np.asarray(self.impurity(self.whole) - left)

    def up_to(self, values: NDArray[np.generic]) -> tuple[NDArray[np.generic], Floats]:
        """Return the distinct values in order, and the sums of the rows up to each of them."""
        order = np.argsort(values, kind="stable")
        in_order = values[order]
        starts = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1]))
        return in_order[starts], np.add.reduceat(self.rows[order], starts, axis=0).cumsum(axis=0)


def pivot_gains(values: NDArray[Any], is_missing: NDArray[np.bool_], sums: LabelSums) -> Floats:
    """Return what a comparison with each midpoint gains: a line each.

    Where values are missing there are two columns: with these rows at the first answer, and at the
    second.
    """
    if is_missing.all():
        return np.empty((0, 2))
    known = sums.some(np.flatnonzero(~is_missing))
    below = known.up_to(values[~is_missing])[1][:-1]
    if not is_missing.any():
        return sums.gains(below)[:, np.newaxis]
    ahead = sums.whole - known.whole
    return np.stack([sums.gains(below + ahead), sums.gains(below)], axis=1)


def pivots_tried(
    feature: Feature, values: NDArray[Any], is_missing: NDArray[np.bool_], gains: Floats
) -> tuple[PivotTried, ...]:
    """Return the pivots of a feature with their gains, as `pivot_gains` has them.

    Of two places for missing rows, the better one counts.
    """
    known, counts = np.unique(values[~is_missing], return_counts=True)
    gaps = list(pairwise(known.tolist()))
    best = np.maximum(gains.max(axis=1, initial=0.0), 0.0)
    return tuple(
        PivotTried(pivot_between(*gap), pivot_words(feature, *gap), n_below, gain)
        for gap, n_below, gain in zip(
            gaps, np.cumsum(counts)[:-1].tolist(), best.tolist(), strict=True
        )
    )


def pivot_words(feature: Feature, low: float, high: float) -> str:
    """Return the pivot between two neighbours as a person would work it out; of dates, a short one."""
    pivot = pivot_between(low, high)
    if feature.kind is Kind.NUMBER:
        pivot = worked_out(pivot)
    elif feature.kind is Kind.DATE:
        found = shortest_whole(int(low), int(high), MOMENTS, is_round=False)
        pivot = pivot if found is None else found
    return cell_word(feature, pivot)


def worked_out(pivot: float) -> float:
    """Return a midpoint without what only doubles add to it.

    Examples
    --------
    >>> worked_out(42.349999999999994)
    42.35
    """
    return float(f"{pivot:.12g}")


def _entropy(sums: Floats, n_rows: Floats, _: Floats) -> Floats:
    shares = sums / n_rows[..., np.newaxis]
    return np.asarray(-(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=-1))


def _gini(sums: Floats, n_rows: Floats, _: Floats) -> Floats:
    return np.asarray(1 - (sums**2).sum(axis=-1) / n_rows**2)


def _error(sums: Floats, n_rows: Floats, _: Floats) -> Floats:
    return np.asarray(1 - sums.max(axis=-1) / n_rows)


def _squared(sums: Floats, n_rows: Floats, _: Floats) -> Floats:
    return np.asarray(np.maximum(sums[..., 2] / n_rows - (sums[..., 1] / n_rows) ** 2, 0))


def _absolute(sums: Floats, n_rows: Floats, labels: Floats) -> Floats:
    counts, totals = sums.cumsum(axis=-1), (sums * labels).cumsum(axis=-1)
    place = np.argmax(2 * counts >= n_rows[..., np.newaxis], axis=-1)[..., np.newaxis]
    median = labels[place[..., 0]]
    n_below = np.take_along_axis(counts, place, axis=-1)[..., 0]
    below = np.take_along_axis(totals, place, axis=-1)[..., 0]
    away = median * (2 * n_below - n_rows) + totals[..., -1] - 2 * below
    return np.asarray(away / n_rows)


IMPURITIES: dict[str, Impurity] = {
    "entropy": _entropy,
    "log_loss": _entropy,
    "gain_ratio": _entropy,  # its gains are those of entropy
    "gini": _gini,
    "error": _error,
    "squared_error": _squared,
    "absolute_error": _absolute,
}
