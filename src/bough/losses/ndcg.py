"""NDCG: how good the order is in which scores put the rows of a group."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bough.errors import DataError
from bough.ranking import PLACES, check_relevance, dcg, gains_of, ideal_dcg
from bough.settings import whole

Floats = NDArray[np.float64]
Moves = tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.int32]]


class Groups:
    """The rows of some groups, whose relevance is known.

    Parameters
    ----------
    relevance
        How relevant each row is.
    group
        The group of each row; None: all rows are of one.
    weights
        How much each row counts; those of weight 0 take no part. A group counts as much as its rows
        do on average, and not at all where none of them is relevant, since any order is then as
        good as another.
    k
        How many places of an order count.
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

        Parameters
        ----------
        scores
            The score of each node.
        moves
            In which tree which row comes to stop at which node, as `Series.moves` has it.
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
    """Return numbers, one for each of some rows."""
    try:
        found = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.ndim != 1 or not len(found) or not np.isfinite(found).all():
        raise DataError(f"{name} must be a list of finite numbers, one for each row.")
    return found
