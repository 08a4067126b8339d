"""Ranking: what is gained by showing the rows of a group in some order, NDCG, and what a tree grows from.

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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import frexp
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bough.encode import Labels
from bough.errors import DataError
from bough.settings import whole
from bough.words import number, plain

Floats = NDArray[np.float64]
PLACES = 10  # of an order that count
MOST_RELEVANT = 31  # one such row gains as much as a billion of relevance 1
_LARGEST = np.finfo(np.float64).max
Moves = tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.int32]]


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

    Gains are those of rows in the order in which they are shown, one group after the other, whose
    numbers (`unit`) rise; the first `most` places count, None: all.

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


class Groups:
    """The rows of some groups, whose relevance is known; without groups, all are of one.

    Rows of weight 0 take no part. A group counts as much as its rows do on average, and not at all
    where none of them is relevant, since any order is then as good as another. The first k places
    of an order count.
    """

    def __init__(
        self,
        relevance: NDArray[np.number],
        group: NDArray[np.generic] | None,
        weights: Floats | None = None,
        k: int = PLACES,
    ) -> None:
        of_rows = np.ones(len(relevance)) if weights is None else weights
        group = np.zeros(len(relevance)) if group is None else group
        self.unit = np.unique(group, return_inverse=True)[1]
        self._k = k
        self._gains = np.where(of_rows > 0, gains_of(relevance), 0.0)
        self._ideal = ideal_dcg(self._gains, self.unit, k)
        order = np.lexsort((of_rows, self._gains, self.unit))
        self._order = order[of_rows[order] > 0]
        n_rows = np.bincount(self.unit[self._order], minlength=len(self._ideal))
        self._ends = np.cumsum(n_rows)
        means = np.bincount(self.unit[order], of_rows[order]) / np.maximum(n_rows, 1)
        self.weights = np.where(self._ideal > 0, means, 0.0)
        """How much each group counts."""

    def __len__(self) -> int:
        return len(self._ends)

    def ndcg(self, scores: Floats, groups: NDArray[np.intp] | None = None) -> Floats:
        """Return the NDCG of each group, or of some of them, when shown by falling scores.

        Rows of equal scores are shown in any order: it is the mean over all of them, for which each
        of these rows gains as much as they do on average. 0 where no row is relevant.
        """
        gain, unit, tie = self._shown(scores, groups)
        means = np.bincount(tie, gain) / np.bincount(tie)
        ideal = self._ideal if groups is None else self._ideal[groups]
        found = np.zeros(len(ideal))
        reached = dcg(means[tie], unit, self._k)
        found[: len(reached)] = reached  # a last group may have no rows that count
        return np.divide(found, ideal, out=found, where=ideal > 0)

    def reciprocal_ranks(self, scores: Floats) -> Floats:
        """Return 1 / place of the first relevant row of each group, when shown by falling scores.

        Rows of equal scores are shown in any order: it is the mean over all of them. 0 where no row
        is relevant.
        """
        gain, unit, tie = self._shown(scores, None)
        n_tied, n_relevant = np.bincount(tie), np.bincount(tie, gain > 0)
        start = np.cumsum(n_tied) - n_tied
        with_one = np.flatnonzero(n_relevant)
        groups, first = np.unique(unit[start[with_one]], return_index=True)
        with_one = with_one[first]
        before = start[with_one] - np.searchsorted(unit, groups)
        n_other = (n_tied - n_relevant)[with_one].astype(np.intp)
        # That the first j of m tied rows are not relevant, of which o are not: Π (o - i) / (m - i).
        ends = np.cumsum(n_other + 1)
        place = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - n_other - 1, n_other + 1)
        left, tied = (np.repeat(each, n_other + 1) for each in (n_other, n_tied[with_one]))
        goes_on = np.log(np.where(place < left, (left - place) / (tied - place), 1.0))
        so_far = np.cumsum(goes_on) - goes_on
        so_far -= np.repeat(so_far[ends - n_other - 1], n_other + 1)
        is_here = np.exp(so_far) * (1 - np.where(place < left, np.exp(goes_on), 0.0))
        found = np.zeros(len(self))
        parts = is_here / (np.repeat(before, n_other + 1) + place + 1)
        found[groups] = np.add.reduceat(parts, ends - n_other - 1) if len(ends) else 0.0
        return found

    def losses_in_series(self, scores: Floats, moves: Moves, n_trees: int) -> Iterator[Floats]:
        """Give the loss of each group, 1 - NDCG, for each tree of a series, one after the other.

        Only groups of which a row has moved are ranked again. The array is always the same one.
        `moves` says in which tree which row comes to stop at which node, as `Series.moves` has it.
        """
        numbers, rows, nodes = moves
        of_rows, losses = np.zeros(len(self.unit)), np.zeros(len(self))
        ends = np.searchsorted(numbers, np.arange(n_trees + 1))
        for start, end in pairwise(ends.tolist()):
            if start < end:
                moved = rows[start:end]
                of_rows[moved] = scores[nodes[start:end]]
                changed = np.unique(self.unit[moved])
                losses[changed] = 1 - self.ndcg(of_rows, changed)
            yield losses

    def mean(self, losses: Floats) -> float:
        """Return the mean of a loss, or a score, of each group; one of them must count."""
        if not self.weights.any():
            raise no_relevant_row()
        return float(np.average(losses, weights=self.weights))

    def _shown(
        self, scores: Floats, groups: NDArray[np.intp] | None
    ) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
        """Return the gain of rows by falling score, and of which group and of which tie each is."""
        rows, unit = self._rows(groups)
        by_score = np.argsort(-scores[rows], kind="stable")  # rows of equal scores stay by gain
        by_score = by_score[np.argsort(_short(unit)[by_score], kind="stable")]
        rows = rows[by_score]
        score = scores[rows]
        is_new = np.append(True, (score[1:] != score[:-1]) | (unit[1:] != unit[:-1]))
        return self._gains[rows], unit, np.cumsum(is_new) - 1

    def _rows(self, groups: NDArray[np.intp] | None) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the rows of some groups, and which of these each row is of, rising."""
        if groups is None:
            return self._order, self.unit[self._order]
        ends = self._ends[groups]
        n_rows = ends - np.where(groups > 0, self._ends[groups - 1], 0)
        unit = np.repeat(np.arange(len(groups)), n_rows)
        places = np.arange(len(unit)) - (np.cumsum(n_rows) - ends)[unit]
        return self._order[places], unit


def _short(unit: NDArray[np.intp]) -> NDArray[np.integer]:
    """Return small numbers as 16 bits, which NumPy sorts in one pass."""
    return unit.astype(np.uint16) if unit[-1] < 2**16 else unit


def no_relevant_row() -> DataError:
    """Return the error where no group tells a good order from a bad one."""
    return DataError(
        "No group has a relevant row, so every order is equally good. Give rows with a relevance "
        "above 0."
    )


def ndcg(
    scores: ArrayLike,
    relevance: ArrayLike,
    group: ArrayLike | Sequence[object] | None = None,
    *,
    k: int = PLACES,
    weights: ArrayLike | None = None,
) -> float:
    """Return the mean NDCG of groups whose rows are shown in descending order of score.

    Rows of equal score count as if shown in random order. Groups without a relevant row are left out
    of the mean, since every order of their rows is equally good.

    Parameters
    ----------
    scores, relevance
        The score and the relevance of each row.
    group
        The group of each row; None: all rows are one group.
    k
        How many of the first places count.
    weights
        Weight of each row; that of a group is the mean of its rows.

    Examples
    --------
    >>> ndcg([3, 2, 1], [1, 0, 2]), ndcg([0, 0, 0], [1, 0, 2])
    (0.6885288809404666, 0.78251022858096)
    """
    shown, grades = _numbers("scores", scores), _numbers("relevance", relevance)
    if shown.shape != grades.shape:
        raise DataError(
            f"There are {shown.size:,} scores, but {grades.size:,} relevances. Give one of each per "
            "row."
        )
    check_relevance(grades, "relevance", lambda row: f"row {row}")
    whole(1)("k", k)
    of_rows = None if weights is None else _numbers("weights", weights)
    if of_rows is not None and (np.any(of_rows < 0) or not of_rows.any()):
        raise DataError("weights must be 0 or more, and at least one must be above 0.")
    of_group = None if group is None else np.asarray(group)
    for name, given in (("group", of_group), ("weights", of_rows)):
        if given is not None and given.shape != grades.shape:
            raise DataError(
                f"{name} has {given.size:,} values, but there are {grades.size:,} rows. Give one for "
                "each row."
            )
    groups = Groups(grades, of_group, of_rows, int(k))
    return groups.mean(groups.ndcg(shown))


def _numbers(name: str, given: ArrayLike) -> Floats:
    try:
        found = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.ndim != 1 or not len(found) or not np.isfinite(found).all():
        raise DataError(f"{name} must be a list of finite numbers, one for each row.")
    return found
