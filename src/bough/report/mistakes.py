"""The section on errors: which guesses the test rows bore out."""

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from bough.evidence import Evidence
from bough.explain.rules import trail_conditions
from bough.report.chart import Axis, Dot, dot_chart, range_of
from bough.report.subject import Stops, Subject
from bough.result_words import calibration_sentences, rule_words
from bough.tree_task import Task
from bough.words import guess_word, number, plain, share

MOST_CLASSES = 20  # in the table of classes and guesses
NARROWEST = 6  # classes of which more need the width of the page
MOST_MISTAKES = 12
MOST_DOTS = 200
SMALLEST, LARGEST = 2.0, 10.0  # dots


def errors(subject: Subject) -> dict[str, Any] | None:
    """Return what the test rows say of the guesses; None if that is not known."""
    stops = subject.stops
    if stops is None or len(subject.tree.schema.labels) > 1:
        return None
    found: dict[str, Any] = {
        "leaves": _leaves(subject, stops),
        "chart": _chart(subject, stops),
        "is_wide": False,
        "is_ranking": subject.tree.schema.task.ranks,
    }
    if subject.tree.schema.has_classes:
        found |= _classes(subject, stops)
    if subject.evidence is not None and subject.evidence.calibration is not None:
        found["calibration"] = _calibration(subject, subject.evidence)
    return found


def _calibration(subject: Subject, evidence: Evidence) -> dict[str, Any]:
    """Return whether probabilities came true."""
    assert evidence.calibration is not None  # noqa: S101 - who calls has looked
    return {
        "sentences": calibration_sentences(evidence, subject.tree),
        "lines": [
            {
                "given": " to ".join(dict.fromkeys(map(share, (each.least, each.most)))),
                "predicted": share(each.predicted),
                "observed": share(each.observed.value),
                "interval": f"{share(each.observed.low)} – {share(each.observed.high)}",
                "n": f"{each.observed.n:,}",
            }
            for each in evidence.calibration.bins
        ],
    }


def _classes(subject: Subject, stops: Stops) -> dict[str, Any]:
    names = [plain(guess_word(each)) for each in subject.tree.schema.labels[0].classes]
    confusion = stops.confusion()
    there = np.flatnonzero(confusion.sum(axis=0) + confusion.sum(axis=1) > 0).tolist()
    return {
        "guesses": [names[code] for code in there] if len(there) <= MOST_CLASSES else [],
        "is_wide": NARROWEST < len(there) <= MOST_CLASSES,
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
        node.id: rule_words(conditions)
        for node, conditions in trail_conditions(tree)
        if node.id in worst
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
    promise = _promise(subject, node)
    return share(promise) if subject.tree.guess is None else number(promise, subject.digits)


def _found(subject: Subject, stops: Stops, node: int) -> str:
    if (right := stops.right(node)) is not None:
        return share(right)
    if stops.error(node) is None:
        return number(stops.mean(node), subject.digits)
    return f"{number(stops.mean(node), subject.digits)} ± {number(stops.error(node) or 0.0, subject.digits)}"


def _chart(subject: Subject, stops: Stops) -> str:
    """Return a dot for each place where most rows stopped: what it says, and what the rows say."""
    nodes = np.flatnonzero(stops.stopped.any(axis=1))
    nodes = nodes[np.argsort(-stops.n_reached[nodes], kind="stable")][:MOST_DOTS]
    if len(nodes) < 2:
        return ""
    most = float(stops.n_reached[nodes[0]])
    dots = [
        Dot(
            x=_promise(subject, node),
            y=_truth(stops, node),
            size=max(SMALLEST, LARGEST * sqrt(float(stops.n_reached[node]) / most)),
            title=f"{_promised(subject, node)} → {_found(subject, stops, node)}, "
            f"{int(stops.n_reached[node]):,} test rows",
        )
        for node in nodes.tolist()
    ]
    return dot_chart(*_axes(subject, dots), dots)


def _axes(subject: Subject, dots: list[Dot]) -> tuple[Axis, Axis]:
    """Return the axes of what leaves say, and of what test rows say."""
    low, high = range_of([each for dot in dots for each in (dot.x, dot.y)])
    match subject.tree.schema.task:
        case Task.CLASSIFICATION:
            low = max(min(low, 0.5), 0.0)
            across = Axis("share in the leaf (training rows)", low, 1.0, is_share=True)
            return across, replace(across, title="right on test rows")
        case Task.REGRESSION:
            return Axis("prediction", low, high), Axis("mean of test rows", low, high)
        case Task.RANKING:  # a score is no relevance: each has an axis of its own
            scores, relevances = (
                range_of([dot.x for dot in dots]),
                range_of([dot.y for dot in dots]),
            )
            return Axis("score", *scores), Axis("mean relevance of test rows", *relevances)


def _promise(subject: Subject, node: int) -> float:
    """Return what a node says of its rows: the share of the class that it guesses, or a number."""
    tree = subject.tree
    if tree.guess is not None:
        return float(tree.guess[node, 0])
    return float(tree.shares[node, 0, tree.class_guess[node, 0]])


def _truth(stops: Stops, node: int) -> float:
    right = stops.right(node)
    return stops.mean(node) if right is None else right


def _weight(weight: float, digits: int) -> str:
    return f"{weight:,.0f}" if weight == round(weight) else number(weight, digits)


def _share(part: float, whole: float) -> str:
    return share(float(part) / float(whole)) if whole else ""
