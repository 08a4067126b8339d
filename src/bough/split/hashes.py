"""Hashes of values and rows that depend on nothing but the values."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bough.table.column import Choices, Column, Integers, Moments, Numbers, missing_rows
from bough.table.hashes import (
    MISSING_HASH,
    Hashes,
    mixed,
    of_floats,
    of_integers,
    of_text,
    of_values,
    tagged,
)


def cell_hashes(column: Column) -> Hashes:
    """Return a hash of the value of each row, the same in whichever column and source it stands.

    A number is hashed by its float64, so that 3, 3.0 and the text "3" are one value; an integer
    that no float64 equals by its digits; a date by its microseconds; true and false alike as words
    and as booleans; other text by its UTF-8.

    Examples
    --------
    >>> whole, text = Integers(np.array([3, 0])), Choices(("3",), np.array([0, -1]))
    >>> (cell_hashes(whole) == cell_hashes(text)).tolist()
    [True, False]
    """
    match column:
        case Numbers():
            hashes = of_floats(column.values)
        case Integers():
            hashes = of_integers(column.values)
        case Moments():
            hashes = tagged(column.values, "date")
        case Choices():
            return np.append(of_values(column.values), MISSING_HASH)[column.codes]
    return np.where(missing_rows(column), MISSING_HASH, hashes)


def row_hashes(named: Mapping[str, Column], seed: int = 0) -> Hashes:
    """Return a hash of each row, whatever the order of its columns.

    Parameters
    ----------
    named
        The columns by name, all of one length; at least one.
    seed
        Another seed gives unrelated hashes, and so places rows otherwise.

    Examples
    --------
    >>> age, sex = Numbers(np.array([3.0, 8.0])), Choices(("f", "m"), np.array([1, 0]))
    >>> one, other = row_hashes({"age": age, "sex": sex}), row_hashes({"sex": sex, "age": age})
    >>> (one == other).tolist()
    [True, True]
    """
    of_columns = (mixed(cell_hashes(each) ^ of_text(name)) for name, each in named.items())
    return mixed(sum(of_columns, of_text(f"seed {seed}")))


def copy_numbers(hashes: Hashes) -> NDArray[np.int64]:
    """Return 0 for the first of equal rows, 1 for the second, and so on.

    Examples
    --------
    >>> copy_numbers(np.array([7, 5, 7, 7], np.uint64)).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(hashes, kind="stable")
    in_order = hashes[order]
    is_first = np.append(True, in_order[1:] != in_order[:-1])[: len(hashes)]
    place = np.arange(len(hashes))
    numbers = np.empty(len(hashes), np.int64)
    numbers[order] = place - np.maximum.accumulate(np.where(is_first, place, 0))
    return numbers
