"""A growth, and every smaller tree that can be read off it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bough.learn.labelled_rows import LabelledRows
from bough.learn.row_plan import Problem
from bough.loss_kinds import node_losses, row_losses
from bough.node_words import LARGEST
from bough.predict import stops
from bough.pruning import BY_DEV, USUAL
from bough.pruning.series import Series, series_of
from bough.pruning.ways import (
    branches_of_no_use,
    fearful_branches,
    merged,
    series_by_cost,
    series_by_depth,
)
from bough.result_words import AS_A_WHOLE
from bough.tree import Tree

Sums = NDArray[np.float64]
CONFIDENCES = (0.5, 0.25, 0.1, 0.05, 0.01, 0.001)  # that pessimistic pruning is tried with
Way = tuple[str, float]
"""How trees of a series are made smaller; of pessimistic prunings, each has its confidence."""


@dataclass(frozen=True, eq=False)
class Prunings:
    """The ways in which trees are made smaller, and what they need to know."""

    ways: tuple[str, ...] = USUAL
    dev: LabelledRows | None = None
    """The rows that 'reduced_error' prunes by."""
    loss: str = "error"
    """What it makes small on them."""
    quantile: float | None = None
    max_leaves: int | None = None
    """The most leaves that a tree may have; None: any number."""

    def branches_of_no_use(self, tree: Tree) -> NDArray[np.bool_]:
        """Return which nodes are to be leaves, by the development rows."""
        dev = self.dev
        assert dev is not None  # noqa: S101 - `BY_DEV` comes with rows

        def losses(rows: NDArray[np.intp], nodes: NDArray[np.intp]) -> NDArray[np.float64]:
            return row_losses(tree, self.loss, nodes, dev.answers[rows], quantile=self.quantile)

        return branches_of_no_use(tree, stops(tree, dev.table), losses, dev.weights)


def prunings_for(problem: Problem) -> Prunings:
    """Return the prunings with what they need to know."""
    plan, asked = problem.plan, problem.request
    dev = plan.rows.take(plan.pairs[0][1]) if BY_DEV in asked.prune else None
    return Prunings(asked.prune, dev, problem.loss, asked.quantile, asked.max_leaves)


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
    def way(self) -> Way:
        """What sizes have in common whose trees are parts of each other, so that they are a series."""
        return self.pruned_by, self.price if self.pruned_by == "pessimistic" else 0.0

    @property
    def number(self) -> float:
        """What tells it from other sizes of its series."""
        return self.price if self.depth is None else float(self.depth)


@dataclass(frozen=True, eq=False)
class Sizes:
    """The sizes of all trees that are tried, series by series."""

    by_way: dict[Way, Sums]
    """What tells the sizes of each series from each other: their `number`."""

    def __iter__(self) -> Iterator[Size]:
        for (pruned_by, _), numbers in self.by_way.items():
            for number in numbers.tolist():
                yield Size(pruned_by=pruned_by, price=number) if pruned_by else Size(int(number))

    def some(self, kept: Sequence[NDArray[np.bool_]]) -> "Sizes":
        """Return those sizes of each series that are marked."""
        found = zip(self.by_way.items(), kept, strict=True)
        return Sizes({way: numbers[marked] for (way, numbers), marked in found})

    def __len__(self) -> int:
        return sum(map(len, self.by_way.values()))


class Growth:
    """A tree, and all smaller trees in it."""

    def __init__(self, tree: Tree, prunings: Prunings) -> None:
        self.tree = tree
        self.prunings = prunings

    @cached_property
    def sizes(self) -> Sizes:
        """The sizes of all trees that are to be tried."""
        found = dict(each for way in self.prunings.ways for each in self._sizes(way))
        return Sizes({way: self._small_enough(way, numbers) for way, numbers in found.items()})

    def _small_enough(self, way: Way, numbers: Sums) -> Sums:
        """Return the sizes of trees that have no more leaves than they may; all, if none has."""
        series, places = self._places_of_any_size(way, numbers)
        kept = numbers[places >= self._largest(series)]
        return kept if len(kept) else numbers

    def of(self, size: Size) -> Tree:
        series, numbers = self._places(size.way, np.array([size.number]))
        tree = series[int(numbers[0])]
        return merged(tree, keep_probabilities=False) if "merge" in self.prunings.ways else tree

    def read_off(self, sizes: Sizes, sums: Callable[[Series], Sums]) -> Sums:
        """Return what is summed over each tree of a series, for the trees of these sizes."""
        found = []
        for way, numbers in sizes.by_way.items():
            series, places = self._places(way, numbers)
            found.append(sums(series)[places])
        return np.concatenate(found)

    def _sizes(self, way: str) -> Iterator[tuple[Way, Sums]]:
        match way:
            case "depth":
                yield ("", 0.0), np.arange(len(self._by_depth), dtype=np.float64)
            case "cost_complexity":
                for name, (alphas, _) in self._by_cost.items():
                    yield (name, 0.0), self._prices(alphas)
            case "pessimistic":
                for confidence in CONFIDENCES:
                    yield (way, confidence), np.array([confidence])
            case "reduced_error":
                yield (way, 0.0), np.zeros(1)

    def _prices(self, alphas: Sums) -> Sums:
        """Return a price between any two at which a pruned tree changes."""
        with np.errstate(over="ignore"):  # of the squares of labels of 1e300
            between = np.sqrt(alphas[1:-1] * alphas[2:])
            # The last one is above all, so that rounding does not matter.
            last = 2 * alphas[-1:] if len(alphas) > 1 else np.ones(1)
            prices = np.concatenate([alphas[1:2] / 2, between, last]) * self.tree.weight[0]
        return np.unique(np.minimum(prices, LARGEST))

    def _places(self, way: Way, numbers: Sums) -> tuple[Series, NDArray[np.intp]]:
        """Return the series of some sizes, and which of its trees have these sizes.

        In the place of a tree with more leaves than it may have, it is the largest that may be.
        """
        series, places = self._places_of_any_size(way, numbers)
        return series, np.maximum(places, self._largest(series))

    def _largest(self, series: Series) -> int:
        """Return the first tree of a series that has no more leaves than it may."""
        most = self.prunings.max_leaves
        return 0 if most is None else int(np.argmax(series.n_leaves <= most))

    def _places_of_any_size(self, way: Way, numbers: Sums) -> tuple[Series, NDArray[np.intp]]:
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
        return {each: self._series_of(fearful_branches(self.tree, each)) for each in CONFIDENCES}

    @cached_property
    def _by_dev(self) -> Series:
        return self._series_of(self.prunings.branches_of_no_use(self.tree))

    def _series_of(self, leaves: NDArray[np.bool_]) -> Series:
        """Return a series that begins with a pruned tree, and goes on as one by impurity does."""
        return series_of(leaves, self._by_cost["impurity"][1])


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
