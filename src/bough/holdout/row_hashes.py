"""Hashes of rows that depend on nothing but the values."""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from bough.table.column import Column
from bough.table.hashes import Hashes, mixed, of_text


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
    >>> from bough.table import open_source
    >>> source = open_source({"age": [3.0, 8.0], "sex": ["m", "f"]})
    >>> age, sex = source.column(0), source.column(1)
    >>> one, other = row_hashes({"age": age, "sex": sex}), row_hashes({"sex": sex, "age": age})
    >>> (one == other).tolist()
    [True, True]
    """
    return mixed(sum(_of_columns(named), of_text(f"seed {seed}")))


def hashes_but_one(named: Mapping[str, Column]) -> Iterator[Hashes]:
    """Give hashes of each row, each time without another column."""
    of_all = sum(_of_columns(named), of_text(""))
    return (of_all - each for each in _of_columns(named))


def _of_columns(named: Mapping[str, Column]) -> Iterator[Hashes]:
    return (mixed(each.hashes() ^ of_text(name)) for name, each in named.items())


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
