"""How numbers, shares, values and guesses read in text."""

import unicodedata
from collections.abc import Iterable
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
