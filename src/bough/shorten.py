"""How much room words take in a terminal."""

import unicodedata
from collections.abc import Callable, Iterable
from functools import cache

OR_MISSING = " or missing"


def cells(words: str) -> int:
    """Return how many columns of a terminal words take."""
    if words.isascii():
        return len(words)
    return sum(map(_cells_of_sign, words))


def blanks(words: str, room: int) -> str:
    """Return as many blanks as words leave room for."""
    return " " * (room - cells(words))


def shortened(words: str, room: float, dots: str, width: Callable[[str], float] = cells) -> str:
    """Return words that take no more room than there is; dots stand for the rest."""
    if width(words) <= room:
        return words
    room -= width(dots)
    kept = words[: max(int(room), 0)]
    while kept and width(kept) > room:
        kept = kept[:-1]
    return kept + dots


def shortened_condition(words: str, room: int, dots: str) -> str:
    """Return a condition that takes no more room than there is: its end tells what holds.

    Examples
    --------
    >>> shortened_condition("how_satisfied_are_you_with_the_service < 3", room=24, dots="…")
    'how_satisfied_are…ce < 3'
    >>> shortened_condition("city = Aachen, Berlin, Bonn, Bremen", room=24, dots="…")
    'city = Aachen, Berlin, …'
    """
    if ", " in words or cells(words) <= room:  # of a list, the first values tell most
        return shortened(words, room, dots)
    tail = words[-(room // 4) :]
    return shortened(words, room - cells(tail), dots) + tail


def shortened_answer(
    answer: str, room: float, dots: str, width: Callable[[str], float] = cells
) -> str:
    """Return an answer that takes no more room than there is.

    Of a list, dots stand for whole values, and that missing ones belong to it is still told.

    Examples
    --------
    >>> shortened_answer("= bread, butter, milk, salt or missing", room=30, dots="…")
    '= bread, butter, … or missing'
    """
    if width(answer) <= room or not answer.startswith("= "):
        return shortened(answer, room, dots, width)
    end = OR_MISSING if answer.endswith(OR_MISSING) and width(OR_MISSING) <= room / 2 else ""
    shown = shortened(answer.removesuffix(end), room - width(end), dots, width)
    last = shown.rfind(", ")
    return (shown if last < 0 else f"{shown[:last]}, {dots}") + end


def filled(
    parts: Iterable[str],
    room: float,
    gap: str = "  ",
    width: Callable[[str], float] = cells,
) -> list[str]:
    """Return parts beside each other, in as many lines as it takes; none is broken.

    Examples
    --------
    >>> filled(["[1] red", "[2] green", "[3] blue"], room=20)
    ['[1] red  [2] green', '[3] blue']
    """
    lines: list[str] = []
    for part in parts:
        if lines and width(lines[-1] + gap + part) <= room:
            lines[-1] += gap + part
        else:
            lines.append(part)
    return lines


@cache
def _cells_of_sign(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
