"""Growths for each setting, and the loss of every tree that can be read off them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bough.evidence import Candidate
from bough.grow import grow
from bough.learn.rows import LabelledRows
from bough.losses import node_losses, row_losses
from bough.predict import stops
from bough.prune import Series, at_depth, by_cost_complexity, series_by_cost, series_by_depth
from bough.settings import Settings
from bough.tree import Tree
from bough.walk import trails

Sums = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """What changes the queries of a tree, and so needs a growth of its own."""

    criterion: str
    categorical: str
    quantile: float | None = None
    """For the criterion 'quantile', and for the pinball loss."""

    def grown(self, rows: LabelledRows, n_jobs: int, max_depth: int | None = None) -> Tree:
        """Return the tree that these rows grow."""
        settings = self.settings(max_depth)
        return grow(rows.table, rows.labels, settings, n_jobs=n_jobs, match_by_name=True)

    def settings(self, max_depth: int | None) -> Settings:
        """Return how it is grown."""
        return Settings(
            criterion=self.criterion,
            quantile=self.quantile if self.criterion == "quantile" else None,
            categorical=self.categorical,
            max_depth=max_depth,
        )


@dataclass(frozen=True)
class Size:
    """How large a tree may be: cut at a depth, or pruned at a price for each leaf."""

    depth: int | None = None
    ccp_alpha: float | None = None

    def of(self, tree: Tree) -> Tree:
        """Return the tree of this size."""
        if self.depth is not None:
            return at_depth(tree, self.depth)
        return by_cost_complexity(tree, self.ccp_alpha or 0.0)


class Growth:
    """A tree, and all smaller trees in it."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.by_depth = series_by_depth(tree)
        self.alphas, self.by_cost = series_by_cost(tree)

    @cached_property
    def sizes(self) -> list[Size]:
        """Every depth, and a price between any two at which the pruned tree changes."""
        between = np.sqrt(self.alphas[1:-1] * self.alphas[2:])
        prices = [*self.alphas[1:2] / 2, *between, *self.alphas[-1:]]
        by_depth = [Size(depth=depth) for depth in range(len(self.by_depth))]
        return by_depth + [Size(ccp_alpha=float(price)) for price in dict.fromkeys(prices)]

    def places(self, sizes: Sequence[Size]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return which tree of `by_depth`, and which of `by_cost`, has each of these sizes."""
        cuts = np.array([size.depth for size in sizes if size.depth is not None], np.intp)
        prices = np.array([size.ccp_alpha for size in sizes if size.depth is None], np.float64)
        deepest = len(self.by_depth) - 1
        return (
            np.maximum(deepest - cuts, 0),
            np.maximum(np.searchsorted(self.alphas, prices, side="right") - 1, 0),
        )

    def read_off(self, sizes: Sequence[Size], sums: Callable[[Series], Sums]) -> Sums:
        """Return what is summed over each tree of a series, for the trees of these sizes."""
        cuts, prices = self.places(sizes)
        return np.concatenate([sums(self.by_depth)[cuts], sums(self.by_cost)[prices]])


@dataclass(frozen=True, eq=False)
class Trial:
    """A growth, and rows that took no part in it."""

    growth: Growth
    rows: LabelledRows

    def sums(self, sizes: Sequence[Size], loss: str, quantile: float | None) -> Sums:
        """Return sums over the rows for each size: w·loss, w²·loss and w²·loss²."""
        tree = self.growth.tree
        here = stops(tree, self.rows.table)
        starts, nodes = trails(tree, here)
        row = np.repeat(np.arange(len(here)), np.diff(starts))
        losses = row_losses(tree, loss, nodes, self.rows.answers[row], quantile=quantile)
        weights = 1.0 if self.rows.weights is None else self.rows.weights[row]

        def summed(values: Sums) -> Sums:
            return self.growth.read_off(sizes, lambda series: series.sums_over_rows(here, values))

        once = weights * losses
        return np.stack([summed(each) for each in (once, weights * once, once * once)])


def candidates(
    setting: Setting, growth: Growth, rows: LabelledRows, trials: Sequence[Trial], loss: str
) -> Iterator[Candidate]:
    """Return every tree that can be read off a growth, with its losses.

    Parameters
    ----------
    growth, rows
        The growth that is pruned, and the rows that it is grown from.
    trials
        Growths, and rows that took no part in them: one for the development rows, or one for
        each fold.
    """
    sizes = growth.sizes
    n_leaves = growth.read_off(sizes, lambda series: series.n_leaves.astype(np.float64))
    train = _training_losses(Trial(growth, rows), sizes, loss, setting.quantile)
    total, squares = _weight_sums(trials)
    once, twice, both = np.sum(
        [trial.sums(sizes, loss, setting.quantile) for trial in trials], axis=0
    )
    dev = once / total
    variance = np.maximum(both - 2 * dev * twice + dev * dev * squares, 0.0)
    for number, size in enumerate(sizes):
        yield Candidate(
            criterion=setting.criterion,
            categorical=setting.categorical,
            depth=size.depth,
            ccp_alpha=size.ccp_alpha,
            n_leaves=round(float(n_leaves[number])),
            train=float(train[number]),
            dev=float(dev[number]),
            dev_error=float(np.sqrt(variance[number]) / total),
        )


def _training_losses(
    learnt: Trial, sizes: Sequence[Size], loss: str, quantile: float | None
) -> Sums:
    growth, tree = learnt.growth, learnt.growth.tree
    losses = node_losses(tree, loss)
    if losses is None:  # the tallies do not tell
        return np.asarray(learnt.sums(sizes, loss, quantile)[0] / tree.weight[0])
    shares = tree.weight / tree.weight[0]
    return growth.read_off(sizes, lambda series: series.sums_over_leaves(shares * losses))


def _weight_sums(trials: Sequence[Trial]) -> tuple[float, float]:
    """Return the sum of the weights of all rows that are tried, and of their squares."""
    weights = [
        np.ones(len(trial.rows)) if trial.rows.weights is None else trial.rows.weights
        for trial in trials
    ]
    everything = np.concatenate(weights)
    return float(everything.sum()), float(np.dot(everything, everything))
