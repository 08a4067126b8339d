"""Trees that other libraries have grown, as bough's own.

Builds a tree from the nodes of another library, with two children each, in any order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.query_kinds import QueryKind
from bough.schema import Schema
from bough.tree import Tree
from bough.tree.check import ARRAYS

Floats = NDArray[np.float64]
LEAF = -1
_SIGN = np.int64(2**63 - 1)


@dataclass(frozen=True)
class Asked:
    """What a branch asks: which of its two children gets which rows."""

    feature: int
    pivot: float = nan
    """The left child gets what is below it; nan: see `left`."""
    left: frozenset[int] | None = None
    """The codes that the left child gets, of `n_codes`; None: the query is not about categories."""
    n_codes: int = 0
    missing_left: bool | None = None
    """Whether missing values go left; None: they stop."""
    asks_missing: bool = False
    """Whether what is missing goes one way, and all else the other."""

    @property
    def kind(self) -> QueryKind:
        if self.asks_missing:
            return QueryKind.IS_MISSING
        return QueryKind.BELOW if self.left is None else QueryKind.ONE_OF

    @property
    def is_swapped(self) -> bool:
        """Whether the right child comes first: in bough the one with the first category, or what is missing."""
        if self.asks_missing:
            return not self.missing_left
        return self.left is not None and 0 not in self.left


@dataclass(frozen=True)
class Nodes:
    """What is known of every node, in the order of the other library, whose root is node 0."""

    left: Sequence[int]  # -1 at a leaf
    right: Sequence[int]
    asked: Callable[[int], Asked]
    tally: Floats
    guess: Floats | None
    n_rows: NDArray[np.int64]
    impurity: Floats


def built(schema: Schema, nodes: Nodes) -> Tree:
    """Return the tree, its nodes numbered breadth first."""
    order: list[int] = [0]
    queries: list[Asked | None] = []
    first: list[int] = []
    for node in order:  # which grows
        if nodes.left[node] < 0:
            queries.append(None)
            first.append(LEAF)
            continue
        query = nodes.asked(node)
        both = [nodes.left[node], nodes.right[node]]
        queries.append(query)
        first.append(len(order))
        order.extend(reversed(both) if query.is_swapped else both)
    place = np.array(order)
    arrays: dict[str, Any] = dict.fromkeys(ARRAYS)
    arrays |= _links(queries, np.array(first))
    arrays |= {
        "tally": nodes.tally[place],
        "guess": None if nodes.guess is None else nodes.guess[place],
        "n_rows": nodes.n_rows[place],
        "impurity": np.maximum(nodes.impurity[place], 0.0),
    }
    arrays["gain"] = _gains(arrays)
    typed: dict[str, Any] = {
        name: None if array is None else np.ascontiguousarray(array, ARRAYS[name])
        for name, array in arrays.items()
    }
    return Tree(schema, **typed)


def _links(queries: list[Asked | None], first: NDArray[np.intp]) -> dict[str, Any]:
    is_leaf = first < 0
    codes: list[int] = []
    answers: list[int] = []
    counts: list[int] = []
    missing = np.full(len(first), LEAF)
    for node, query in enumerate(queries):
        counts.append(0)
        if query is None:
            continue
        if query.left is not None:
            is_left = np.array([code in query.left for code in range(query.n_codes)])
            codes.extend(range(query.n_codes))
            answers.extend((is_left if query.is_swapped else ~is_left).astype(int).tolist())
            counts[-1] = query.n_codes
        if query.asks_missing:
            missing[node] = first[node]
        elif query.missing_left is not None:
            missing[node] = first[node] + (query.missing_left == query.is_swapped)
    return {
        "feature": [LEAF if query is None else query.feature for query in queries],
        "query_kind": [0 if query is None else int(query.kind) for query in queries],
        "pivot": [nan if query is None else query.pivot for query in queries],
        "codes": codes,
        "answers": answers,
        "codes_start": np.append(0, np.cumsum(counts)),
        "first_child": first,
        "n_children": np.where(is_leaf, 0, 2),
        "missing_child": missing,
    }


def _gains(arrays: dict[str, Any]) -> Floats:
    """Return by how much the impurity falls at each branch, on average over the weight of its children."""
    first, impurity, tally = arrays["first_child"], arrays["impurity"], arrays["tally"]
    weight = tally[:, 0, 0] if arrays["guess"] is not None else tally[:, 0].sum(axis=1)
    gains = np.zeros(len(first))
    here = np.flatnonzero(first >= 0)
    one, two = first[here], first[here] + 1
    rest = weight[one] * impurity[one] + weight[two] * impurity[two]
    gains[here] = impurity[here] - rest / (weight[one] + weight[two])
    return gains


def least_going_right(goes_right: Callable[[Floats], NDArray[np.bool_]], n: int) -> Floats:
    """Return for each of n questions the least number that goes right; greater ones do, too.

    Every float64 is a candidate: they are halved until one is left.
    """
    low, high = (np.full(n, _place(np.finfo(np.float64).max * sign)) for sign in (-1, 1))
    while (low < high).any():
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        with np.errstate(over="ignore", invalid="ignore"):
            is_right = goes_right(_number(middle))
        high = np.where(is_right, middle, high)
        low = np.where(is_right, low, np.minimum(middle + 1, high))
    return _number(low)


def _place(number: Any) -> NDArray[np.int64]:  # noqa: ANN401 - a number or an array
    bits = np.asarray(number, np.float64).view(np.int64)
    return np.asarray(np.where(bits < 0, bits ^ _SIGN, bits))


def _number(place: NDArray[np.int64]) -> Floats:
    found = np.where(place < 0, place ^ _SIGN, place).view(np.float64)
    return np.asarray(found + 0.0)  # never -0.0
