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
    """A line of numbers for each mean, as `averaged` has one for each node."""

    @property
    def schema(self) -> Schema:
        return self.tree.schema

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The share of each class, (nodes and means, outputs, classes)."""
        means = self.means.reshape(-1, *self.tree.shares.shape[1:])
        return np.concatenate([self.tree.shares, means])

    @cached_property
    def class_guess(self) -> NDArray[np.intp]:
        """The number of the commonest class, for each output; the first of equals."""
        of_means = commonest(self.shares[len(self.tree) :])
        return np.concatenate([self.tree.class_guess, of_means])

    @cached_property
    def guess(self) -> NDArray[np.float64] | None:
        """The guesses of numbers, (nodes and means, outputs)."""
        if self.tree.guess is None:
            return None
        return np.concatenate([self.tree.guess, self.means])


Guessing: TypeAlias = Tree | Mixtures


def averaged(tree: Tree) -> NDArray[np.float64]:
    """Return what means are taken of: for each node a line of numbers, its shares or guesses."""
    said = tree.shares if tree.guess is None else tree.guess
    return said.reshape(len(tree), -1)
