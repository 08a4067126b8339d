"""The section on errors: which guesses the test rows bore out."""

from math import sqrt
from typing import Any

import numpy as np

from bough.explain.condition import joined
from bough.explain.rules import conditions_of_nodes
from bough.report.chart import Axis, Dot, dot_chart, range_of
from bough.report.stops import Stops
from bough.report.subject import Subject
from bough.words import guess_word, number, plain, share

MOST_CLASSES = 20  # in the table of classes and guesses
MOST_MISTAKES = 12
SMALLEST, LARGEST = 2.0, 12.0  # dots


def errors(subject: Subject) -> dict[str, Any] | None:
    """Return what the test rows say of the guesses; None if that is not known."""
    stops = subject.stops
    if stops is None or len(subject.tree.schema.labels) > 1:
        return None
    found = {"leaves": _leaves(subject, stops), "chart": _chart(subject, stops)}
    if subject.tree.schema.has_classes:
        found |= _classes(subject, stops)
    return found


def _classes(subject: Subject, stops: Stops) -> dict[str, Any]:
    names = [plain(guess_word(each)) for each in subject.tree.schema.labels[0].classes]
    confusion = stops.confusion()
    there = np.flatnonzero(confusion.sum(axis=0) + confusion.sum(axis=1) > 0).tolist()
    return {
        "guesses": [names[code] for code in there] if len(there) <= MOST_CLASSES else [],
        "confusion": [
            {
                "name": names[code],
                "cells": [_cell(confusion, code, guess, subject.digits) for guess in there],
                "right": _share(confusion[code, code], confusion[code].sum()),
            }
            for code in there
        ],
        "mistakes": _mistakes(confusion, names, subject.digits),
    }


def _cell(confusion: Any, code: int, guess: int, digits: int) -> dict[str, Any]:  # noqa: ANN401
    weight = float(confusion[code, guess])
    total = float(confusion[code].sum())
    part = weight / total if total else 0.0
    return {
        "words": _weight(weight, digits),
        "is_right": code == guess,
        "level": 0 if weight == 0 else 1 + round(3 * part),
    }


def _mistakes(confusion: Any, names: list[str], digits: int) -> list[dict[str, str]]:  # noqa: ANN401
    """Return the commonest wrong guesses."""
    wrong = confusion.copy()
    np.fill_diagonal(wrong, 0)
    order = np.argsort(-wrong, axis=None, kind="stable")[:MOST_MISTAKES]
    pairs = [divmod(int(place), len(names)) for place in order]
    return [
        {
            "truth": names[code],
            "guess": names[guess],
            "rows": _weight(float(wrong[code, guess]), digits),
            "share": _share(wrong[code, guess], confusion[code].sum()),
        }
        for code, guess in pairs
        if wrong[code, guess] > 0
    ]


def _leaves(subject: Subject, stops: Stops) -> list[dict[str, Any]]:
    """Return the leaves that cost most on the test rows, the worst first."""
    tree, digits = subject.tree, subject.digits
    costs = {}
    for node in np.flatnonzero(stops.stopped.any(axis=1)).tolist():
        right, error = stops.right(node), stops.error(node)
        cost = 1 - right if right is not None else (error or 0.0) ** 2
        costs[node] = cost * float(stops.n_reached[node])
    worst = sorted(costs, key=lambda node: -costs[node])[:MOST_MISTAKES]
    words = {
        node: plain(joined(conditions))
        for node, conditions in conditions_of_nodes(tree, digits)
        if node in worst
    }
    return [
        {
            "rule": words[node],
            "guess": plain(guess_word(tree[node].guess, digits)),
            "n_test": f"{int(stops.n_reached[node]):,}",
            "promised": _promised(subject, node),
            "found": _found(subject, stops, node),
        }
        for node in worst
        if costs[node] > 0
    ]


def _promised(subject: Subject, node: int) -> str:
    tree = subject.tree
    if tree.guess is not None:
        return number(float(tree.guess[node, 0]), subject.digits)
    return share(float(tree.shares[node, 0, tree.class_guess[node, 0]]))


def _found(subject: Subject, stops: Stops, node: int) -> str:
    if (right := stops.right(node)) is not None:
        return share(right)
    return f"{number(stops.mean(node), subject.digits)} ± {number(stops.error(node) or 0.0, subject.digits)}"


def _chart(subject: Subject, stops: Stops) -> str:
    """Return a dot for each place where rows stopped: what it says, and what the rows say."""
    tree, digits = subject.tree, subject.digits
    nodes = np.flatnonzero(stops.stopped.any(axis=1)).tolist()
    points = []
    for node in nodes:
        if (right := stops.right(node)) is not None:
            promised = float(tree.shares[node, 0, tree.class_guess[node, 0]])
            points.append((promised, right))
        elif tree.guess is not None:
            points.append((float(tree.guess[node, 0]), stops.mean(node)))
    if len(points) < 2:
        return ""
    low, high = range_of([each for point in points for each in point])
    is_share = tree.schema.has_classes
    if is_share:
        low, high = min(low, 0.5), 1.0
    across = Axis("share in the leaf" if is_share else "guess", low, high, is_share=is_share)
    up = Axis("right on test rows" if is_share else "mean of test rows", low, high, is_share=is_share)
    most = float(stops.n_reached[nodes].max())
    dots = [
        Dot(x, y, max(SMALLEST, LARGEST * sqrt(float(stops.n_reached[node]) / most)), told)
        for node, (x, y) in zip(nodes, points, strict=True)
        for told in [f"{_promised(subject, node)} → {_found(subject, stops, node)}, "
                     f"{int(stops.n_reached[node]):,} test rows"]
    ]
    return dot_chart(across, up, sorted(dots, key=lambda dot: -dot.size))


def _weight(weight: float, digits: int) -> str:
    return f"{weight:,.0f}" if weight == round(weight) else number(weight, digits)


def _share(part: float, whole: float) -> str:
    return share(float(part) / float(whole)) if whole else ""
