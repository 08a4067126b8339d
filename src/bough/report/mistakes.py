"""The section on errors: which guesses the test rows bore out."""

from dataclasses import replace
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np

from bough.calibration_words import calibration_sentences
from bough.evidence import FEWEST, Calibration, CalibrationBin, Evidence
from bough.explain.rules import trail_conditions
from bough.report.badly_served import served
from bough.report.chart import Axis, Dot, dot_chart, range_of
from bough.report.class_errors import by_class, confusion, thresholds
from bough.report.residuals import residuals
from bough.report.subject import Stops, Subject
from bough.result_words import rule_words
from bough.tree_task import Task
from bough.words import amount, guess_word, plain, share

MOST_LEAVES = 12
MOST_DOTS = 200
SMALLEST, LARGEST = 2.0, 10.0  # dots


def errors(subject: Subject) -> dict[str, Any] | None:
    """Return what the test rows say of the predictions; None if that is not known."""
    stops, evidence = subject.stops, subject.evidence
    if evidence is None or evidence.edits or len(subject.tree.schema.labels) > 1:
        return None
    found: dict[str, Any] = {
        "task": str(evidence.task),
        "served": served(subject, evidence),
        "is_wide": False,
    }
    if evidence.confusion:
        found |= confusion(subject, evidence) | {"classes": by_class(subject, evidence)}
    if evidence.calibration is not None:
        found["calibration"] = _calibration(subject, evidence.calibration, evidence)
    if stops is not None:
        found |= {"leaves": _leaves(subject, stops), "n_early": _n_early(subject, stops)}
        if evidence.task is Task.RANKING:
            found["chart"] = _chart(subject, stops)
        elif evidence.task is Task.REGRESSION:
            found |= residuals(evidence)
        else:
            found["threshold"] = thresholds(subject, evidence)
    has_more = len(found) > 3 or found["served"] is not None
    return found if has_more else None


def for_script(found: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return what the slider of thresholds reads."""
    threshold = (found or {}).get("threshold")
    return threshold and {name: threshold[name] for name in ("name", "levels", "totals", "ratio")}


def _n_early(subject: Subject, stops: Stops) -> int:
    """Return how many test rows stopped at a question that has no answer for their value."""
    return int(stops.n_stopped[subject.tree.feature >= 0].sum())


def _calibration(subject: Subject, found: Calibration, evidence: Evidence) -> dict[str, Any]:
    """Return whether probabilities came true; of fewer than five rows nothing is told."""
    bins = [each for each in found.bins if each.observed.n >= FEWEST]
    overlap = any(
        one.most > other.least for one, other in pairwise(bins)
    )  # of leaves told together
    return {
        "sentences": calibration_sentences(evidence, subject.tree),
        "chart": _calibration_chart(bins) if len(bins) > 1 else "",
        "has_ranges": not overlap,
        "is_smoothed": not np.array_equal(subject.tree.probabilities, subject.tree.shares),
        "lines": [
            {
                "given": ""
                if overlap
                else " to ".join(dict.fromkeys(map(share, (each.least, each.most)))),
                "predicted": share(each.predicted),
                "observed": share(each.observed.value),
                "interval": f"{share(each.observed.low)} – {share(each.observed.high)}",
                "n": f"{each.observed.n:,}",
            }
            for each in bins
        ],
    }


def _calibration_chart(bins: list[CalibrationBin]) -> str:
    """Return how often what was given some probability came true."""
    across = Axis("probability", 0.0, 1.0, is_share=True)
    most = max(each.observed.n for each in bins)
    dots = [
        Dot(
            x=each.predicted,
            y=each.observed.value,
            size=max(SMALLEST, LARGEST / 2 * sqrt(each.observed.n / most)),
            title=f"{share(each.predicted)} predicted, {share(each.observed.value)} came true "
            f"({each.observed.n:,} test rows)",
            reach=(each.observed.low, each.observed.high),
        )
        for each in bins
    ]
    return dot_chart(across, replace(across, title="came true"), dots)


def _leaves(subject: Subject, stops: Stops) -> list[dict[str, Any]]:
    """Return the leaves that cost most on the test rows, the worst first."""
    tree, digits = subject.tree, subject.digits
    costs = {}
    for node in stops.leaves().tolist():
        right, error = stops.right(node), stops.error(node)
        cost = 1 - right if right is not None else (error or 0.0) ** 2
        costs[node] = cost * float(stops.n_reached[node])
    worst = sorted(costs, key=lambda node: -costs[node])[:MOST_LEAVES]
    words = {
        node.id: rule_words(conditions)
        for node, conditions in trail_conditions(tree)
        if node.id in worst
    }
    return [
        {
            "node": node,
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
    return share(promise) if subject.tree.guess is None else amount(promise, subject.digits)


def _found(subject: Subject, stops: Stops, node: int) -> str:
    if (right := stops.right(node)) is not None:
        return share(right)
    if stops.error(node) is None:
        return amount(stops.mean(node), subject.digits)
    return f"{amount(stops.mean(node), subject.digits)} ± {amount(stops.error(node) or 0.0, subject.digits)}"


def _chart(subject: Subject, stops: Stops) -> str:
    """Return a dot for each leaf of most rows: its score, and what the rows say."""
    nodes = stops.leaves()
    nodes = nodes[np.argsort(-stops.n_reached[nodes], kind="stable")][:MOST_DOTS]
    if len(nodes) < 2:
        return ""
    most = float(stops.n_reached[nodes[0]])
    dots = [
        Dot(
            x=_promise(subject, node),
            y=stops.mean(node),
            size=max(SMALLEST, LARGEST * sqrt(float(stops.n_reached[node]) / most)),
            title=f"{_promised(subject, node)} → {_found(subject, stops, node)}, "
            f"{int(stops.n_reached[node]):,} test rows",
        )
        for node in nodes.tolist()
    ]
    scores, relevances = range_of([dot.x for dot in dots]), range_of([dot.y for dot in dots])
    return dot_chart(Axis("score", *scores), Axis("mean relevance of test rows", *relevances), dots)


def _promise(subject: Subject, node: int) -> float:
    """Return what a node says of its rows: the share of the class that it guesses, or a number."""
    tree = subject.tree
    if tree.guess is not None:
        return float(tree.guess[node, 0])
    return float(tree.shares[node, 0, tree.class_guess[node, 0]])
