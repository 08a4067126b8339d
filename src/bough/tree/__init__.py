"""The grown tree as data, and what must be true of it."""

from bough.tree.check import ARRAYS, OPTIONAL
from bough.tree.drop_empty import spliced
from bough.tree.mixtures import Guessing, Mixtures, averaged
from bough.tree.tree import TIE, Node, Tree

__all__ = [
    "ARRAYS",
    "OPTIONAL",
    "TIE",
    "Guessing",
    "Mixtures",
    "Node",
    "Tree",
    "averaged",
    "spliced",
]
