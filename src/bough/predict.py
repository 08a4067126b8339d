"""Tree + table → the nodes where rows stop, guesses, shares of each label."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.encode import core_columns
from bough.table import Table
from bough.tree import Tree


def stops(tree: Tree, table: Table, *, n_jobs: int = 1) -> NDArray[np.int32]:
    """Return the node where each row stops: a leaf, or where its value has no answer."""
    return _stops(tree, table, n_jobs)[0]


def unseen(tree: Tree, table: Table, *, n_jobs: int = 1) -> dict[str, int]:
    """Return for each feature how many rows stop at a value that their node never saw."""
    counts = _stops(tree, table, n_jobs)[1].tolist()
    names = [feature.name for feature in tree.schema.features]
    return {name: count for name, count in zip(names, counts, strict=True) if count}


def guesses(tree: Tree, nodes: NDArray[Any]) -> NDArray[Any]:
    """Return the guess of each node for each output: class numbers, or numbers."""
    of_all: NDArray[Any] = tree.class_guess if tree.guess is None else tree.guess
    return np.asarray(of_all[nodes])


def shares(tree: Tree, nodes: NDArray[Any]) -> NDArray[np.float64]:
    """Return the share of each class at each node, (nodes, outputs, classes)."""
    return np.asarray(tree.shares[nodes])


def _stops(tree: Tree, table: Table, n_jobs: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    return _core.stops(
        tree.feature,
        tree.query_kind,
        tree.pivot,
        tree.pivot_int,
        tree.codes,
        tree.answers,
        tree.codes_start,
        tree.first_child,
        tree.n_children,
        tree.missing_child,
        **core_columns(tree.schema.features, table),
        n_rows=table.n_rows,
        n_threads=n_jobs,
    )
