"""What no tree can avoid, and whether more rows would help."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bough.evidence import Estimate
from bough.learn.columns import Rows
from bough.learn.measure import Losses, followed, losses_of
from bough.learn.memory import feature_columns
from bough.learn.plan import Plan
from bough.learn.rows import LabelledRows
from bough.learn.trial import Setting
from bough.learn.tune import Tuning
from bough.losses import difference
from bough.split import row_hashes
from bough.tree import Tree

SHARES = (0.25, 0.5)  # of the training rows, for the learning curve


@dataclass(frozen=True)
class Learning:
    """The loss of the chosen tree, had it been grown from fewer rows."""

    points: tuple[tuple[int, float], ...]
    last_step: Estimate
    """What the last doubling of the rows has changed the loss by."""


def learning_curve(plan: Plan, tuning: Tuning, loss: str, n_jobs: int) -> Learning:
    """Return how the loss falls with the number of training rows."""
    tried = [plan.rows.take(rows) for _, rows in plan.pairs]
    n_rows, losses = [], []
    for share in SHARES:
        grown_from = [_some(plan, train, share) for train, _ in plan.pairs]
        trees = [tuning.grown(rows, n_jobs) for rows in grown_from]
        n_rows.append(round(np.mean([len(rows) for rows in grown_from])))
        losses.append(_losses(trees, tried, loss, tuning.setting))
    n_rows.append(round(np.mean([len(train) for train, _ in plan.pairs])))
    losses.append(_losses(tuning.trees, tried, loss, tuning.setting))
    before, after = losses[-2:]
    step = difference(after.each, before.each, loss, weights=after.weights, groups=after.groups)
    return Learning(tuple(zip(n_rows, [each.mean for each in losses], strict=True)), step)


def unavoidable(rows: LabelledRows, loss: str) -> float | None:
    """Return the least loss on these rows of any tree: equal rows get equal guesses.

    None for a loss of which the best guess is not known from a sum.
    """
    hashes = row_hashes(feature_columns(rows.table))
    _, twin, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    of_twins = np.bincount(twin, weights)
    if loss == "squared_error":
        means = np.bincount(twin, weights * rows.answers) / np.where(of_twins, of_twins, 1)
        alone = counts[twin] == 1  # their mean is themselves but for rounding
        off = np.where(alone, 0.0, rows.answers - means[twin])
        return float(np.dot(weights, off * off) / weights.sum())
    if loss not in ("error", "cost"):
        return None
    label = rows.labels.labels[0]
    n_classes = len(label.classes)
    place = twin * n_classes + rows.answers.astype(np.int64)
    tallies = np.bincount(place, weights, minlength=len(counts) * n_classes)
    tallies = tallies.reshape(-1, n_classes)
    if loss == "cost" and label.costs:
        return float((tallies @ np.array(label.costs)).min(axis=1).sum() / weights.sum())
    right = tallies.max(axis=1).sum()
    return float(max(1 - right / weights.sum(), 0.0))


def _losses(
    trees: Sequence[Tree], rows: Sequence[LabelledRows], loss: str, setting: Setting
) -> Losses:
    stopped = followed(list(zip(trees, rows, strict=True)), setting.missing)
    return losses_of(stopped, loss, setting.quantile)


def _some(plan: Plan, train: Rows, share: float) -> LabelledRows:
    """Return the rows of smallest hashes, so that a smaller share is part of a larger one."""
    if plan.task == "ranking":
        return plan.rows.take(train[_is_of_some(plan.rows.take(train), share)])
    order = np.argsort(plan.rows.places[train], kind="stable")
    n_some = max(round(share * len(train)), 1)
    return plan.rows.take(np.sort(train[order[:n_some]]))


def _is_of_some(rows: LabelledRows, share: float) -> NDArray[np.bool_]:
    """Return which rows are of the queries of smallest hashes, one of them with a relevant row."""
    assert rows.group is not None  # noqa: S101 - a ranking has queries
    queries = np.unique(rows.group)
    first = int(np.searchsorted(queries, rows.group[rows.answers > 0].min()))
    n_some = max(round(share * len(queries)), first + 1)
    return np.isin(rows.group, queries[:n_some])
