"""How numbers, shares and guesses read in text."""

from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from math import ceil

from bough.schema import Feature, Kind


def number(value: float) -> str:
    """Return the shortest text that reads back as the same number, without a useless '.0'."""
    return repr(value).removesuffix(".0")


def value_list(feature: Feature, codes: Iterable[int]) -> str:
    """Return the names of the values with these codes, as in '= 1st, 2nd'."""
    return "= " + ", ".join(str(feature.choices[code]) for code in codes)


def ordered_answers(feature: Feature, pivot: float) -> tuple[str, str]:
    """Return the two answers of a comparison with a pivot."""
    if feature.kind is Kind.ORDERED:
        first = feature.choices[ceil(pivot)]
        return f"before {first}", f"{first} or after"
    if feature.kind is Kind.DATE:
        moment = date(pivot)
        return f"before {moment}", f"{moment} or later"
    return f"< {number(pivot)}", f"≥ {number(pivot)}"


def date(microseconds: float) -> str:
    """Return a moment, given in microseconds since 1970, as a date and, if need be, a time."""
    moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=microseconds)
    return moment.replace(tzinfo=None).isoformat(" ").removesuffix(" 00:00:00")
