"""SVG as text: elements, rectangles of few colours as paths, scales, and the document around them."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from bough.drawing.colors import FONTS, Theme

_RIGHT_TO_LEFT = {"R", "AL", "AN"}
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_NO_XML = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def element(tag: str, *inner: str, **attributes: str | float | None) -> str:
    """Return an element; what is inside is markup already.

    In the names of attributes `_` stands for `-`, except at the end. None leaves one out.

    Examples
    --------
    >>> element("g", escaped("a < b"), class_="node", stroke_width=1.50, fill=None)
    '<g class="node" stroke-width="1.5">a &lt; b</g>'
    """
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_written(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{given}>{''.join(inner)}</{tag}>" if inner else f"<{tag}{given}/>"


def words(content: str, x: float, y: float, **attributes: str | float | None) -> str:
    """Return words that begin, or end, at a place."""
    return element("text", escaped(content), x=x, y=y, **attributes)


def escaped(content: str) -> str:
    """Return words as they may stand in a document; signs that none may hold are replaced."""
    return escape(_NO_XML.sub("\ufffd", content))


def isolated(name: str) -> str:
    """Return a name that does not turn the words around it, if it is read from right to left."""
    if name.isascii() or _RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, name)):
        return name
    return _ISOLATE + name + _END_OF_ISOLATE


def short(length: float) -> str:
    """Return a length in pixels, to a tenth.

    Examples
    --------
    >>> short(12.0), short(0.25), short(-0.04)
    ('12', '0.2', '0')
    """
    return f"{round(length, 1) + 0.0:.1f}".removesuffix(".0")


def _written(value: str | float) -> str:
    return escaped(value) if isinstance(value, str) else short(value)


class Paint:
    """Collects the rectangles of one box."""

    def __init__(self) -> None:
        self.paths: dict[str, str] = defaultdict(str)

    def rectangle(self, color: str, x: float, y: float, width: float, height: float) -> None:
        across, down = short(width), short(height)
        self.paths[color] += f"M{short(x)} {short(y)}h{across}v{down}h-{across}"

    def write(self) -> str:
        return "".join(
            element("path", fill=color, d=path, class_="bar") for color, path in self.paths.items()
        )


MARGIN = 16  # on every side
SMALL = 12  # the size of letters, unless others are asked for


def document(
    inner: Iterable[str],
    size: tuple[float, float],
    theme: Theme,
    *,
    name: str,
    title: str,
    description: str,
) -> str:
    """Return a document; those who cannot see it hear its title and its description.

    Parameters
    ----------
    inner
        What is shown, in the order in which it is painted.
    size
        The width and the height of what is shown, without the margin around it.
    theme
        The colours.
    name
        The class of the document, by which a page that holds it finds it.
    title, description
        What the picture shows, in words.
    """
    width, height = (length + 2 * MARGIN for length in size)
    return element(
        "svg",
        element("title", escaped(title)),
        element("desc", escaped(description)),
        element("rect", class_="ground", width=width, height=height, fill=theme.ground),
        group("".join(inner), (MARGIN, MARGIN)),
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        class_=name,
        viewBox=f"0 0 {short(width)} {short(height)}",
        width=width,
        height=height,
        direction="ltr",
        font_family=FONTS,
        font_size=SMALL,
    )


def group(inner: str, place: tuple[float, float], **attributes: str | float | None) -> str:
    """Return a group that is moved to a place; nothing if it is empty."""
    x, y = map(short, place)
    return element("g", inner, transform=f"translate({x},{y})", **attributes) if inner else ""


class Scale(NamedTuple):
    """The numbers from one end to another."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Return where a number lies: 0 at the low end or below it, 1 at the high end or above.

        Examples
        --------
        >>> Scale(10.0, 30.0).place(15.0)
        0.25
        """
        span = self.high / 2 - self.low / 2  # halves, since the whole may be beyond all numbers
        return min(max((value / 2 - self.low / 2) / span, 0.0), 1.0) if span > 0 else 0.5
