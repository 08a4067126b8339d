"""Cutting every branch that costs no less than a leaf in its place, from the leaves up."""

import numpy as np
from numpy.typing import NDArray

from bough.tree import Tree
from bough.walk import parents

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
