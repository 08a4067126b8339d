"""The grown tree as data, and what must be true of it."""

from bough.tree.check import ARRAYS, OPTIONAL, check_shown
from bough.tree.tree import (
    TIE,
    Guessing,
    HasTree,
    Mixtures,
    Node,
    Tree,
    TreeLike,
    averaged,
    once_for_a_tree,
    tree_of,
)

__all__ = [
    "ARRAYS",
    "OPTIONAL",
    "TIE",
    "Guessing",
    "HasTree",
    "Mixtures",
    "Node",
    "Tree",
    "TreeLike",
    "averaged",
    "check_shown",
    "once_for_a_tree",
    "tree_of",
]
