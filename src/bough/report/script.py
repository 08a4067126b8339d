"""What the scripts of the page know of the tree, as compact plain data."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.draw.verdict import verdict_of
from bough.report.nodes import About
from bough.schema import Feature, Kind, Part
from bough.tree import ARRAYS, Tree
from bough.walk import walk
from bough.words import guess_word, plain, value_word

_ROUTING = (
    "feature",
    "query_kind",
    "codes",
    "answers",
    "codes_start",
    "first_child",
    "n_children",
    "missing_child",
)
_STEPS = (1, 2, 5)  # of the numbers of rows by which nodes can be hidden, times powers of ten


def script_data(tree: Tree, about: Mapping[int, About], digits: int) -> dict[str, Any]:
    """Return what the scripts read.

    Parameters
    ----------
    tree
        The tree.
    about
        What is told of each node that is drawn.
    digits
        How many significant digits numbers have at least in words.
    """
    asked = sorted(set(tree.feature[tree.feature >= 0].tolist()))
    one_label = len(tree.schema.labels) == 1
    has_classes = tree.schema.has_classes
    return {
        "tree": {
            **{name: getattr(tree, name).tolist() for name in _ROUTING if name in ARRAYS},
            "pivot": _pivots(tree),
            "weight": tree.weight.tolist(),
        },
        "features": _features(tree, asked),
        "fields": _fields(tree, asked),
        "answer": _answers(tree, digits),
        "says": [str(verdict_of(tree, node, digits)) for node in range(len(tree))],
        "rows": tree.n_rows.tolist(),
        "supports": _supports(int(tree.n_rows[0])),
        "classes": _classes(tree) if one_label and has_classes else None,
        "shares": _rounded(tree.shares[:, 0]) if one_label and has_classes else None,
        "guess": None if tree.guess is None or not one_label else tree.guess[:, 0].tolist(),
        "impurity": None if has_classes or not one_label else _rounded(tree.impurity),
        "about": {str(node): each.as_dict() for node, each in about.items()},
    }


def _pivots(tree: Tree) -> list[float | str | None]:
    """Return the pivots; integers that a double does not hold are texts."""
    pivots: list[float | str | None] = [
        None if pivot != pivot else pivot  # noqa: PLR0124
        for pivot in tree.pivot.tolist()
    ]
    for node in np.flatnonzero(tree.has_integer_pivot).tolist():
        assert tree.pivot_int is not None  # noqa: S101 - checked when a tree is made
        pivots[node] = str(int(tree.pivot_int[node]))
    return pivots


def _features(tree: Tree, asked: list[int]) -> list[dict[str, Any] | None]:
    """Return what is asked about, by number; None: never asked."""
    features = tree.schema.features
    return [
        _feature(feature) if number in asked else None for number, feature in enumerate(features)
    ]


def _feature(feature: Feature) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": plain(feature.name),
        "kind": feature.kind.value,
        "part": feature.part.value,
        "column": feature.column,
    }
    if feature.kind in (Kind.CHOICE, Kind.ORDERED):
        found["choices"] = [plain(value_word(choice)) for choice in feature.choices]
    return found


def _fields(tree: Tree, asked: list[int]) -> list[int]:
    """Return the features that have a field; the parts of a date that has one follow from it."""
    features = tree.schema.features
    whole = {features[number].column for number in asked if features[number].part is Part.ITSELF}
    return [
        number
        for number in asked
        if features[number].part is Part.ITSELF or features[number].column not in whole
    ]


def _answers(tree: Tree, digits: int) -> list[str]:
    """Return the answer that leads to each node, in words."""
    found = [""] * len(tree)
    for step in walk(tree, digits=digits):
        if step.parent is not None and (query := step.parent.query) is not None:
            found[step.node.id] = plain(f"{query.feature.name} {step.answer}")
    return found


def _classes(tree: Tree) -> list[str]:
    return [plain(guess_word(each)) for each in tree.schema.labels[0].classes]


def _rounded(numbers: NDArray[np.float64]) -> list[Any]:
    """Return numbers with as many digits as words made of them can show."""
    return [
        [float(f"{each:.9g}") for each in row] if isinstance(row, list) else float(f"{row:.9g}")
        for row in numbers.tolist()
    ]


def _supports(n_rows: int) -> list[int]:
    found: Iterable[int] = (step * 10**power for power in range(19) for step in _STEPS)
    return [0, *(each for each in found if each <= n_rows)]
