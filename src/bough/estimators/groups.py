"""Reads `group`: which rows are ranked against each other."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bough.errors import DataError, DataTypeError
from bough.estimators.labels import is_missing
from bough.ranking import check_weighed
from bough.words import row_count


def read_group(
    group: ArrayLike | None, n_rows: int, weights: NDArray[np.float64] | None = None
) -> NDArray[np.intp] | None:
    """Return a number for the group of each row; None where all rows are of one.

    Parameters
    ----------
    group
        One value for each row: text, or a number.
    weights
        How much each row counts; every group must have a row that does.
    """
    if group is None:
        return None
    names = _names(group, n_rows)
    if names.dtype.kind == "O" and len({isinstance(name, str) for name in names}) > 1:
        raise DataTypeError("group mixes text and numbers. Make them all text or all numbers.")
    try:
        codes = np.unique(names, return_inverse=True)[1]
    except TypeError:
        raise DataTypeError(
            "group has values that cannot be sorted. Make them all text or all numbers."
        ) from None
    if weights is not None:
        check_weighed(codes, weights, lambda row: repr(names[row : row + 1].tolist()[0]))
    return codes


def _names(group: ArrayLike, n_rows: int) -> NDArray[Any]:
    try:
        names = np.asarray(_filled(group))
    except ValueError:
        raise DataError("group holds lists. Give one number or text for each row.") from None
    if names.ndim != 1:
        raise DataError(
            f"group has {names.ndim} dimensions. Give the group of each row, as in group=frame['qid']."
        )
    if len(names) != n_rows:
        is_sizes = names.dtype.kind in "iu" and int(names.sum()) == n_rows
        hint = " If these are group sizes, use numpy.repeat(numpy.arange(len(group)), group)."
        raise DataError(
            f"group has {len(names):,} values, but X has {n_rows:,} rows. Give the group of each "
            f"row.{hint if is_sizes else ''}"
        )
    missing = np.array([is_missing(name) for name in names.tolist()])
    if missing.any():
        raise DataError(
            f"group is missing in {row_count(int(missing.sum()))} (first in row {int(missing.argmax())}). "
            "Fill it in, or leave these rows out."
        )
    return names


def _filled(group: ArrayLike) -> ArrayLike:
    """Return masked values as missing ones; NumPy would look behind the mask."""
    if isinstance(group, np.ma.MaskedArray):
        names = np.array(group.data, object)
        names[np.ma.getmaskarray(group)] = None
        return names
    return group
