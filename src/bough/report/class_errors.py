"""Which classes are found, which are taken for which, and what another threshold would do."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.evidence import FEWEST, Estimate, Evidence
from bough.losses.intervals import wilson
from bough.report.chart import Axis, Line, Mark, line_chart
from bough.report.subject import Subject
from bough.words import guess_word, number, plain, share

MOST_CLASSES = 36  # in the table of classes and predictions
NARROWEST = 6  # classes of which more have short cells, without zeros
MOST_MISTAKES = 12
MOST_LEVELS = 120
LEVELS = 5  # of colour

Weights = NDArray[np.float64]


def by_class(subject: Subject, evidence: Evidence) -> list[dict[str, Any]]:
    """Return how much of each class is found, and how often a prediction of it is right."""
    lines = []
    for each in subject.tree.schema.labels[0].classes:
        name = guess_word(each)
        found = evidence.test.get(f"recall:{name}")
        if found is not None:
            lines.append(
                {
                    "name": plain(name),
                    "rows": f"{found.n:,}",
                    "found": found,
                    "said": precision(evidence, name),
                    "unsaid": unsaid(evidence, name),
                }
            )
    return lines


def precision(evidence: Evidence, name: str) -> Estimate | None:
    """Return how often a prediction of a class is right; None: too few rows to tell."""
    found = evidence.test.get(f"precision:{name}")
    return None if found is None or found.n < FEWEST else found


def unsaid(evidence: Evidence, name: str) -> str:
    """Return why it is not told how often a prediction of a class is right."""
    return "too few rows" if f"precision:{name}" in evidence.test else "never predicted"


def confusion(subject: Subject, evidence: Evidence) -> dict[str, Any]:
    """Return how often each class was taken for each, and the commonest mistakes.

    Classes that are predicted for fewer than five rows have one column together.
    """
    labels = [guess_word(each) for each in subject.tree.schema.labels[0].classes]
    names = list(map(plain, labels))
    found = np.zeros((len(names), len(names) + 1))
    for true, predicted, weight in evidence.confusion:
        found[true, predicted] = weight
    rare = _rarely_predicted(evidence, labels)
    found[:, -1] = found[:, rare].sum(axis=1)
    found[:, rare] = 0
    there = np.flatnonzero(found[:, :-1].sum(axis=0) + found.sum(axis=1) > 0).tolist()
    shown = [code for code in there if code not in rare] + [len(names)] * bool(rare)
    columns = [*names, "others"]
    return {
        "guesses": [columns[code] for code in shown] if len(there) <= MOST_CLASSES else [],
        "is_wide": len(there) > NARROWEST,
        "confusion": [
            {
                "name": names[code],
                "cells": [_cell(found, code, guess, rare, subject.digits) for guess in shown],
            }
            for code in there
        ],
        "rare": [names[code] for code in rare],
        "mistakes": _mistakes(found, names, subject.digits),
    }


def _rarely_predicted(evidence: Evidence, labels: list[str]) -> list[int]:
    """Return the classes that are predicted for too few rows to tell of each what these are."""
    n_rows: dict[int, float] = {}
    for _, code, weight in evidence.confusion:
        n_rows[code] = n_rows.get(code, 0) + weight
    for code, name in enumerate(labels):
        if (said := evidence.test.get(f"precision:{name}")) is not None:  # which counts rows
            n_rows[code] = said.n
    order = sorted(n_rows, key=lambda code: n_rows[code])
    rare = [code for code in order if n_rows[code] < FEWEST]
    left = sum(n_rows[code] for code in rare)
    return sorted(order[: len(rare) + (0 < left < FEWEST)])


def _cell(
    found: Weights, code: int, guess: int, rare: Sequence[int], digits: int
) -> dict[str, Any]:
    weight, total = float(found[code, guess]), float(found[code].sum())
    is_others = guess == len(found)  # of a class that is among them, they may be right or wrong
    kind = "" if is_others and code in rare else "right" if code == guess else "wrong"
    level = 0 if weight == 0 or not kind else 1 + round((LEVELS - 1) * (weight / total))
    return {
        "words": _weight(weight, digits) if weight else "",
        "look": f"{kind} level-{level}" if level else "",
    }


def _mistakes(found: Weights, names: list[str], digits: int) -> list[dict[str, str]]:
    """Return the commonest wrong guesses; the last column of what was found is that of all others."""
    totals, wrong = found.sum(axis=1), found[:, :-1].copy()
    np.fill_diagonal(wrong, 0)
    order = np.argsort(-wrong, axis=None, kind="stable")[:MOST_MISTAKES]
    pairs = [divmod(int(place), len(names)) for place in order]
    return [
        {
            "truth": names[code],
            "guess": names[guess],
            "rows": _weight(float(wrong[code, guess]), digits),
            "share": share(float(wrong[code, guess] / totals[code])),
        }
        for code, guess in pairs
        if wrong[code, guess] > 0
    ]


def _weight(weight: float, digits: int) -> str:
    return f"{weight:,.0f}" if weight == round(weight) else number(weight, digits)


def thresholds(subject: Subject, evidence: Evidence) -> dict[str, Any] | None:
    """Return of two classes what predicting the rarer one from each probability on would do.

    Nothing is chosen by the test rows: which threshold is best follows from what mistakes cost.
    """
    classes, found = subject.tree.schema.labels[0].classes, evidence.thresholds
    if found is None or len(found.levels) < 2 or min(found.levels[-1][1:]) == 0:
        return None
    rarer = found.of_class
    ratio = _ratio(subject.tree.schema.labels[0].costs, rarer)
    levels = _thinned(np.array(found.levels), 1 / (1 + (ratio or 1.0)))
    is_counted = evidence.weight is None and evidence.group is None
    name, other = (plain(guess_word(classes[code])) for code in (rarer, 1 - rarer))
    return {
        "name": name,
        "other": other,
        "chart": _threshold_chart(levels, 1 / (1 + (ratio or 1.0))),
        "levels": [_level(each, levels[-1], is_counted=is_counted) for each in levels.tolist()],
        "totals": levels[-1, 1:].tolist(),
        "ratio": ratio,
    }


def _ratio(costs: Sequence[Sequence[float]], rarer: int) -> float | None:
    """Return how bad it is to miss a class beside a false alarm; None: nobody has said."""
    if not costs:
        return None
    missed, alarm = costs[rarer][1 - rarer], costs[1 - rarer][rarer]
    return missed / alarm if missed > 0 and alarm > 0 else None


def _thinned(levels: Weights, threshold: float) -> Weights:
    """Return some levels, well spread, and the one that the model predicts by."""
    if len(levels) <= MOST_LEVELS:
        return levels
    spread = np.linspace(0, len(levels) - 1, MOST_LEVELS).round()
    own = np.flatnonzero(levels[:, 0] >= threshold)[-1:]
    kept = np.union1d(spread, own).astype(int)
    return np.asarray(levels[kept])


def _level(level: list[float], totals: Weights, *, is_counted: bool) -> list[float]:
    """Return a probability, both weights and, of counts, the intervals of recall and precision."""
    probability, right, wrong = level
    found = [round(probability, 4), right, wrong]
    if not is_counted:
        return found
    ends = [*wilson(right / totals[1], totals[1]), *wilson(right / (right + wrong), right + wrong)]
    return [*found, *(round(float(each), 6) for each in ends)]


def _threshold_chart(levels: Weights, threshold: float) -> str:
    """Return recall and precision by the probability from which the class is predicted."""
    across = Axis("predicted from this probability on", 0.0, 1.0, is_share=True)
    up = Axis("", 0.0, 1.0, is_share=True)
    found: list[tuple[float, float]] = []
    right: list[tuple[float, float]] = []
    above = 1.0
    for probability, hits, false in levels.tolist():
        for x in (above, probability):  # from the probability before on, down to this one
            if x <= above and found:
                found.append((x, found[-1][1]))
                right.append((x, right[-1][1]))
        found.append((probability, hits / float(levels[-1, 1])))
        right.append((probability, hits / (hits + false)))
        above = probability
    lines = [
        Line("found", [*found, (0.0, found[-1][1])]),
        Line("right", [*right, (0.0, right[-1][1])]),
    ]
    return line_chart(across, up, lines, [Mark(threshold, "")])
