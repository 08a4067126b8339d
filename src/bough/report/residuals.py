"""Of numbers: how far labels of test rows lie from predictions, small ones first."""

from collections.abc import Sequence
from math import sqrt
from typing import Any

from bough.evidence import Evidence, OffBin
from bough.losses.interval import student
from bough.report.badly_served import label_words
from bough.report.chart import Axis, Bar, Dot, bar_chart, dot_chart, range_of
from bough.report.inline_bars import widths_of
from bough.words import amount


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
