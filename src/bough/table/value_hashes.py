"""Hashes of values that depend on nothing but the values."""

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.schema import Value

TRUTHS = {"true": True, "True": True, "false": False, "False": False}  # as programs write them
Hashes = NDArray[np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio: splitmix64's step
_STEPS = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
_BLOCK = (
    2**15
)  # hashes that stay in the cache; arrays beyond 32 MB are new pages each time they are made
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?")
_MOST_DIGITS = 15  # decimals of so many digits are told apart by float64


def mixed(bits: Hashes) -> Hashes:
    """Return other bits for each, no two alike, in which every bit depends on all (splitmix64)."""
    bits = bits + _GOLDEN
    for start in range(0, len(bits), _BLOCK):
        some = bits[start : start + _BLOCK]
        for shift, factor in _STEPS:
            some ^= some >> shift
            some *= factor
        some ^= some >> np.uint64(31)
    return bits


def of_text(text: str) -> Hashes:
    """Return the hash of a text."""
    return of_texts([text])


def of_texts(texts: Sequence[str]) -> Hashes:
    """Return hashes of texts by their UTF-8."""
    # Half a surrogate pair is no text, but may stand in a frame.
    digests = [
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts
    ]
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)


def tagged(values: NDArray[Any], kind: str) -> Hashes:
    """Return hashes of 64-bit values of one kind."""
    return mixed(np.ascontiguousarray(values).view(np.uint64) ^ of_text(kind))


def of_floats(values: NDArray[Any]) -> Hashes:
    """Return hashes of numbers by their float64."""
    return tagged(np.add(values, 0.0, dtype=np.float64), "number")  # -0.0 is 0.0


def of_integers(values: NDArray[np.integer[Any]]) -> Hashes:
    """Return hashes of integers: as floats, or by their digits where no float64 equals them."""
    wide = values.astype(np.uint64 if values.dtype.kind == "u" else np.int64)
    floats = wide.astype(np.float64)
    fits = floats < 2.0 ** (64 if wide.dtype.kind == "u" else 63)
    is_float = fits & (np.where(fits, floats, 0).astype(wide.dtype) == wide)
    if is_float.all():
        return of_floats(floats)
    return np.where(is_float, of_floats(floats), tagged(wide, "integer"))


def of_values(values: tuple[Value, ...]) -> Hashes:
    """Return hashes of text, booleans or numbers."""
    if all(isinstance(value, str) for value in values):
        return _of_cells([str(value) for value in values])
    if all(isinstance(value, bool) for value in values):
        return _of_truths([bool(value) for value in values])
    if all(isinstance(value, int) for value in values):
        return of_integers(np.array(values))
    return of_floats(np.array(values, np.float64))


def _of_cells(texts: Sequence[str]) -> Hashes:
    """Return hashes of text; that of a number where this is how the number would be written."""
    hashes = of_texts(texts)
    numbers = {place: float(text) for place, text in enumerate(texts) if _is_number(text)}
    hashes[list(numbers)] = of_floats(np.array(list(numbers.values())))
    truths = {place: TRUTHS[text] for place, text in enumerate(texts) if text in TRUTHS}
    hashes[list(truths)] = _of_truths(list(truths.values()))
    return hashes


def _of_truths(truths: Sequence[bool]) -> Hashes:
    return tagged(np.array(truths, np.uint64), "truth")


def _is_number(text: str) -> bool:
    return len(text) <= _MOST_DIGITS and _NUMBER.fullmatch(text) is not None


MISSING_HASH = mixed(of_text("missing"))[0]
