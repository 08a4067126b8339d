"""The section on errors: which guesses the test rows bore out, whether probabilities came true, how far numbers were off."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np

from bough.evidence import FEWEST, Calibration, CalibrationBin, Evidence, OffBin
from bough.explain.rules_and_conditions import Condition, all_of, trail_conditions
from bough.losses.intervals import student, wilson
from bough.report.chart import Axis, Bar, Dot, bar_chart, dot_chart, range_of, widths_of
from bough.report.class_errors import by_class, confusion, thresholds
from bough.report.columns import label_words, served
from bough.report.subject import Stops, Subject
from bough.result_words import FEWEST_ROWS
from bough.schema import Task
from bough.text_layout import shortened_condition
from bough.tree import Tree
from bough.words import amount, guess_word, plain, share

ROOM = 1.5  # times as far as its interval reaches may a share be off by chance
FEWEST_FOR_SHARES = 300  # test rows that tell whether probabilities come true
LONGEST = 50  # signs of a condition in a table
MOST_LEAVES = 12
MOST_DOTS = 200
SMALLEST, LARGEST = 2.0, 10.0  # dots


def calibration_sentences(evidence: Evidence, tree: Tree) -> list[str]:
    """Return how far probabilities were off on the test rows, and where most; none for numbers."""
    found = evidence.calibration
    if found is None:
        return []
    n_rows = sum(each.observed.n for each in found.bins)
    off = [each for each in found.bins if _is_off(each)]
    if not off and (in_all := _off_in_all(evidence, tree, n_rows)):
        return [in_all]
    if not off and n_rows < FEWEST_FOR_SHARES:
        return [f"{n_rows:,} test rows are too few to check the probabilities."]
    if not off:
        return [
            f"Probabilities hold on the test rows: off by {100 * found.error:.1f} points on average."
        ]
    average = f"Probabilities are off by {100 * found.error:.1f} points on average."
    worst = max(off, key=lambda each: abs(each.predicted - each.observed.value) * each.observed.n)
    if share(worst.predicted) == share(worst.observed.value):
        return [average]
    ends = dict.fromkeys(map(share, (worst.least, worst.most)))
    came_true = "were predicted correctly"
    if found.of_class is not None:
        came_true = f"were {_class_word(tree, found.of_class)}"
    return [
        f"{average} Worst: of {worst.observed.n:,} test rows given {' to '.join(ends)}, "
        f"{share(worst.observed.value)} {came_true}."
    ]


def _off_in_all(evidence: Evidence, tree: Tree, n_rows: int) -> str:
    """Return that probabilities are too low or too high on average, where no share tells it alone."""
    found = evidence.calibration
    if found is None or n_rows < FEWEST_ROWS or evidence.weight or evidence.group:
        return ""
    given = sum(each.observed.n * each.predicted for each in found.bins) / n_rows
    seen = sum(each.observed.n * each.observed.value for each in found.bins) / n_rows
    low, high = wilson(seen, n_rows)
    if abs(given - seen) <= ROOM * (seen - low if given < seen else high - seen):
        return ""
    kind = "low" if given < seen else "high"
    said, true = _told_apart(given, seen)
    if found.of_class is None:
        return f"Probabilities are too {kind}: {said} on average, and {true} came true."
    name = _class_word(tree, found.of_class)
    return (
        f"Probabilities of {name} are too {kind}: {said} on average, while {true} of the test rows "
        f"were {name}."
    )


def _told_apart(given: float, seen: float) -> tuple[str, str]:
    """Return two shares in per cent, with the decimals that tell them apart."""
    words, decimals, ends = (share(given), share(seen)), 0, {0.0, 100.0}
    while given != seen and (
        words[0] == words[1] or (decimals and ends & {float(each[:-2]) for each in words})
    ):
        decimals += 1
        words = f"{100 * given:.{decimals}f} %", f"{100 * seen:.{decimals}f} %"
    return words


def _class_word(tree: Tree, code: int) -> str:
    return repr(plain(guess_word(tree.schema.labels[0].classes[code])))


def _is_off(found: CalibrationBin) -> bool:
    """Return whether a share differs from its probability by more than chance explains.

    The worst of ten bins is outside its 95 % interval in four of ten tables, hence the room.
    """
    seen = found.observed
    reach = seen.high - seen.value if found.predicted > seen.value else seen.value - seen.low
    return seen.n >= FEWEST_ROWS and abs(found.predicted - seen.value) > ROOM * reach


def residuals(evidence: Evidence) -> dict[str, Any]:
    """Return how far labels lie from predictions, by prediction and in all."""
    bins = evidence.off_by_prediction
    is_counted = evidence.weight is None and evidence.group is None
    return {
        "by_prediction": _by_prediction(bins, is_counted=is_counted) if len(bins) > 1 else "",
        "has_intervals": is_counted,
        "off": _off(evidence),
    }


def reach(found: OffBin) -> float:
    """Return how far the mean of new rows may lie from that of these."""
    return student(found.n - 1) * found.spread / sqrt(found.n) if found.n > 1 else 0.0


def _by_prediction(bins: Sequence[OffBin], *, is_counted: bool) -> str:
    ends = [each.off + sign * each.spread for each in bins for sign in (-1, 1)]
    across = Axis("prediction", *range_of([each.predicted for each in bins]))
    up = Axis("label minus prediction", *range_of([*ends, 0.0]))
    dots = []
    for each in bins:
        told = (
            f"{each.n:,} test rows predicted about {amount(each.predicted)}: "
            f"{amount(abs(each.off))} {'higher' if each.off > 0 else 'lower'} on average, "
            f"spread {amount(each.spread)}"
        )
        around = each.off - each.spread, each.off + each.spread
        dots.append(Dot(each.predicted, each.off, 0.1, told, around, "spread"))
        near = (each.off - reach(each), each.off + reach(each)) if is_counted else None
        dots.append(Dot(each.predicted, each.off, 4, told, near))
    return dot_chart(across, up, dots, level=0.0)


def _off(evidence: Evidence) -> str:
    """Return how many test rows lie how far above their prediction."""
    found = evidence.off
    if found is None or len(found.edges) < 2:
        return ""
    words = label_words(found, ())
    step = min(high - low for low, high in zip(found.edges, found.edges[1:], strict=False))
    ends = [found.edges[0] - step, *found.edges, found.edges[-1] + step]
    heights = [count / width for count, width in zip(found.counts, widths_of(found), strict=True)]
    bars = [
        Bar(low, high, height, f"{told}: {count:,} test rows")
        for low, high, height, told, count in zip(
            ends, ends[1:], heights, words, found.counts, strict=False
        )
    ]
    across = Axis("label minus prediction", ends[0], ends[-1])
    return bar_chart(across, Axis("test rows", 0.0, 1.05 * max(heights)), bars)


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
        # At a question that has no answer for their value.
        n_early = int(stops.n_stopped[subject.tree.feature >= 0].sum())
        found |= {"leaves": _leaves(subject, stops), "n_early": n_early}
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


def _calibration(subject: Subject, found: Calibration, evidence: Evidence) -> dict[str, Any]:
    """Return whether probabilities came true; of fewer than five rows nothing is told."""
    bins = [each for each in found.bins if each.observed.n >= FEWEST]
    return {
        "sentences": calibration_sentences(evidence, subject.tree),
        "chart": _calibration_chart(bins) if len(bins) > 1 else "",
        # Those of leaves that are told together overlap.
        "has_ranges": all(one.most <= other.least for one, other in pairwise(bins)),
        "is_smoothed": not np.array_equal(subject.tree.probabilities, subject.tree.shares),
        "bins": bins,
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


def rule_words(conditions: Iterable[Condition]) -> str:
    """Return conditions that all hold in words; long lists of values are cut short."""
    return all_of([shortened_condition(plain(str(each)), LONGEST, "…") for each in conditions])
