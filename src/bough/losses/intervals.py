"""Intervals of 95 %: in which the mean loss on new rows lies, a share of rows, and the label of a new row.

Errors have Wilson's interval. Other losses are skewed, as squares of residuals are, and an interval
that reaches equally far up and down ends too often below the truth. Squared residuals of eight
distributions were drawn, from uniform ones to Student's t of 5 degrees of freedom and normal ones
with a tenth of outliers, 600 tables each (for Hall's 20,000) of 30, 60, 120 and 300 rows. The share
of intervals that held the truth, over all of these, and its range:

    normal                   88 %  (76 to 96)
    Student's t              88 %  (77 to 96)
    bootstrap, percentiles   89 %  (78 to 96)
    t on a logarithmic scale 90 %  (81 to 96)
    bootstrap-t              93 %  (86 to 98)
    Hall's transformation    93 %  (87 to 97), from 120 rows on 94 % (92 to 95)

The last needs no random numbers and takes one pass. What is hard for all of them are outliers of
which a small table has none. `benchmarks/interval_coverage.py` measures the intervals as they are used.

A prediction interval is for a row and not for a mean: between its numbers 95 of 100 labels of new
rows are expected. It reaches from the prediction as far, in spreads of the leaf, as the labels of
the test rows did. Nothing was learnt from these: so it holds the label of a new row of the same kind
with a chance of 95 % or a little more, whatever the tree and the labels are like (split conformal
prediction). The chance is one over all rows, not within each leaf.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import frexp, isclose, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import DataError, ModelFormatError, ParameterError
from bough.evidence import Estimate, Evidence, Residuals
from bough.loss_kinds import LOSSES
from bough.predict import Guessing, guesses, said_of
from bough.table import Table
from bough.tree import Tree

NORMAL = 1.959963984540054  # 97.5 % of a normal distribution lie below
Floats = NDArray[np.float64]
_STUDENT = (12.70620473617471, 4.302652729749464, 3.182446305283710, 2.776445105197793)
_OF_ONE_ROW = 0.0009820691171752555  # 2.5 % of squares of a normal residual lie below
_LARGEST = np.finfo(np.float64).max
_ROUNDING = 1e-9  # of a number: no difference
COVERAGE = 0.95
OUTSIDE = (1 - COVERAGE) / 2  # on either side
FEWEST = round(1 / OUTSIDE) - 1  # test rows, so that one of them may lie outside on either side
PRIOR = 10  # rows with the spread of all leaves that a leaf is taken to have beside its own
_SLACK = 1e-9  # of a sum of weights


def wilson(share: float, n: float, quantile: float = NORMAL) -> tuple[float, float]:
    """Return Wilson's interval (1927) of a share among so many rows.

    Examples
    --------
    >>> [round(each, 3) for each in wilson(0.2, 100)]
    [0.133, 0.289]
    """
    squared = quantile**2 / n
    middle = (share + squared / 2) / (1 + squared)
    reach = sqrt(squared * (share * (1 - share) + squared / 4)) / (1 + squared)
    return max(middle - reach, 0.0), min(middle + reach, 1.0)


def estimate(
    losses: NDArray[Any],
    loss: str,
    *,
    weights: NDArray[Any] | None = None,
    groups: NDArray[Any] | None = None,
) -> Estimate:
    """Return the mean loss of some rows with its 95 % interval.

    Parameters
    ----------
    losses
        The loss of each row.
    loss
        The name of the loss. 'error' has Wilson's interval (1927), all others Hall's interval for
        skewed distributions (1992). 'ndcg_loss' has Wilson's where all losses are equal, since no
        mean of numbers from 0 to 1 varies more than that of errors.
    weights
        Weight of each row. Errors then count as Kish's effective number of rows; the variance of
        other losses is that of a weighted mean.
    groups
        The group of each row, as a number. Rows of a group depend on each other; groups are
        independent.

    Examples
    --------
    >>> found = estimate(np.repeat([1.0, 0.0], [20, 80]), "error")
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3), found.n, found.method
    (0.2, 0.133, 0.289, 100, 'Wilson')
    """
    sample = _sample(losses, weights, groups)
    # Groups that are all ranked alike do not show that every other one will be.
    ranks = LOSSES[loss].task.ranks
    is_share = loss == "error" or (ranks and np.ptp(losses) < _ROUNDING)
    low, high = _share_interval(sample) if is_share else hall(sample.units)
    if np.min(losses) >= 0:
        low = max(low, 0.0)
    if ranks:
        high = min(high, 1.0)
    method = "Wilson" if is_share else "Hall"
    return sample.as_estimate(low, high, method if groups is None else f"{method}, by group")


def difference(
    losses: NDArray[Any],
    other_losses: NDArray[Any],
    loss: str,
    *,
    weights: NDArray[Any] | None = None,
    groups: NDArray[Any] | None = None,
    most: float = 0.0,
) -> Estimate:
    """Return how much greater the first mean loss is than the other, on the same rows.

    The 95 % interval is that of the paired differences. For 'error' and 'ndcg_loss' one row, or group,
    in favour of each side is added (Bonett and Price, 2012): a few that agree do not show that all do.
    `most` is how far the numbers of such a row can be apart: 1 for 'error', for 'ndcg_loss' the greatest
    difference that was found; 0: none is added, unless all differences are equal, as large as these.

    Examples
    --------
    >>> found = difference(np.repeat([1.0, 0.0], [9, 91]), np.repeat([0.0, 1.0], [97, 3]), "error")
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.06, -0.01, 0.135)
    """
    sample = _sample(losses - other_losses, weights, groups)
    ranks = loss in LOSSES and LOSSES[loss].task.ranks
    is_bounded = ranks or loss == "error"
    if loss == "error":
        most = 1.0
    elif not most and (ranks or np.ptp(sample.units) <= _ROUNDING * abs(sample.mean)):
        most = float(np.max(np.abs(sample.units)))
    one_each = [most, -most] if most else []
    low, high = hall(np.append(sample.units, one_each))
    if is_bounded:
        low, high = max(low, -1 / sample.scale), min(high, 1 / sample.scale)
    return sample.as_estimate(low, high, "paired" if groups is None else "paired, by group")


def score(loss: Estimate, score_of: Callable[[float], float]) -> Estimate:
    """Return the estimate of what follows from a loss, as the accuracy does from the error."""
    low, high = sorted(map(score_of, (loss.low, loss.high)))
    return replace(loss, value=score_of(loss.value), low=low, high=high)


@dataclass(frozen=True, eq=False)
class _Sample:
    """Losses as a mean of units that are independent of each other: rows, or groups of rows."""

    n_rows: int
    mean: float
    units: Floats
    n_effective: float
    """How many rows of equal weight would tell as much (Kish, 1965)."""
    scale: float
    """A power of two that all numbers are to be multiplied by, so that their squares are numbers."""

    def in_range(self, number: float) -> float:
        return float(np.clip(float(number) * self.scale, -_LARGEST, _LARGEST))

    def as_estimate(self, low: float, high: float, method: str) -> Estimate:
        value, low, high = (self.in_range(each) for each in (self.mean, low, high))
        return Estimate(value, min(low, value), max(high, value), self.n_rows, method)


def _sample(
    losses: NDArray[Any], weights: NDArray[Any] | None, groups: NDArray[Any] | None
) -> _Sample:
    keys = [each for each in (weights, losses, groups) if each is not None]
    order = np.lexsort(keys)  # so that no sum depends on the order of rows
    if weights is not None:
        order = order[weights[order] > 0]
    if not len(order):
        raise DataError("There are no rows to measure a loss on. Give at least one.")
    weight = np.ones(len(order)) if weights is None else weights[order] / np.max(weights)
    largest = float(np.max(np.abs(losses)))
    scale = 1.0 if 1e-100 < largest < 1e100 or largest == 0 else 2.0 ** (frexp(largest)[1] - 1)
    loss = losses[order] / scale
    mean = float(np.sum(weight * loss) / np.sum(weight))
    excess = weight * (loss - mean) / np.mean(weight)
    if groups is not None:
        _, first = np.unique(groups[order], return_index=True)
        excess = np.add.reduceat(excess, first) * (len(first) / len(order))
    n_effective = float(np.sum(weight) ** 2 / np.sum(weight**2))
    return _Sample(len(order), mean, mean + excess, n_effective, scale)


def _share_interval(sample: _Sample) -> tuple[float, float]:
    share, n_units = sample.mean, len(sample.units)
    n, quantile = sample.n_effective, NORMAL
    if n_units < sample.n_rows:
        quantile = student(n_units - 1)
    if n_units < sample.n_rows or not isclose(n, sample.n_rows):
        # Groups, or weights: as many rows as would vary as much, since heavy ones may err more.
        variance = float(np.var(sample.units)) / max(n_units - 1, 1)
        n = min(n, share * (1 - share) / variance if variance > 0 else n_units)
    return wilson(share, n, quantile)


def hall(units: Floats, freedom: float | None = None) -> tuple[float, float]:
    """Return the interval of the mean of units whose distribution may be skewed.

    With W = (mean - truth) / deviation, W + a W² + a² W³ / 3 + a / 2n is nearly normal where a is
    a third of the skewness (Hall, 1992, On the removal of skewness by transformation). Units of
    unequal weight have fewer degrees of `freedom` than there are others.
    """
    n, mean = len(units), float(np.mean(units))
    if n == 1:  # as if it were the square of a normal residual
        reach = abs(mean) / _OF_ONE_ROW
        return mean - reach, mean + reach
    deviation = float(np.std(units, ddof=1))
    if deviation == 0:
        return mean, mean
    third = _skewness(units) / 3
    ends = np.array([1, -1]) * student(n - 1 if freedom is None else freedom) / sqrt(n) - third / (
        2 * n
    )
    if abs(third) > 1e-6:
        ends = (np.cbrt(1 + 3 * third * ends) - 1) / third
    low, high = (mean - deviation * ends).tolist()
    return low, high


def _skewness(units: Floats) -> float:
    n = len(units)
    if n == 2:
        return 0.0
    excess = units - np.mean(units)
    skewness = np.mean(excess**3) / np.mean(excess**2) ** 1.5
    return float(skewness * sqrt(n * (n - 1)) / (n - 2))


def student(freedom: float) -> float:
    """Return the number that 97.5 % of Student's t with these degrees of freedom lie below."""
    if freedom < len(_STUDENT) + 1:
        return _STUDENT[max(int(freedom), 1) - 1]
    z, rest = NORMAL, 1 / freedom  # Abramowitz and Stegun, 26.7.5
    return (
        z
        + rest * (z**3 + z) / 4
        + rest**2 * (5 * z**5 + 16 * z**3 + 3 * z) / 96
        + rest**3 * (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
        + rest**4 * (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    )


def residuals_of(
    tree: Tree,
    said: tuple[Guessing, NDArray[np.integer]],
    labels: NDArray[Any],
    weights: NDArray[np.float64] | None,
) -> Residuals | None:
    """Return how far labels lie from predictions; None if too few rows have nearly all the weight."""
    if len(labels) < FEWEST or tree.guess is None or tree.schema.task.ranks:
        return None
    predicted, spreads = _predicted(tree, *said)
    with np.errstate(over="ignore", invalid="ignore"):
        off = (labels - predicted) / np.where(spreads > 0, spreads, 1.0)
    if not np.isfinite(off).all():
        return None
    order = np.argsort(off, kind="stable")
    weights = np.ones(len(labels)) if weights is None else weights
    # The new row counts as one more, of which nobody knows where it lies.
    below = np.cumsum(weights[order]) / (weights.sum() + weights.mean())
    low, high = np.searchsorted(below, [OUTSIDE + _SLACK, 1 - OUTSIDE - _SLACK])
    if low == 0 or high == len(off):
        return None
    return Residuals(float(off[order][low - 1]), float(off[order][high]), len(off))


def interval_of(
    tree: Tree, evidence: Evidence | None, table: Table, *, missing: str
) -> NDArray[np.float64]:
    """Return the lower and the upper end of each row's interval, (rows, 2), or say why there is none."""
    residuals = _known(tree, evidence)
    predicted, spreads = _predicted(tree, *said_of(tree, table, missing=missing))
    spreads = np.where(spreads > 0, spreads, 1.0)
    ends = [predicted + spreads * each for each in (residuals.low, residuals.high)]
    return np.column_stack([np.minimum(predicted, ends[0]), np.maximum(predicted, ends[1])])


def _known(tree: Tree, evidence: Evidence | None) -> Residuals:
    if tree.schema.has_classes:
        raise ParameterError("Prediction intervals are for numbers; classes have probabilities.")
    if tree.schema.task.ranks:
        raise ParameterError("Prediction intervals are for numbers; a ranking predicts an order.")
    if evidence is None:
        raise ParameterError(
            "Prediction intervals come from test rows, and the model has none. Learn it with bough.fit."
        )
    if evidence.edits:
        raise ParameterError(
            "The tree was changed by hand after its test rows were looked at, so it has no "
            "prediction intervals. Use the tree before the change."
        )
    if evidence.residuals is not None:
        return evidence.residuals
    if evidence.n_test < FEWEST:
        raise ParameterError(
            f"A prediction interval of 95 % needs at least {FEWEST} test rows, and the model has "
            f"{evidence.n_test:,}. Learn it from more rows."
        )
    if evidence.weight is not None:
        raise ParameterError(
            f"A few test rows carry most of the weight in {evidence.weight!r}, so the others do not "
            "tell how far labels lie from predictions. Give weights that differ less, or none."
        )
    raise ModelFormatError(
        "The model does not say how far its test rows were off. Fit it again for intervals."
    )


def _predicted(
    tree: Tree, guessing: Guessing, places: NDArray[np.integer]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the prediction of each row, and the spread of the labels where it stops."""
    squares = _squares(tree)
    if guessing is not tree:  # a mean of several nodes: of those, the root's is never too small
        n_means = len(guessing.means)  # type: ignore[union-attr]
        squares = np.append(squares, np.full(n_means, squares[0]))
    return guesses(guessing, places)[:, 0], np.sqrt(squares[places])


def _squares(tree: Tree) -> NDArray[np.float64]:
    """Return the mean square of the labels around the prediction, at each node.

    A leaf of few rows hardly knows its own: it is taken together with that of all leaves.
    """
    assert tree.guess is not None  # noqa: S101 - it predicts numbers
    weight, total, squared = tree.tally[:, 0].T
    guess = tree.guess[:, 0]
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        own = (squared - 2 * guess * total) / weight + guess * guess
    own = np.clip(np.nan_to_num(own), 0.0, None)
    is_leaf = tree.feature < 0
    all_leaves = np.average(own[is_leaf], weights=tree.n_rows[is_leaf])
    return np.asarray((tree.n_rows * own + PRIOR * all_leaves) / (tree.n_rows + PRIOR))
