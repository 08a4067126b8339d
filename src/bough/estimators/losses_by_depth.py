"""The loss of a tree cut at depth 0, 1, 2, …: `depths_path` of the classifier and the regressor, and what rows lose where they stop."""

from abc import abstractmethod
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bough.estimators.explaining_methods import Explainable
from bough.estimators.fit_arguments import read_weights
from bough.predict import Guessing, check_missing, said_of
from bough.pruning.ways import RowLosses, at_depth
from bough.table import Table, TableLike
from bough.tree import Tree
from bough.walk import depths, parents


class MeasuredByRows(Explainable):
    """A fitted tree whose loss is the mean of what its predictions cost in each row."""

    def depths_path(
        self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """Return the loss on these rows when the tree is cut at depth 0, 1, 2, …

        The loss is the share of wrong predictions for a classifier, the mean cost if it has `costs`,
        and the mean squared error for a regressor.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["a", "a", "a", "b"]
        >>> DecisionTreeClassifier().fit(X, y).depths_path(X, y)
        array([0.25, 0.25, 0.  ])
        """
        check_missing(self.missing)
        if self.missing == "weigh":
            return self._weighed_depths_path(X, y, sample_weight)
        return losses_by_depth(self._tree, *self.__bough_losses__(X, y, sample_weight))

    def __bough_losses__(
        self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[NDArray[np.intp], RowLosses, NDArray[np.float64] | None]:
        """Return where rows stop, what each would lose at any node, and their weights."""
        nodes = self.apply(X)
        weights = read_weights(sample_weight, len(nodes))
        return nodes, self._row_losses(y, len(nodes)), weights

    def _losses_on(
        self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Return what guesses cost in each row, and the weights of the rows."""
        table = self._read(X)
        said = said_of(self._tree, table, missing=self.missing)
        return self._losses_of(y, *said), read_weights(sample_weight, table.n_rows)

    def _weighed_depths_path(
        self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> NDArray[np.float64]:
        """Cut the tree at each depth: where the parts of a row stop hangs on it."""
        table = self._read(X)
        weights = read_weights(sample_weight, table.n_rows)
        cut = weighed_by_depth(self._tree, table)
        return np.array([np.average(self._losses_of(y, *said), weights=weights) for said in cut])

    def _losses_of(
        self, y: ArrayLike, guessing: Guessing, places: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Return what guesses cost in each row."""
        losses = self._row_losses(y, len(places), guessing)
        return losses(np.arange(len(places)), places.astype(np.intp))

    @abstractmethod
    def _row_losses(self, y: ArrayLike, n_rows: int, guessing: Guessing | None = None) -> RowLosses:
        """Return a function that gives the losses of some rows, had they stopped at some nodes.

        None is the tree itself.
        """


def weighed_by_depth(tree: Tree, table: Table) -> Iterator[tuple[Guessing, NDArray[np.integer]]]:
    """Give what guesses for rows, cut at each depth, where missing values go to every answer."""
    for depth in range(int(depths(tree).max()) + 1):
        yield said_of(at_depth(tree, depth), table, missing="weigh")


def losses_by_depth(
    tree: Tree,
    nodes: NDArray[np.intp],
    losses: RowLosses,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return the mean loss of the tree cut at each depth, given where each row stops in the whole tree.

    `losses(rows, nodes)` are those of some rows, had they stopped at some nodes.
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
