"""What `types` says about columns: another kind than their source gives them."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from bough.errors import DataError, ParameterError, did_you_mean, listed
from bough.schema import Value
from bough.table.column import (
    MISSING_INTEGER,
    Choices,
    Column,
    Integers,
    Moments,
    Numbers,
    as_choices,
    in_order,
    numbers,
)
from bough.table.dates import moment_from_text

Types = Mapping[str | int, str | Sequence[Value]]

IGNORE = "ignore"
KINDS = ("category", "date", "ignore", "number")
INTEGER = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def wanted_types(
    types: Types | None, names: Sequence[str], *, named: bool
) -> dict[int, str | Sequence[Value]]:
    """Return what the user wants for each column number; names and kinds are checked."""
    wanted: dict[int, str | Sequence[Value]] = {}
    for key, kind in (types or {}).items():
        number = _column_number(key, names, named=named)
        _check_kind(key, kind)
        wanted[number] = kind
    return wanted


def retyped(column: Column, kind: str | Sequence[Value] | None, name: str) -> Column:
    """Return a column as the kind that the user wants."""
    match kind:
        case None:
            return column
        case "category":
            return as_choices(column, name)
        case "number":
            return as_numbers(column, name)
        case "date":
            return as_moments(column, name)
        case _:
            return in_order(as_choices(column, name), kind, name)


def is_text(column: Column) -> bool:
    """Return whether a column holds text."""
    return isinstance(column, Choices) and any(isinstance(value, str) for value in column.values)


def as_numbers(column: Column, name: str) -> Column:
    """Return booleans, categories of numbers, and text that says numbers, as numbers."""
    if isinstance(column, Moments):
        raise DataError(
            f"column {name!r} has dates, which cannot be numbers. Turn them into numbers first, "
            "or leave them dates."
        )
    if not isinstance(column, Choices):
        return column
    ...
