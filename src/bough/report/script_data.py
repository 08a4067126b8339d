"""What the scripts of the page know of the tree, as compact plain data."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bough.explain import Condition
from bough.explain.condition_sql import where
from bough.node_words import Verdict, verdict_of
from bough.predict import ROUTES
from bough.report.node_data import MOST_COUNTED, drawn_data
from bough.report.subject import Subject
from bough.schema import Feature, Part
from bough.shorten import shortened_condition
from bough.tree import Tree
from bough.walk import answer_numbers, walk
from bough.words import amount, cell_word, guess_word, plain, share, value_word

_ROUTING = tuple(name for name in ROUTES if not name.startswith("pivot"))  # `_pivots` has those
_STEPS = (1, 2, 5)  # of the numbers of rows by which nodes can be hidden, times powers of ten


LONGEST = 200  # signs of an answer; the whole of it is in its SQL


def script_data(subject: Subject) -> dict[str, Any]:
    """Return what the scripts read."""
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
        "features": _features(subject, asked),
        "fields": _fields(tree, asked),
        "answer": _answers(tree),
        "says": [str(verdict) for verdict in verdicts],
        "rows": tree.n_rows.tolist(),
        "supports": _supports(int(tree.n_rows[0])),
        "tests": _tests(subject),
        **_labels(tree, verdicts),
        "sql": _sql(tree),
        "test": [None if stops is None else stops.words(node, digits) for node in nodes],
        **drawn_data(subject),
    }


def _labels(tree: Tree, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return what nodes know of one label: the shares of its classes, or guesses of a number."""
    if len(tree.schema.labels) > 1:
        return {}
    label = tree.schema.labels[0]
    if tree.guess is not None:
        guess = tree.guess[:, 0].tolist()
        found: dict[str, Any] = {"guess": guess}
        if tree.schema.task == "regression":
            found["spread"] = [each.spread and _short(each.spread) for each in verdicts]
        return found
    classes = [plain(guess_word(each)) for each in label.classes]
    told = tree.tally if len(classes) > MOST_COUNTED else tree.shares
    shares = [_shares(node) for node in told[:, 0].tolist()]
    most = max(map(max, label.costs), default=1.0)
    costs = [[cost / most for cost in row] for row in label.costs]
    return {"classes": classes, "shares": shares, "costs": costs or None}


def _shares(of_classes: list[float]) -> list[float]:
    """Return the share of each class; of many, the tally of those that there are, each after its number."""
    if len(of_classes) <= MOST_COUNTED:
        return [_short(each) for each in of_classes]
    there = [(code, each) for code, each in enumerate(of_classes) if each]
    return [part for code, n in there for part in (code, int(n) if n.is_integer() else _short(n))]


def _tests(subject: Subject) -> list[list[Any]] | None:
    """Return for each node of how many test rows labels are told, how many are right, and it in words.

    Where there are too few to tell: how many came, and nothing more.
    """
    stops, digits = subject.stops, subject.digits
    if stops is None:
        return None
    found: list[list[Any]] = []
    for node in range(len(subject.tree)):
        n_rows, right, error = int(stops.n_told[node]), stops.right(node), stops.error(node)
        if not n_rows:
            found.append([int(stops.n_reached[node]), None, ""])
        elif right is not None:
            found.append([n_rows, round(right * n_rows), share(right)])
        else:
            found.append([n_rows, 0, "" if error is None else f"± {amount(error, digits)}"])
    return found


def _sql(tree: Tree) -> list[str | None]:
    """Return the answer that leads to each node, as SQL."""
    found: list[str | None] = [None] * len(tree)
    numbers = answer_numbers(tree).tolist()
    for node, _, parent, _ in walk(tree):
        if parent is not None and (query := parent.query) is not None:
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


def _features(subject: Subject, asked: list[int]) -> list[dict[str, Any] | None]:
    """Return what is asked about, by number; None: never asked."""
    features = subject.tree.schema.features
    return [
        _feature(feature, subject.ranges.get(feature.name)) if number in asked else None
        for number, feature in enumerate(features)
    ]


def _feature(feature: Feature, ends: tuple[float, float] | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": plain(feature.name),
        "kind": feature.kind.value,
        "part": feature.part.value,
        "column": feature.column,
    }
    if feature.kind.has_choices:
        found["choices"] = [plain(value_word(choice)) for choice in feature.choices]
    elif ends is not None:
        found |= {"range": ends, "ends": [cell_word(feature, end) for end in ends]}
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
            found[step.node.id] = shortened_condition(words, LONGEST, "…")
    return found


def _short(value: float) -> float:
    """Return a number with as many digits as words made of it can show."""
    return float(f"{value:.9g}")


def _supports(n_rows: int) -> list[int]:
    found: Iterable[int] = (step * 10**power for power in range(19) for step in _STEPS)
    return [0, *(each for each in found if each <= n_rows)]
