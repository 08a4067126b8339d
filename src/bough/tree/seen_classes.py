"""The classes that the rows of each node have, where most nodes have few of many."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class SeenClasses:
    """The tally of one label, but for most of the classes that a node has no rows of.

    Those of a node lie side by side, in their order; behind them there may be some of weight 0.
    """

    start: NDArray[np.int64]  # where the classes of each node begin (nodes + 1 entries)
    code: NDArray[np.int32]  # the number of each class
    weight: NDArray[np.float64]  # of its rows
    n_classes: int

    @cached_property
    def _node(self) -> NDArray[np.intp]:
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def tally(self) -> NDArray[np.float64]:
        """Return the weight of every class at every node, (nodes, 1, classes)."""
        tally = np.zeros((len(self.start) - 1, 1, self.n_classes))
        has_rows = self.weight > 0
        tally[self._node[has_rows], 0, self.code[has_rows]] = self.weight[has_rows]
        return tally

    def commonest(self, tie: float) -> NDArray[np.intp]:
        """Return the commonest class of each node, (nodes, 1): the first of those tied by weight."""
        least = np.maximum.reduceat(self.weight, self.start[:-1])
        least -= tie * np.add.reduceat(self.weight, self.start[:-1])
        places = np.flatnonzero(self.weight >= least[self._node])
        first = places[np.diff(self._node[places], prepend=-1) > 0]
        return self.code[first].astype(np.intp)[:, np.newaxis]
