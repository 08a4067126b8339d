"""Numbers as arrays hold them: which are exact, infinite or missing, and how text says them."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, DataError
from bough.schema import MISSING_INTEGER, Kind

EXACT = 2**53  # every integer up to here is a float64
FLOATS = (np.dtype(np.float64), np.dtype(np.float32))  # the core reads these as they are
INTEGERS = tuple(np.dtype(f"{sign}{size}") for size in (1, 2, 4, 8) for sign in "iu")[:-1]
IN_PLACE = frozenset((*FLOATS, *INTEGERS))  # types of numbers that the core reads where they lie
Floats = NDArray[np.float64] | NDArray[np.float32]

INTEGER = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def finite(values: Floats, name: str) -> Floats:
    """Return the numbers of a column; infinite ones are refused."""
    is_infinite = np.isinf(values)
    if is_infinite.any():
        row = int(np.argmax(is_infinite))
        raise DataError(
            f"Input X contains infinity: column {name!r} has {values[row]} in row {row}. "
            "Replace it by a finite number, or by nan if it is missing."
        )
    return values


def as_numbers_lie(
    values: NDArray[np.integer[Any]], missing: NDArray[np.bool_] | None
) -> NDArray[Any]:
    """Return integers as numbers of a table: as they lie, or float64 if some are missing."""
    if missing is None and values.dtype in IN_PLACE:
        return values
    return with_missing(values, missing)


def floats(values: NDArray[Any]) -> Floats:
    """Return the values of a number as floats."""
    return values if values.dtype in FLOATS else values.astype(np.float64)


def with_missing(values: NDArray[Any], missing: NDArray[np.bool_] | None) -> NDArray[np.float64]:
    """Return integers as float64, nan where they are missing."""
    result = values.astype(np.float64)
    if missing is not None:
        result[missing] = np.nan
    return result


def kind_of_integers(
    values: NDArray[np.integer[Any]], missing: NDArray[np.bool_] | None, name: str
) -> tuple[Kind, NDArray[Any]]:
    """Return whether integers are numbers, as far as float64 holds them, and their values."""
    known = values if missing is None else values[~missing]
    least, most = (int(known.min()), int(known.max())) if len(known) else (0, 0)
    if least >= -EXACT and most <= EXACT:
        return Kind.NUMBER, as_numbers_lie(values, missing)
    if least > MISSING_INTEGER and most < 2**63:
        wide = values.astype(np.int64)
        if missing is not None:
            wide[missing] = MISSING_INTEGER
        return Kind.INTEGER, wide
    return Kind.NUMBER, _as_exact_floats(values, missing, name)


def _as_exact_floats(
    values: NDArray[np.integer[Any]], missing: NDArray[np.bool_] | None, name: str
) -> NDArray[np.float64]:
    """Return integers that 64 bits with a sign cannot hold as float64, if it holds all of them."""
    floats = with_missing(values, missing)
    limit = 2.0 ** (64 if values.dtype.kind == "u" else 63)
    is_exact = np.isnan(floats) | (floats < limit)
    is_exact &= np.where(is_exact, np.nan_to_num(floats), 0).astype(values.dtype) == np.where(
        np.isnan(floats), 0, values
    )
    if not is_exact.all():
        row = int(np.argmin(is_exact))
        raise DataError(
            f"column {name!r} has integers outside ±(2**63 - 1), and {values[row]} in row {row} "
            "loses digits as a float64. Give the column as text, or leave it out: ",
            Argument("types", {name: "ignore"}), ".",
        )  # fmt: skip
    return floats


def number_from_text(text: str) -> float | int | None:
    """Return the number that a text says; None if it says none."""
    if INTEGER.fullmatch(text) and len(text.lstrip("+-")) < 20:
        return int(text)
    return float(text) if NUMBER.fullmatch(text) else None
