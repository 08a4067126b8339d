"""What nodes ask and predict, as formats write it: the condition of each answer, pivots among doubles, guesses."""

from bisect import bisect_left
from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from bough.explain.rules_and_conditions import Condition
from bough.query_kinds import Below, EachValue, IsMissing, OneOf, Query, QueryKind
from bough.schema import Feature, Value
from bough.tree import Node, Tree

EXACT = 2**53  # every integer up to here is a double


class Branch(NamedTuple):
    """A node that asks."""

    node: int
    query: Query
    conditions: tuple[Condition, ...]
    """What leads to each child; no row fulfils two of them."""
    answered: Condition | None
    """What a row must fulfil not to stop here; None: no row stops."""


def branch_of(node: Node) -> Branch:
    """Return what a node asks; the node must not be a leaf."""
    query = node.query
    assert query is not None
    anything = Condition(query.feature)
    conditions = tuple(anything.narrowed(query, answer) for answer in range(n_answers(query)))
    return Branch(node.id, query, conditions, _answered(query))


def n_answers(query: Query) -> int:
    """Return how many answers a query has."""
    if isinstance(query, EachValue):
        return len(query.codes) + (query.missing is not None)
    return 2


def _answered(query: Query) -> Condition | None:
    if isinstance(query, IsMissing):
        return None
    may_be_missing = query.missing is not None
    if not query.feature.kind.has_choices:
        return None if may_be_missing else Condition(query.feature, may_be_missing=False)
    match query:
        case Below():
            codes = tuple(range(len(query.feature.choices)))
        case OneOf():
            codes = tuple(sorted(query.codes + query.others))
        case EachValue():
            codes = query.codes
    return Condition(query.feature, codes=codes, may_be_missing=may_be_missing)


def guesses_of(tree: Tree) -> list[tuple[Value, ...]]:
    """Return what each node predicts, for each output."""
    labels = tree.schema.labels
    if tree.guess is not None:
        return [tuple(each) for each in tree.guess.tolist()]
    return [
        tuple(label.classes[code] for label, code in zip(labels, codes, strict=True))
        for codes in tree.class_guess.tolist()
    ]


def integer_pivots(tree: Tree, number: int) -> list[int]:
    """Return the pivots of a feature of integers, in order, if doubles do not hold them all."""
    if not tree.schema.features[number].kind.is_integer:
        return []
    is_asked = (tree.feature == number) & (tree.query_kind == QueryKind.BELOW)
    found = {_whole(each) for each in tree.pivot[is_asked & ~tree.has_integer_pivot].tolist()}
    if tree.pivot_int is not None:
        found |= set(tree.pivot_int[is_asked & tree.has_integer_pivot].tolist())
    return sorted(found) if any(abs(each) > EXACT for each in found) else []


def double_pivot(feature: Feature, pivots: Sequence[int], pivot: float) -> float:
    """Return a pivot of a feature, whose integer pivots are known, among doubles."""
    if not feature.kind.is_integer:
        return pivot
    return bisect_left(pivots, _whole(pivot)) + 0.5 if pivots else float(_whole(pivot))


def _whole(pivot: float) -> int:
    """Return the least integer that is not below a pivot, as the core does."""
    return pivot if isinstance(pivot, int) else ceil(min(max(pivot, -float(EXACT)), float(EXACT)))
