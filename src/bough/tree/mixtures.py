"""`Mixtures`: means of several nodes, which guess as nodes do."""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bough.schema import Schema
from bough.tree import Tree


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
        return np.concatenate([self.tree.shares, self._means(0)])

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """How probable each class is, (nodes and means, outputs, classes)."""
        if not _is_smoothed(self.tree):
            return self.shares
        return np.concatenate([self.tree.probabilities, self._means(1)])

    @cached_property
    def class_guess(self) -> NDArray[np.intp]:
        """The number of the class that is guessed, for each output."""
        return np.concatenate([self.tree.class_guess, self.tree.guessed(self._means(0))])

    @cached_property
    def guess(self) -> NDArray[np.float64] | None:
        """The guesses of numbers, (nodes and means, outputs)."""
        if self.tree.guess is None:
            return None
        return np.concatenate([self.tree.guess, self.means])

    def _means(self, number: int) -> NDArray[np.float64]:
        """Return the means of the shares, or of the probabilities, which come after them."""
        shape = self.tree.shares.shape[1:]
        n_cells = shape[0] * shape[1]
        cells = self.means[:, number * n_cells : (number + 1) * n_cells]
        return cells.reshape(-1, *shape)


Guessing: TypeAlias = Tree | Mixtures


def averaged(tree: Tree) -> NDArray[np.float64]:
    """Return what means are taken of: for each node a line of numbers.

    These are its guesses, or its shares and, where they are not the same, its probabilities.
    """
    if tree.guess is not None:
        return tree.guess
    said = [tree.shares, tree.probabilities] if _is_smoothed(tree) else [tree.shares]
    return np.concatenate(said, axis=1).reshape(len(tree), -1)


def _is_smoothed(tree: Tree) -> bool:
    """Return whether probabilities are other numbers than shares."""
    return any(label.probability != "raw" for label in tree.schema.labels)
