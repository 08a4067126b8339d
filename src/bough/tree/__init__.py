"""The grown tree as data, and what must be true of it."""

from bough.tree.check import ARRAYS, OPTIONAL, check_shown
from bough.tree.drop_empty import spliced
from bough.tree.mixtures import Guessing, Mixtures, averaged
from bough.tree.tree import (
    TIE,
    HasTree,
    Node,
    Tree,
    TreeLike,
    once_for_a_tree,
    query_at,
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
    "query_at",
    "spliced",
    "tree_of",
]
