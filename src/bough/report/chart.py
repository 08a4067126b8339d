"""Charts as SVG, whose colours are in `page.css`, and bars within a line of a table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log2

from bough.drawing.svg.elements import element, escaped, text_width, words
from bough.evidence import Estimate
from bough.histograms import Histogram
from bough.words import number, round_step

ACROSS, TALL = 120, 28  # of bars within a line
WIDTH, HEIGHT = 400, 260
RIGHT, TOP, BOTTOM = 20, 38, 42
SIZE = 12  # of words
KEY = 14  # where the words above the chart stand
MOST_TICKS = 6
FARTHEST = 5e307  # that an axis reaches: the distance of its ends must be a number


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
    scale, most = ACROSS / sum(widths), max(heights) or 1.0
    drawn, left = [], 0.0
    for width, height in zip(widths, heights, strict=True):
        tall = max(TALL * height / most, 1.0) if height else 0.0
        right = left + width * scale
        drawn.append(
            f"M{left:.1f} {TALL}V{TALL - tall:.1f}H{max(right - 1, left + 0.5):.1f}V{TALL}Z"
        )
        left = right
    told = "; ".join(f"{each} {count:,}" for each, count in zip(words, found.counts, strict=True))
    return element(
        "svg",
        element("title", escaped(told)),
        element("path", d="".join(drawn)),
        class_="bins",
        viewBox=f"0 0 {ACROSS} {TALL}",
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


@dataclass(frozen=True)
class Axis:
    """Numbers along one side of a chart."""

    title: str
    low: float
    high: float
    is_log: bool = False
    is_share: bool = False
    is_count: bool = False
    """Whether there is nothing between two whole numbers."""
    fixed: tuple[float, ...] = ()
    """The numbers that stand at it; empty: round ones."""

    def place(self, value: float) -> float:
        """Return where a number lies, between 0 and 1."""
        if self.is_log:
            return log2(value / self.low) / (log2(self.high / self.low) or 1)
        return min(max((value - self.low) / ((self.high - self.low) or 1), 0.0), 1.0)

    def ticks(self) -> list[float]:
        """Return round numbers from one end to the other, or those that it was given."""
        if self.fixed:
            return list(self.fixed)
        if self.is_log:
            powers = range(ceil(log2(self.low)), floor(log2(self.high)) + 1)
            return [2.0**power for power in powers[:: ceil(len(powers) / MOST_TICKS) or 1]]
        step = round_step((self.high - self.low) / (MOST_TICKS - 1))
        if self.is_count:
            step = max(step, 1.0)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [each * step for each in range(first, last + 1)]

    def word(self, value: float) -> str:
        """Return a number as it stands at the axis."""
        if self.is_share:
            return f"{number(100 * value, 3)} %"
        return f"{value:,.0f}" if abs(value) >= 1000 and value == round(value) else number(value, 3)


@dataclass(frozen=True)
class Line:
    """Points from left to right."""

    name: str
    """Also of its class in `page.css`."""
    points: Sequence[tuple[float, float]]
    spread: Sequence[float] = ()
    """How far the band around each point reaches."""
    told: str = ""
    """What it is called above the chart; empty: its name."""


@dataclass(frozen=True)
class Dot:
    """A point of some size, and what it says."""

    x: float
    y: float
    size: float
    title: str
    reach: tuple[float, float] | None = None
    """From where to where it may lie, above and below."""
    name: str = "dot"
    """Of its class in `page.css`."""


@dataclass(frozen=True)
class Mark:
    """A number across that is marked, with what is told of it."""

    x: float
    told: str


@dataclass(frozen=True)
class Bar:
    """What stands between two numbers across, and how high."""

    low: float
    high: float
    height: float
    title: str


def line_chart(
    across: Axis, up: Axis, lines: Sequence[Line], marks: Sequence[Mark], dots: Sequence[Dot] = ()
) -> str:
    """Return lines with their names, and numbers across that are marked and named."""
    frame = _Frame(across, up)
    keys = {each.name: each.told or each.name for each in lines}
    drawn = [_key(keys | {each.name: keys.get(each.name, each.name) for each in dots})]
    for line in lines:
        if line.spread:
            drawn.append(frame.band(line))
        drawn.append(frame.path(line.points, f"line {line.name}"))
    drawn += [frame.mark(mark, place) for place, mark in enumerate(marks)]
    drawn += map(frame.dot, dots)
    return frame.svg("".join(drawn))


def dot_chart(across: Axis, up: Axis, dots: Sequence[Dot], level: float | None = None) -> str:
    """Return dots around a level; if the axes have the same numbers, the line where they are equal."""
    frame = _Frame(across, up)
    drawn = []
    if level is not None:
        drawn.append(frame.path([(end, level) for end in (across.low, across.high)], "diagonal"))
    elif (across.low, across.high) == (up.low, up.high):
        drawn.append(frame.path([(end, end) for end in (up.low, up.high)], "diagonal"))
    return frame.svg("".join([*drawn, *map(frame.dot, dots)]))


def bar_chart(across: Axis, up: Axis, bars: Sequence[Bar]) -> str:
    """Return bars beside each other."""
    frame = _Frame(across, up)
    return frame.svg("".join(map(frame.bar, bars)))


def range_of(values: Sequence[float], *, from_zero: bool = False) -> tuple[float, float]:
    """Return the ends of an axis on which all values have room."""
    low, high = max(min(values), -FARTHEST), min(max(values), FARTHEST)
    if from_zero:
        low = min(low, 0.0)
    room = 0.05 * (high - low) or abs(high) or 1.0
    return (low if from_zero and low == 0 else low - room), high + room


class _Frame:
    """Two axes, and where points lie between them."""

    def __init__(self, across: Axis, up: Axis) -> None:
        self.across, self.up = across, up
        self.left = 10 + max(text_width(up.word(tick), SIZE) for tick in up.ticks())

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point lies on the picture."""
        return (
            self.left + self.across.place(x) * (WIDTH - self.left - RIGHT),
            HEIGHT - BOTTOM - self.up.place(y) * (HEIGHT - TOP - BOTTOM),
        )

    def dot(self, dot: Dot) -> str:
        left, top = self.place(dot.x, dot.y)
        title = element("title", escaped(dot.title))
        drawn = element("circle", title, cx=left, cy=top, r=dot.size, class_=dot.name)
        if dot.reach is None:
            return drawn
        low, high = (self.place(dot.x, end)[1] for end in dot.reach)
        line = f"M{left:.1f} {low:.1f}V{high:.1f}"
        return element("path", d=line, class_=f"reach {dot.name}") + drawn

    def bar(self, bar: Bar) -> str:
        left, top = self.place(bar.low, bar.height)
        right, bottom = self.place(bar.high, self.up.low)
        size = {"width": max(right - left - 1, 0.5), "height": bottom - top}
        title = element("title", escaped(bar.title))
        return element("rect", title, x=left, y=top, class_="bar", **size)

    def mark(self, mark: Mark, place: int) -> str:
        """Return a line upwards, with its words; those of a second mark stand lower."""
        left, _ = self.place(mark.x, self.up.low)
        is_left = left > WIDTH / 2
        anchor = "end" if is_left else "start"
        line = f"M{left:.1f} {TOP}V{HEIGHT - BOTTOM}"
        top = TOP - 5 + 15 * place
        told = words(mark.told, left + (-6 if is_left else 6), top, text_anchor=anchor)
        return element("path", d=line, class_="chosen") + told

    def path(self, points: Iterable[tuple[float, float]], name: str, end: str = "") -> str:
        places = (self.place(x, y) for x, y in points)
        d = "M" + "L".join(f"{left:.1f} {top:.1f}" for left, top in places) + end
        return element("path", d=d, class_=name)

    def band(self, line: Line) -> str:
        """Return what lies within the spread of a line."""
        sides = [
            [
                (x, min(max(y + sign * reach, self.up.low), self.up.high))
                for (x, y), reach in zip(line.points, line.spread, strict=True)
            ]
            for sign in (1, -1)
        ]
        return self.path([*sides[0], *reversed(sides[1])], f"band {line.name}", end="Z")

    def svg(self, inner: str) -> str:
        """Return the whole picture."""
        title = f"{self.up.title} against {self.across.title}"
        return element(
            "svg",
            element("title", escaped(title)),
            self._axes(),
            inner,
            class_="chart",
            viewBox=f"0 0 {WIDTH} {HEIGHT}",
            role="img",
            data_left=f"{self.left:.1f}",
        )

    def _axes(self) -> str:
        bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        drawn = []
        for tick in self.up.ticks():
            _, top = self.place(self.across.low, tick)
            drawn.append(element("path", d=f"M{self.left:.1f} {top:.1f}H{right}", class_="grid"))
            drawn.append(words(self.up.word(tick), self.left - 6, top + 4, text_anchor="end"))
        last = 0.0  # where the words before end
        for tick in self.across.ticks():
            left, _ = self.place(tick, self.up.low)
            word = self.across.word(tick)
            half = text_width(word, SIZE) / 2
            left = min(left, WIDTH - half)  # the last one may have no room behind it
            if left - half > last + 4:
                drawn.append(words(word, left, bottom + 19, text_anchor="middle"))
                last = left + half
        axis = f"M{self.left:.1f} {TOP}V{bottom}H{right}"
        middle = (self.left + right) / 2
        return "".join(
            [
                *drawn,
                element("path", d=axis, class_="axis"),
                words(self.up.title, 0, KEY),
                words(self.across.title, middle, HEIGHT - 6, text_anchor="middle"),
            ]
        )


def _key(names: Mapping[str, str]) -> str:
    """Return what lines are called above them, each beside a piece of its line."""
    drawn, right = [], float(WIDTH - RIGHT)
    for name, told in reversed([*names.items()]):
        drawn.append(words(told, right, KEY, text_anchor="end"))
        right -= text_width(told, SIZE) + 6
        piece = f"M{right - 18:.1f} {KEY - 4}H{right:.1f}"
        drawn.append(element("path", d=piece, class_=f"line {name}"))
        right -= 34
    return "".join(drawn)
