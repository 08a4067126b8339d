"""Gives each column its kind: what features a tree may ask about, and their values."""

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.errors import Argument, DataError
from bough.schema import Feature, Kind, Part
from bough.table.column import (
    EXACT,
    MISSING,
    MISSING_INTEGER,
    Choices,
    Column,
    Integers,
    Moments,
    Numbers,
    as_numbers_lie,
    recoded,
    with_missing,
)
from bough.table.dates import MONTHS, WEEKDAYS, has_time_of_day, part_of

Read = tuple[Feature, NDArray[Any]]


def features_of(
    column: Column, number: int, names: Sequence[str], *, from_text: bool
) -> list[Read]:
    """Return the features that a column gives, each with its values."""
    name = names[number]
    match column:
        case Numbers():
            return [(Feature(name, Kind.NUMBER, number, from_text=from_text), column.values)]
        case Integers():
            kind, values = _integers(column, name)
            return [(Feature(name, kind, number, from_text=from_text), values)]
        case Choices():
            kind = Kind.ORDERED if column.is_ordered else Kind.CHOICE
            chosen = column if column.is_ordered else _seen(column)
            return [(Feature(name, kind, number, choices=chosen.values), chosen.codes)]
        case Moments():
            itself = Feature(name, Kind.DATE, number, from_text=from_text)
            return [(itself, column.values), *_parts(column, number, names, from_text=from_text)]
        case _:
            assert_never(column)


def _parts(
    column: Moments, number: int, names: Sequence[str], *, from_text: bool
) -> Iterator[Read]:
    parts = [(Part.WEEKDAY, Kind.ORDERED, WEEKDAYS), (Part.MONTH, Kind.ORDERED, MONTHS)]
    if has_time_of_day(column):
        parts.append((Part.HOUR, Kind.NUMBER, ()))
    for part, kind, choices in parts:
        name = f"{names[number]} {part}"
        while name in names:  # a column has this name already
            name += " (derived)"
        yield Feature(name, kind, number, part, choices, from_text), part_of(column, part)


def _integers(column: Integers, name: str) -> tuple[Kind, NDArray[Any]]:
    known = column.values if column.missing is None else column.values[~column.missing]
    least, most = (int(known.min()), int(known.max())) if len(known) else (0, 0)
    if least >= -EXACT and most <= EXACT:
        return Kind.NUMBER, as_numbers_lie(column.values, column.missing)
    if least > MISSING_INTEGER and most < 2**63:
        values = column.values.astype(np.int64)
        if column.missing is not None:
            values[column.missing] = MISSING_INTEGER
        return Kind.INTEGER, values
    return Kind.NUMBER, _as_exact_floats(column, name)


def _as_exact_floats(column: Integers, name: str) -> NDArray[np.float64]:
    """Return integers that 64 bits with a sign cannot hold as float64, if it holds all of them."""
    floats = with_missing(column.values, column.missing)
    limit = 2.0 ** (64 if column.values.dtype.kind == "u" else 63)
    is_exact = np.isnan(floats) | (floats < limit)
    is_exact &= np.where(is_exact, np.nan_to_num(floats), 0).astype(
        column.values.dtype
    ) == np.where(np.isnan(floats), 0, column.values)
    if not is_exact.all():
        row = int(np.argmin(is_exact))
        raise DataError(
            f"column {name!r} has integers outside ±(2**63 - 1), and {column.values[row]} in row "
            f"{row} loses digits as a float64. Give the column as text, or leave it out: ",
            Argument("types", {name: "ignore"}), ".",
        )  # fmt: skip
    return floats


def _seen(column: Choices) -> Choices:
    """Return a column whose values are those that occur, sorted."""
    occurs = _core.occurring(column.codes, len(column.values))[1:]
    order = sorted(np.flatnonzero(occurs).tolist(), key=column.values.__getitem__)
    rank = {code: number for number, code in enumerate(order)}
    positions = [rank.get(code, MISSING) for code in range(len(column.values))]
    return Choices(tuple(column.values[code] for code in order), recoded(column.codes, positions))
