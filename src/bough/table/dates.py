"""Reads dates and times as microseconds since 1970, and their weekday, month and hour."""

import datetime
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import DataError
from bough.schema import Part
from bough.table.column import MISSING, MISSING_INTEGER, Moments

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

DAY = 24 * 60 * 60 * 1_000_000
HOUR = DAY // 24
MICROSECOND = datetime.timedelta(microseconds=1)
FIRST_DAY = np.datetime64("0001-01-01", "D")
LAST_DAY = np.datetime64("9999-12-31", "D")


def moments(values: NDArray[np.datetime64], name: str) -> Moments:
    """Return a column of moments from NumPy's, which may be of any unit; NaT is missing."""
    missing = np.isnat(values)
    if missing.all():
        return Moments(np.full(len(values), MISSING_INTEGER, np.int64))
    days = values.astype("M8[D]")  # to a coarser unit, which cannot overflow
    _refuse_far(~missing & ((days < FIRST_DAY) | (days > LAST_DAY)), name)
    exact = values.astype("M8[us]")
    if np.datetime_data(values.dtype)[0] in ("ns", "ps", "fs", "as"):
        _refuse_fine(~missing & (exact.astype(values.dtype) != values), name)
    return Moments(exact.astype(np.int64))  # NumPy's NaT is -2**63, as MISSING_INTEGER


def moments_from_python(cells: Sequence[Any], is_date: Sequence[bool], name: str) -> Moments:
    """Return a column of moments from Python's dates and times, pandas' and NumPy's among them."""
    result = np.full(len(cells), MISSING_INTEGER, np.int64)
    first_of: dict[bool, int] = {}  # the first row with and the first without a time zone
    for row, (cell, is_known) in enumerate(zip(cells, is_date, strict=True)):
        if not is_known:
            continue
        if isinstance(cell, np.datetime64):
            result[row] = moments(np.array([cell]), name).values[0]
        else:
            _refuse_fine(np.array([getattr(cell, "nanosecond", 0) != 0]), name, row)
            result[row] = _microseconds(cell)
        first_of.setdefault(getattr(cell, "tzinfo", None) is not None, row)
    if len(first_of) == 2:
        raise DataError(
            f"column {name!r} mixes times with a time zone (first in row {first_of[True]}) and "
            f"without one (first in row {first_of[False]}). Give all of them a time zone, or none."
        )
    return Moments(result)


def moments_from_text(texts: Sequence[str]) -> tuple[list[int], str | None]:
    """Return the moments that ISO dates and times say, and the first text that is none."""
    result = []
    for text in texts:
        try:
            result.append(_microseconds(datetime.datetime.fromisoformat(text)))
        except ValueError:
            return result, text
    return result, None


def has_time_of_day(column: Moments) -> bool:
    """Return whether some moment is not midnight."""
    return bool((column.values[column.values != MISSING_INTEGER] % DAY).any())


def part_of(column: Moments, part: Part) -> NDArray[Any]:
    """Return the weekday or month as positions, or the hour as numbers."""
    missing = column.values == MISSING_INTEGER
    known = np.where(missing, 0, column.values)
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


def _microseconds(cell: datetime.date) -> int:
    result = (cell.toordinal() - datetime.date(1970, 1, 1).toordinal()) * DAY
    if isinstance(cell, datetime.datetime):
        result += ((cell.hour * 60 + cell.minute) * 60 + cell.second) * 1_000_000 + cell.microsecond
        result -= (cell.utcoffset() or datetime.timedelta()) // MICROSECOND
    return result


def _refuse_fine(is_fine: NDArray[np.bool_], name: str, first_row: int = 0) -> None:
    if is_fine.any():
        raise DataError(
            f"column {name!r} has a time finer than a microsecond in row "
            f"{first_row + int(np.argmax(is_fine))}. Round its times to microseconds."
        )


def _refuse_far(is_far: NDArray[np.bool_], name: str) -> None:
    if is_far.any():
        raise DataError(
            f"column {name!r} has a date outside the years 1 to 9999 in row "
            f"{int(np.argmax(is_far))}. Mark it as missing, or give the column as numbers."
        )
