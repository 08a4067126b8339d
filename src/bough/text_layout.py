"""How much room words take; words that are cut, wrapped and put in tables to fit it."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from bough.words import OR_MISSING

FIRST = 16  # cells that the first column of a table has, or as many as it needs
LAST = 24  # cells that words of the last column need at least, to go on below
_BETWEEN = re.compile(r" (?!%)")  # where a line may be broken: '44.1 %' stays together


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


def shortened_in_the_middle(words: str, room: int, dots: str) -> str:
    """Return a name that takes no more room than there is, with its end, which often tells most.

    Examples
    --------
    >>> shortened_in_the_middle("case_state_of_residence", room=11, dots="…")
    'case_s…ence'
    """
    if cells(words) <= room:
        return words
    tail = ""
    for sign in reversed(words):
        if cells(sign + tail) > (room - cells(dots)) * 2 // 5:
            break
        tail = sign + tail
    return shortened(words, room - cells(tail), dots) + tail


def shortened_condition(words: str, room: int, dots: str) -> str:
    """Return a condition that takes no more room than there is: its end tells what holds.

    Examples
    --------
    >>> shortened_condition("how_satisfied_are_you_with_the_service < 3", room=24, dots="…")
    'how_satisfied_are…ce < 3'
    >>> shortened_condition("city = Aachen, Berlin, Bonn, Bremen", room=24, dots="…")
    'city = Aachen, Berlin, …'
    >>> shortened_condition("city = Aachen, Berlin, Bonn or missing", room=30, dots="…")
    'city = Aachen, Ber… or missing'
    """
    if cells(words) <= room:
        return words
    end = OR_MISSING if words.endswith(OR_MISSING) else ""
    words, room = words.removesuffix(end), room - cells(end)
    if ", " not in words:  # of a list, the first values tell most
        end = words[-(room // 4) :] + end
        room -= room // 4
    return shortened(words, room, dots) + end


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


def table_lines(rows: Sequence[Sequence[str]], aligned: str, width: int | None = None) -> list[str]:
    """Return rows of cells as lines whose columns are below each other.

    Examples
    --------
    >>> table_lines([["", "rows"], ["red", "12"], ["green", "3"]], "<>")
    ['       rows', 'red      12', 'green     3']
    """
    return [line for lines in table_rows(rows, aligned, width) for line in lines]


def table_rows(
    rows: Sequence[Sequence[str]], aligned: str, width: int | None = None
) -> list[list[str]]:
    """Return the lines of each row of a table, whose columns end ('>') or begin ('<') below each other.

    Where a line would be longer than `width`, cells of the first column go on below, or words of
    the last; where that is not enough, there is no heading, and each row tells its cells below the
    first.
    """
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    if width is not None:
        over = sum(widths) + 2 * (len(widths) - 1) - width
        if widths[0] - over >= min(widths[0], FIRST):
            widths[0] -= max(over, 0)
        elif aligned[-1] == "<" and widths[-1] - over >= LAST:
            widths[-1] -= over
        else:
            return [[], *(_stacked(rows[0], row, width) for row in rows[1:])]
    return [_row_lines(row, widths, aligned) for row in rows]


def _row_lines(row: Sequence[str], widths: Sequence[int], aligned: str) -> list[str]:
    """Return the lines of a row whose first cell, or the words of its last, may go on below."""
    first, *below = _folded(row[0], widths[0])
    last, *more = filled(_BETWEEN.split(row[-1]), widths[-1], gap=" ")
    padded = (
        blanks(cell, room) + cell if side == ">" else cell + blanks(cell, room)
        for cell, room, side in zip([first, *row[1:-1], last], widths, aligned, strict=True)
    )
    indent = " " * (sum(widths[:-1]) + 2 * (len(widths) - 1))
    return ["  ".join(padded).rstrip(), *below, *(indent + each for each in more)]


def _stacked(heading: Sequence[str], row: Sequence[str], width: int) -> list[str]:
    """Return a row that is too long for a line, with what each cell is."""
    told = [f"{name} {cell}" for name, cell in zip(heading[1:], row[1:], strict=True) if cell]
    indent = " " * (len(row[0]) - len(row[0].lstrip()) + 2)
    room = width - len(indent)
    lines = filled(told, room, gap=" · ")
    below = [part for line in lines for part in filled(_BETWEEN.split(line), room, gap=" ")]
    return [*_folded(row[0], width), *(indent + each for each in below)]


def _folded(words: str, room: int) -> list[str]:
    """Return words in lines that take no more room than there is; only a long word is broken."""
    blank = words[: len(words) - len(words.lstrip(" "))]
    left = max(room - len(blank), 1)
    lines = []
    for line in filled(_BETWEEN.split(words.lstrip(" ")), left, gap=" "):
        lines += filled(line, left, gap="")  # sign by sign, which keeps what fits
    return [blank + line for line in lines] or [""]


@cache
def _cells_of_sign(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
