"""Reads a column of Python objects: what they are, and which a tree cannot ask about."""

import datetime as dt
from collections.abc import Iterable, Sequence
from decimal import Decimal
from enum import StrEnum
from itertools import repeat
from math import isnan
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.errors import DataError, DataTypeError
from bough.schema import MISSING
from bough.table.column import Choices, Column, Integers, Moments, Numbers
from bough.table.dates import moments_from_python
from bough.table.numbers import EXACT


class Family(StrEnum):
    """What the cells of a column may be; the words stand in error messages."""

    MISSING = "missing values"
    TEXT = "text"
    BOOLEAN = "booleans"
    INTEGER = "integers"
    NUMBER = "numbers"
    DATE = "dates"
    COMPLEX = "complex numbers"
    DURATION = "a time of day or a duration"
    BYTES = "bytes"
    NESTED = "an object"


NUMERIC = {Family.BOOLEAN, Family.INTEGER, Family.NUMBER}
READABLE = {Family.TEXT, Family.DATE, *NUMERIC}

# The first that fits counts: a bool is an int, and NumPy's durations are integers to NumPy.
FAMILIES: tuple[tuple[tuple[type, ...], Family], ...] = (
    ((type(None),), Family.MISSING),
    ((str,), Family.TEXT),
    ((bool, np.bool_), Family.BOOLEAN),
    ((dt.timedelta, np.timedelta64, dt.time), Family.DURATION),
    ((int, np.integer), Family.INTEGER),
    ((Real, np.floating, Decimal), Family.NUMBER),
    ((dt.date, np.datetime64), Family.DATE),
    ((complex, np.complexfloating), Family.COMPLEX),
    ((bytes, bytearray, memoryview), Family.BYTES),
)


def read_cells(cells: Sequence[Any] | NDArray[np.object_], name: str) -> Column:
    """Return the column that a list, a tuple or an array of Python objects makes."""
    if (text := _core.number_objects(cells)) is not None:
        return Choices(tuple(text[0]), text[1])
    return _read_objects(cells.tolist() if isinstance(cells, np.ndarray) else cells, name)


def _read_objects(cells: Sequence[Any], name: str) -> Column:
    family_of = {cell_type: _family(cell_type) for cell_type in set(map(type, cells))}
    found = set(family_of.values()) - {Family.MISSING}
    if strange := found - READABLE:
        row = _first_row(cells, family_of, strange)
        family = family_of[type(cells[row])]
        raise refused(family, name, f"a value of type {type(cells[row]).__name__!r} in row {row}")
    if Family.NUMBER in found and len(found) > 1:
        cells, found = _without_nan(cells, family_of, found)
    if found == {Family.TEXT}:
        # Enums and other kinds of str may hash and print as they like.
        return read_cells([_plain(cell) for cell in cells], name)
    if not found:
        return Choices((), np.full(len(cells), MISSING, np.int32))
    if found == {Family.BOOLEAN}:
        return Choices((False, True), _positions(cells, (False, True)))
    if found == {Family.DATE}:
        is_date = [family_of[type(cell)] is Family.DATE for cell in cells]
        return Moments(moments_from_python(cells, is_date, name))
    if found <= NUMERIC:
        return _read_numbers(cells, family_of, found, name)
    raise _mixture(cells, family_of, found, name)


# What is said of a column that a tree cannot ask about; of any other family, the last.
REFUSALS = {
    Family.COMPLEX: "Complex data not supported: {column} has {found}. Give the real and the imaginary "
    "part as two columns.",
    Family.DURATION: "{column} has {found}, but times of day and durations are not supported. Convert "
    "them to numbers, such as seconds.",
    Family.BYTES: "{column} has {found}, but bytes are not supported. Decode them to text.",
    Family.NESTED: "{column} has {found}. Each cell of the argument must be a string, a number, a "
    "boolean, a date or missing.",
}


def refused(family: Family, name: str, found: str) -> DataError:
    """Return the error for a column that a tree cannot ask about."""
    text = REFUSALS.get(family, REFUSALS[Family.NESTED])
    return DataTypeError(
        text.format(column=f"column {name!r}", found=found), column=name, found=found
    )


def _family(cell_type: type) -> Family:
    # pandas' and numpy.ma's, which need not be loaded
    if cell_type.__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return Family.MISSING
    return next(
        (meaning for types, meaning in FAMILIES if issubclass(cell_type, types)), Family.NESTED
    )


def _first_row(
    cells: Sequence[Any], family_of: dict[type, Family], families: Iterable[Family]
) -> int:
    return next(row for row, cell in enumerate(cells) if family_of[type(cell)] in families)


def _without_nan(
    cells: Sequence[Any], family_of: dict[type, Family], found: set[Family]
) -> tuple[Sequence[Any], set[Family]]:
    """Where nan only fills the gaps between text, integers, …, it is no number but missing."""
    is_number = [family_of[type(cell)] is Family.NUMBER for cell in cells]
    if any(number and not isnan(cell) for number, cell in zip(is_number, cells, strict=True)):
        return cells, found
    known = [None if number else cell for number, cell in zip(is_number, cells, strict=True)]
    family_of[type(None)] = Family.MISSING
    return known, found - {Family.NUMBER}


def _plain(cell: object) -> str | None:
    return str.__str__(cell) if isinstance(cell, str) else None


def _positions(cells: Iterable[Any], values: Iterable[Any]) -> NDArray[np.int32]:
    position = {value: number for number, value in enumerate(values)}
    return np.fromiter(map(position.get, cells, repeat(MISSING)), np.int32)


def _read_numbers(
    cells: Sequence[Any], family_of: dict[type, Family], found: set[Family], name: str
) -> Column:
    missing = None
    if Family.MISSING in family_of.values():
        is_missing = [family_of[type(cell)] is Family.MISSING for cell in cells]
        missing = np.array(is_missing)
        cells = [0 if gap else cell for gap, cell in zip(is_missing, cells, strict=True)]
    if Family.NUMBER not in found:
        cells = [int(cell) for cell in cells]
        least, most = min(cells), max(cells)
        for width in (np.int64, np.uint64):
            if np.iinfo(width).min <= least and most <= np.iinfo(width).max:
                return Integers(np.array(cells, width), missing)
    values = _exact_floats(cells, name)
    if missing is not None:
        values[missing] = np.nan
    return Numbers(values)


def _exact_floats(cells: Sequence[Any], name: str) -> NDArray[np.float64]:
    """Return numbers as the nearest float64; an integer must be one exactly."""
    try:
        values = np.array(cells, np.float64)
    except OverflowError:
        values = np.array([nearest(cell) for cell in cells])
    for row in np.flatnonzero(np.abs(values) >= EXACT).tolist():
        is_integer = isinstance(cells[row], int | np.integer)
        if is_integer and (np.isinf(values[row]) or int(values[row]) != int(cells[row])):
            raise DataError(
                f"column {name!r} has {shortened(cells[row])} in row {row}, which loses digits as "
                "a float64. Give the column as 64-bit integers or as text."
            )
    return values


def nearest(cell: float | Decimal) -> float:
    """Return the nearest float64; infinity beyond the largest."""
    try:
        return float(cell)
    except OverflowError:  # an integer too large for any float
        return np.inf if cell > 0 else -np.inf


def shortened(integer: int) -> str:
    """Return the digits of an integer, or how long it is where they would fill the screen."""
    bits = int(integer).bit_length()
    return str(integer) if bits <= 128 else f"an integer of {bits:,} bits"


def mixed(name: str, one: tuple[str, str], other: tuple[str, str]) -> DataError:
    """Return the error for a column that mixes two kinds of cells, each with an example."""
    return DataError(
        f"column {name!r} mixes {one[0]} and {other[0]}: {one[1]}, {other[1]}. "
        f"Make all of them {one[0]} or all {other[0]}."
    )


def _mixture(
    cells: Sequence[Any], family_of: dict[type, Family], found: set[Family], name: str
) -> DataError:
    groups = [NUMERIC if family in NUMERIC else {family} for family in found]
    firsts = sorted({_first_row(cells, family_of, group) for group in groups})[:2]
    words = [
        Family.NUMBER if family_of[type(cells[row])] in NUMERIC else family_of[type(cells[row])]
        for row in firsts
    ]
    places = [f"{cells[row]!r} in row {row}" for row in firsts]
    return mixed(name, (words[0], places[0]), (words[1], places[1]))
