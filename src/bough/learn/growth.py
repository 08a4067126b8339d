"""A growth, and every smaller tree that can be read off it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError
from bough.learn.plan import Plan
from bough.learn.request import BY_DEV, USUAL
from bough.learn.rows import LabelledRows
from bough.losses import node_losses, row_losses
from bough.node_words import LARGEST
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

AS_A_WHOLE = ("pessimistic", "reduced_error")  # prunings that each give one tree, and no series
OF_SHARES = ("log_loss", "brier")  # losses that tell leaves apart which guess alike


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
    """Return the prunings with what they need to know; refuse those that are not for the task."""
    if "pessimistic" in ways and plan.task != "classification":
        raise ParameterError(
            f"prune='pessimistic' counts errors, so that it is for classes, not for {plan.task}. Use "
            "'depth' or 'cost_complexity'."
        )
    if BY_DEV in ways and plan.task == "ranking":
        raise ParameterError(
            "prune='reduced_error' counts what guesses cost in each row, but a ranking is measured by "
            "its queries. Use 'depth' or 'cost_complexity'."
        )
    if "merge" in ways and loss in OF_SHARES:
        raise ParameterError(
            f"prune='merge' gives leaves that guess alike the same shares, but loss={loss!r} "
            "measures shares. Use loss='error', or leave 'merge' out."
        )
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

    @property
    def way(self) -> tuple[str, float]:
        """What sizes have in common whose trees are parts of each other, so that they are a series."""
        return self.pruned_by, self.price if self.pruned_by == "pessimistic" else 0.0

    @property
    def number(self) -> float:
        """What tells it from other sizes of its series."""
        return self.price if self.depth is None else float(self.depth)


@dataclass(frozen=True)
class Sizes:
    """The sizes of all trees that are tried; they are read off series by series."""

    each: tuple[Size, ...]

    def __iter__(self) -> Iterator[Size]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    @cached_property
    def by_way(self) -> dict[tuple[str, float], tuple[NDArray[np.intp], Sums]]:
        """Which sizes are of the same series, and their numbers there."""
        found: dict[tuple[str, float], list[int]] = {}
        for place, size in enumerate(self.each):
            found.setdefault(size.way, []).append(place)
        return {
            way: (np.array(places), np.array([self.each[place].number for place in places]))
            for way, places in found.items()
        }


class Growth:
    """A tree, and all smaller trees in it."""

    def __init__(self, tree: Tree, prunings: Prunings) -> None:
        self.tree = tree
        self.prunings = prunings

    @cached_property
    def sizes(self) -> Sizes:
        """The sizes of all trees that are to be tried."""
        return Sizes(tuple(size for way in self.prunings.ways for size in self._sizes(way)))

    def of(self, size: Size) -> Tree:
        """Return the tree of this size."""
        series, numbers = self._places(size.way, np.array([size.number]))
        tree = series[int(numbers[0])]
        return merged(tree, keep_probabilities=False) if "merge" in self.prunings.ways else tree

    def read_off(self, sizes: Sizes, sums: Callable[[Series], Sums]) -> Sums:
        """Return what is summed over each tree of a series, for the trees of these sizes."""
        found: list[Sums] = []
        for way, (_, numbers) in sizes.by_way.items():
            series, places = self._places(way, numbers)
            found.append(sums(series)[places])
        order = np.concatenate([places for places, _ in sizes.by_way.values()])
        return np.concatenate(found)[np.argsort(order)]

    def _sizes(self, way: str) -> list[Size]:
        match way:
            case "depth":
                return [Size(depth=depth) for depth in range(len(self._by_depth))]
            case "cost_complexity":
                return [
                    Size(pruned_by=name, price=price)
                    for name, (alphas, _) in self._by_cost.items()
                    for price in self._prices(alphas)
                ]
            case "pessimistic":
                return [Size(pruned_by=way, price=confidence) for confidence in CONFIDENCES]
            case "reduced_error":
                return [Size(pruned_by=way)]
        return []

    def _prices(self, alphas: Sums) -> list[float]:
        """Return a price between any two at which a pruned tree changes."""
        with np.errstate(over="ignore"):  # of the squares of labels of 1e300
            between = np.sqrt(alphas[1:-1] * alphas[2:])
            # The last one is above all, so that rounding does not matter.
            last = 2 * alphas[-1:] if len(alphas) > 1 else np.ones(1)
            prices = np.concatenate([alphas[1:2] / 2, between, last]) * self.tree.weight[0]
        found: list[float] = np.unique(np.minimum(prices, LARGEST)).tolist()
        return found

    def _places(self, way: tuple[str, float], numbers: Sums) -> tuple[Series, NDArray[np.intp]]:
        """Return the series of some sizes, and which of its trees have these sizes."""
        pruned_by, confidence = way
        if not pruned_by:
            last = len(self._by_depth) - 1
            return self._by_depth, np.maximum(last - numbers.astype(np.intp), 0)
        if pruned_by in AS_A_WHOLE:
            is_sure = pruned_by == "pessimistic"
            series = self._by_confidence[confidence] if is_sure else self._by_dev
            return series, np.zeros(len(numbers), np.intp)
        alphas, series = self._by_cost[pruned_by]
        after = np.searchsorted(alphas, numbers / float(self.tree.weight[0]), side="right")
        return series, np.maximum(after - 1, 0)

    @cached_property
    def _by_depth(self) -> Series:
        return series_by_depth(self.tree)

    @cached_property
    def _by_cost(self) -> dict[str, tuple[Sums, Series]]:
        return {
            name: series_by_cost(self.tree, losses) for name, losses in _prunable(self.tree).items()
        }

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
