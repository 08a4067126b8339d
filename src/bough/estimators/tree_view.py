"""`TreeView`: the arrays of a two-way tree under scikit-learn's names."""

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix

from bough.explain.importances_and_shap_values import column_importances, columns_asked
from bough.predict import stops
from bough.query_kinds import QueryKind
from bough.table import TableLike, read_like
from bough.table.array import is_sparse
from bough.tree import Tree
from bough.walk import depths, parents, trails, two_children

NO_QUERY = -2  # scikit-learn's TREE_UNDEFINED


class TreeView:
    """The arrays of a two-way tree under scikit-learn's names, read-only.

    `threshold` is the pivot: a row below it goes left, a row equal to it goes right. A query
    for a missing value shows as the threshold infinity, with the known values on the left. A
    tree that asks about categories has no thresholds. Nodes are numbered level by level.
    """

    def __init__(self, tree: Tree) -> None:
        n_children = np.bincount(parents(tree)[1:], minlength=len(tree))
        odd = np.flatnonzero((n_children != 0) & (n_children != 2))
        if len(odd):
            raise AttributeError(
                f"tree_ holds binary trees only, but node {odd[0]} has {n_children[odd[0]]} children. "
                "Use grown_tree_, or grow the tree with categorical='group'."
            )
        self._tree = tree

    @property
    def node_count(self) -> int:
        return len(self._tree)

    capacity = node_count

    @property
    def n_features(self) -> int:
        return len(self._tree.schema.columns)

    @property
    def n_outputs(self) -> int:
        return len(self._tree.schema.labels)

    @cached_property
    def n_classes(self) -> NDArray[np.intp]:
        return _frozen([max(1, len(label.classes)) for label in self._tree.schema.labels], np.intp)

    @property
    def max_n_classes(self) -> int:
        return int(self.n_classes.max())

    @cached_property
    def max_depth(self) -> int:
        return int(depths(self._tree).max())

    @property
    def n_leaves(self) -> int:
        return int(np.count_nonzero(self._is_leaf))

    @cached_property
    def children_left(self) -> NDArray[np.intp]:
        return _frozen(np.where(self._asks_missing, *two_children(self._tree)[::-1]), np.intp)

    @cached_property
    def children_right(self) -> NDArray[np.intp]:
        return _frozen(np.where(self._asks_missing, *two_children(self._tree)), np.intp)

    @cached_property
    def feature(self) -> NDArray[np.intp]:
        """The column that each node asks about; -2 at a leaf."""
        return _frozen(np.where(self._is_leaf, NO_QUERY, columns_asked(self._tree)), np.intp)

    @cached_property
    def threshold(self) -> NDArray[np.float64]:
        """The pivot of each node; -2 at a leaf."""
        is_category = self._has_no_pivot.nonzero()[0]
        if len(is_category):
            name = self._tree.schema.features[self._tree.feature[is_category[0]]].name
            raise AttributeError(
                f"tree_ has thresholds for numbers only, but node {is_category[0]} asks about the "
                f"category {name!r}. Use grown_tree_, bough.draw(tree) or bough.export(tree, 'dot')."
            )
        pivot = np.where(self._asks_missing, np.inf, self._tree.pivot)
        if self._tree.pivot_int is not None:
            whole = (self._tree.query_kind == QueryKind.BELOW) & np.isnan(pivot)
            pivot = np.where(whole, self._tree.pivot_int, pivot)
        return _frozen(np.where(self._is_leaf, NO_QUERY, pivot), np.float64)

    @cached_property
    def missing_go_to_left(self) -> NDArray[np.uint8]:
        to_left = self._tree.missing_child == self.children_left
        return _frozen(to_left & ~self._is_leaf, np.uint8)

    @property
    def impurity(self) -> NDArray[np.float64]:
        return self._tree.impurity

    @cached_property
    def n_node_samples(self) -> NDArray[np.intp]:
        return _frozen(self._tree.n_rows, np.intp)

    @cached_property
    def weighted_n_node_samples(self) -> NDArray[np.float64]:
        return _frozen(self._tree.weight, np.float64)

    @cached_property
    def value(self) -> NDArray[np.float64]:
        """The shares of the classes, (nodes, outputs, classes), or the predictions, (…, 1)."""
        if self._tree.guess is not None:
            return _frozen(self._tree.guess[:, :, np.newaxis], np.float64)
        return self._tree.shares

    def apply(self, X: TableLike) -> NDArray[np.intp]:
        """Return the node where each row stops."""
        schema = self._tree.schema
        if isinstance(X, np.ndarray | list | tuple) or is_sparse(X):
            schema = replace(schema, named=False)  # unlike an estimator, it wants no names
        return stops(self._tree, read_like(X, schema, estimator="tree_")).astype(np.intp)

    def predict(self, X: TableLike) -> NDArray[np.float64]:
        """Return the entry of `value` for each row."""
        values = self.value[self.apply(X)]
        return values[:, 0] if self.n_outputs == 1 else values

    def decision_path(self, X: TableLike) -> csr_matrix:
        """Return a sparse matrix (rows, nodes) with a 1 for each node that a row passes."""
        return trail_matrix(self._tree, self.apply(X))

    def compute_node_depths(self) -> NDArray[np.int64]:
        """Return the depth of each node, where that of the root is 1, as in scikit-learn."""
        return depths(self._tree).astype(np.int64) + 1

    def compute_feature_importances(self, normalize: bool = True) -> NDArray[np.float64]:  # noqa: FBT001, FBT002
        """Return what each column has earned: its gains, weighted by the rows asked."""
        return column_importances(self._tree, normalize=normalize)

    @cached_property
    def _is_leaf(self) -> NDArray[np.bool_]:
        return np.asarray(self._tree.feature < 0)

    @property
    def _has_no_pivot(self) -> NDArray[np.bool_]:
        kind = self._tree.query_kind
        return np.asarray(
            ~self._is_leaf & (kind != QueryKind.BELOW) & (kind != QueryKind.IS_MISSING)
        )

    @cached_property
    def _asks_missing(self) -> NDArray[np.bool_]:
        asks = self._tree.query_kind == QueryKind.IS_MISSING
        return np.asarray(asks & ~self._is_leaf)


def trail_matrix(tree: Tree, nodes: NDArray[Any]) -> csr_matrix:
    """Return a sparse matrix (rows, nodes) with 1 for each node on the trail to where a row stops."""
    starts, indices = trails(tree, nodes)
    ones = np.ones(len(indices), dtype=np.intp)
    return csr_matrix((ones, indices, starts), shape=(len(nodes), len(tree)))


def _frozen(values: ArrayLike, dtype: type) -> NDArray[Any]:
    array: NDArray[Any] = np.ascontiguousarray(values, dtype=dtype).view()
    array.flags.writeable = False
    return array
