"""What the labels of test rows say of nodes and predictions: sums of at least five rows.

The rows of a place (a node, or a mean of several) are told where there are five or more. All others
are told only together, five or more at a time. Among the rows for which a class is predicted, whose
labels a table tells, none are left over or at least five.
"""

from math import isfinite, sqrt

import numpy as np
from numpy.typing import NDArray

from bough.evidence import FEWEST, Calibration, CalibrationBin, OffBin, Stop, Thresholds
from bough.learn.measure import Stopped
from bough.losses.intervals import estimate
from bough.predict import Guessing, all_guesses
from bough.schema import Task
from bough.tree import Tree
from bough.walk import parents

MOST_BINS = 10

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


def stops_of(tree: Tree, stopped: Stopped) -> tuple[Stop, ...]:
    """Return where the rows stop, with the labels of those that stop at each node.

    Rows of nodes that have too few of them are told at the next node above that has enough, or, of a
    class with only few such rows, at the smallest node that predicts it and has enough. Nothing where
    missing values are weighed: a row may then stop at many nodes.
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
    hosts, is_told = told_places(n_rows, _sides(said))
    with np.errstate(over="ignore"):
        tally = np.array([np.bincount(hosts[nodes], each, minlength=len(tree)) for each in sums]).T
        here = np.bincount(hosts, n_rows, minlength=len(tree)).astype(np.int64)
        told = _moved_up(parents(tree).tolist(), here.tolist(), (~is_told).tolist(), tally)
    largest = np.finfo(np.float64).max
    return tuple(
        Stop(node, n, tuple(each.clip(-largest, largest).tolist()) if n_told else (), n_told)
        for node, (n, n_told, each) in enumerate(zip(n_rows.tolist(), told, tally, strict=True))
        if n or n_told
    )


def _moved_up(above: list[int], told: list[int], moves: list[bool], tally: Floats) -> list[int]:
    """Move rows up to where there are enough of them, and return how many are told at each node.

    If too few are left at the root, they would follow from the sum of all: the smallest ones join.
    """
    for node in range(len(told) - 1, 0, -1):  # children come after their parent
        if told[node] and (told[node] < FEWEST or moves[node]):
            _move(node, above[node], told, tally)
    others = [node for node, n in enumerate(told) if node and n]
    if 0 < told[0] < FEWEST and others:
        _move(min(others, key=lambda node: told[node]), 0, told, tally)
    return told


def _move(node: int, to: int, told: list[int], tally: Floats) -> None:
    tally[to] += tally[node]
    told[to], told[node] = told[to] + told[node], 0


def _sides(said: Guessing) -> NDArray[np.integer] | None:
    """Return the class that is predicted at each place, since a table tells the labels of each; None for numbers."""
    return said.class_guess[:, 0] if said.schema.has_classes else None


def told_places(
    n_rows: NDArray[np.integer], side: NDArray[np.integer] | None = None
) -> tuple[Places, NDArray[np.bool_]]:
    """Return the place where the rows of each place are counted, and of which places labels are told.

    Were fewer than five rows left over, these would follow from the sum of all, or of all places on
    their side. Then they are counted at the smallest place of their side that has enough. Numbers
    have no sides: there the smallest place is left over, too.

    Examples
    --------
    >>> [each.tolist() for each in told_places(np.array([9, 6, 2]))]
    [[0, 1, 2], [True, False, False]]
    >>> hosts, told = told_places(np.array([9, 6, 7, 2]), np.array([0, 0, 1, 1]))
    >>> hosts.tolist(), told.tolist()
    ([0, 1, 2, 2], [True, True, True, False])
    """
    hosts, told = np.arange(len(n_rows)), n_rows >= FEWEST
    for here in _each(large_sides(n_rows, side)):
        left = here & ~told & (n_rows > 0)
        if (told & here).any() and 0 < n_rows[left].sum() < FEWEST:
            host = np.argmin(np.where(told & here, n_rows, n_rows.max() + 1))
            if side is None:
                told[host] = False
            else:
                hosts[left] = host
    return hosts, told


def large_sides(n_rows: NDArray[np.integer], side: NDArray[np.integer] | None) -> Places:
    """Return the side of each place; those of fewer than five rows are one, with another if they must.

    Examples
    --------
    >>> large_sides(np.array([9, 2, 1, 7]), np.array([0, 1, 2, 3])).tolist()
    [0, 2, 2, 2]
    """
    if side is None:
        return np.zeros(len(n_rows), np.intp)
    found = np.asarray(np.unique(side, return_inverse=True)[1], np.intp)
    counts = np.bincount(found, n_rows)
    order = [each for each in np.argsort(counts, kind="stable") if counts[each]]
    rare = [each for each in order if counts[each] < FEWEST]
    rare = order[: len(rare) + (0 < sum(counts[each] for each in rare) < FEWEST)]
    found[np.isin(found, rare)] = rare[0] if rare else 0
    return found


def parts_of(
    predicted: Floats, places: NDArray[np.integer], side: NDArray[np.integer] | None = None
) -> Places:
    """Return the part of each row, the least predictions first.

    A place that is told is a part, with what is counted there. The others on a side come together, five rows or more at a time,
    with those of about the same prediction.

    Examples
    --------
    >>> places = np.repeat([0, 1, 2, 3], [9, 2, 9, 4])
    >>> np.bincount(parts_of(np.array([0.1, 0.2, 0.3, 0.4]), places)).tolist()
    [9, 9, 6]
    """
    n_rows = np.bincount(places, minlength=len(predicted))
    of_place, told = told_places(n_rows, side)
    left = (n_rows > 0) & ~told & (of_place == np.arange(len(predicted)))
    for here in _each(large_sides(n_rows, side)):
        some = np.flatnonzero(left & here)
        for group in _groups(some[np.argsort(predicted[some], kind="stable")].tolist(), n_rows):
            of_place[group] = group[0]
    means = np.bincount(of_place[places], predicted[places]) / np.maximum(
        np.bincount(of_place[places]), 1
    )
    return np.asarray(np.unique(means[of_place[places]], return_inverse=True)[1], np.intp)


def _groups(places: list[int], n_rows: NDArray[np.integer]) -> list[list[int]]:
    """Return places that follow each other, at least five rows together; fewer, if there are no more."""
    found: list[list[int]] = []
    n = FEWEST
    for place in places:
        if n >= FEWEST:
            found.append([])
            n = 0
        found[-1].append(place)
        n += int(n_rows[place])
    if n < FEWEST and len(found) > 1:
        last = found.pop()
        found[-1] += last
    return found


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
    bin_of = _bins(_parts_by_probability(said, places), weights)
    bins, off = [], 0.0
    for here in _each(bin_of):
        found = CalibrationBin(
            least=float(given[here].min()),
            most=float(given[here].max()),
            predicted=float(np.average(given[here], weights=weights[here])),
            observed=estimate(came_true[here], "error", **rows.counted(here)),
        )
        off += abs(found.predicted - found.observed.value) * float(weights[here].sum())
        bins.append(found)
    return Calibration(1 if is_binary else None, tuple(bins), off / float(weights.sum()))


def thresholds_of(stopped: Stopped) -> Thresholds | None:
    """Return of two classes how many rows have each probability of the rarer one, or a higher one.

    Parts of several places have a mean probability, on their side of what is predicted.
    """
    said, places, labels, weights = _in_order(stopped)
    if [len(each.classes) for each in said.schema.labels] != [2]:
        return None
    rarer = 0 if said.shares[0, 0, 0] < said.shares[0, 0, 1] else 1
    given = said.probabilities[places, 0, rarer]
    parts = _parts_by_probability(said, places)
    if rarer:  # the highest probability of the rarer one first
        parts = parts.max() - parts
    mean = np.bincount(parts, given) / np.bincount(parts)
    sums = [
        np.cumsum(np.bincount(parts, weights * (labels == code))) for code in (rarer, 1 - rarer)
    ]
    return Thresholds(
        rarer, tuple(zip(mean.tolist(), *(each.tolist() for each in sums), strict=True))
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


def _parts_by_probability(said: Guessing, places: NDArray[np.integer]) -> Places:
    """Return the parts by the probability that is compared with what came true."""
    every, guess = said.probabilities[:, 0], said.class_guess[:, 0]
    compared = every[:, 1] if every.shape[1] == 2 else every[np.arange(len(every)), guess]
    return parts_of(compared, places, _sides(said))


def _each(bin_of: Places) -> list[NDArray[np.bool_]]:
    return [bin_of == number for number in range(int(bin_of.max()) + 1)]


def _bins(parts: Places, weights: Floats) -> Places:
    """Return the bin of each row: a part lies in one, and bins weigh about the same."""
    weight = np.bincount(parts, weights)
    middle = (np.cumsum(weight) - weight / 2) / weight.sum()
    of_part = np.unique(np.floor(MOST_BINS * middle), return_inverse=True)[1]
    return np.asarray(of_part[parts], np.intp)
