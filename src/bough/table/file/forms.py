"""The forms in which texts say numbers and dates, each turned into the one that `types` reads."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bough.table.column import Choices, Column
from bough.table.dates import moment_from_text
from bough.table.retype import NUMBER, as_moments, as_numbers

INFINITY = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
COMMA_NUMBER = re.compile(r"[+-]?([0-9]+,?[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?")
THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+")
LOCAL_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?)?"
)
ZONED_TIME = re.compile(LOCAL_TIME.pattern.removesuffix("?") + r"(Z|[+-][0-9]{2}:?[0-9]{2})")
THREE_NUMBERS = re.compile(
    r"([0-9]{1,2})([./])([0-9]{1,2})\2([0-9]{4})( [0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?"
)


@dataclass(frozen=True)
class Form:
    """One form: what a text says in it, and which column such texts make."""

    what: str
    """What such texts are."""
    plain: Callable[[str], str | None]
    """What a text says, as `types` reads it; None if it says nothing in this form."""
    column: Callable[[Choices, str], Column]
    remark: str = ""
    """What a user should know about how a column of this form is read."""


def plain_number(text: str) -> str | None:
    """Return a number without the blanks around it; infinity too, which is refused later."""
    text = text.strip(" \t")
    return text if NUMBER.fullmatch(text) or INFINITY.fullmatch(text) else None


def comma_number(text: str) -> str | None:
    """Return a number that has a decimal comma with a point instead."""
    text = text.strip(" \t")
    return text.replace(",", ".") if COMMA_NUMBER.fullmatch(text) else None


def may_be_thousands(texts: Sequence[str]) -> bool:
    """Return whether every comma may part thousands, as in 1,234."""
    return all(THOUSANDS.fullmatch(text.strip(" \t")) for text in texts if "," in text)


def local_time(text: str) -> str | None:
    """Return a date or a time without a time zone in the ISO form."""
    return text if LOCAL_TIME.fullmatch(text) and moment_from_text(text) is not None else None


def zoned_time(text: str) -> str | None:
    """Return a time with a time zone in the ISO form."""
    return text if ZONED_TIME.fullmatch(text) and moment_from_text(text) is not None else None


def day_first(text: str) -> str | None:
    """Return the ISO form of 31.12.2024 or 31/12/2024."""
    found = THREE_NUMBERS.fullmatch(text)
    return local_time(_iso(found[4], found[3], found[1], found[5])) if found else None


def month_first(text: str) -> str | None:
    """Return the ISO form of 12/31/2024."""
    found = THREE_NUMBERS.fullmatch(text)
    if not found or found[2] == ".":
        return None
    return local_time(_iso(found[4], found[1], found[3], found[5]))


def _iso(year: str, month: str, day: str, time: str | None) -> str:
    return f"{year}-{month:>02}-{day:>02}{time or ''}"


NUMBERS = Form("numbers", plain_number, as_numbers)
COMMA_NUMBERS = Form(
    "numbers", comma_number, as_numbers, "read as numbers with a decimal comma, as in {text}"
)
LOCAL_TIMES = Form("dates", local_time, as_moments)
ZONED_TIMES = Form("dates", zoned_time, as_moments)
DAY_FIRST = Form("dates", day_first, as_moments, "read as dates with the day first, as in {text}")
MONTH_FIRST = Form(
    "dates", month_first, as_moments, "read as dates with the month first, as in {text}"
)
DATES = (LOCAL_TIMES, ZONED_TIMES, DAY_FIRST, MONTH_FIRST)
