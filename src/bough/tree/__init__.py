"""`Tree` and `Node`: the grown tree as flat arrays."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan, nan
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError
from bough.query_kinds import Below, EachValue, IsMissing, OneOf, Query, QueryKind
from bough.remembered import Remembering
from bough.schema import Schema, Value
from bough.tree.check import ARRAYS, check_arrays, greatest_weight, taken_over

PRIOR_ROWS = 2  # of 1, 2, 3, 5 and 10, least log loss on the real tables (benchmarks/smoothing.py)
TIE = 1e-12  # classes whose shares differ by no more are equally common
_LARGEST = np.finfo(np.float64).max


Shown: TypeAlias = NDArray[np.float64] | None


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


class _WhenAskedFor:
    """An array that is found out when it is asked for: many trees never say it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, tree: "Tree | None", _: type) -> Shown:
        if tree is None:
            return None  # what a tree has where nothing is said
        if (find := vars(tree).get(f"find_{self.name}")) is not None:
            object.__setattr__(tree, self.name, taken_over(self.name, find()))
            vars(tree).pop(f"find_{self.name}", None)
        found: Shown = vars(tree)[self.name]
        return found


_SHOWN: Any = _WhenAskedFor("shown")
_TALLY: Any = _WhenAskedFor("tally")


@dataclass(frozen=True, eq=False)
class Tree(Remembering):
    """A schema and one entry per node in each array.

    Node 0 is the root; a child comes after its parent; siblings lie side by side, in the order
    of their query's answers; nodes are numbered breadth first. A tree takes its arrays over:
    they are checked, and cannot be written to any more.
    """

    schema: Schema
    feature: NDArray[np.int32]  # feature that the query asks about; -1 at a leaf
    query_kind: NDArray[np.uint8]  # a `QueryKind`; 0 at a leaf
    pivot: NDArray[np.float64]  # nan unless the query is Below
    pivot_int: NDArray[np.int64] | None  # the pivot where `pivot` is nan at a Below node, else 0
    codes: NDArray[np.int32]  # values that OneOf and EachValue nodes saw, node after node
    answers: NDArray[np.int32]  # the answer of each of these values
    codes_start: NDArray[np.int32]  # where the codes of each node begin (nodes + 1 entries)
    first_child: NDArray[np.int32]  # -1 at a leaf
    n_children: NDArray[np.int32]
    missing_child: NDArray[np.int32]  # node where missing values go; -1: stop here
    tally: NDArray[np.float64]  # (nodes, outputs, classes), or (…, 3): weight, sum, squares
    guess: NDArray[np.float64] | None  # (nodes, outputs) for number labels
    n_rows: NDArray[np.int64]
    impurity: NDArray[np.float64]
    gain: NDArray[np.float64]  # of the query; 0 at a leaf
    relevance: NDArray[np.float64] | None = None  # the mean of the rows, where they are ranked
    share: NDArray[np.float64] | None = None  # of the second class, where `monotonic_cst` bounds it
    shown: Shown = _SHOWN  # what words give for a pivot; nan: the pivot itself

    def __post_init__(self) -> None:
        for name in ARRAYS:
            object.__setattr__(self, name, taken_over(name, getattr(self, name)))
        check_arrays(self.schema, vars(self))

    @classmethod
    def grown(
        cls, schema: Schema, arrays: Mapping[str, Any], find_shown: Callable[[], Shown]
    ) -> "Tree":
        """Return the tree of which the core has just grown the arrays, and which so needs no check.

        `find_shown` finds out `shown` when it is asked for, and `seen` says what `tally` is, if the
        arrays have it.
        """
        tree = cls.__new__(cls)
        seen = arrays.get("seen")
        later = {"shown"} if seen is None else {"shown", "tally"}
        found = {name: taken_over(name, arrays.get(name)) for name in ARRAYS if name not in later}
        vars(tree).update(found, schema=schema, find_shown=find_shown)
        if seen is not None:
            vars(tree).update(seen=seen, find_tally=seen.tally)
        return tree

    def __len__(self) -> int:
        return len(self.feature)

    def __getitem__(self, node_id: int) -> "Node":
        return Node(self, node_id)

    def __iter__(self) -> Iterator["Node"]:
        return (Node(self, node_id) for node_id in range(len(self)))

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return int(np.count_nonzero(self.feature < 0))

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """The weight of the rows of each node, at most the largest number."""
        if not self.schema.has_classes:
            return _read_only(self.tally[:, 0, 0])
        if "seen" in vars(self):  # all rows weigh 1
            return _read_only(self.n_rows.astype(np.float64))
        with np.errstate(over="ignore"):
            return _read_only(np.minimum(self.tally[:, 0, :].sum(axis=1), _LARGEST))

    @cached_property
    def flow(self) -> NDArray[np.float64]:
        """Which share of the weight of its parent each node has; 1 at the root."""
        above = np.repeat(np.arange(len(self)), self.n_children)
        found = np.ones(len(self))
        with np.errstate(over="ignore"):  # a file may say that a node weighs more than its parent
            found[1:] = np.minimum(self.weight[1:] / self.weight[above], 1)
        # Together exactly all, also where the weight of the parent is not their rounded sum.
        found[1:] /= np.bincount(above, found[1:], minlength=len(self))[above]
        return _read_only(found)

    @cached_property
    def row_shares(self) -> NDArray[np.float64]:
        """The share that each class has among the rows of a node, (nodes, outputs, classes)."""
        tally = _summable(self.tally)
        return _read_only(tally / tally.sum(axis=2, keepdims=True))

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The share of each class that a node says, (nodes, outputs, classes).

        It is that among the rows, except where `monotonic_cst` keeps it within bounds.
        """
        if self.share is None:
            return self.row_shares
        return _read_only(np.stack([1.0 - self.share, self.share], axis=1)[:, np.newaxis])

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """How probable each class is for a row that stops at a node, (nodes, outputs, classes).

        These are the shares ('raw'), the shares if each class had one row more ('laplace'), or those
        if there were two rows more, mixed as the rows of the root are ('prior'). What is guessed rests
        on the shares.
        """
        found = self.shares
        for output, label in enumerate(self.schema.labels):
            if label.probability == "raw":
                continue
            tally = _summable(self.tally)[:, output, : len(label.classes)]
            more = np.ones(tally.shape[1])
            if (
                label.probability == "prior"
            ):  # with one row more, as a class may have none in the root
                more = PRIOR_ROWS * (tally[0] + 1) / (tally[0] + 1).sum()
            found = found.copy()
            found[:, output, : len(label.classes)] = (tally + more) / (
                tally.sum(axis=1, keepdims=True) + more.sum()
            )
        return _read_only(found)

    @cached_property
    def class_guess(self) -> NDArray[np.intp]:
        """The number of the class that each node guesses, for each output."""
        seen = vars(self).get("seen")
        if seen is not None and not self.schema.labels[0].costs:
            return _read_only(seen.commonest(TIE))
        return _read_only(self.guessed(self.tally if self.share is None else self.shares))

    def guessed(self, tally: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the number of the class to guess where classes weigh this much, for each output.

        It is the commonest class or, where the label has costs, the one of least expected cost;
        the first of equals. `tally` is (nodes, outputs, classes).
        """
        tally = _summable(tally)
        slack = TIE * tally.sum(axis=2, keepdims=True)
        costs = self.schema.labels[0].costs
        if costs:  # there is one output
            expected = tally @ (np.array(costs) / (np.max(costs) or 1.0))
            is_least = expected <= expected.min(axis=2, keepdims=True) + slack
            return np.asarray(np.argmax(is_least, axis=2))
        return np.asarray(np.argmax(tally >= greatest_weight(tally) - slack, axis=2))

    @cached_property
    def has_integer_pivot(self) -> NDArray[np.bool_]:
        """Whether the pivot of a node stands in `pivot_int`."""
        is_below = (self.feature >= 0) & (self.query_kind == QueryKind.BELOW)
        return _read_only(is_below & np.isnan(self.pivot))

    def shown_at(
        self, nodes: Sequence[int] | NDArray[np.integer], asks: NDArray[np.bool_]
    ) -> NDArray[np.float64] | None:
        """Return what words give for the pivots of some nodes, where these still ask."""
        if self.shown is None:
            return None
        found = np.where(asks, self.shown[nodes], np.nan)
        return None if np.isnan(found).all() else found


Tree.tally = _TALLY


@dataclass(frozen=True)
class Node:
    """A read-only view of one entry of a tree."""

    tree: Tree
    id: int

    @property
    def children(self) -> range:
        first = int(self.tree.first_child[self.id])
        return range(first, first + int(self.tree.n_children[self.id]))

    @property
    def is_leaf(self) -> bool:
        return bool(self.tree.feature[self.id] < 0)

    @cached_property
    def query(self) -> Query | None:
        """The question that the node asks; None at a leaf."""
        return None if self.is_leaf else query_at(self.tree, self.id)

    @property
    def guess(self) -> Value | tuple[Value, ...]:
        """The label that the node alone would predict; one for each output if there are several."""
        labels = self.tree.schema.labels
        if self.tree.guess is not None:
            guesses: tuple[Any, ...] = tuple(self.tree.guess[self.id].tolist())
        else:
            codes = self.tree.class_guess[self.id].tolist()
            guesses = tuple(label.classes[code] for label, code in zip(labels, codes, strict=True))
        return guesses if len(labels) > 1 else guesses[0]

    @property
    def tally(self) -> NDArray[np.float64]:
        tally: NDArray[np.float64] = self.tree.tally[self.id]
        return tally

    @property
    def n_rows(self) -> int:
        return int(self.tree.n_rows[self.id])

    @property
    def weight(self) -> float:
        return float(self.tree.weight[self.id])

    @property
    def impurity(self) -> float:
        return float(self.tree.impurity[self.id])

    @property
    def gain(self) -> float:
        return float(self.tree.gain[self.id])


def query_at(tree: Tree, branch: int) -> Query:
    """Return the question that a branch asks."""
    feature = tree.schema.features[tree.feature.item(branch)]
    missing_child = tree.missing_child.item(branch)
    missing = None if missing_child < 0 else missing_child - tree.first_child.item(branch)
    kind = tree.query_kind.item(branch)
    if kind == QueryKind.BELOW:
        shown = nan if tree.shown is None else tree.shown.item(branch)
        return Below(feature, _pivot(tree, branch), missing, None if isnan(shown) else shown)
    seen = slice(tree.codes_start[branch], tree.codes_start[branch + 1])
    codes, answers = tree.codes[seen].tolist(), tree.answers[seen].tolist()
    if kind == QueryKind.EACH_VALUE:
        return EachValue(feature, tuple(codes), missing)
    if kind == QueryKind.IS_MISSING:
        return IsMissing(feature)
    sides: tuple[list[int], list[int]] = ([], [])
    for code, answer in zip(codes, answers, strict=True):
        sides[answer].append(code)
    return OneOf(feature, tuple(sides[0]), tuple(sides[1]), missing)


def _pivot(tree: Tree, branch: int) -> float | int:
    pivot = tree.pivot.item(branch)
    if tree.pivot_int is not None and isnan(pivot):
        return tree.pivot_int.item(branch)
    return pivot


def _summable(tally: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a tally, made smaller by a power of two where its sum would exceed all numbers."""
    with np.errstate(over="ignore"):
        too_large = np.isinf(tally.sum(axis=2, keepdims=True))
    return np.where(too_large, tally * 2.0**-64, tally) if too_large.any() else tally


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


class HasTree(Protocol):
    """What has grown a tree: a fitted estimator, a result of `bough.fit`, a model file."""

    @property
    def grown_tree_(self) -> Tree: ...


TreeLike: TypeAlias = Tree | HasTree


def tree_of(model: object) -> Tree:
    """Return the tree of a model: a `Tree` itself, or what a fitted estimator has grown."""
    tree = getattr(model, "grown_tree_", model)
    if isinstance(tree, Tree):
        return tree
    name = type(model).__name__
    if hasattr(model, "fit"):
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(f"This {name} has no tree yet. Call 'fit' first.")
    raise ParameterError(f"model is a {name}; it must be a Tree or a fitted estimator.")
