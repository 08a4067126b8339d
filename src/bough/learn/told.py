"""What the labels of test rows say of nodes and predictions: sums of at least five rows.

The rows of a place (a node, or a mean of several) are told where there are five or more. All others
are told only together, five or more at a time, and this by the same parts wherever they are told.
"""

from math import isfinite, sqrt

import numpy as np
from numpy.typing import NDArray

from bough.evidence import (
    FEWEST,
    Calibration,
    CalibrationBin,
    OffBin,
    Stop,
    Thresholds,
)
from bough.learn.measure import Stopped
from bough.losses import estimate
from bough.predict import all_guesses
from bough.tree import Guessing, Tree
from bough.tree_task import Task
from bough.walk import parents

MOST_BINS = 10

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


def stops_of(tree: Tree, stopped: Stopped) -> tuple[Stop, ...]:
    """Return where the rows stop, with the labels of those that stop at each node.

    Rows of nodes that have too few of them are told at the next node above that has enough. Nothing
    where missing values are weighed: a row may then stop at many nodes.
    """
    said, nodes, labels, weights = _in_order(stopped)
    if said is not tree:
        return ()
    if tree.schema.has_classes:
        sums = [weights * (labels == code) for code in range(tree.tally.shape[2])]
    else:
        with np.errstate(over="ignore"):
            sums = [weights, weights * labels, weights * np.square(labels)]
    n_rows = np.bincount(nodes, minlength=len(tree))
    with np.errstate(over="ignore"):
        tally = np.array([np.bincount(nodes, each, minlength=len(tree)) for each in sums]).T
        told = _moved_up(parents(tree).tolist(), n_rows.tolist(), tally)
    largest = np.finfo(np.float64).max
    return tuple(
        Stop(node, n, tuple(each.clip(-largest, largest).tolist()) if n_told else (), n_told)
        for node, (n, n_told, each) in enumerate(zip(n_rows.tolist(), told, tally, strict=True))
        if n or n_told
    )


def _moved_up(above: list[int], told: list[int], tally: Floats) -> list[int]:
    """Move rows up to where there are enough of them, and return how many are told at each node.

    If too few are left at the root, they would follow from the sum of all: the smallest ones join.
    """
    for node in range(len(told) - 1, 0, -1):  # children come after their parent
        if 0 < told[node] < FEWEST:
            _move(node, above[node], told, tally)
    others = [node for node, n in enumerate(told) if node and n]
    if 0 < told[0] < FEWEST and others:
        _move(min(others, key=lambda node: told[node]), 0, told, tally)
    return told


def _move(node: int, to: int, told: list[int], tally: Floats) -> None:
    tally[to] += tally[node]
    told[to], told[node] = told[to] + told[node], 0


def is_told(places: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return of which places labels are told.

    Were fewer than five rows left over, these would follow from the sum of all: then the smallest
    place is left over, too.

    Examples
    --------
    >>> is_told(np.repeat([0, 1, 2], [9, 6, 2])).tolist()
    [True, False, False]
    """
    counts = np.bincount(places)
    told = counts >= FEWEST
    if told.any() and 0 < counts[~told].sum() < FEWEST:
        told[np.argmin(np.where(told, counts, counts.max() + 1))] = False
    return told


def parts_of(predicted: Floats, places: NDArray[np.integer]) -> Places:
    """Return the part of each row: places of about the same prediction, the least first.

    A part has no rows that are not told elsewhere, or at least five of them.

    Examples
    --------
    >>> places = np.repeat([0, 1, 2, 3], [9, 2, 9, 4])
    >>> np.bincount(parts_of(np.array([0.1, 0.2, 0.3, 0.4]), places)).tolist()
    [9, 15]
    """
    n_rows, told = np.bincount(places), is_told(places)
    there = np.flatnonzero(n_rows)
    distinct, level = np.unique(predicted[there], return_inverse=True)
    left = np.bincount(level, np.where(told, 0, n_rows)[there], minlength=len(distinct))
    ends: list[tuple[int, float]] = []
    n = 0.0
    for number, each in enumerate(left.tolist()):
        n += each
        if n == 0 or n >= FEWEST:
            ends.append((number, n))
            n = 0.0
    while 0 < n < FEWEST and ends:
        n += ends.pop()[1]
    of_place = np.zeros(len(n_rows), np.intp)
    of_place[there] = np.searchsorted([number for number, _ in ends], level)
    return np.asarray(of_place[places], np.intp)


def calibration_of(stopped: Stopped) -> Calibration | None:
    """Return how often what was given some probability came true; None for numbers.

    Of two classes it is the second one that has the probability, of more the guessed one.
    Neighbouring parts stay together until there are at most ten bins of about the same weight.
    """
    said, places, rows = stopped
    label = said.schema.labels[0]
    if not label.classes:
        return None
    is_binary = len(label.classes) == 2
    asked = np.ones(len(places), np.intp) if is_binary else said.class_guess[places, 0]
    given = said.probabilities[places, 0, asked]
    came_true = np.asarray(rows.answers == asked, np.float64)
    weights = np.ones(len(places)) if rows.weights is None else rows.weights
    bin_of = _bins(parts_of(_probability(said), places), weights)
    bins, off = [], 0.0
    for here in _each(bin_of):
        found = CalibrationBin(
            least=float(given[here].min()),
            most=float(given[here].max()),
            predicted=float(np.average(given[here], weights=weights[here])),
            observed=estimate(
                came_true[here],
                "error",
                weights=None if rows.weights is None else weights[here],
                groups=None if rows.group is None else rows.group[here],
            ),
        )
        off += abs(found.predicted - found.observed.value) * float(weights[here].sum())
        bins.append(found)
    return Calibration(1 if is_binary else None, tuple(bins), off / float(weights.sum()))


def thresholds_of(stopped: Stopped) -> Thresholds | None:
    """Return of two classes how many rows have each probability of the rarer one, or a higher one."""
    said, places, labels, weights = _in_order(stopped)
    if [len(each.classes) for each in said.schema.labels] != [2]:
        return None
    rarer = 0 if said.shares[0, 0, 0] < said.shares[0, 0, 1] else 1
    given = said.probabilities[places, 0, rarer]
    parts = parts_of(_probability(said), places)
    parts = (
        parts.max() - parts if rarer else parts
    )  # the highest probability of the rarer one first
    least = np.full(parts.max() + 1, 1.0)
    np.minimum.at(least, parts, given)
    sums = [
        np.cumsum(np.bincount(parts, weights * (labels == code))) for code in (rarer, 1 - rarer)
    ]
    return Thresholds(
        rarer, tuple(zip(least.tolist(), *(each.tolist() for each in sums), strict=True))
    )


def off_by_prediction(stopped: Stopped) -> tuple[OffBin, ...]:
    """Return how far labels lie from predictions, in at most ten bins of about as many rows."""
    said, places, labels, weights = _in_order(stopped)
    if said.schema.task is not Task.REGRESSION:
        return ()
    predicted = all_guesses(said)[:, 0]
    bin_of = _bins(parts_of(predicted, places), np.ones(len(places)))
    found = [_off(predicted[places[here]], labels[here], weights[here]) for here in _each(bin_of)]
    return tuple(each for each in found if each.n >= FEWEST and isfinite(each.spread))


def _off(predicted: Floats, labels: Floats, weights: Floats) -> OffBin:
    with np.errstate(over="ignore", invalid="ignore"):
        off, total, n = labels - predicted, weights.sum(), len(labels)
        mean = float(np.dot(weights, off) / total)
        square = float(np.dot(weights, np.square(off - mean)) / total)
        spread = sqrt(square * n / max(n - 1, 1)) if isfinite(square) else np.inf
        return OffBin(float(np.dot(weights, predicted) / total), mean, spread, n)


def _in_order(stopped: Stopped) -> tuple[Guessing, NDArray[np.integer], Floats, Floats]:
    """Return rows in an order of their own, so that no sum depends on that of the table."""
    said, places, rows = stopped
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    order = np.lexsort((weights, rows.answers, places))
    labels = np.asarray(rows.answers[order], np.float64)
    return said, places[order], labels, weights[order]


def _probability(said: Guessing) -> Floats:
    """Return the probability of each place that is compared with what came true."""
    every = said.probabilities[:, 0]
    if every.shape[1] == 2:
        return every[:, 1]
    return every[np.arange(len(every)), said.class_guess[:, 0]]


def _each(bin_of: Places) -> list[NDArray[np.bool_]]:
    return [bin_of == number for number in range(int(bin_of.max()) + 1)]


def _bins(parts: Places, weights: Floats) -> Places:
    """Return the bin of each row: a part lies in one, and bins weigh about the same."""
    weight = np.bincount(parts, weights)
    middle = (np.cumsum(weight) - weight / 2) / weight.sum()
    of_part = np.unique(np.floor(MOST_BINS * middle), return_inverse=True)[1]
    return np.asarray(of_part[parts], np.intp)
