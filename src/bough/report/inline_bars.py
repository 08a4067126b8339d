"""Pictures within a line of a table: bars, and how far a figure may reach."""

from collections.abc import Sequence

from bough.drawing.svg.elements import element, escaped
from bough.evidence import Estimate
from bough.rows_counted import Histogram

WIDTH, HEIGHT = 120, 28


def reach(found: Estimate, highest: float, overall: float, lowest: float = 0.0) -> str:
    """Return a figure with its interval, and that of all rows as a line."""
    span = highest / 2 - lowest / 2  # the whole may be beyond all numbers
    low, at, high, every = (
        100 * min(max((each / 2 - lowest / 2) / span, 0.0), 1.0) if span > 0 else 0.0
        for each in (found.low, found.value, found.high, overall)
    )
    drawn = [
        element("path", d=f"M{every:.1f} 0V10", class_="all"),
        element("path", d=f"M{low:.1f} 5H{high:.1f}", class_="span"),
        element("path", d=f"M{at:.1f} 1V9", class_="at"),
    ]
    return _flat("".join(drawn), "reach")


def bars(found: Histogram, words: Sequence[str]) -> str:
    """Return a histogram; what each bar stands for is told where a pointer rests on it."""
    if not found.counts:
        return ""
    widths = widths_of(found)
    heights = [count / width for count, width in zip(found.counts, widths, strict=True)]
    scale, most = WIDTH / sum(widths), max(heights) or 1.0
    drawn, left = [], 0.0
    for width, height in zip(widths, heights, strict=True):
        tall = max(HEIGHT * height / most, 1.0) if height else 0.0
        right = left + width * scale
        drawn.append(
            f"M{left:.1f} {HEIGHT}V{HEIGHT - tall:.1f}H{max(right - 1, left + 0.5):.1f}V{HEIGHT}Z"
        )
        left = right
    told = "; ".join(f"{each} {count:,}" for each, count in zip(words, found.counts, strict=True))
    return element(
        "svg",
        element("title", escaped(told)),
        element("path", d="".join(drawn)),
        class_="bins",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
    )


def widths_of(found: Histogram) -> list[float]:
    """Return how wide bins are; the outermost ones, which have no end, are as wide as the narrowest."""
    if len(found.edges) < 2:
        return [1.0] * len(found.counts)
    inner = [high - low for low, high in zip(found.edges, found.edges[1:], strict=False)]
    step = min(inner)
    return [1.0, *(each / step for each in inner), 1.0]


def _flat(inner: str, name: str) -> str:
    return element(
        "svg",
        inner,
        class_=name,
        viewBox="0 0 100 10",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
