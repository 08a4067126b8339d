"""The loss of a tree at every depth, from rows that were followed once."""

import numpy as np
from numpy.typing import NDArray

from bough.prune import RowLosses
from bough.tree import Tree
from bough.walk import depths, parents


def losses_by_depth(
    tree: Tree,
    nodes: NDArray[np.intp],
    losses: RowLosses,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return the mean loss of the tree cut at each depth.

    Parameters
    ----------
    nodes
        Where each row stops in the whole tree.
    losses
        The losses of some rows, had they stopped at some nodes: `losses(rows, nodes)`.
    """
    depth, parent = depths(tree), parents(tree)
    order = np.argsort(-depth[nodes], kind="stable")  # the rows that go deepest come first
    here = nodes[order]
    weight = np.ones(len(nodes)) if weights is None else weights[order] / weights.max()
    # Rows order[k:] have stopped for good, and their loss does not change with the depth.
    stopped = np.append(np.cumsum((weight * losses(order, here))[::-1])[::-1], 0.0)
    deepest = int(depth.max())
    n_deeper = len(nodes) - np.cumsum(np.bincount(depth[nodes], minlength=deepest + 1))
    means = np.empty(deepest + 1)
    for level in range(deepest, -1, -1):
        going = n_deeper[level]
        here[:going] = parent[here[:going]]
        on_the_way = np.dot(weight[:going], losses(order[:going], here[:going]))
        means[level] = (on_the_way + stopped[going]) / weight.sum()
    return means
