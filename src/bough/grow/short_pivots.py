"""Pivots that are short to say: moved within the gap between the values of a node's rows, or said so.

Any number in the gap asks the same of these rows. Under `pivots="round"` a pivot becomes the number
of fewest digits in the middle half of its gap; under `pivots="midpoint"` it stays, and words give the
number of fewest digits in the gap, which the tree keeps as `shown`. A date is the shorter, the coarser
the unit that it is a multiple of; ordered values have names.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.query_kinds import QueryKind
from bough.schema import Feature, Kind, are_of_kind

DIGITS = 15  # up to here a float64 holds the whole number that the digits are
POWERS = np.array([float(10**power) for power in range(23)])  # those that a float64 holds
SECOND = 1_000_000  # microseconds
MOMENTS = (
    *(86_400 * SECOND, 3_600 * SECOND, 60 * SECOND),
    *(10**power for power in range(6, -1, -1)),
)
OF_PIVOTS = ("feature", "query_kind", "pivot", "pivot_int", "gap")
"""The arrays of a tree that tell what may be said for its pivots."""
WHOLE = tuple(10**power for power in range(18, -1, -1))

Floats = NDArray[np.float64]


def short_pivots(
    arrays: dict[str, Any], features: Sequence[Feature], *, is_round: bool
) -> dict[str, Any]:
    """Return the arrays of a tree that give it pivots that are short, or, unless `is_round`, are said so.

    `gap` has of each node, as the core grew it, the two neighbouring values between which its pivot
    lies: whole numbers where the pivot is one, else the bits of floats.
    """
    feature, pivot = arrays["feature"], arrays["pivot"].copy()
    whole = None if arrays["pivot_int"] is None else arrays["pivot_int"].copy()
    asks = np.flatnonzero((feature >= 0) & (arrays["query_kind"] == QueryKind.BELOW))
    is_date, is_named = (
        are_of_kind(features, kind)[feature[asks]] for kind in (Kind.DATE, Kind.ORDERED)
    )
    is_integer = np.isnan(pivot[asks])
    ends = arrays["gap"].reshape(-1, 2)[asks]
    for place in np.flatnonzero((is_integer | is_date) & ~is_named).tolist():
        first, last = ends[place] if is_integer[place] else ends[place].view(np.float64)
        units = MOMENTS if is_date[place] else WHOLE
        found = shortest_whole(int(first), int(last), units, is_round=is_round)
        if found is not None:
            (whole if whole is not None and is_integer[place] else pivot)[asks[place]] = found
    some = ~(is_integer | is_date | is_named)
    low, high = ends[some].view(np.float64).T
    pivot[asks[some]] = shortest(low, high, pivot[asks[some]], is_round=is_round)
    if is_round:
        return {"pivot": pivot, "pivot_int": whole}
    shown = np.where(pivot == arrays["pivot"], np.nan, pivot)
    return {} if np.isnan(shown).all() else {"shown": shown}


def shown_pivots(arrays: dict[str, Any], features: Sequence[Feature]) -> Floats | None:
    """Return what words give for the pivots of a tree; None if they give the pivots themselves."""
    return short_pivots(arrays, features, is_round=False).get("shown")


def shortest(low: Floats, high: Floats, pivot: Floats, *, is_round: bool) -> Floats:
    """Return the numbers of fewest digits in gaps; of several, those nearest to the pivots.

    A pivot is above the lower end and at most the higher one; it stays where no shorter number lies
    in the gap. If `is_round`, only the middle half of each gap is looked at, and numbers nearest to
    the midpoint are taken. 0 has no digits if it lies in the middle half, and else one.
    """
    with np.errstate(over="ignore"):
        quarter = np.where(np.isinf(high - low), high / 4 - low / 4, (high - low) / 4)
        middle = np.where(np.isinf(low + high), low / 2 + high / 2, (low + high) / 2)
    first = np.maximum(low + quarter, np.nextafter(low, np.inf))
    last = np.minimum(high - quarter, high)
    found = np.where((first <= 0) & (last >= 0), 0.0, np.nan)
    if is_round:
        near = np.clip(middle, first, last)
    else:
        first, last, near = np.nextafter(low, np.inf), np.nextafter(high, -np.inf), pivot
    with np.errstate(divide="ignore"):
        size = np.floor(np.log10(np.abs(near)))
    for digits in range(1, DIGITS + 1):
        left = np.flatnonzero(np.isnan(found) & (np.abs(digits - 1 - size) < len(POWERS)))
        if not len(left):
            break
        rounded = _rounded(near[left], (digits - 1 - size[left]).astype(np.intp))
        fits = (first[left] <= rounded) & (rounded <= last[left])
        found[left[fits]] = rounded[fits]
    for place in np.flatnonzero(np.isnan(found)).tolist():
        found[place] = _shortest_text(near[place], first[place], last[place], pivot[place])
    return np.asarray(found + 0.0)  # never -0.0


def _rounded(numbers: Floats, decimals: NDArray[np.intp]) -> Floats:
    """Return numbers rounded to so many decimals, which reads back as so many: one step rounds."""
    scale = POWERS[np.abs(decimals)]
    is_fine = decimals >= 0
    whole = np.rint(np.where(is_fine, numbers * scale, numbers / scale))
    return np.asarray(np.where(is_fine, whole / scale, whole * scale))


def _shortest_text(near: float, first: float, last: float, pivot: float) -> float:
    """Return the same for numbers that are very large, very small, or very near to each other."""
    for digits in range(17):
        found = float(f"{near:.{digits}e}")
        if first <= found <= last:
            return found
    return pivot


def shortest_whole(low: int, high: int, units: tuple[int, ...], *, is_round: bool) -> int | None:
    """Return the multiple of the greatest unit in the gap between two whole numbers; None: none is.

    Of several, the one nearest to the midpoint.

    Examples
    --------
    >>> shortest_whole(1_203, 1_391, WHOLE, is_round=True)
    1300
    """
    margin = -(-(high - low) // 4) if is_round else 1
    for unit in units:
        found = ((low + high + unit) // (2 * unit)) * unit
        if low + margin <= found <= high - margin:
            return found
    return None
