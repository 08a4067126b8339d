"""Features as doubles: what programs and ONNX compare, nan where a value is missing.

A choice is its position. An integer is itself, or, where a pivot lies beyond ±2^53, its rank among pivots.
"""

from bisect import bisect_left
from collections.abc import Sequence
from math import ceil

from bough.query import QueryKind
from bough.schema import Feature
from bough.tree import Tree

EXACT = 2**53  # every integer up to here is a double


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
