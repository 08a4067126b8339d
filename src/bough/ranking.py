"""Ranking: what is gained by showing the rows of a group in some order, and what a tree grows from.

The rows of one group, such as what one search has found, are shown in an order. A row of relevance r gains
2^r - 1; what is gained at place p is divided by log2(p + 1), and the sum over the places is the
discounted cumulative gain (DCG). The greatest one, by falling relevance, is the ideal one (IDCG).

The criterion "ndcg" is the squared error of other labels, with other weights. For a row i of a group
with weight w_i and gain g_i

    label   g_i - Σ w g / Σ w,  both sums over the rows of the group
    weight  w_i / IDCG of the group over all of its places, 0 where that is 0

So no tree is rewarded for telling groups apart, and no group counts more for being long or having
many good rows. It is the first step of LambdaRank (Burges, 2010) from scores that are all equal:
every pair of rows of a group then pulls its scores apart by the difference of its gains over the
IDCG, times a number that all of its pairs share, and the sum over a row's pairs is its centred gain.
"""

from collections.abc import Callable
from dataclasses import replace
from math import frexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.encode import Labels
from bough.errors import DataError
from bough.words import number, plain

Floats = NDArray[np.float64]

PLACES = 10  # of an order that count
MOST_RELEVANT = 31  # one such row gains as much as a billion of relevance 1
_LARGEST = np.finfo(np.float64).max


def gains_of(relevance: NDArray[Any]) -> Floats:
    """Return what each row gains where it is shown first.

    Examples
    --------
    >>> gains_of(np.array([0, 1, 2, 3])).tolist()
    [0.0, 1.0, 3.0, 7.0]
    """
    return np.asarray(np.exp2(relevance) - 1, np.float64)


def dcg(gains: Floats, unit: NDArray[np.intp], most: int | None = None) -> Floats:
    """Return the discounted cumulative gain of each group.

    Parameters
    ----------
    gains
        What the rows gain, in the order in which they are shown, one group after the other.
    unit
        The number of the group of each row, rising.
    most
        How many places count; None: all.

    Examples
    --------
    >>> dcg(np.array([1.0, 0.0, 0.0, 1.0]), np.array([0, 0, 0, 1])).tolist()
    [1.0, 1.0]
    """
    n_groups = int(unit[-1]) + 1
    first = np.searchsorted(unit, np.arange(n_groups))
    place = np.arange(1, len(unit) + 1) - first[unit]
    if most is not None:
        is_counted = place <= most
        gains, unit, place = gains[is_counted], unit[is_counted], place[is_counted]
    counted = np.bincount(unit, gains / np.log2(place + 1), minlength=n_groups)
    return np.asarray(counted, np.float64)


def ideal_dcg(gains: Floats, unit: NDArray[np.intp], most: int | None = None) -> Floats:
    """Return the greatest discounted cumulative gain of each group; rows may come in any order."""
    order = np.lexsort((-gains, unit))
    return dcg(gains[order], unit[order], most)


def centred_gains(labels: Labels) -> Labels:
    """Return the labels and weights from which squared error grows a tree that ranks.

    Without groups all rows are of one group. Rows of weight 0 take no part.

    Examples
    --------
    >>> from bough.schema import Label
    >>> relevance, group = np.array([[2.0, 0.0, 1.0, 0.0]]), np.array([7, 7, 8, 8])
    >>> found = centred_gains(Labels((Label("stars"),), None, relevance, group=group))
    >>> found.values.tolist(), found.weights.round(3).tolist()
    ([[1.5, -1.5, 0.5, -0.5]], [0.333, 0.333, 1.0, 1.0])
    """
    assert labels.values is not None  # noqa: S101 - the criterion is for numbers
    gains = gains_of(labels.values[0])
    weights = np.ones(len(gains)) if labels.weights is None else labels.weights
    group = np.zeros(len(gains)) if labels.group is None else labels.group
    order = np.lexsort((weights, gains, group))  # so that no sum depends on the order of rows
    order = order[weights[order] > 0]
    gain, weight = gains[order], np.ldexp(weights[order], -frexp(weights.max())[1])
    unit = np.unique(group[order], return_inverse=True)[1]
    least = gain[np.searchsorted(unit, np.arange(unit[-1] + 1))]
    above = gain - least[unit]  # exactly 0 where all gains are equal, and so are their centred ones
    means = np.bincount(unit, weight * above) / np.bincount(unit, weight)
    ideal = ideal_dcg(gain, unit)[unit]
    if not ideal.any():
        raise DataError(
            f"{plain(labels.labels[0].name)} is 0 in every row, so every order is equally good. "
            "Give at least one row a relevance above 0."
        )
    values, weights_for_growing = np.zeros(len(gains)), np.zeros(len(gains))
    values[order] = above - means[unit]
    with np.errstate(over="ignore", divide="ignore"):
        shares = np.where(ideal > 0, weights[order] / ideal, 0.0)
    weights_for_growing[order] = np.minimum(shares, _LARGEST)
    return replace(
        labels,
        values=values[np.newaxis],
        weights=weights_for_growing,
        relevance=labels.values[0],
    )


def places_of(scores: Floats, group: NDArray[Any]) -> NDArray[np.int64]:
    """Return the place of each row in its group, from 1 on; rows of equal scores share the first.

    Examples
    --------
    >>> places_of(np.array([0.5, 2.0, 0.5, 0.1]), np.array([1, 1, 1, 2])).tolist()
    [2, 1, 2, 1]
    """
    unit = np.unique(group, return_inverse=True)[1]
    order = np.lexsort((-scores, unit))
    score, of_group = scores[order], unit[order]
    is_first = np.append(True, (score[1:] != score[:-1]) | (of_group[1:] != of_group[:-1]))
    first = np.maximum.accumulate(np.where(is_first, np.arange(len(order)), 0))
    places = np.empty(len(order), np.int64)
    places[order] = first - np.searchsorted(of_group, of_group) + 1
    return places


def check_relevance(
    relevance: NDArray[np.floating], name: str, where: Callable[[int], str]
) -> None:
    """Refuse numbers that cannot say how relevant rows are; `name` and `where` are for messages."""
    wrong = np.flatnonzero((relevance < 0) | (relevance > MOST_RELEVANT))
    if not len(wrong):
        return
    value = float(relevance[wrong[0]])
    others = [
        "",
        " (and 1 more row is out of range)",
        f" (and {len(wrong) - 1:,} more rows are out of range)",
    ]
    what = (
        "A relevance must be 0 or more; rows that are not relevant have 0"
        if value < 0
        else f"A relevance can be at most {MOST_RELEVANT}, since a row of relevance r gains 2^r - 1. Use "
        "grades such as 0 to 4, or a logarithm"
    )
    raise DataError(
        f"{plain(name)} is {number(value)} in {where(int(wrong[0]))}{others[min(len(wrong), 3) - 1]}. {what}."
    )


def check_weighed(group: NDArray[Any], weights: Floats, says: Callable[[int], str]) -> None:
    """Refuse groups of which every row has weight 0; `says` gives the group of a row in words."""
    _, first, unit = np.unique(group, return_index=True, return_inverse=True)
    idle = np.flatnonzero(np.bincount(unit, weights > 0) == 0)
    if not len(idle):
        return
    row = int(first[idle].min())
    others = "" if len(idle) == 1 else f" (and of {len(idle) - 1:,} more)"
    raise DataError(
        f"all rows of group {says(row)}{others} have weight 0. Give a row of each group a weight, or "
        "leave these groups out."
    )
