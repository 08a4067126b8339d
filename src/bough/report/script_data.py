"""What the scripts of the page know of the tree, as compact plain data."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from bough.explain import Condition
from bough.explain.condition_sql import where
from bough.node_words import Verdict, verdict_of
from bough.predict import ROUTES
from bough.report.subject import Subject
from bough.schema import Feature, Part
from bough.shorten import shortened
from bough.tree import Tree
from bough.walk import answer_numbers, walk
from bough.words import guess_word, plain, value_word

_ROUTING = tuple(name for name in ROUTES if not name.startswith("pivot"))  # `_pivots` has those
_STEPS = (1, 2, 5)  # of the numbers of rows by which nodes can be hidden, times powers of ten


LONGEST = 200  # signs of an answer; the whole of it is in its SQL


def script_data(subject: Subject, drawn: Collection[int]) -> dict[str, Any]:
    """Return what the scripts read.

    Parameters
    ----------
    subject
        What the page is about.
    drawn
        The nodes that are in the drawing. Of the others less is told.
    """
    tree, digits, stops = subject.tree, subject.digits, subject.stops
    asked = sorted(set(tree.feature[tree.feature >= 0].tolist()))
    nodes = range(len(tree))
    verdicts = [verdict_of(tree, node, digits) for node in nodes]
    return {
        "tree": {
            **{name: getattr(tree, name).tolist() for name in _ROUTING},
            "pivot": _pivots(tree),
            "flow": tree.flow.tolist(),
            "missing": subject.missing,
        },
        "features": _features(tree, asked),
        "fields": _fields(tree, asked),
        "answer": _answers(tree),
        "says": [str(verdict) for verdict in verdicts],
        "rows": tree.n_rows.tolist(),
        "supports": _supports(int(tree.n_rows[0])),
        **_labels(tree, verdicts),
        "sql": _sql(tree, drawn),
        "test": [
            None if stops is None or node not in drawn else stops.words(node, digits)
            for node in nodes
        ],
    }


def _labels(tree: Tree, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return what nodes know of one label: the shares of its classes, or guesses of a number."""
    if len(tree.schema.labels) > 1:
        return {}
    label = tree.schema.labels[0]
    if tree.guess is not None:
        found: dict[str, Any] = {"guess": tree.guess[:, 0].tolist()}
        if tree.schema.task == "regression":
            found["spread"] = [each.spread and _short(each.spread) for each in verdicts]
        return found
    classes = [plain(guess_word(each)) for each in label.classes]
    shares = [[_short(each) for each in node] for node in tree.shares[:, 0].tolist()]
    most = max(map(max, label.costs), default=1.0)
    costs = [[cost / most for cost in row] for row in label.costs]
    return {"classes": classes, "shares": shares, "costs": costs or None}


def _sql(tree: Tree, drawn: Collection[int]) -> list[str | None]:
    """Return the answer that leads to each node that is drawn, as SQL."""
    found: list[str | None] = [None] * len(tree)
    numbers = answer_numbers(tree).tolist()
    for node, _, parent, _ in walk(tree):
        if node.id in drawn and parent is not None and (query := parent.query) is not None:
            condition = Condition(query.feature).narrowed(query, numbers[node.id])
            found[node.id] = where([condition], tree.schema)
    return found


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
    if feature.kind.has_choices:
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


def _answers(tree: Tree) -> list[str]:
    """Return the answer that leads to each node, in words."""
    found = [""] * len(tree)
    for step in walk(tree):
        if step.parent is not None and (query := step.parent.query) is not None:
            words = plain(f"{query.feature.name} {step.answer}")
            found[step.node.id] = shortened(words, LONGEST, "…")
    return found


def _short(value: float) -> float:
    """Return a number with as many digits as words made of it can show."""
    return float(f"{value:.9g}")


def _supports(n_rows: int) -> list[int]:
    found: Iterable[int] = (step * 10**power for power in range(19) for step in _STEPS)
    return [0, *(each for each in found if each <= n_rows)]
