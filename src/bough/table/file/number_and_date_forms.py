"""How cells write numbers and dates, as a pattern, as SQL and in words; which forms a column may have."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from typing import NamedTuple

from bough.file_options import (
    DATE_CODES,
    DECIMALS,
    ISO,
    ISO_ZONE,
    PLAIN,
    THOUSANDS,
    FileReading,
    Form,
)
from bough.table.file.cells import INFINITE, MARKS, shape_of
from bough.table.file.duckdb_engine import quoted

BLANKS = " \t\u00a0\u2009\u202f"
BLANK = f"[{BLANKS}]*"
SIGN = "[+\\-\u2212]?"
NEGATIVE = "^[^0-9.,]*[(\\-\u2212]"
OF_SIGNS = {",": ",", ".": r"\.", " ": "[ \u00a0\u2009\u202f]", "'": "['\u2019]"}
INDIAN = "[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}"  # 12,34,567
EXPONENT = "(?:[eE][+-]?[0-9]+)?"
LOCAL = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
CLOCK = r"[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6}0*)?)?"
ZONE = "(?:Z|[+-][0-9]{2}:?[0-9]{2})"
TIMES = (
    " %H:%M",
    " %H:%M:%S",
    " %H:%M:%S.%f",
    " %I:%M %p",
    " %I:%M%p",
    " %I:%M:%S %p",
    " %I:%M:%S%p",
)  # that may follow a date
SIGN_WORDS = {",": "commas", ".": "points", " ": "blanks", "'": "apostrophes"}
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
_AS_ONE = str.maketrans({"\u00a0": " ", "\u2009": " ", "\u202f": " ", "\t": " ", "’": "'"})
_MAY_BE_DATE = re.compile(rf"{BLANK}[A-Za-z]{{0,9}}\.?[-/. ]?9{{1,4}}[-/., ]+[A-Za-z0-9].*9.*")
_LONGEST_DATE = 40


def digits_pattern(form: Form) -> str:
    """Return the pattern of a number without its sign and what stands beside it."""
    point = OF_SIGNS[form.decimal]
    plain = f"(?:[0-9]+{point}?[0-9]*|{point}[0-9]+){EXPONENT}"
    if not form.thousands:
        return plain
    mark = OF_SIGNS[form.thousands]
    grouped = f"[0-9]{{1,3}}(?:{mark}[0-9]{{3}})+"
    groups = f"{grouped}|{INDIAN}" if form.thousands == "," else grouped
    return f"(?:{groups})(?:{point}[0-9]*)?|{plain}"


def pattern(form: Form) -> str:
    """Return the pattern of whole cells, for Python and for DuckDB alike."""
    if form.dates:
        return f"{BLANK}(?:{'|'.join(map(_date_pattern, form.dates))}){BLANK}"
    before = re.escape(form.before) + BLANK if form.before else ""
    units = "|".join(map(re.escape, form.after))
    after = f"{BLANK}(?:{units})" if units else ""
    digits = f"(?:{digits_pattern(form)})"
    ways = (
        f"{SIGN}{BLANK}{before}{SIGN}{digits}{after}",
        rf"\({BLANK}{before}{digits}{after}{BLANK}\)",
        rf"{before}\({digits}\){after}",
    )
    return f"{BLANK}(?:{'|'.join(ways)}){BLANK}"


def _date_pattern(date: str) -> str:
    if date == ISO:
        return f"{LOCAL}(?:{CLOCK})?"
    if date == ISO_ZONE:
        return f"{LOCAL}{CLOCK}{ZONE}"
    found = _of_codes(date)
    if _has_time(date):
        return found
    return f"{found}(?:{'|'.join(',?' + _of_codes(time) for time in TIMES)})?"


def _of_codes(date: str) -> str:
    parts = re.split("(%.)", date)
    return "".join(DATE_CODES.get(part, re.escape(part)) for part in parts)


def _has_time(date: str) -> bool:
    return "%H" in date or "%I" in date


def number_sql(text: str, form: Form, kind: str = "DOUBLE") -> str:
    """Return in SQL the numbers that cells of a form say; NULL where they say none."""
    digits = f"regexp_extract({text}, {quoted(digits_pattern(form))})"
    if form.thousands:
        digits = f"regexp_replace({digits}, {quoted(OF_SIGNS[form.thousands])}, '', 'g')"
    if form.decimal == ",":
        digits = f"replace({digits}, ',', '.')"
    sign = f"CASE WHEN regexp_matches({text}, {quoted(NEGATIVE)}) THEN '-' ELSE '' END"
    return f"CASE WHEN {fits(text, form)} THEN TRY_CAST({sign} || {digits} AS {kind}) END"


def moment_sql(text: str, form: Form) -> str:
    """Return in SQL the moments that cells of a form say; NULL where they say none."""
    given = f"trim({text}, {quoted(BLANKS)})"
    found = [_one_moment(given, date) for date in form.dates]
    moment = found[0] if len(found) == 1 else f"coalesce({', '.join(found)})"
    return f"CASE WHEN {fits(text, form)} THEN {moment} END"


def _one_moment(text: str, date: str) -> str:
    if date in (ISO, ISO_ZONE):
        return f"TRY_CAST({text} AS {'TIMESTAMP' if date == ISO else 'TIMESTAMPTZ'})"
    if _has_time(date):
        return f"try_strptime({text}, {quoted(date)})"
    if "," not in date:  # before a time there may be one
        text = f"replace({text}, ',', '')"
    timed = ", ".join(quoted(date + time) for time in TIMES)
    return (
        f"CASE WHEN contains({text}, ':') THEN try_strptime({text}, [{timed}]) "
        f"ELSE try_strptime({text}, {quoted(date)}) END"
    )


def plainly(text: str, form: Form) -> str:
    """Return a cell as a plain number or an ISO date; as it is, if it is not written in a form.

    Examples
    --------
    >>> plainly("$5,000", Form(thousands=",", before="$"))
    '5000'
    >>> plainly("03/04/2024", Form(dates=("%d/%m/%Y",)))
    '2024-04-03 00:00:00'
    """
    if not re.fullmatch(pattern(form), text):
        return text
    if form.dates:
        given = text.strip(BLANKS)
        found = (_moment(given, date + time) for date in form.dates for time in ("", *TIMES))
        return next((str(each) for each in found if each is not None), text)
    match = re.search(digits_pattern(form), text)
    digits = match[0] if match else ""
    if form.thousands:
        digits = re.sub(OF_SIGNS[form.thousands], "", digits)
    sign = "-" if re.search(NEGATIVE, text) else ""
    return sign + digits.replace(form.decimal, ".")


def _moment(text: str, date: str) -> datetime | None:
    try:
        return datetime.strptime(text if "," in date else text.replace(",", ""), date)
    except ValueError:
        return None


def fits(text: str, form: Form) -> str:
    """Return in SQL whether a cell is written in a form."""
    return f"regexp_full_match({text}, {quoted(pattern(form))})"


def words(form: Form, beside: str = "without") -> str:
    """Return how the cells of a form are written, as in 'numbers with a decimal comma'.

    Numbers are read without what stands beside them, but written with it.
    """
    if form.dates:
        return _date_words(form.dates)
    parts = []
    if form.decimal == ",":
        parts.append("with a decimal comma")
    if form.thousands:
        parts.append(f"with {SIGN_WORDS[form.thousands]} between thousands")
    if affixes := [each for each in (form.before, *form.after) if each]:
        parts.append(f"{beside} {' and '.join(map(repr, affixes))}")
    return " ".join(["numbers", " and ".join(parts)]).strip()


def _date_words(dates: tuple[str, ...]) -> str:
    first = dates[0]
    if first in (ISO, ISO_ZONE):
        return "dates such as 2024-12-31"
    order = "".join(code for code in re.findall("%[dmbBYy]", first))
    found = {"%d%m": "with the day first", "%m%d": "with the month first"}.get(order[:4], "")
    years = "years from 1969 to 2068" if "%y" in first else ""
    said = " and ".join(each for each in (found, years) if each)
    shown = " or ".join(dates)
    return f"dates {said} ({shown})" if said else f"dates ({shown})"


_PLAIN = re.compile("|".join(map(pattern, (PLAIN, Form(dates=(ISO,)), Form(dates=(ISO_ZONE,))))))


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
