"""The rectangles into which a tree cuts the plane of two numbers."""

import re
from collections.abc import Sequence
from itertools import product
from math import inf
from typing import NamedTuple

import numpy as np

from bough.errors import Argument, ParameterError, did_you_mean, listed
from bough.query_kinds import Below, IsMissing
from bough.schema import Feature
from bough.tree import Node, Tree
from bough.walk import answer_numbers, parents, walk

_DIRECTIONS = ({"longitude", "lon", "lng", "long"}, {"latitude", "lat"})
EVERYWHERE = ((-inf, inf), (-inf, inf))

Span = tuple[float, float]  # from the first number on and below the second


class Region(NamedTuple):
    """A leaf, and where it lies."""

    node: Node
    spans: tuple[Span, Span]
    others: tuple[str, ...]  # what was answered about other features to come here


def region_features(tree: Tree) -> tuple[str, str] | None:
    """Return the two numbers that the tree has gained most from; None if it asks about fewer.

    Longitude and latitude are taken together, since they make a map.

    Examples
    --------
    >>> region_features(play_tennis_tree) is None
    True
    """
    earned = tree.gain * (tree.weight / tree.weight[0])
    gains: dict[str, float] = {}
    for place, feature in enumerate(tree.schema.features):
        asks = tree.feature == place
        if not feature.kind.has_choices and asks.any():
            gains[feature.name] = float(earned[asks].sum())
    first = sorted(gains, key=lambda name: -gains[name])
    for east, north in product(first, first):
        if is_map((east, north)):
            return east, north
    return (first[0], first[1]) if len(first) > 1 else None


def is_map(names: tuple[str, str]) -> bool:
    """Return whether two numbers are a longitude and a latitude.

    Examples
    --------
    >>> is_map(("pickup_lon", "pickup_lat")), is_map(("latitude", "longitude"))
    (True, False)
    """
    return all(
        not words.isdisjoint(re.split(r"[^a-z]+", name.lower()))
        for name, words in zip(names, _DIRECTIONS, strict=True)
    )


def named_features(tree: Tree, names: Sequence[str] | None) -> tuple[Feature, Feature]:
    """Return the two features that a user has named, or those of most gain."""
    if names is None and (names := region_features(tree)) is None:
        raise ParameterError(
            "Regions need two numeric columns, and this tree uses fewer. Draw ",
            Argument("format", "svg"), " instead.",
        )  # fmt: skip
    if isinstance(names, str) or len(names) != 2 or names[0] == names[1]:
        raise ParameterError(f"features={names!r} must name two different numeric columns.")
    by_name = {feature.name: feature for feature in tree.schema.features}
    found = []
    for name in names:
        if name not in by_name:
            hint = did_you_mean(str(name), by_name)
            raise ParameterError(
                f"features: {name!r} is not known.{hint} Known: {listed(by_name)}."
            )
        if by_name[name].kind.has_choices:
            raise ParameterError(f"features: {name!r} is not a number or date, as regions need.")
        found.append(by_name[name])
    return found[0], found[1]


def partition(tree: Tree, features: tuple[Feature, Feature]) -> list[Region]:
    """Return where on the plane of two numbers each leaf lies.

    Questions about other features are answered as most rows answer them; the two numbers are
    known.
    """
    numbers, is_usual = answer_numbers(tree).tolist(), _usual_answers(tree)
    regions: dict[int, Region] = {0: Region(tree[0], EVERYWHERE, ())}
    for node, _, above, answer in walk(tree):
        if above is None or above.query is None or above.id not in regions:
            continue
        _, spans, others = regions[above.id]
        match above.query:
            case Below(feature=feature, pivot=pivot) if feature in features:
                spans = _narrowed(spans, features.index(feature), pivot, numbers[node.id])
            case IsMissing(feature=feature) if feature in features:
                if numbers[node.id] == 0:  # it is missing
                    continue
            case query if is_usual[node.id]:
                others = (*others, f"{query.feature.name} {answer}")
            case _:
                continue
        regions[node.id] = Region(node, spans, others)
    return [region for region in regions.values() if region.node.is_leaf]


def _narrowed(spans: tuple[Span, Span], axis: int, pivot: float, answer: int) -> tuple[Span, Span]:
    """Return what is left below a pivot (answer 0), or from it on."""
    low, high = spans[axis]
    span = (low, min(high, pivot)) if answer == 0 else (max(low, pivot), high)
    return (span, spans[1]) if axis == 0 else (spans[0], span)


def _usual_answers(tree: Tree) -> list[bool]:
    """Return for each node whether most rows of its parent come to it; the first of equals."""
    above = parents(tree)
    is_usual = np.zeros(len(tree), dtype=bool)
    order = np.lexsort((-tree.n_rows, above))
    is_usual[order[np.append(True, np.diff(above[order]) != 0)]] = True
    return is_usual.tolist()
