"""`Mixtures`: what the nodes of a tree say, and beside them means of several nodes."""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bough.schema import Schema
from bough.tree.tree import Tree, commonest


@dataclass(frozen=True, eq=False)
class Mixtures:
    """The nodes of a tree, and after them means of several nodes.

    What they say has the names that it has in a tree, so that guesses and losses are read off
    either.
    """

    tree: Tree
    means: NDArray[np.float64]
    """Of the shares of each class, (means, outputs, classes), or of guesses, (means, outputs)."""

    @property
    def schema(self) -> Schema:
        return self.tree.schema

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The share of each class, (nodes and means, outputs, classes)."""
        return np.concatenate([self.tree.shares, self.means])

    @cached_property
    def class_guess(self) -> NDArray[np.intp]:
        """The number of the commonest class, for each output; the first of equals."""
        return np.concatenate([self.tree.class_guess, commonest(self.means)])

    @cached_property
    def guess(self) -> NDArray[np.float64] | None:
        """The guesses of numbers, (nodes and means, outputs)."""
        if self.tree.guess is None:
            return None
        return np.concatenate([self.tree.guess, self.means])


Guessing: TypeAlias = Tree | Mixtures
