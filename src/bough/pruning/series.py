"""`Series`: trees that are each a part of the one before, measured without making them."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bough.predict import RowParts
from bough.tree import Tree
from bough.walk import cut, parents, trails

Floats = NDArray[np.float64]


def dear_branches(tree: Tree, as_leaf: Floats, beside: Floats, slack: float) -> NDArray[np.bool_]:
    """Return which nodes are to be leaves in the subtree of least cost, the smallest of equals.

    Parameters
    ----------
    as_leaf
        What each node costs where it is a leaf.
    beside
        What each branch costs beside what its children cost, as for rows that stop there.
    slack
        How much more than the branch a leaf in its place may cost.
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


def series_of(tree: Tree, leaves: NDArray[np.bool_]) -> "Series":
    """Return a series whose first tree is that in which the marked nodes are leaves."""
    return Series(tree, np.where(leaves, 0, 1))


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
        self._first = np.where(is_leaf, 0, first).astype(np.int64)
        self._length = int(self._first.max()) + 1

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, number: int) -> Tree:
        """Return the tree of this number."""
        return cut(self.tree, self._first <= number)

    @cached_property
    def n_leaves(self) -> NDArray[np.int64]:
        """The number of leaves of each tree."""
        return np.rint(self.sums_over_leaves(np.ones(len(self.tree)))).astype(np.int64)

    def sums_over_leaves(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each tree the sum, over its leaves, of one value for each node."""
        return self._sums(values, self._first, self._last)

    def sums_over_rows(
        self, followed: tuple[NDArray[np.int64], NDArray[np.int32]], values: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return for each tree sums over rows of values that each row has where it stops there.

        Parameters
        ----------
        followed
            The trail of each row in the whole tree, from the root to where it stops, as
            `bough.walk.trails` gives them.
        values
            A line for each kind of value: for each row, one after the other, its values at the nodes
            of its trail.
        """
        first, last = self._runs(*followed)
        return np.stack([self._sums(each, first, last) for each in values], axis=1)

    def moves(
        self, stops: NDArray[np.integer]
    ) -> tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.int32]]:
        """Return in which tree rows come to stop at another node than in the tree before.

        Parameters
        ----------
        stops
            The node where each row stops in the whole tree.

        Returns
        -------
        numbers
            The numbers of the trees, rising. In tree 0 every row comes to a stop.
        rows, nodes
            The row that comes to stop there, and its node.
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
        first, last = self._first[nodes], self._last[nodes]
        first[starts[1:] - 1] = 0  # a row stops there, also where the node is a branch
        return first, last

    def sums_over_mixtures(
        self,
        parts: RowParts,
        entries: NDArray[np.float64],
        values: Callable[[NDArray[np.intp], NDArray[np.float64]], NDArray[np.float64]],
    ) -> NDArray[np.float64]:
        """Return for each tree sums over rows whose parts stop at several nodes.

        Parameters
        ----------
        parts
            The nodes that the rows meet in the whole tree, and how much of each row comes there.
        entries
            Some numbers for each node, of which the mean is taken where the parts of a row stop.
        values
            What is summed: `values(rows, means)` gives a line of numbers for each row and its mean.
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
        change = np.zeros((len(self) + 1, found.shape[1]))
        np.add.at(change, trees[holds], found)
        np.subtract.at(change, trees[holds + 1], found)
        return np.cumsum(change, axis=0)[:-1]

    def runs_of_parts(self, parts: RowParts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the run of trees in which each part stops at its node; `last` is one too many."""
        first = np.where(parts.stops, 0, self._first[parts.nodes])
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
        return np.minimum(last, len(self))
