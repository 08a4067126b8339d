"""Turns a column of a new table into the values of a feature that a tree knows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import SchemaError
from bough.schema import MISSING, MISSING_INTEGER, UNSEEN, Feature, Kind, what_are
from bough.table.column import Choices, Column, Numeric, Where, recoded, row_word
from bough.table.dates import part_of
from bough.table.hashes import TRUTHS

LARGEST = 2**63 - 1


def values_like(
    column: Column, feature: Feature, name: str, where: Where = row_word
) -> NDArray[Any]:
    """Return the values of a feature, read from a column of the same name."""
    had = "dates" if feature.is_about_dates else what_are(feature.choices)
    column = _as_booleans(column) if had == "booleans" else column
    if feature.kind.has_choices and not feature.choices:  # no values then, so any will do now
        return np.where(column.missing_rows(), np.int32(MISSING), np.int32(UNSEEN))
    if not _fits(column, feature, had):
        missing = column.missing_rows()
        if missing.all():
            return all_missing(feature, len(missing))
        raise _other_kind(column, had, name, int(np.argmin(missing)), where)
    if had == "dates":
        return part_of(column.as_moments(name, where).values, feature.part)
    if feature.kind.has_choices:
        return column.as_choices(name).positions(feature.choices, UNSEEN)
    given = column.as_numbers(name, where)
    if feature.kind is Kind.NUMBER:
        return given.as_they_lie()
    return _as_integers(given, name, where)


def _as_booleans(column: Column) -> Column:
    """Return a column of the words true and false, as files hold them, as booleans."""
    if not isinstance(column, Choices) or not set(column.values) <= TRUTHS.keys():
        return column
    positions = [int(TRUTHS[str(value)]) for value in column.values]
    return Choices((False, True), recoded(column.codes, positions))


def _fits(column: Column, feature: Feature, had: str) -> bool:
    if had == "dates" or column.holds == "dates":
        return column.holds == had or (feature.from_text and column.is_text)
    if feature.kind.has_choices:
        return column.is_text == (had == "text")
    return feature.from_text or not column.is_text


def _as_integers(column: Numeric, name: str, where: Where) -> NDArray[np.int64]:
    """Return whole numbers as integers; beyond 64 bits as the last ones, which answer alike."""
    column.refuse_infinity(name)
    missing, values = column.missing_rows(), column.values
    is_broken = ~missing & (values != np.floor(values)) if values.dtype.kind == "f" else missing[:0]
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
    return np.full(n_rows, feature.kind.missing, feature.kind.dtype)


def _other_kind(column: Column, had: str, name: str, row: int, where: Where) -> SchemaError:
    value = column.value(row)
    word = value if column.holds in ("dates", "numbers") else repr(value)
    return SchemaError(
        f"column {name!r} had {had} when the tree was grown, but has the "
        f"{column.holds.removesuffix('s')} {word} in {where(row)}. Give {had}, as then."
    )
