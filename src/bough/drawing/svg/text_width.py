"""How much room words take in a picture, whichever sans-serif font shows them."""

import unicodedata
from functools import cache, partial

from bough.shorten import shortened

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
