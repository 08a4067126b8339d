"""Tree + table → the nodes where rows stop, guesses, shares of each label."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.encode import CoreColumns, core_columns
from bough.errors import refuse_unknown
from bough.remembered import once
from bough.schema import Schema, core_features
from bough.table import Table, TableLike, read_like, refuse_infinity
from bough.table.numbers import SparseNumbers
from bough.tree import Tree

Missing = Literal["stop", "weigh"]
RULES = get_args(Missing)
EVERY = -2  # in place of a node: every child
ROUTES = (  # the arrays of a tree that lead rows down
    "feature",
    "query_kind",
    "pivot",
    "pivot_int",
    "codes",
    "answers",
    "codes_start",
    "first_child",
    "n_children",
    "missing_child",
)


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


@once
def features_asked(tree: Tree) -> list[int]:
    """Return the numbers of the features that any query is about."""
    counts = np.bincount(tree.feature + 1, minlength=1)  # a leaf has the feature -1
    found: list[int] = np.flatnonzero(counts[1:]).tolist()
    return found


def read_asked(tree: Tree, X: TableLike, *, estimator: str = "the tree") -> Table:
    """Return a table to predict, of which only the columns that the tree asks about are needed."""
    return read_like(X, tree.schema, estimator=estimator, asked=features_asked(tree))


def look_up(tree: Tree, table: Table, entries: NDArray[Any], *, n_jobs: int = 1) -> NDArray[Any]:
    """Return for each row what stands in `entries` for the node where it stops.

    That is a leaf, or the branch that has no answer for a missing or unseen value. A row that meets
    an infinite number on its way is refused; what no query asks of it is not read.
    """
    if entries.dtype.hasobject:  # which only Python may copy
        return entries[stops(tree, table, n_jobs=n_jobs)]
    found = np.empty((table.n_rows, *entries.shape[1:]), entries.dtype)
    told = _bytes(entries)
    with _finite(tree, table):
        if isinstance(table.values, SparseNumbers):
            router, places = _narrow_router(tree)
            router.look_up_sparse(*table.values.by_row(), places, told, _bytes(found), n_jobs)
        else:
            _router(tree).look_up(core_columns(table), told, _bytes(found), n_jobs)
    return found


def stops(tree: Tree, table: Table, *, n_jobs: int = 1) -> NDArray[np.int32]:
    """Return the node where each row stops."""
    return look_up(tree, table, _numbers(tree), n_jobs=n_jobs)


def unseen(tree: Tree, table: Table) -> dict[str, int]:
    """Return for each feature how many rows stop at a value that their node never saw."""
    asked = tree.feature[stops(tree, table)]  # without an answer; -1 at a leaf
    counts: dict[str, int] = {}
    for number in np.unique(asked[asked >= 0]).tolist():
        if count := int(np.count_nonzero((asked == number) & ~table.missing(number))):
            counts[tree.schema.features[number].name] = count
    return counts


def next_nodes(tree: Tree, table: Table, row: int, *, missing: str = "stop") -> NDArray[np.int32]:
    """Return for each node the child that a row would go to from there; -1 if to none.

    None is below a leaf, and below a branch that has no answer for a missing or unseen value.
    Where a missing value goes to every answer (`missing="weigh"`) it is `EVERY`.
    """
    columns = core_columns(table)
    return _router(tree).answers(columns, table.n_rows, row, missing == "weigh")


def check_missing(missing: object) -> None:
    """Refuse a rule of missing values that is not known."""
    refuse_unknown("missing", missing, RULES)


def said_of(
    tree: Tree, table: Table, *, missing: str = "stop", n_jobs: int = 1
) -> tuple[Guessing, NDArray[np.integer]]:
    """Return what guesses for rows, and for each row the place there.

    That is the tree; or, if some rows go on in parts, its nodes and after them the mean, for each
    such row, of the nodes where its parts stop. `missing` says where a missing value goes at a
    query other than `IsMissing`. "stop": where such values went when the tree was grown, and if
    there were none it stops. "weigh": to every answer, each getting a part of the row as large as
    its child's share of the weight.
    """
    nodes = stops(tree, table, n_jobs=n_jobs)
    if missing == "stop":
        return tree, nodes
    rows = weighed_rows(tree, table, n_jobs=n_jobs)
    if not len(rows):
        return tree, nodes
    places = nodes.astype(np.intp)
    places[rows] = len(tree) + np.arange(len(rows))
    return Mixtures(tree, _means(tree, table, rows, n_jobs)), places


def weighed_rows(tree: Tree, table: Table, *, n_jobs: int = 1) -> NDArray[np.int64]:
    """Return the rows that go on in parts where `missing="weigh"`."""
    with _finite(tree, table):
        return _router(tree).weighed_rows(_columns(tree, table), table.n_rows, n_jobs)


class RowParts(NamedTuple):
    """The nodes that some rows meet in parts, those of one row after the other."""

    starts: NDArray[np.int64]
    """Where the nodes of each row begin; one more entry than there are rows."""
    nodes: NDArray[np.int32]
    shares: NDArray[np.float64]
    """How much of the row comes to the node."""
    stops: NDArray[np.bool_]
    """Whether that part stops there."""


def parts_of(tree: Tree, table: Table, rows: NDArray[np.int64]) -> RowParts:
    """Return the nodes that some rows meet where `missing="weigh"`."""
    with _finite(tree, table):
        starts, nodes, shares, stops = _router(tree).parts(
            _columns(tree, table), table.n_rows, rows, tree.flow
        )
    return RowParts(starts, nodes, shares, stops.view(np.bool_))


def all_guesses(guessing: Guessing) -> NDArray[Any]:
    """Return the guess of every node for each output: class numbers, or numbers."""
    return guessing.class_guess if guessing.guess is None else guessing.guess


def guesses(guessing: Guessing, nodes: NDArray[Any]) -> NDArray[Any]:
    """Return the guess of some nodes for each output."""
    return np.asarray(all_guesses(guessing)[nodes])


def probabilities(guessing: Guessing, nodes: NDArray[Any]) -> NDArray[np.float64]:
    """Return how probable each class is at each node, (nodes, outputs, classes)."""
    return np.asarray(guessing.probabilities[nodes])


def _means(tree: Tree, table: Table, rows: NDArray[np.int64], n_jobs: int) -> NDArray[np.float64]:
    """Return for some rows the mean of what the nodes say where their parts stop."""
    of_nodes = np.ascontiguousarray(averaged(tree))
    means = np.empty((len(rows), of_nodes.shape[1]))
    with _finite(tree, table):
        _router(tree).mix(
            _columns(tree, table), table.n_rows, rows, tree.flow, of_nodes, means, n_jobs
        )
    # A mean lies between, whatever rounding has added.
    return np.clip(means, of_nodes.min(axis=0), of_nodes.max(axis=0))


@contextmanager
def _finite(tree: Tree, table: Table) -> Iterator[None]:
    """Lead rows down; where a number is infinite, say which."""
    try:
        yield
    except _core.InfiniteNumber:
        refuse_infinity(table.only(features_asked(tree)))
        raise


def _columns(tree: Tree, table: Table) -> CoreColumns:
    """Return the columns that a tree asks about, and anything for others."""
    if isinstance(table.values, SparseNumbers):
        return table.values.asked(features_asked(tree))
    return core_columns(table)


@once
def _numbers(tree: Tree) -> NDArray[np.int32]:
    return np.arange(len(tree), dtype=np.int32)


@once
def _router(tree: Tree) -> _core.Router:
    arrays = {name: getattr(tree, name) for name in ROUTES}
    return _core.Router(arrays | tree.schema.core_features)


@once
def _narrow_router(tree: Tree) -> tuple[_core.Router, NDArray[np.int32]]:
    """Return what leads rows down of the columns that are asked about, and the place of each there."""
    asked = features_asked(tree)
    arrays = {name: getattr(tree, name) for name in ROUTES}
    place = np.full(len(tree.schema.features) + 1, -1, np.int32)  # the last is that of a leaf
    place[asked] = np.arange(len(asked))
    arrays["feature"] = place[tree.feature]
    kept = core_features([tree.schema.features[each] for each in asked])
    return _core.Router(arrays | kept), place[:-1]


def _bytes(entries: NDArray[Any]) -> NDArray[np.uint8]:
    width = prod(entries.shape[1:])
    return entries.reshape(len(entries), width).view(np.uint8)
