"""Elements of an SVG document as text."""

import re
import unicodedata
from html import escape

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
