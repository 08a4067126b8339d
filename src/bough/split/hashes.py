"""Hashes of values and rows that depend on nothing but the values."""

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.schema import Value
from bough.table.column import TRUTHS, Choices, Column, Integers, Moments, Numbers, missing_rows

Hashes = NDArray[np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio: splitmix64's step
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?")
_MOST_DIGITS = 15  # decimals of so many digits are told apart by float64


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
            hashes = _of_floats(column.values)
        case Integers():
            hashes = _of_integers(column.values)
        case Moments():
            hashes = _tagged(column.values, "date")
        case Choices():
            return np.append(_of_values(column.values), _MISSING)[column.codes]
    return np.where(missing_rows(column), _MISSING, hashes)


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
    of_columns = (mixed(cell_hashes(each) ^ _of_text(name)) for name, each in named.items())
    return mixed(sum(of_columns, _of_text(f"seed {seed}")))


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


def mixed(bits: Hashes) -> Hashes:
    """Return other bits for each, no two alike, in which every bit depends on all (splitmix64)."""
    bits = bits + _GOLDEN
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def _of_text(text: str) -> Hashes:
    return _of_texts([text])


def _of_texts(texts: Sequence[str]) -> Hashes:
    # Half a surrogate pair is no text, but may stand in a frame.
    digests = [
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts
    ]
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)


def _tagged(values: NDArray[Any], kind: str) -> Hashes:
    """Return hashes of 64-bit values of one kind."""
    return mixed(np.ascontiguousarray(values).view(np.uint64) ^ _of_text(kind))


def _of_floats(values: NDArray[Any]) -> Hashes:
    return _tagged(values.astype(np.float64) + 0.0, "number")  # -0.0 is 0.0


def _of_integers(values: NDArray[np.integer[Any]]) -> Hashes:
    wide = values.astype(np.uint64 if values.dtype.kind == "u" else np.int64)
    floats = wide.astype(np.float64)
    fits = floats < 2.0 ** (64 if wide.dtype.kind == "u" else 63)
    is_float = fits & (np.where(fits, floats, 0).astype(wide.dtype) == wide)
    if is_float.all():
        return _of_floats(floats)
    return np.where(is_float, _of_floats(floats), _tagged(wide, "integer"))


def _of_values(values: tuple[Value, ...]) -> Hashes:
    if all(isinstance(value, str) for value in values):
        return _of_cells([str(value) for value in values])
    if all(isinstance(value, bool) for value in values):
        return _of_truths([bool(value) for value in values])
    if all(isinstance(value, int) for value in values):
        return _of_integers(np.array(values))
    return _of_floats(np.array(values, np.float64))


def _of_cells(texts: Sequence[str]) -> Hashes:
    """Return hashes of text; that of a number where this is how the number would be written."""
    hashes = _of_texts(texts)
    numbers = {place: float(text) for place, text in enumerate(texts) if _is_number(text)}
    hashes[list(numbers)] = _of_floats(np.array(list(numbers.values())))
    truths = {place: TRUTHS[text] for place, text in enumerate(texts) if text in TRUTHS}
    hashes[list(truths)] = _of_truths(list(truths.values()))
    return hashes


def _of_truths(truths: Sequence[bool]) -> Hashes:
    return _tagged(np.array(truths, np.uint64), "truth")


def _is_number(text: str) -> bool:
    return len(text) <= _MOST_DIGITS and _NUMBER.fullmatch(text) is not None


_MISSING = mixed(_of_text("missing"))[0]
