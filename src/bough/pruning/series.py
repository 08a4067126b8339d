"""`Series`: trees that are each a part of the one before, measured without making them."""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.predict import RowParts
from bough.tree import Tree
from bough.walk import cut, parents, trails

Floats = NDArray[np.float64]


class Runs(NamedTuple):
    """Values of rows, each for a run of trees."""

    rows: NDArray[np.integer]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    """One too many."""
    values: Floats


def dear_branches(tree: Tree, as_leaf: Floats, beside: Floats, slack: float) -> NDArray[np.bool_]:
    """Return which nodes are to be leaves in the subtree of least cost, the smallest of equals.

    Known is what each node costs as a leaf, what each branch costs beside its children, as for rows
    that stop there, and how much more than the branch a leaf in its place may cost (`slack`).
    """
    is_branch, parent = (tree.feature >= 0).tolist(), parents(tree).tolist()
    cost, as_branch = as_leaf.tolist(), beside.tolist()
    is_cut = np.zeros(len(tree), bool)
    for node in range(len(tree) - 1, -1, -1):  # a child comes after its parent
        if is_branch[node]:
            if cost[node] <= as_branch[node] + slack:
                is_cut[node] = True
            else:
                cost[node] = as_branch[node]
        if node:
            as_branch[parent[node]] += cost[node]
    return is_cut


def series_of(leaves: NDArray[np.bool_], then: "Series") -> "Series":
    """Return a series whose first tree has the marked nodes as leaves, and that goes on as another."""
    return Series(then.tree, np.where(leaves, 0, then.first + 1))


class Series:
    """A tree and its pruned trees, numbered from the largest, 0, to the smallest.

    Tree number k is the whole tree with every node cut to a leaf whose `first` is at most k. So
    each node is a leaf in a run of trees: from its `first` (a leaf of the whole tree: from 0) to
    the one before some node above it is cut. What is summed over the leaves of a tree is then
    known for all trees from one pass over the nodes.
    """

    def __init__(self, tree: Tree, first: NDArray[np.integer]) -> None:
        self.tree = tree
        is_leaf = tree.feature < 0
        self._cut_at = np.where(is_leaf, np.iinfo(np.int64).max, first)  # branches only
        self.first = np.where(is_leaf, 0, first).astype(np.int64)
        self._length = int(self.first.max()) + 1

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, number: int) -> Tree:
        return cut(self.tree, self.first <= number)

    @cached_property
    def n_leaves(self) -> NDArray[np.int64]:
        """The number of leaves of each tree."""
        return np.rint(self.sums_over_leaves(np.ones(len(self.tree)))).astype(np.int64)

    def sums_over_leaves(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each tree the sum, over its leaves, of one value for each node."""
        return self._sums(values, self.first, self._last)

    def sums_over_runs(self, runs: Runs) -> Floats:
        """Return for each tree the sum of the values that rows have in it."""
        return self._sums(runs.values, runs.first, runs.last)

    def runs_of_rows(
        self, followed: tuple[NDArray[np.int64], NDArray[np.int32]], values: Floats
    ) -> Runs:
        """Return in which runs of trees rows stop where, with the value that they have there.

        The trail of each row in the whole tree is as `bough.walk.trails` gives it; `values` are
        those of each row, one after the other, at the nodes of its trail.
        """
        first, last = self._runs(*followed)
        stops = first < last
        row = np.repeat(np.arange(len(followed[0]) - 1), np.diff(followed[0]))
        return Runs(row[stops], first[stops], last[stops], values[stops])

    def squares_over_groups(self, runs: Runs, groups: NDArray[np.integer]) -> Floats:
        """Return for each tree the squares, summed over groups of rows, of what their values sum up to."""
        group, trees = np.tile(groups[runs.rows], 2), np.append(runs.first, runs.last)
        order = np.lexsort((trees, group))
        group, trees = group[order], trees[order]
        sums = np.cumsum(np.append(runs.values, -runs.values)[order])
        is_last = np.append((np.diff(group) != 0) | (np.diff(trees) != 0), True)
        group, trees, sums = group[is_last], trees[is_last], sums[is_last]
        # What a group sums up to ends where it began, but for rounding.
        is_end = np.append(np.diff(group) != 0, True)
        begin = np.append(0.0, sums[is_end])[np.cumsum(is_end) - is_end]
        squares = np.where(is_end, 0.0, np.square(sums - begin))
        change = squares - np.append(0.0, squares[:-1])
        return np.cumsum(np.asarray(np.bincount(trees, change, len(self) + 1), np.float64))[:-1]

    def moves(
        self, stops: NDArray[np.integer]
    ) -> tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.int32]]:
        """Return in which tree rows come to stop at another node than in the tree before.

        Given is where each row stops in the whole tree; returned are the numbers of the trees,
        rising, the row that comes to stop there, and its node. In tree 0 every row comes to a stop.
        """
        starts, nodes = trails(self.tree, stops)
        first, last = self._runs(starts, nodes)
        row = np.repeat(np.arange(len(stops)), np.diff(starts))
        is_stop = np.flatnonzero(first < last)
        order = is_stop[np.argsort(first[is_stop], kind="stable")]
        return first[order], row[order], nodes[order]

    def _runs(
        self, starts: NDArray[np.int64], nodes: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return for each node of the trails of rows the run of trees in which the row stops there."""
        first, last = self.first[nodes], self._last[nodes]
        first[starts[1:] - 1] = 0  # a row stops there, also where the node is a branch
        return first, last

    def runs_of_mixtures(
        self,
        parts: RowParts,
        entries: NDArray[np.float64],
        values: Callable[[NDArray[np.intp], NDArray[np.float64]], NDArray[np.float64]],
    ) -> Runs:
        """Return in which runs of trees rows whose parts stop at several nodes have which value.

        `parts` are the nodes that the rows meet in the whole tree; of some numbers for each node,
        the `entries`, the mean is taken where the parts of a row stop; `values(rows, means)` gives
        the values.
        """
        row = np.repeat(np.arange(len(parts.starts) - 1), np.diff(parts.starts))
        first, last = self.runs_of_parts(parts)
        counts = first < last
        # Each part comes into the mean at one tree, and goes out of it at another. Distances from
        # the root's numbers are summed: these may be so large that sums would lose the rest.
        rows, trees = np.tile(row[counts], 2), np.append(first[counts], last[counts])
        away = entries - entries[0]
        comes = parts.shares[counts, np.newaxis] * away[parts.nodes[counts]]
        order = np.lexsort((trees, rows))
        means = np.cumsum(np.append(comes, -comes, axis=0)[order], axis=0)
        rows, trees = rows[order], trees[order]
        is_new = np.append((np.diff(rows) != 0) | (np.diff(trees) != 0), True)
        rows, trees, means = rows[is_new], trees[is_new], means[is_new]
        # A mean holds up to the next tree at which it changes; after the last tree nothing is left.
        holds = np.flatnonzero(trees < len(self))
        found = values(rows[holds], entries[0] + means[holds])
        return Runs(rows[holds], trees[holds], trees[holds + 1], found)

    def runs_of_parts(self, parts: RowParts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the run of trees in which each part stops at its node; `last` is one too many."""
        first = np.where(parts.stops, 0, self.first[parts.nodes])
        return first, self._last[parts.nodes]

    def ranges(
        self, values: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return for each tree the least and the greatest value of its nodes."""
        least, most = np.full(len(self), np.inf), np.full(len(self), -np.inf)
        np.minimum.at(least, self._last - 1, values)
        np.maximum.at(most, self._last - 1, values)
        backwards = slice(None, None, -1)  # a node of a tree is one of all before it
        return (
            np.minimum.accumulate(least[backwards])[backwards],
            np.maximum.accumulate(most[backwards])[backwards],
        )

    def _sums(
        self, values: NDArray[np.float64], first: NDArray[np.int64], last: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        counts = first < last
        values, n_trees = values[counts], len(self) + 1
        starts, ends = (np.bincount(each[counts], values, n_trees) for each in (first, last))
        return np.cumsum(np.asarray(starts - ends, np.float64))[:-1]

    @cached_property
    def _last(self) -> NDArray[np.int64]:
        """The first tree in which a node above is cut, or one more than there are."""
        above = np.maximum(parents(self.tree), 0)
        last = self._cut_at[above]
        last[0] = len(self)
        while above.any():  # each round doubles the distance that is looked up
            last = np.minimum(last, last[above])
            above = above[above]
        return np.asarray(np.minimum(last, len(self)))
