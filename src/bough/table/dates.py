"""Reads dates and times as microseconds since 1970, and their weekday, month and hour."""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import DataError
from bough.schema import MISSING, MISSING_INTEGER, Feature, Kind, Part

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_YEAR = "January February March April May June July August September October November December"
MONTHS = tuple(_YEAR.split())
PARTS: dict[Part, tuple[Kind, tuple[str, ...]]] = {
    Part.WEEKDAY: (Kind.ORDERED, WEEKDAYS),
    Part.MONTH: (Kind.ORDERED, MONTHS),
    Part.HOUR: (Kind.NUMBER, ()),
}

DAY = 24 * 60 * 60 * 1_000_000
HOUR = DAY // 24
MICROSECOND = dt.timedelta(microseconds=1)
FINER = re.compile(r"[.,]\d{6}0*[1-9]")
FIRST_DAY = np.datetime64("0001-01-01", "D")
LAST_DAY = np.datetime64("9999-12-31", "D")


def as_microseconds(
    values: NDArray[np.datetime64], name: str, first_row: int = 0
) -> NDArray[np.int64]:
    """Return NumPy's moments, which may be of any unit, in microseconds; NaT is missing."""
    missing = np.isnat(values)
    if missing.all():
        return np.full(len(values), MISSING_INTEGER, np.int64)
    if np.datetime_data(values.dtype)[0] in ("ns", "ps", "fs", "as"):
        exact = values.astype("M8[us]")
        is_fine = ~missing & (exact.astype(values.dtype) != values)
        if is_fine.any():
            raise _too_fine(name, first_row + int(np.argmax(is_fine)))
        values = exact
    days = values.astype("M8[D]")  # a coarser unit, which holds them all
    is_far = ~missing & ((days < FIRST_DAY) | (days > LAST_DAY))
    if is_far.any():
        raise DataError(
            f"column {name!r} has a date outside the years 1 to 9999 in row "
            f"{first_row + int(np.argmax(is_far))}. Mark it as missing, or give numbers."
        )
    # NumPy's NaT is -2**63, as MISSING_INTEGER is.
    return values.astype("M8[us]").astype(np.int64)


def moments_from_python(
    cells: Sequence[Any], is_date: Sequence[bool], name: str
) -> NDArray[np.int64]:
    """Return in microseconds Python's dates and times, pandas' and NumPy's among them."""
    result = np.full(len(cells), MISSING_INTEGER, np.int64)
    first_of: dict[bool, int] = {}  # the first row with and the first without a time zone
    for row, (cell, is_known) in enumerate(zip(cells, is_date, strict=True)):
        if not is_known:
            continue
        if isinstance(cell, np.datetime64):
            result[row] = as_microseconds(np.array([cell]), name, row)[0]
        elif getattr(cell, "nanosecond", 0):
            raise _too_fine(name, row)
        else:
            result[row] = _microseconds(cell)
        first_of.setdefault(getattr(cell, "tzinfo", None) is not None, row)
    if len(first_of) == 2:
        raise DataError(
            f"column {name!r} mixes times with a time zone (first in row {first_of[True]}) and "
            f"without one (first in row {first_of[False]}). Give all of them a time zone, or none."
        )
    return as_microseconds(result.view("M8[us]"), name)


def moment_from_text(text: str) -> int | None:
    """Return the moment that an ISO date or time says; None if it says none."""
    if FINER.search(text):  # Python would cut it off
        return None
    try:
        return _microseconds(dt.datetime.fromisoformat(text))
    except ValueError:
        return None


def has_time_of_day(moments: NDArray[np.int64]) -> bool:
    """Return whether some moment is not midnight."""
    return bool((moments[moments != MISSING_INTEGER] % DAY).any())


def date_features(
    moments: NDArray[np.int64], number: int, names: Sequence[str], *, from_text: bool
) -> Iterator[Feature]:
    """Give the features of a column of dates: the date itself, and the parts that it has."""
    yield Feature(names[number], Kind.DATE, number, from_text=from_text)
    for part, (kind, choices) in PARTS.items():
        name = f"{names[number]} {part}"
        while name in names:  # a column has this name already
            name += " (derived)"
        if part is not Part.HOUR or has_time_of_day(moments):
            yield Feature(name, kind, number, part, choices, from_text)


def part_of(moments: NDArray[np.int64], part: Part) -> NDArray[Any]:
    """Return dates themselves, their weekday or month as positions, or their hour as numbers."""
    if part is Part.ITSELF:
        return moments
    missing = moments == MISSING_INTEGER
    known = np.where(missing, 0, moments)
    if part is Part.HOUR:
        hours = (known % DAY // HOUR).astype(np.float64)
        hours[missing] = np.nan
        return hours
    days = known // DAY
    if part is Part.WEEKDAY:
        positions = (days + 3) % 7  # 1970 began on a Thursday
    else:
        positions = days.astype("M8[D]").astype("M8[M]").astype(np.int64) % 12
    return np.where(missing, MISSING, positions).astype(np.int32)


def _microseconds(cell: dt.date) -> int:
    result = (cell.toordinal() - dt.date(1970, 1, 1).toordinal()) * DAY
    if isinstance(cell, dt.datetime):
        result += ((cell.hour * 60 + cell.minute) * 60 + cell.second) * 1_000_000 + cell.microsecond
        result -= (cell.utcoffset() or dt.timedelta()) // MICROSECOND
    return result


def _too_fine(name: str, row: int) -> DataError:
    return DataError(
        f"column {name!r} has a time finer than a microsecond in row {row}. "
        "Round its times to microseconds."
    )
