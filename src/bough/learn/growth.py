"""A growth, and every smaller tree that can be read off it."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bough.learn.plan import Plan
from bough.learn.request import BY_DEV, USUAL
from bough.learn.rows import LabelledRows
from bough.losses import node_losses, row_losses
from bough.predict import stops
from bough.pruning import (
    Series,
    branches_of_no_use,
    fearful_branches,
    merged,
    series_by_cost,
    series_by_depth,
    series_of,
)
from bough.tree import Tree


@dataclass(frozen=True, eq=False)
class Prunings:
    """The ways in which trees are made smaller, and what they need to know."""

    ways: tuple[str, ...] = USUAL
    dev: LabelledRows | None = None
    """The rows that 'reduced_error' prunes by."""
    loss: str = "error"
    """What it makes small on them."""
    quantile: float | None = None

    def branches_of_no_use(self, tree: Tree) -> NDArray[np.bool_]:
        """Return which nodes are to be leaves, by the development rows."""
        dev = self.dev
        assert dev is not None  # noqa: S101 - `BY_DEV` comes with rows

        def losses(rows: NDArray[np.intp], nodes: NDArray[np.intp]) -> NDArray[np.float64]:
            return row_losses(tree, self.loss, nodes, dev.answers[rows], quantile=self.quantile)

        return branches_of_no_use(tree, stops(tree, dev.table), losses, dev.weights)


def prunings_for(plan: Plan, ways: tuple[str, ...], loss: str, quantile: float | None) -> Prunings:
    """Return the prunings with what they need to know."""
    dev = plan.rows.take(plan.pairs[0][1]) if BY_DEV in ways else None
    return Prunings(ways, dev, loss, quantile)


Sums = NDArray[np.float64]

CONFIDENCES = (0.5, 0.25, 0.1, 0.05, 0.01, 0.001)  # that pessimistic pruning is tried with


@dataclass(frozen=True)
class Size:
    """How large a tree may be: cut at a depth, or pruned."""

    depth: int | None = None
    pruned_by: str = ""
    """'impurity', 'error' or 'cost', which a leaf must save, 'pessimistic' or 'reduced_error'; empty
    where the tree is cut at a depth."""
    price: float = 0.0
    """How much a leaf must save, times the weight of the rows: as many rows however many there are;
    the confidence of a pessimistic pruning."""


class Growth:
    """A tree, and all smaller trees in it."""

    def __init__(self, tree: Tree, prunings: Prunings) -> None:
        self.tree = tree
        self.prunings = prunings

    @cached_property
    def sizes(self) -> list[Size]:
        """The sizes of all trees that are to be tried."""
        return [size for way in self.prunings.ways for size in self._sizes(way)]

    def of(self, size: Size) -> Tree:
        """Return the tree of this size."""
        series, number = self._place(size)
        tree = series[number]
        return merged(tree, keep_probabilities=False) if "merge" in self.prunings.ways else tree

    def read_off(self, sizes: Sequence[Size], sums: Callable[[Series], Sums]) -> Sums:
        """Return what is summed over each tree of a series, for the trees of these sizes."""
        places = [self._place(size) for size in sizes]
        found = {series: sums(series) for series in dict.fromkeys(each for each, _ in places)}
        return np.array([found[series][number] for series, number in places])

    def _sizes(self, way: str) -> list[Size]:
        match way:
            case "depth":
                return [Size(depth=depth) for depth in range(len(self._by_depth))]
            case "cost_complexity":
                return [
                    Size(pruned_by=name, price=price)
                    for name, (alphas, _) in self._by_cost.items()
                    for price in self._prices(np.array(alphas))
                ]
            case "pessimistic":
                return [Size(pruned_by=way, price=confidence) for confidence in CONFIDENCES]
            case "reduced_error":
                return [Size(pruned_by=way)]
        return []

    def _prices(self, alphas: Sums) -> list[float]:
        """Return a price between any two at which a pruned tree changes."""
        between = np.sqrt(alphas[1:-1] * alphas[2:])
        # The last one is above all, so that rounding does not matter.
        last = 2 * alphas[-1:] if len(alphas) > 1 else np.ones(1)
        prices = np.concatenate([alphas[1:2] / 2, between, last]) * self.tree.weight[0]
        found: list[float] = np.unique(prices).tolist()
        return found

    def _place(self, size: Size) -> tuple[Series, int]:
        """Return the series that has the tree of this size, and its number there."""
        if size.depth is not None:
            return self._by_depth, max(len(self._by_depth) - 1 - size.depth, 0)
        if size.pruned_by == "pessimistic":
            return self._by_confidence[size.price], 0
        if size.pruned_by == "reduced_error":
            return self._by_dev, 0
        alphas, series = self._by_cost[size.pruned_by]
        return series, max(bisect_right(alphas, size.price / float(self.tree.weight[0])) - 1, 0)

    @cached_property
    def _by_depth(self) -> Series:
        return series_by_depth(self.tree)

    @cached_property
    def _by_cost(self) -> dict[str, tuple[list[float], Series]]:
        found = {}
        for name, losses in _prunable(self.tree).items():
            alphas, series = series_by_cost(self.tree, losses)
            found[name] = alphas.tolist(), series
        return found

    @cached_property
    def _by_confidence(self) -> dict[float, Series]:
        # A series for each: a tree need not be a part of that of a greater confidence.
        return {
            each: series_of(self.tree, fearful_branches(self.tree, each)) for each in CONFIDENCES
        }

    @cached_property
    def _by_dev(self) -> Series:
        return series_of(self.tree, self.prunings.branches_of_no_use(self.tree))


def _prunable(tree: Tree) -> dict[str, Sums]:
    """Return by what a tree is pruned: the impurity of each node and, for classes, its error.

    Where guesses have costs, the cost takes the place of the error.
    """
    if not tree.schema.has_classes:
        return {"impurity": tree.impurity}
    if tree.schema.labels[0].costs and (costs := node_losses(tree, "cost")) is not None:
        return {"impurity": tree.impurity, "cost": costs}
    if tree.share is not None and (errors := node_losses(tree, "error")) is not None:
        return {"impurity": tree.impurity, "error": errors}
    return {"impurity": tree.impurity, "error": 1 - tree.shares[:, 0].max(axis=1)}
