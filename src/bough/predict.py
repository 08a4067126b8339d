"""Tree + table → the nodes where rows stop, guesses, shares of each label."""

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.encode import core_columns
from bough.schema import Kind
from bough.table import Table, refuse_infinity
from bough.tree import Tree

_ROUTERS: WeakKeyDictionary[Tree, _core.Router] = WeakKeyDictionary()  # made once for each tree


def look_up(tree: Tree, table: Table, entries: NDArray[Any], *, n_jobs: int = 1) -> NDArray[Any]:
    """Return for each row what stands in `entries` for the node where it stops.

    That is a leaf, or the branch that has no answer for a missing or unseen value.
    """
    if entries.dtype.hasobject:  # which only Python may copy
        return entries[stops(tree, table, n_jobs=n_jobs)]
    found = np.empty((table.n_rows, *entries.shape[1:]), entries.dtype)
    columns = core_columns(table)
    if not _router(tree).look_up(columns, _bytes(entries), _bytes(found), n_jobs):
        refuse_infinity(table)
    return found


def stops(tree: Tree, table: Table, *, n_jobs: int = 1) -> NDArray[np.int32]:
    """Return the node where each row stops."""
    return look_up(tree, table, np.arange(len(tree), dtype=np.int32), n_jobs=n_jobs)


def unseen(tree: Tree, table: Table) -> dict[str, int]:
    """Return for each feature how many rows stop at a value that their node never saw."""
    counts = _router(tree).unseen(core_columns(table), table.n_rows).tolist()
    if not counts:
        refuse_infinity(table)
    names = [feature.name for feature in tree.schema.features]
    return {name: count for name, count in zip(names, counts, strict=True) if count}


def next_nodes(tree: Tree, table: Table, row: int) -> NDArray[np.int32]:
    """Return for each node the child that a row would go to from there; -1 if to none.

    None is below a leaf, and below a branch that has no answer for a missing or unseen value.
    """
    return _router(tree).answers(core_columns(table), table.n_rows, row)


def all_guesses(tree: Tree) -> NDArray[Any]:
    """Return the guess of every node for each output: class numbers, or numbers."""
    return tree.class_guess if tree.guess is None else tree.guess


def guesses(tree: Tree, nodes: NDArray[Any]) -> NDArray[Any]:
    """Return the guess of some nodes for each output."""
    return np.asarray(all_guesses(tree)[nodes])


def probabilities(tree: Tree, nodes: NDArray[Any]) -> NDArray[np.float64]:
    """Return how probable each class is at each node, (nodes, outputs, classes)."""
    return np.asarray(tree.probabilities[nodes])


def _router(tree: Tree) -> _core.Router:
    router = _ROUTERS.get(tree)
    if router is None:
        has_codes = (Kind.CHOICE, Kind.ORDERED)
        n_choices = [len(f.choices) if f.kind in has_codes else -1 for f in tree.schema.features]
        router = _ROUTERS[tree] = _core.Router(
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
            np.array(n_choices, np.int32),
        )
    return router


def _bytes(entries: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the bytes of each entry of a contiguous array, as (entries, bytes)."""
    return entries.reshape(len(entries), -1).view(np.uint8)
