"""How numbers, shares and guesses read in text, how much room words take, and tables of them."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from math import ceil, floor, isfinite, log10

from bough.schema import Feature, Kind, Value, date

_LONGEST_WHOLE = 10**15  # from here on a rounded number is written with an exponent
_NAMED_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_READS_OTHERWISE = ("missing", "known")  # words that a value would be mistaken for


# The signs that bough itself writes, for terminals that know only ASCII.
TO_ASCII = str.maketrans(
    {"≥": ">=", "≤": "<=", "→": "->", "…": "...", "±": "+/-", "·": "-", "–": "-", "−": "-"}
    | {"µ": "u", "▶": ">"}
)
OR_MISSING = " or missing"
FIRST = 16  # cells that the first column of a table has, or as many as it needs
LAST = 24  # cells that words of the last column need at least, to go on below
_BETWEEN = re.compile(r" (?!%)")  # where a line may be broken: '44.1 %' stays together


def number(value: float, digits: int | None = None) -> str:
    """Return a number as text, with at least so many significant digits.

    The whole part is never shortened, nor is a single decimal. None gives the shortest text that
    reads back as the same number, as what a row is compared with needs.

    Examples
    --------
    >>> number(0.1 + 0.2), number(0.1 + 0.2, digits=3), number(1998.5, digits=3)
    ('0.30000000000000004', '0.3', '1998.5')
    """
    exact = repr(value).removesuffix(".0")
    if digits is None or isinstance(value, int) or value == 0:
        return exact
    if "e" not in exact and len(exact.partition(".")[2]) <= 1:
        return exact
    if not 1e-4 <= abs(value) < _LONGEST_WHOLE:
        return _without_zeros(f"{value:.{max(digits, 1) - 1}e}")
    decimals = max(digits - 1 - floor(log10(abs(value))), 0)
    return _without_zeros(f"{value:.{decimals}f}")


def amount(value: float, digits: int | None = 3) -> str:
    """Return a number in text that nothing reads back: with its thousands separated.

    None keeps all digits.

    Examples
    --------
    >>> amount(58232.41), amount(-1998.5), amount(2.71828)
    ('58,232', '-1,998.5', '2.72')
    """
    words = number(value, digits)
    whole, point, decimals = words.partition(".")
    if not whole.removeprefix("-").isdecimal() or whole == "-0":
        return words
    return f"{int(whole):,}{point}{decimals}"


def hundredths(value: float) -> str:
    """Return a share in hundredths, with one decimal.

    Examples
    --------
    >>> hundredths(0.75123)
    '75.1'
    """
    return f"{100 * value:.1f}"


def share(value: float) -> str:
    """Return a share in per cent. Only none is 0 %, and only all is 100 %.

    Examples
    --------
    >>> share(9 / 14), share(0.999), share(0.001)
    ('64 %', '>99 %', '<1 %')
    """
    if 0 < value < 0.01:
        return "<1 %"
    if 0.99 < value < 1:
        return ">99 %"
    return f"{100 * value:.0f} %"


def value_word(value: Value, digits: int | None = None) -> str:
    """Return a value as it reads in a list; in quotes where it could be mistaken for more."""
    if isinstance(value, float):
        return number(value, digits)
    if not isinstance(value, str):
        return str(value)
    is_plain = value == value.strip() != "" and value not in _READS_OTHERWISE
    return value if is_plain and not any(mark in value for mark in ',"') else _quoted(value)


def value_list(feature: Feature, codes: Iterable[int]) -> str:
    """Return the names of the values with these codes, as in '= 1st, 2nd'."""
    return "= " + ", ".join(value_word(feature.choices[code]) for code in codes)


def cell_word(feature: Feature, cell: float) -> str:
    """Return a value as tables hold it, or a pivot, in words: with all of its digits.

    A pivot between two values of an ordered feature reads as the later one.
    """
    if feature.kind is Kind.DATE:
        return date(cell)
    return value_word(feature.choices[ceil(cell)]) if feature.choices else number(cell)


def ordered_answers(feature: Feature, pivot: float) -> tuple[str, str]:
    """Return the two answers of a comparison with a pivot."""
    word = cell_word(feature, pivot)
    if feature.kind is Kind.ORDERED:
        return f"before {word}", f"{word} or after"
    if feature.kind is Kind.DATE:
        return f"before {word}", f"{word} or later"
    return f"< {word}", f"≥ {word}"


def between(feature: Feature, low: float, high: float) -> str:
    """Return in words that a feature lies from one pivot on and below another, as in '11 ≤ age < 30'."""
    if feature.kind is Kind.ORDERED:
        first, last = ceil(low), ceil(high) - 1
        if first >= last:
            return f"{feature.name} {value_list(feature, [first])}"
        return f"{feature.name} {cell_word(feature, first)} to {cell_word(feature, last)}"
    return f"{cell_word(feature, low)} ≤ {feature.name} < {cell_word(feature, high)}"


def round_step(step: float) -> float:
    """Return the smallest of 1, 2, 5, 10, … that is not below a step."""
    if step <= 0:  # both ends of the axis are the same number
        return 1.0
    size = 10.0 ** floor(log10(step)) or step  # below the least power of ten
    return next(each * size for each in (1, 2, 5, 10) if each * size >= step * (1 - 1e-9))


def round_ends(low: float, high: float, unit: float = 0.0) -> tuple[float, float]:
    """Return round numbers, of some unit, at or beyond the ends of a range.

    Examples
    --------
    >>> round_ends(32.1, 59.6), round_ends(17, 90, unit=1), round_ends(0, 23, unit=1)
    ((32.0, 60.0), (15.0, 90.0), (0.0, 23.0))
    """
    if not isfinite(high - low):
        return low, high
    step = max((unit or 1.0) * round_step((high - low) / 30 / (unit or 1.0)), unit)
    if max(-low, high) > step * 2**52:
        return low, high
    first, last = floor(low / step) * step, ceil(high / step) * step
    return float(f"{first:.15g}"), float(f"{last:.15g}")


def guess_word(guess: Value | tuple[Value, ...], digits: int | None = None) -> str:
    """Return a guess in words; the guesses of several outputs follow each other."""
    if isinstance(guess, tuple):
        return ", ".join(value_word(value, digits) for value in guess)
    return guess if isinstance(guess, str) and guess.strip() else value_word(guess, digits)


def counted(n: int, one: str, several: str = "") -> str:
    """Return a number of things, as in '1 row' or '1,309 rows'; without `several`, these end with an s."""
    return f"{n:,} {one if n == 1 else several or f'{one}s'}"


def row_count(n_rows: int) -> str:
    """Return a number of rows in words."""
    return counted(n_rows, "row")


def leaf_count(n_leaves: int) -> str:
    """Return a number of leaves in words."""
    return counted(n_leaves, "leaf", "leaves")


def plain(text: str) -> str:
    r"""Return text that a terminal shows as it stands, on one line.

    What would move the cursor, change the colour, turn the direction of reading or break the line
    is shown as an escape such as \n or \x1b.
    """
    if text.isprintable():
        return text
    return "".join(_escape(sign) if _is_unsafe(sign) else sign for sign in text)


def _without_zeros(text: str) -> str:
    mantissa, mark, exponent = text.partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").removesuffix(".")
    return mantissa + mark + exponent


def _quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def _is_unsafe(sign: str) -> bool:
    # Zero-width joiners (in category Cf) hold emoji together and move nothing.
    return sign != "\u200d" and unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _escape(sign: str) -> str:
    code = ord(sign)
    if code < 0x100:
        return _NAMED_ESCAPES.get(sign, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


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
