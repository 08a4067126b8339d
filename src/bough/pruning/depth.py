"""Pruning at a depth."""

from bough.pruning.series import Series
from bough.settings import whole
from bough.tree import Tree
from bough.walk import cut, depths


def at_depth(tree: Tree, depth: int) -> Tree:
    """Return the tree in which every node at this depth is a leaf.

    It is the tree that would have been grown with `max_depth=depth`.
    """
    whole(0)("depth", depth)
    return cut(tree, depths(tree) >= depth)


def series_by_depth(tree: Tree) -> Series:
    """Return the trees cut at every depth, from the whole tree to its root alone."""
    depth = depths(tree)
    return Series(tree, depth.max() - depth)
