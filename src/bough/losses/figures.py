"""Figures beside the loss, with the 95 % interval that each lies in on new rows.

scikit-learn has functions for most of the values, but importing them takes a second, and what its
functions do not tell is needed for the intervals: by how much each row moves a figure (its
influence). The variance of a figure is that of the mean influence, with rows of a group taken
together, and covers weights, groups and the difference of two models on the same rows alike.

- Recall, precision and F1 are shares of some of the rows (F1 follows from the share of right ones
  among the rows that have the class or are predicted as it), and have Wilson's interval.
- AUC and average precision have Wilson's, too, with as many rows as would vary as much; the
  quantile is Student's for the scarcer kind of rows. For AUC the variance is that of DeLong (1988).
- Lift compares two shares, that of the top tenth and that of the rest: their intervals are put
  together (Donner and Zou, 2012).
- The median has the distances at both ends of the interval of the share below it (Woodruff, 1952).
- R² has Hall's interval of the mean influence.

`benchmarks/interval_coverage.py` measures how often these hold the truth.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import frexp, isclose, isfinite, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.evidence import Estimate
from bough.figure_words import FEWEST_IN_MEAN
from bough.losses.intervals import estimate, hall, score, student, wilson

Floats = NDArray[np.float64]

TOP = 0.1  # of the rows, for the lift
MOST_CLASSES = 50  # that have figures of their own, the commonest
FEWEST = 2  # rows of a class and rows of others that an order can be judged by


class Measured(NamedTuple):
    """A figure, and for each row a number: their weighted mean is the figure."""

    estimate: Estimate
    each: Floats


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows in an order that is always the same, with weights of mean 1."""

    order: NDArray[np.intp]
    """Which of the given rows each one is."""
    n_rows: int
    """How many rows were given."""
    weights: Floats
    groups: NDArray[Any] | None
    part: float = 1.0
    """What share of the weight of the given rows these have."""

    @classmethod
    def of(
        cls,
        keys: tuple[NDArray[Any], ...],
        weights: NDArray[Any] | None,
        groups: NDArray[Any] | None,
    ) -> "Sample":
        """Sort rows by all that is known of them, so that no sum depends on their order."""
        order = np.lexsort([*keys, *(each for each in (weights, groups) if each is not None)])
        if weights is None:
            weight = np.ones(len(order))
        else:
            order = order[weights[order] > 0]
            weight = weights[order] / np.max(weights)
            weight = weight / np.mean(weight)
        return cls(order, len(keys[0]), weight, None if groups is None else groups[order])

    def only(self, rows: NDArray[np.bool_]) -> "Sample":
        weights = self.weights[rows]
        mean, groups = np.mean(weights), None if self.groups is None else self.groups[rows]
        part = self.part * float(np.sum(weights) / np.sum(self.weights))
        return Sample(self.order[rows], self.n_rows, weights / mean, groups, part)

    def some(self, rows: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the weights and groups of some rows."""
        is_weighed = self.weights.min() != self.weights.max()
        return {
            "weights": self.weights[rows] if is_weighed else None,
            "groups": None if self.groups is None else self.groups[rows],
        }

    def units(self, influence: Floats) -> Floats:
        """Return what independent units, rows or whole groups, add to a mean of 0."""
        found = self.weights * influence
        if self.groups is None:
            return found
        _, first = np.unique(self.groups, return_index=True)
        return np.asarray(np.add.reduceat(found, first) * (len(first) / len(found)))

    def variance(self, influence: Floats) -> float:
        units = self.units(influence)
        return float(np.dot(units, units)) / (len(units) * max(len(units) - 1, 1))

    def left_out(self, around: Floats, squares: Floats, left: float) -> Floats:
        """Return how much more of the labels' spread would be left without each unit, less the mean.

        A heavy row also moves the mean and the spread, which its influence alone does not tell.
        """
        sums = np.stack([np.ones_like(around), around, np.square(around), squares]) * self.weights
        if self.groups is not None:
            first = np.unique(self.groups, return_index=True)[1]
            sums = np.add.reduceat(sums, first, axis=1)
        weight, total, square, error = sums.sum(axis=1, keepdims=True) - sums
        with np.errstate(divide="ignore", invalid="ignore"):  # without spread there is no interval
            found = (len(weight) - 1) * (error / (square - total**2 / weight) - left)
            return np.asarray(found - np.mean(found))

    def count(self, rows: NDArray[np.bool_]) -> float:
        """Return how many rows, or groups, of equal weight would tell as much (Kish, 1965)."""
        weights = self.weights[rows]
        if self.groups is not None:
            _, group = np.unique(self.groups[rows], return_inverse=True)
            weights = np.asarray(np.bincount(group, weights), np.float64)
        return float(np.sum(weights) ** 2 / np.dot(weights, weights))

    def effective(self, share: float, influence: Floats, fallback: float) -> float:
        """Return how many rows would let a share vary as much as it does."""
        variance = self.variance(influence)
        return share * (1 - share) / variance if variance > 0 and 0 < share < 1 else fallback

    def as_measured(
        self, value: float, ends: tuple[float, float], influence: Floats, n: int, method: str
    ) -> Measured:
        """Return a figure with its interval, and its influence for the rows as they were given."""
        each = np.full(self.n_rows, value)
        each[self.order] += influence / self.part
        method = method if self.groups is None else f"{method}, by group"
        return Measured(Estimate(value, min(ends[0], value), max(ends[1], value), n, method), each)


def class_figures(
    probabilities: Floats,
    predicted: NDArray[Any],
    labels: NDArray[Any],
    places: NDArray[Any],
    *,
    weights: NDArray[Any] | None = None,
    groups: NDArray[Any] | None = None,
) -> dict[tuple[str, int | None], Measured]:
    """Return figures of classes, by their name and the number of the class.

    None stands for all classes: of AUC, the mean over one class against the rest, of classes with
    at least ten rows. What cannot be measured, as the recall of a class without rows, is left out.
    Rows of a class that has no number (-1) are told from no other class, so AUC, average precision
    and lift are those of the other rows. `probabilities` are those of each class at each place.
    """
    sample = Sample.of((predicted, labels, places), weights, groups)
    predicted, labels, places = (each[sample.order] for each in (predicted, labels, places))
    n_classes = probabilities.shape[1]
    found: dict[tuple[str, int | None], Measured] = {}
    has_number = labels >= 0
    judged = sample if has_number.all() else sample.only(has_number) if has_number.any() else None
    for code in _commonest(labels, sample.weights, n_classes):
        is_it, is_said = labels == code, predicted == code
        for name, each in _shares(sample, is_it, is_said):
            found[name, code] = each
        if judged and min(np.sum(is_it), np.sum(has_number & ~is_it)) >= FEWEST:
            levels = _Levels(probabilities[:, code], places[has_number], is_it[has_number], judged)
            for name, each in levels.figures():
                found[name, code] = each
    areas = {code: each for (name, code), each in found.items() if name == "auc"}
    if n_classes == 2:
        found = {key: each for key, each in found.items() if key[0] != "auc"}
        return {("auc", None): areas[0], **found} if areas else found
    counted = [each for code, each in areas.items() if np.sum(labels == code) >= FEWEST_IN_MEAN]
    if judged is None or len(counted) < 2 or n_classes > MOST_CLASSES:
        return found
    return {("auc", None): _mean(judged, counted), **found}


def _commonest(labels: NDArray[Any], weights: Floats, n_classes: int) -> list[int]:
    """Return the numbers of the classes, or of the commonest among these rows, rising."""
    counts = np.bincount(labels[labels >= 0], weights[labels >= 0], minlength=n_classes)
    return sorted(np.argsort(-counts, kind="stable")[:MOST_CLASSES].tolist())


def _shares(
    sample: Sample, is_it: NDArray[np.bool_], is_said: NDArray[np.bool_]
) -> Iterator[tuple[str, Measured]]:
    """Give recall, precision and F1 of a class."""
    is_right = is_it & is_said
    for name, rows in (("recall", is_it), ("precision", is_said), ("f1", is_it | is_said)):
        if not rows.any() or (name == "f1" and not is_it.any()):
            continue
        found = estimate(is_right[rows].astype(np.float64), "error", **sample.some(rows))
        influence = np.where(rows, is_right - found.value, 0.0) / np.mean(sample.weights * rows)
        if name == "f1":
            influence *= 2 / (1 + found.value) ** 2
            found = score(found, _f1)
        yield (
            name,
            sample.as_measured(found.value, (found.low, found.high), influence, found.n, "Wilson"),
        )


def _f1(right: float) -> float:
    """Return F1 from the share of right rows among those that have the class or are said to."""
    return 2 * right / (1 + right)


class _Levels:
    """Rows by falling probability of a class; those of one probability are one level."""

    def __init__(
        self, probability: Floats, places: NDArray[Any], is_it: NDArray[np.bool_], sample: Sample
    ) -> None:
        distinct, level = np.unique(-probability, return_inverse=True)
        self.sample, self.is_it, self.of_row = sample, is_it, level[places]
        n_levels, weights = len(distinct), sample.weights
        self.positive = np.bincount(self.of_row, weights * is_it, minlength=n_levels)
        self.total = np.bincount(self.of_row, weights, minlength=n_levels)
        self.share = float(self.positive.sum() / self.total.sum())
        self.n_scarce = min(sample.count(is_it), sample.count(~is_it))

    def figures(self) -> Iterator[tuple[str, Measured]]:
        yield "auc", self.area()
        yield "average_precision", self.average_precision()
        yield "lift", self.lift()

    def area(self) -> Measured:
        """Return the area under the ROC curve: half a point for a pair of equal probabilities."""
        positive, others = self.positive, self.total - self.positive
        below = (others.sum() - np.cumsum(others) + others / 2) / others.sum()
        above = (np.cumsum(positive) - positive / 2) / positive.sum()
        value = float(np.dot(positive, below) / positive.sum())
        influence = np.where(
            self.is_it,
            (below[self.of_row] - value) / self.share,
            (above[self.of_row] - value) / (1 - self.share),
        )
        return self._share(value, influence, "DeLong")

    def average_precision(self) -> Measured:
        """Return the mean of the precisions at all levels, weighted by the class's rows there."""
        right, rows = np.cumsum(self.positive), np.cumsum(self.total)
        part = self.positive / right[-1]
        precision = np.divide(right, rows, out=np.zeros(len(rows)), where=rows > 0)
        value = float(np.dot(part, precision))
        slope = np.divide(part, rows, out=np.zeros(len(rows)), where=rows > 0)
        # A row changes the precision of its own level and of all after it.
        more = np.cumsum((slope * (1 - precision))[::-1])[::-1] * rows[-1]
        less = np.cumsum((slope * precision)[::-1])[::-1] * rows[-1]
        influence = np.where(
            self.is_it,
            (precision[self.of_row] - value) / self.share + more[self.of_row],
            -less[self.of_row],
        )
        return self._share(value, influence, "Wilson")

    def _share(self, value: float, influence: Floats, method: str) -> Measured:
        n = self.sample.effective(value, influence, self.n_scarce)
        ends = wilson(value, n, student(self.n_scarce - 1))
        return self.sample.as_measured(value, ends, influence, len(influence), method)

    def lift(self) -> Measured:
        """Return how many times as common the class is at the top as everywhere."""
        part, share_there = self._top()
        is_it = self.is_it.astype(np.float64)
        sides = []
        for size, inside in ((TOP, part), (1 - TOP, 1 - part)):
            share = float(np.mean(self.sample.weights * inside * is_it) / size)
            # The border between top and rest moves with the number of rows above it.
            influence = (inside * (is_it - share_there) + size * (share_there - share)) / size
            n = min(self.sample.effective(share, influence, np.inf), 3 * size * len(part))
            n = n if isfinite(n) and 0 < share < 1 else self._n_inside(inside)
            sides.append((share, influence, wilson(share, n, student(n - 1))))
        (top, of_top, top_ends), (rest, _, rest_ends) = sides
        value = top / self.share
        influence = (of_top - value * (is_it - self.share)) / self.share
        ratios = _ratio(top, top_ends, rest, rest_ends)
        low, high = (1 / (TOP + (1 - TOP) / each) if each > 0 else 0.0 for each in ratios)
        return self.sample.as_measured(value, (low, high), influence, len(part), "Donner")

    def _n_inside(self, inside: Floats) -> float:
        """Return how many rows, or groups, of equal weight a part of the rows is worth."""
        rows = inside > 0
        in_part = float(np.sum(self.sample.weights * inside) / np.sum(self.sample.weights[rows]))
        return min(self.sample.count(rows), in_part * replace(self.sample, groups=None).count(rows))

    def _top(self) -> tuple[Floats, float]:
        """Return how much of each row is in the top tenth, and the class's share at its border."""
        rows = np.cumsum(self.total)
        border = min(int(np.searchsorted(rows, TOP * rows[-1] * (1 - 1e-12))), len(rows) - 1)
        inside = np.zeros(len(rows))
        inside[:border] = 1
        left = TOP * rows[-1] - (rows[border] - self.total[border])
        inside[border] = min(left / self.total[border], 1.0)
        return inside[self.of_row], float(self.positive[border] / self.total[border])


def _ratio(
    one: float, ends: tuple[float, float], other: float, other_ends: tuple[float, float]
) -> tuple[float, float]:
    """Return the interval of the ratio of two shares from their own (Donner and Zou, 2012)."""
    (low, high), (least, most) = ends, other_ends
    both = one * other
    under = most * (2 * other - most)
    over = least * (2 * other - least)
    below = sqrt(max(both**2 - low * under * (2 * one - low), 0.0))
    above = sqrt(max(both**2 - high * over * (2 * one - high), 0.0))
    # The same as (both - below) / under, but without dividing by 0.
    lowest = low * (2 * one - low) / (both + below) if both + below > 0 else 0.0
    return lowest, (both + above) / over if over > 0 else np.inf


def _mean(sample: Sample, parts: list[Measured]) -> Measured:
    """Return the mean of figures from 0 to 1 of several classes."""
    value = float(np.mean([each.estimate.value for each in parts]))
    influence = np.mean([each.each for each in parts], axis=0)[sample.order] - value
    influence *= sample.part
    n_units = len(sample.units(influence))
    n = sample.effective(value, influence, min(n_units, len(influence)))
    ends = wilson(value, n, student(n_units - 1))
    return sample.as_measured(value, ends, influence, len(influence), "DeLong")


def number_figures(
    guesses: Floats,
    labels: NDArray[Any],
    *,
    weights: NDArray[Any] | None = None,
    groups: NDArray[Any] | None = None,
) -> dict[str, Measured]:
    """Return the median absolute error of predictions and R², which equal labels do not have."""
    sample = Sample.of((guesses, labels), weights, groups)
    largest = float(np.max(np.abs([guesses, labels])))
    scale = 2.0 ** (frexp(largest)[1] - 1) if largest > 0 else 1.0  # so that squares are numbers
    labels, guesses = labels[sample.order] / scale, guesses[sample.order] / scale
    found = {"median_absolute_error": _median(sample, np.abs(labels - guesses), scale)}
    mean = float(np.mean(sample.weights * labels))
    around = np.square(labels - mean)
    spread = float(np.mean(sample.weights * around))
    if spread > 0 and not isclose(labels.min(), labels.max(), rel_tol=1e-12):
        squares = np.square(labels - guesses)
        left = float(np.mean(sample.weights * squares)) / spread
        influence = left * around / spread - squares / spread
        n = max(sample.count(np.ones(len(labels), np.bool_)), 3.0)
        wider = sqrt(n / (n - 2))  # two numbers, the mean and what is left, were fitted to the rows
        changes = sample.left_out(labels - mean, squares, left)
        low, high = hall(left - changes * wider, freedom=n - 1)
        if isfinite(high):
            value = 1 - left
            found["r2"] = sample.as_measured(
                value, (1 - high, min(1 - low, 1.0)), influence, len(labels), "Hall"
            )
    return found


def _median(sample: Sample, distances: Floats, scale: float) -> Measured:
    order = np.argsort(distances, kind="stable")
    distance, weight = distances[order], sample.weights[order]
    below = np.cumsum(weight) / np.sum(weight)
    middle = _between(distance, below, 0.5)
    is_below = (distances <= middle).astype(np.float64)
    share = float(np.mean(sample.weights * is_below))
    # As many rows as would let the share below the middle vary as it does; of equal distances none
    # may lie above.
    n_units = sample.count(np.ones(len(distances), np.bool_))
    n = min(sample.effective(share, is_below - share, n_units), float(len(distances)))
    low, high = wilson(0.5, n, student(n_units - 1))
    ends = np.minimum(np.searchsorted(below, [low, high]), len(distance) - 1)
    low, high = (distance[ends] * scale).tolist()
    middle *= scale
    # The density at the median is not known: it is taken from the width of the interval.
    sigma = sqrt(sample.variance(is_below - share))
    slope = (high - low) / (2 * student(n_units - 1) * sigma) if sigma > 0 else 0.0
    influence = (share - is_below) * slope
    return sample.as_measured(middle, (low, high), influence, len(distances), "Woodruff")


def _between(values: Floats, below: Floats, share: float) -> float:
    """Return the value that a share of the rows lies below; halfway where two values do."""
    first = int(np.searchsorted(below, share * (1 - 1e-12)))
    last = min(int(np.searchsorted(below, share * (1 + 1e-12), "right")), len(values) - 1)
    return float(values[first] / 2 + values[last] / 2)
