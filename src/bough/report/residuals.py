"""Of numbers: how far labels of test rows lie from predictions, small ones first."""

from math import isfinite, sqrt
from typing import Any, NamedTuple

import numpy as np

from bough.evidence import Evidence
from bough.losses.interval import student
from bough.report.chart import Axis, Bar, Dot, bar_chart, dot_chart, range_of
from bough.report.served import label_words
from bough.report.small import widths_of
from bough.report.subject import Stops, Subject
from bough.words import amount

MOST_BINS = 10
FEWEST = 5  # rows of a bin


class Residual(NamedTuple):
    """The test rows of leaves that predict about the same."""

    predicted: float
    off: float
    """By how much labels lie above predictions, on average."""
    spread: float
    """The standard deviation of that."""
    n: int

    @property
    def reach(self) -> float:
        """How far the mean of new rows may lie from that of these."""
        return student(self.n - 1) * self.spread / sqrt(self.n) if self.n > 1 else 0.0


def residuals(subject: Subject, stops: Stops, evidence: Evidence) -> dict[str, Any]:
    """Return how far labels lie from predictions, by prediction and in all."""
    bins = residual_bins(subject, stops)
    is_counted = evidence.weight is None and evidence.group is None
    return {
        "by_prediction": _by_prediction(bins, is_counted=is_counted) if len(bins) > 1 else "",
        "has_intervals": is_counted,
        "off": _off(evidence),
    }


def residual_bins(subject: Subject, stops: Stops) -> list[Residual]:
    """Return the test rows by prediction, in bins of about the same weight."""
    tree = subject.tree
    assert tree.guess is not None  # noqa: S101 - it predicts numbers
    nodes = np.flatnonzero(stops.stopped[:, 0] > 0)
    guesses = tree.guess[nodes, 0]
    order = np.argsort(guesses, kind="stable")
    nodes, guesses = nodes[order], guesses[order]
    n_rows = np.array([stops.n_stopped[node] for node in nodes.tolist()])
    middle = (np.cumsum(n_rows) - n_rows / 2) / max(n_rows.sum(), 1)
    place = np.floor(MOST_BINS * middle).astype(int)
    found = [
        _residual(
            stops.stopped[nodes[place == each]], guesses[place == each], n_rows[place == each]
        )
        for each in np.unique(place).tolist()
    ]
    return [each for each in found if each.n >= FEWEST and isfinite(each.spread)]


def _residual(tally: Any, guesses: Any, n_rows: Any) -> Residual:  # noqa: ANN401
    weight, total, squares = tally.T
    with np.errstate(over="ignore", invalid="ignore"):
        all_weight = weight.sum()
        off = float((total - weight * guesses).sum() / all_weight)
        square = float((squares - 2 * guesses * total + weight * guesses**2).sum() / all_weight)
        n = int(n_rows.sum())
        spread = (
            sqrt(max(square - off * off, 0.0) * n / max(n - 1, 1)) if isfinite(square) else np.inf
        )
        return Residual(float((weight * guesses).sum() / all_weight), off, spread, n)


def _by_prediction(bins: list[Residual], *, is_counted: bool) -> str:
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
        near = (each.off - each.reach, each.off + each.reach) if is_counted else None
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
