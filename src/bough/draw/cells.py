"""How much room words take in a terminal."""

import unicodedata
from collections.abc import Iterable
from functools import cache


def cells(words: str) -> int:
    """Return how many columns of a terminal words take."""
    if words.isascii():
        return len(words)
    return sum(map(_cells_of_sign, words))


def padded(words: str, room: int) -> str:
    """Return words followed by as many blanks as there is room left."""
    return words + " " * (room - cells(words))


def shortened(words: str, room: int, dots: str) -> str:
    """Return words that take no more columns than there is room for; dots stand for the rest."""
    if cells(words) <= room:
        return words
    kept = words[: max(room - len(dots), 0)]
    while cells(kept) + len(dots) > room and kept:
        kept = kept[:-1]
    return kept + dots


def filled(parts: Iterable[str], room: int, gap: str = "  ") -> list[str]:
    """Return parts beside each other, in as many lines as it takes; none is broken.

    Examples
    --------
    >>> filled(["[1] red", "[2] green", "[3] blue"], room=20)
    ['[1] red  [2] green', '[3] blue']
    """
    lines: list[str] = []
    for part in parts:
        if lines and cells(lines[-1] + gap + part) <= room:
            lines[-1] += gap + part
        else:
            lines.append(part)
    return lines


@cache
def _cells_of_sign(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
