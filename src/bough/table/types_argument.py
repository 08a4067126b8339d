"""What `types` says about columns: another kind than their source gives them."""

import re
from collections.abc import Mapping, Sequence
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, DataError, ParameterError, did_you_mean, listed
from bough.schema import Value
from bough.table.column import (
    MISSING,
    MISSING_INTEGER,
    Choices,
    Column,
    Integers,
    Moments,
    Numbers,
    Where,
    as_choices,
    in_order,
    missing_rows,
    row_word,
)
from bough.table.dates import moment_from_text, moments

Types = Mapping[str | int, str | Sequence[Value]]

IGNORE = "ignore"
KINDS = ("category", "date", "ignore", "number")
INTEGER = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def wanted_types(
    types: Types | None, names: Sequence[str], *, named: bool
) -> dict[int, str | Sequence[Value]]:
    """Return what the user wants for each column number; names and kinds are checked."""
    if types is None:
        return {}
    if not isinstance(types, Mapping):
        raise ParameterError(
            Argument("types", types), " must be a dict with the kind of each column that it is "
            "about, such as {'zip': 'category'}.",
        )  # fmt: skip
    wanted: dict[int, str | Sequence[Value]] = {}
    for key, kind in types.items():
        number = column_number(key, names, named=named)
        _check_kind(key, kind)
        if number in wanted:
            raise ParameterError(
                f"types has the column {names[number]!r} twice, by name and by number. "
                "Leave one of them out."
            )
        wanted[number] = kind
    return wanted


def retyped(
    column: Column, kind: str | Sequence[Value] | None, name: str, where: Where = row_word
) -> Column:
    """Return a column as the kind that the user wants."""
    match kind:
        case None:
            return column
        case "category":
            return as_choices(column, name)
        case "number":
            return as_numbers(column, name, where)
        case "date":
            return as_moments(column, name, where)
        case _:
            return in_order(as_choices(column, name), kind, name, where)


def is_text(column: Column) -> bool:
    """Return whether a column holds text."""
    return isinstance(column, Choices) and any(isinstance(value, str) for value in column.values)


def as_numbers(column: Column, name: str, where: Where = row_word) -> Numbers | Integers:
    """Return booleans, categories of numbers, and text that says numbers, as numbers."""
    if isinstance(column, Moments):
        raise DataError(
            f"column {name!r} has dates, which cannot be read as numbers. Leave them dates, or "
            "turn them into numbers first."
        )
    if not isinstance(column, Choices):
        return column
    codes = _known(column)
    values = [_number(value) for value in column.values]
    _refuse_unread(column, values, "a number", name, where)
    if all(isinstance(value, int) and abs(value) < 2**63 for value in values):
        return Integers(np.array([*values, 0], np.int64)[codes], codes < 0)
    return Numbers(np.array([*values, np.nan], np.float64)[codes])


def as_moments(column: Column, name: str, where: Where = row_word) -> Moments:
    """Return text that says dates or times in the ISO form as moments."""
    if isinstance(column, Moments):
        return column
    missing = missing_rows(column)
    if missing.all():
        return Moments(np.full(len(missing), MISSING_INTEGER, np.int64))
    if not isinstance(column, Choices) or not is_text(column):
        raise DataError(
            f"column {name!r} has numbers, which cannot be read as dates. Turn them into dates "
            "first, or leave them numbers."
        )
    codes = _known(column)
    values = [moment_from_text(str(value)) for value in column.values]
    what = "a date such as '2024-12-31' or '2024-12-31 23:59'"
    _refuse_unread(column, values, what, name, where)
    known = [MISSING_INTEGER if value is None else value for value in values]
    return moments(np.array([*known, MISSING_INTEGER], np.int64)[codes].view("M8[us]"), name)


def _known(column: Choices) -> NDArray[np.int32]:
    """Return the codes of a column where the empty text is missing."""
    if "" not in column.values:
        return column.codes
    return np.where(column.codes == column.values.index(""), np.int32(MISSING), column.codes)


def _number(value: Value) -> float | int | None:
    """Return the number that a text says; None if it says none."""
    if not isinstance(value, str):
        return value
    if INTEGER.fullmatch(value) and len(value.lstrip("+-")) < 20:
        return int(value)
    if value == "":
        return 0  # stands for no row
    return float(value) if NUMBER.fullmatch(value) else None


def _refuse_unread(
    column: Choices, values: Sequence[object], what: str, name: str, where: Where
) -> None:
    """Refuse the first row, if any, whose text did not say what was wanted."""
    codes = _known(column)
    is_unread = np.array([*(value is None for value in values), False])[codes]
    if is_unread.any():
        row = int(np.argmax(is_unread))
        value = column.values[codes[row]]
        raise DataError(
            f"column {name!r} has {value!r} in {where(row)}, which is not {what}. "
            "Correct the cell, or make it missing."
        )


def column_number(
    key: str | int, names: Sequence[str], *, named: bool, parameter: str = "types"
) -> int:
    """Return the number of a column that a parameter names, or numbers where it has no name."""
    if isinstance(key, str) and key in names:
        return names.index(key)
    is_number = isinstance(key, Integral) and not isinstance(key, bool)
    if not named and is_number and 0 <= int(key) < len(names):
        return int(key)
    hint = did_you_mean(str(key), names)
    raise ParameterError(
        f"{parameter} has the column {key!r}, but X does not.{hint} Columns of X: {listed(names)}."
    )


def _check_kind(key: str | int, kind: object) -> None:
    if isinstance(kind, str) and kind in KINDS:
        return
    if isinstance(kind, str):
        hint = did_you_mean(kind, KINDS)
        raise ParameterError(
            f"types has the kind {kind!r} for the column {key!r}, which is not known.{hint} "
            f"Known: {listed(KINDS)}, or a list of values in their order."
        )
    if not isinstance(kind, Sequence) or not all(isinstance(value, Value) for value in kind):
        raise ParameterError(
            f"types has {kind!r} for the column {key!r}. Give one of {listed(KINDS)}, or a list of "
            "values in their order."
        )
    if len(kind) < 1 or len(set(kind)) < len(kind):
        raise ParameterError(
            f"types has {kind!r} as the order of the column {key!r}. Name each value once."
        )
