"""Turns a column of a new table into the values of a feature that a tree knows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import SchemaError
from bough.schema import MISSING, MISSING_INTEGER, UNSEEN, Feature, Kind, Part, Value
from bough.table.column import (
    Choices,
    Codes,
    Column,
    Integers,
    Moments,
    Numbers,
    Where,
    as_choices,
    missing_rows,
    recoded,
    row_word,
)
from bough.table.dates import part_of
from bough.table.hashes import TRUTHS
from bough.table.numbers import as_numbers_lie, finite
from bough.table.types_argument import as_moments, as_numbers, is_text

LARGEST = 2**63 - 1


def values_like(
    column: Column, feature: Feature, name: str, where: Where = row_word
) -> NDArray[Any]:
    """Return the values of a feature, read from a column of the same name."""
    column = _as_booleans(column) if _word(feature.choices) == "booleans" else column
    has_choices = feature.kind in (Kind.CHOICE, Kind.ORDERED)
    if has_choices and not feature.choices:  # there were no values then, so any will do now
        return np.where(missing_rows(column), np.int32(MISSING), np.int32(UNSEEN))
    if not _fits(column, feature):
        missing = missing_rows(column)
        if missing.all():
            return all_missing(feature, len(missing))
        raise _other_kind(column, feature, name, int(np.argmin(missing)), where)
    if _is_about_dates(feature):
        moments = as_moments(column, name, where)
        return moments.values if feature.part is Part.ITSELF else part_of(moments, feature.part)
    if has_choices:
        return _positions(as_choices(column, name), feature)
    given = as_numbers(column, name, where)
    if feature.kind is not Kind.NUMBER:
        return _as_integers(given, name, where)
    return (
        given.values if isinstance(given, Numbers) else as_numbers_lie(given.values, given.missing)
    )


def _as_booleans(column: Column) -> Column:
    """Return a column of the words true and false, as files hold them, as booleans."""
    if not isinstance(column, Choices) or not set(column.values) <= TRUTHS.keys():
        return column
    positions = [int(TRUTHS[str(value)]) for value in column.values]
    return Choices((False, True), recoded(column.codes, positions))


def _is_about_dates(feature: Feature) -> bool:
    return feature.kind is Kind.DATE or feature.part is not Part.ITSELF


def _fits(column: Column, feature: Feature) -> bool:
    if _is_about_dates(feature):
        return isinstance(column, Moments) or (feature.from_text and is_text(column))
    if isinstance(column, Moments):
        return False
    if feature.kind in (Kind.CHOICE, Kind.ORDERED):
        return is_text(column) == (_word(feature.choices) == "text")
    return feature.from_text or not is_text(column)


def _positions(column: Choices, feature: Feature) -> Codes:
    position = {choice: number for number, choice in enumerate(feature.choices)}
    return recoded(column.codes, [position.get(value, UNSEEN) for value in column.values])


def _as_integers(column: Numbers | Integers, name: str, where: Where) -> NDArray[np.int64]:
    """Return whole numbers as integers; beyond 64 bits as the last ones, which answer alike."""
    missing = missing_rows(column)
    values = column.values
    if isinstance(column, Numbers):
        is_broken = ~missing & (finite(column.values, name) != np.floor(values))
        if is_broken.any():
            row = int(np.argmax(is_broken))
            raise SchemaError(
                f"column {name!r} had integers when the tree was grown, but has {values[row]} in "
                f"{where(row)}. Give whole numbers."
            )
    below, above = ~missing & (values <= -LARGEST), ~missing & (values >= LARGEST)
    result = np.where(missing | below | above, 0, values).astype(np.int64)
    result[below], result[above], result[missing] = -LARGEST, LARGEST, MISSING_INTEGER
    return result


def all_missing(feature: Feature, n_rows: int) -> NDArray[Any]:
    """Return values of a feature that are all missing."""
    if feature.kind is Kind.NUMBER:
        return np.full(n_rows, np.nan)
    if feature.kind.is_integer:
        return np.full(n_rows, MISSING_INTEGER, np.int64)
    return np.full(n_rows, MISSING, np.int32)


def _other_kind(column: Column, feature: Feature, name: str, row: int, where: Where) -> SchemaError:
    had = "dates" if _is_about_dates(feature) else _word(feature.choices)
    match column:
        case Moments():
            has = f"the date {np.datetime64(int(column.values[row]), 'us')}"
        case Choices():
            value = column.values[column.codes[row]]
            has = f"{'the text' if isinstance(value, str) else 'the value'} {value!r}"
        case _:
            has = f"the number {column.values[row]}"
    return SchemaError(
        f"column {name!r} had {had} when the tree was grown, but has {has} in {where(row)}. "
        f"Give {had}, as then."
    )


def _word(choices: tuple[Value, ...]) -> str:
    if any(isinstance(choice, str) for choice in choices):
        return "text"
    return (
        "booleans" if choices and all(isinstance(choice, bool) for choice in choices) else "numbers"
    )
