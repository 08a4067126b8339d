"""Charts as SVG; their colours are in `page.css`."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log2, log10

from bough.draw.svg.element import element, escaped, words
from bough.draw.svg.measure import text_width
from bough.words import number

WIDTH, HEIGHT = 400, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 14, 42
SIZE = 12  # of words
MOST_TICKS = 6


@dataclass(frozen=True)
class Axis:
    """Numbers along one side of a chart."""

    title: str
    low: float
    high: float
    is_log: bool = False
    is_share: bool = False

    def place(self, value: float) -> float:
        """Return where a number lies, between 0 and 1."""
        if self.is_log:
            return log2(value / self.low) / (log2(self.high / self.low) or 1)
        return (value - self.low) / ((self.high - self.low) or 1)

    def ticks(self) -> list[float]:
        """Return round numbers from one end to the other."""
        if self.is_log:
            powers = range(ceil(log2(self.low)), floor(log2(self.high)) + 1)
            step = max(1, ceil(len(powers) / MOST_TICKS))
            return [2.0**power for power in powers[::step]]
        step = _round_step((self.high - self.low) / (MOST_TICKS - 1))
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [each * step for each in range(first, last + 1)]

    def word(self, value: float) -> str:
        """Return a number as it stands at the axis."""
        if self.is_share:
            return f"{number(100 * value, 3)} %"
        return f"{value:,.0f}" if value >= 1000 and value == round(value) else number(value, 3)


@dataclass(frozen=True)
class Line:
    """Points from left to right."""

    name: str
    """Also of its class in `page.css`."""
    points: Sequence[tuple[float, float]]
    spread: Sequence[float] = ()
    """How far the band around each point reaches."""


@dataclass(frozen=True)
class Dot:
    """A point of some size, and what it says."""

    x: float
    y: float
    size: float
    title: str


def line_chart(across: Axis, up: Axis, lines: Sequence[Line], mark: tuple[float, float, str]) -> str:
    """Return lines with their names, and one point that is marked and named."""
    drawn = [_axes(across, up)]
    for line in lines:
        places = [_place(across, up, point) for point in line.points]
        if line.spread:
            drawn.append(_band(across, up, line))
        drawn.append(element("path", d=_path(places), class_=f"line {line.name}"))
    x, y, told = mark
    left, top = _place(across, up, (x, y))
    is_left = left > WIDTH / 2
    drawn += [
        element("path", d=f"M{left:.1f} {TOP}V{HEIGHT - BOTTOM}", class_="chosen"),
        element("circle", cx=left, cy=top, r=4, class_="chosen"),
        words(
            told,
            left + (-6 if is_left else 6),
            TOP + SIZE,
            text_anchor="end" if is_left else "start",
            class_="note",
        ),
        _key([line.name for line in lines]),
    ]
    return _svg("".join(drawn), f"{up.title} against {across.title}")


def dot_chart(across: Axis, up: Axis, dots: Sequence[Dot]) -> str:
    """Return dots around the diagonal, on which both axes have the same number."""
    ends = [_place(across, up, (end, end)) for end in _common(across, up)]
    drawn = [_axes(across, up), element("path", d=_path(ends), class_="diagonal")]
    for dot in dots:
        left, top = _place(across, up, (dot.x, dot.y))
        title = element("title", escaped(dot.title))
        drawn.append(element("circle", title, cx=left, cy=top, r=dot.size, class_="dot"))
    return _svg("".join(drawn), f"{up.title} against {across.title}")


def range_of(values: Sequence[float], *, from_zero: bool = False) -> tuple[float, float]:
    """Return the ends of an axis on which all values have room."""
    low, high = min(values), max(values)
    if from_zero:
        low = min(low, 0.0)
    room = 0.05 * (high - low) or abs(high) or 1.0
    return (low if from_zero and low == 0 else low - room), high + room


def _svg(inner: str, title: str) -> str:
    return element(
        "svg",
        element("title", escaped(title)),
        inner,
        class_="chart",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
    )


def _axes(across: Axis, up: Axis) -> str:
    bottom = HEIGHT - BOTTOM
    drawn = []
    for tick in up.ticks():
        _, top = _place(across, up, (across.low, tick))
        drawn.append(element("path", d=f"M{LEFT} {top:.1f}H{WIDTH - RIGHT}", class_="grid"))
        drawn.append(words(up.word(tick), LEFT - 6, top + 4, text_anchor="end"))
    last = 0.0  # where the words before end
    for tick in across.ticks():
        left, _ = _place(across, up, (tick, up.low))
        word = across.word(tick)
        half = text_width(word, SIZE) / 2
        if left - half > last + 4:
            drawn.append(words(word, left, bottom + 16, text_anchor="middle"))
            last = left + half
    drawn.append(element("path", d=f"M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}", class_="axis"))
    middle = (LEFT + WIDTH - RIGHT) / 2
    drawn.append(words(across.title, middle, HEIGHT - 6, text_anchor="middle", class_="title"))
    return "".join(drawn)


def _key(names: Sequence[str]) -> str:
    """Return the names of lines, in their colours, at the top."""
    return "".join(
        words(name, WIDTH - RIGHT, HEIGHT - BOTTOM - 8 - 15 * place, text_anchor="end", class_=name)
        for place, name in enumerate(names)
    )


def _band(across: Axis, up: Axis, line: Line) -> str:
    sides = [
        [
            _place(across, up, (x, min(max(y + sign * reach, up.low), up.high)))
            for (x, y), reach in zip(line.points, line.spread, strict=True)
        ]
        for sign in (1, -1)
    ]
    outline = [*sides[0], *reversed(sides[1])]
    return element("path", d=f"{_path(outline)}Z", class_=f"band {line.name}")


def _place(across: Axis, up: Axis, point: tuple[float, float]) -> tuple[float, float]:
    """Return where a point lies on the picture."""
    x, y = point
    return (
        LEFT + across.place(x) * (WIDTH - LEFT - RIGHT),
        HEIGHT - BOTTOM - up.place(y) * (HEIGHT - TOP - BOTTOM),
    )


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{left:.1f} {top:.1f}" for left, top in places)


def _common(across: Axis, up: Axis) -> tuple[float, float]:
    return max(across.low, up.low), min(across.high, up.high)


def _round_step(step: float) -> float:
    """Return the smallest of 1, 2, 5, 10, … that is not below a step."""
    size = 10.0 ** floor(log10(step)) if step > 0 else 1.0
    return next(each * size for each in (1, 2, 5, 10) if each * size >= step * (1 - 1e-9))
