"""The shapes of cells, in which every digit is 9, and the forms of numbers and dates that they fit."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from bough.reading import DECIMALS, ISO, ISO_ZONE, PLAIN, THOUSANDS, FileReading, Form
from bough.table.file.cells import INFINITE, MARKS, shape_of
from bough.table.file.forms import BLANK, BLANKS, SIGN, pattern

MOST_STRAYS = 0.01  # of the cells of a column of numbers
_SYMBOLS = "$€£¥₹₽₩₺₪฿₫₴₦¢"
_CODES = (
    "AED|ARS AUD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR NOK "
    "NZD PHP PLN RON RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR kr Kr Fr Rs zł"
).replace(" ", "|")
_CURRENCY = f"(?:[A-Z]{{0,3}}[{_SYMBOLS}]|{_CODES})"
_UNIT = rf"(?:[^\W\d_]|[%‰°{_SYMBOLS}])(?:[^\W\d_]|[%°/²³·.{_SYMBOLS} ]){{0,14}}"
_DIGITS = rf"[.,]?9(?:[9.,'’{BLANKS}]*[9.,])?(?:[eE][+-]?9+)?"
_NUMBER = re.compile(
    rf"{BLANK}\(?{BLANK}{SIGN}{BLANK}({_CURRENCY}?){BLANK}\(?{SIGN}({_DIGITS}){BLANK}({_UNIT})?\)?{BLANK}\)?{BLANK}"
)
_MONEY = re.compile(_CURRENCY)
_PLAIN = re.compile("|".join(map(pattern, (PLAIN, Form(dates=(ISO,)), Form(dates=(ISO_ZONE,))))))
_AS_ONE = str.maketrans({"\u00a0": " ", "\u2009": " ", "\u202f": " ", "\t": " ", "’": "'"})


def is_value(text: str) -> bool:
    """Return whether a text is a number or a date, and so hardly the name of a column."""
    return bool(_PLAIN.fullmatch(shape_of(text)))


class Shape(NamedTuple):
    """Cells that are alike but for their digits."""

    text: str
    """Empty for all cells without digits, except infinity and marks."""
    n: int
    n_zeros: int
    """How many begin with a zero before another digit."""


class NumberParts(NamedTuple):
    """What stands before and after the digits of a shape."""

    before: str
    digits: str
    after: str


@dataclass(frozen=True)
class Shapes:
    """The shapes of the known cells of a column."""

    shapes: Sequence[Shape]

    @cached_property
    def n(self) -> int:
        return sum(shape.n for shape in self.shapes)

    @cached_property
    def have_digits(self) -> bool:
        return any("9" in shape.text for shape in self.shapes)

    @cached_property
    def n_infinite(self) -> int:
        return sum(shape.n for shape in self.shapes if shape.text.lower() in INFINITE)

    @cached_property
    def marks(self) -> list[str]:
        """The texts that often mean a missing value."""
        return [shape.text for shape in self.shapes if shape.text.strip().lower() in MARKS]

    def n_in(self, form: Form) -> int:
        """Return how many cells are written in a form; infinity is a plain number."""
        fits = re.compile(pattern(form))
        found = sum(shape.n for shape in self.shapes if fits.fullmatch(shape.text))
        return found + (self.n_infinite if form == PLAIN else 0)

    def share_in(self, form: Form) -> float:
        return self.n_in(form) / self.n

    @cached_property
    def numbers(self) -> list[tuple[NumberParts, Shape]]:
        """The shapes that may be numbers."""
        found = [(_NUMBER.fullmatch(shape.text), shape) for shape in self.shapes]
        return [
            (NumberParts(match[1], match[2].translate(_AS_ONE), (match[3] or "").strip()), shape)
            for match, shape in found
            if match
        ]

    def has(self, signs: str) -> bool:
        """Return whether the digits of some number have one of these signs."""
        return any(sign in beside.digits for beside, _ in self.numbers for sign in signs)

    def number_forms(self, said: FileReading) -> list[Form]:
        """Return the forms that fit most cells: several if these cells do not tell them apart."""
        if not self.numbers:
            return []
        usual = self._beside()
        signs = {
            sign
            for beside, _ in self.numbers
            if (beside.before, beside.after) in usual
            for sign in ",. '"
            if sign in beside.digits
        }
        before = next(iter(usual))[0]
        after = tuple(sorted({each for _, each in usual if each}))
        forms = [
            Form(decimal, thousands, before, after)
            for decimal, thousands in _combinations(signs, said)
        ]
        fits = [self.n_in(form) for form in forms]
        return [form for form, n in zip(forms, fits, strict=True) if n == max(fits) > 0]

    def _beside(self) -> set[tuple[str, str]]:
        """Return what stands before and after most numbers; a unit may have a plural."""
        counts: Counter[tuple[str, str]] = Counter()
        for beside, shape in self.numbers:
            counts[beside.before, beside.after] += shape.n
        (before, after), _ = min(counts.items(), key=lambda item: (-item[1], item[0]))
        if not after.isalpha():
            return {(before, after)}
        alike = {after, f"{after}s", after.removesuffix("s") or after}
        return {(before, each) for each in alike if counts[before, each]}


def _combinations(signs: set[str], said: FileReading) -> Iterator[tuple[str, str]]:
    """Give the decimal signs and signs between thousands that there may be."""
    for decimal in DECIMALS:
        for thousands in THOUSANDS:
            if thousands == decimal or (thousands and thousands not in signs):
                continue
            if decimal == "," and "," not in signs and thousands != ".":
                continue
            if _may_be(decimal, thousands, signs, said):
                yield decimal, thousands


def _may_be(decimal: str, thousands: str, signs: set[str], said: FileReading) -> bool:
    """Return whether signs do not contradict what the user says."""
    if said.decimal is not None and signs & {".", ","} and decimal != said.decimal:
        return False
    if said.thousands is None:
        return True
    return thousands in ("", said.thousands) and (
        decimal != said.thousands or not signs & {decimal}
    )


def is_money(form: Form) -> bool:
    """Return whether a form has a currency, so that three digits after a sign are no decimals."""
    return any(_MONEY.fullmatch(each) for each in (form.before, *form.after) if each)


def _dates() -> Iterator[str]:
    yield from (ISO, ISO_ZONE)
    for sign in "/.-":
        for order in ("d m Y", "m d Y", "d m y", "m d y", "Y m d"):
            if sign != "." or not order.startswith("m"):
                yield sign.join(f"%{code}" for code in order.split())
    for sign in "- /.":
        for order in ("d b Y", "d B Y", "d b y", "b d Y", "B d Y", "Y b d"):
            yield sign.join(f"%{code}" for code in order.split())
    yield from ("%b %d, %Y", "%B %d, %Y", "%d %b, %Y", "%d. %b %Y", "%d. %B %Y")


_MAY_BE_DATE = re.compile(rf"{BLANK}[A-Za-z]{{0,9}}\.?[-/. ]?9{{1,4}}[-/., ]+[A-Za-z0-9].*9.*")
_LONGEST_DATE = 40


@cache
def _date_patterns() -> dict[Form, re.Pattern[str]]:
    forms = [Form(dates=(each,)) for each in _dates()]
    return {form: re.compile(pattern(form)) for form in forms}


def date_forms(shapes: Shapes, said: FileReading) -> list[Form]:
    """Return the forms of dates whose shape most cells have; what the user says alone, if it fits."""
    given = Form(dates=said.date_format)
    if said.date_format and shapes.share_in(given) == 1:
        return [given]
    likely = [
        shape
        for shape in shapes.shapes
        if len(shape.text) <= _LONGEST_DATE and _MAY_BE_DATE.fullmatch(shape.text)
    ]
    if 2 * sum(shape.n for shape in likely) < shapes.n:
        return []
    return [
        form
        for form, fits in _date_patterns().items()
        if 2 * sum(shape.n for shape in likely if fits.fullmatch(shape.text)) >= shapes.n
    ]
