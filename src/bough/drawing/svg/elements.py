"""SVG as text: elements, the room that words take, keys of colours and signs, and the document around them."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import cache, partial
from html import escape
from typing import NamedTuple

from bough.drawing.style import COLORS, FONTS, Theme, colored_classes, hex_of
from bough.text_layout import filled, shortened
from bough.tree import Tree
from bough.words import guess_word, plain

_RIGHT_TO_LEFT = {"R", "AL", "AN"}
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_NO_XML = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
DOTS = "…"

# Hundredths of the size of a font: no common sans-serif is wider than these (DejaVu Sans, Arial).
_WIDTHS = {
    28: "'ijl",
    32: "I ,.·‘’",
    34: "/:;\\|",
    38: "f-",
    42: "()[]t!r",
    46: '"',
    50: "*J`°",
    54: "sz“”",
    58: "?L_c–k",
    62: "vxyFTaeo",
    64: "$0123456789bdghnpqu{}µ€£",
    70: "EKPSYABVXZ",
    76: "CRUHN",
    80: "&DGOQ",
    84: "w#+<=>^~±≥≤−×",
    88: "M",
    98: "%m",
    102: "W…→@",
}
_WIDTHS_BOLD = {
    32: "'",
    38: " ijl,./I\\|·‘’",
    42: ":;-",
    46: "f!()[]",
    50: "t`r°",
    56: '"*J_–',
    62: "csz?",
    66: "Lvxy“”",
    70: "aek$0123456789EFTo€£",
    74: "bdghnpqu{}CPSYZµ",
    78: "ABKRVX",
    86: "U#+<=>DGHN^~±≥≤−×OQ",
    94: "&w",
    102: "@M…→%",
    112: "mW",
}
_TABLES = [
    {sign: width for width, signs in widths.items() for sign in signs}
    for widths in (_WIDTHS, _WIDTHS_BOLD)
]
_OTHER, _WIDE, _NOTHING = 110, 140, 0  # signs that are in no table
LINE = 20
SWATCH = 10
GAP = 16
LONGEST_NAME = 180
MARGIN = 16  # on every side
SMALL = 12  # the size of letters, unless others are asked for


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

    `inner` is painted in its order; `size` is without the margin around it; by its class, `name`, a
    page that holds the document finds it.
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


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """Return how many pixels words take at most, in letters of a size.

    Examples
    --------
    >>> text_width("age ?", size=10)
    27.8
    """
    return sum(_width(sign, bold) for sign in words) * size / 100


def fitted(words: str, room: float, size: float, *, bold: bool = False) -> str:
    """Return words that take no more pixels than there is room for; dots stand for the rest."""
    return shortened(words, room, DOTS, partial(text_width, size=size, bold=bold))


@cache
def _width(sign: str, bold: bool) -> int:  # noqa: FBT001 - kept by place
    table = _TABLES[bold]
    if sign in table:
        return table[sign]
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return _NOTHING
    parts = unicodedata.normalize("NFKD", sign)
    if parts != sign:  # é is as wide as e, and a ligature as its letters
        return sum(_width(part, bold) for part in parts)
    if unicodedata.east_asian_width(sign) in "WF" or unicodedata.category(sign) == "So":
        return _WIDE
    return _OTHER


class Key(NamedTuple):
    """A colour, if there is one, and what it means."""

    words: str
    color: str | None = None

    @property
    def width(self) -> float:
        return text_width(self.words, SMALL) + (SWATCH + 5 if self.color else 0)


def class_keys(tree: Tree) -> list[Key]:
    """Return what the colours of classes mean."""
    colored = colored_classes(tree)
    classes = tree.schema.labels[0].classes
    names = [fitted(plain(guess_word(classes[each])), LONGEST_NAME, SMALL) for each in colored]
    if colored and len(colored) < len(classes):
        names.append(f"{len(classes) - len(colored)} others")
    return [Key(name, hex_of(COLORS[place])) for place, name in enumerate(names)]


def sign_keys(signs: Iterable[str], width: float) -> list[Key]:
    """Return what signs mean, in pieces that are no wider than a picture."""
    lines = filled(signs, width, " · ", partial(text_width, size=SMALL))
    return [Key(line) for line in lines]


def legend_of(keys: Iterable[Key], width: float) -> tuple[str, float]:
    """Return keys beside each other, in as many lines as it takes, and how high they are."""
    shown, paint = "", Paint()
    x = y = 0.0
    for key in keys:
        if x > 0 and x + key.width > width:
            x, y = 0.0, y + LINE
        middle = y + LINE / 2
        start = x
        if key.color is not None:
            paint.rectangle(key.color, x, middle - SWATCH / 2, SWATCH, SWATCH)
            start += SWATCH + 5
        shown += words(isolated(key.words), start, middle + SMALL / 3)
        x += key.width + GAP
    return shown + paint.write(), y + LINE
