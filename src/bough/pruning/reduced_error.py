"""Pruning by rows that took no part in growing (Quinlan, 1987)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.pruning.series import dear_branches
from bough.tree import TIE, Tree
from bough.walk import cut, trails

Floats = NDArray[np.float64]
RowLosses = Callable[[NDArray[Any], NDArray[Any]], Floats]
"""The losses of some rows, had they stopped at some nodes: `losses(rows, nodes)`."""


def reduced_error(
    tree: Tree, stops: NDArray[np.integer], losses: RowLosses, weights: Floats | None = None
) -> Tree:
    """Return the smallest subtree of least loss on some rows.

    From the leaves up, a branch becomes a leaf where its own guess makes no more loss on the rows
    that reach it than what is left below it. A branch that no row reaches becomes a leaf, too.

    Parameters
    ----------
    tree
        The tree to prune; the rows should have taken no part in growing it.
    stops
        The node where each row stops in the whole tree.
    losses
        The losses of some rows, had they stopped at some nodes: `losses(rows, nodes)`.
    weights
        How much each row counts.
    """
    return cut(tree, branches_of_no_use(tree, stops, losses, weights))


def branches_of_no_use(
    tree: Tree, stops: NDArray[np.integer], losses: RowLosses, weights: Floats | None = None
) -> NDArray[np.bool_]:
    """Return which nodes are to be leaves."""
    starts, nodes = trails(tree, stops)
    row = np.repeat(np.arange(len(stops)), np.diff(starts))
    found = losses(row, nodes) * (1.0 if weights is None else weights[row])
    last = starts[1:] - 1  # a row that stops at a branch costs the same whatever lies below
    as_leaf, beside = (_sums(tree, nodes[some], found[some]) for some in (slice(None), last))
    return dear_branches(tree, as_leaf, beside, TIE * float(as_leaf[0]))


def _sums(tree: Tree, nodes: NDArray[np.integer], values: Floats) -> Floats:
    """Return the sum of the values that each node has."""
    return np.bincount(nodes, values, minlength=len(tree)).astype(np.float64)
