"""Whether a column is the target in disguise: under other names, in another unit, as part of a sum."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

SCREEN = 512  # rows that are looked at before all
FIRST_SCREEN = 4  # and those before them, where pairs of columns are many
LOST_IN_SCREEN = 0.05  # a share that a disguise may miss by chance among few rows
SAME = 1e-3  # numbers are the same if they differ by less, in standard deviations of the label
ROUNDING = 1e-6  # of a sum, relative to its parts

Values = NDArray[Any]
Floats = NDArray[np.float64]


def some_rows(n_rows: int, n_wanted: int = SCREEN) -> slice:
    """Return rows spread over the table, about as many as wanted."""
    return slice(None, None, max(n_rows // n_wanted, 1))


def n_renamed(values: Values, labels: Values) -> int:
    """Return in how many rows two columns are the same up to names.

    Each value is paired with at most one label. 0 where most pairs occur but once: there, any
    two columns look alike.
    """
    rows = some_rows(len(values))
    some = _n_paired(values[rows], labels[rows])
    if some < (1 - LOST_IN_SCREEN) * len(values[rows]):
        return 0
    return _n_paired(values, labels)


def n_in_another_unit(values: Floats, labels: Floats) -> int:
    """Return in how many rows the label is a · value + b, for the a ≠ 0 and b that fit most rows."""
    rows = some_rows(len(values))
    if _n_on_line(values[rows], labels[rows]) < (1 - LOST_IN_SCREEN) * len(values[rows]):
        return 0
    return _n_on_line(values, labels)


def sums(columns: Sequence[Values], labels: Floats) -> Iterator[tuple[int, int, int]]:
    """Give the pairs of columns whose sum or difference the label may be: first, second, sign.

    Only few rows are looked at, and none whose label is the commonest: zeros are sums of zeros.
    nan is missing, and speaks neither for nor against.
    """
    rows = _telling_rows(labels)
    some = np.array([column[rows] for column in columns], np.float64)
    few = slice(None, None, max(len(rows) // FIRST_SCREEN, 1))
    numbers = np.arange(len(columns))
    for sign in (1, -1):
        for first in range(len(columns)):
            is_pair = numbers > first if sign == 1 else numbers != first
            n_off = _is_off(some[first, few], sign * some[:, few], labels[rows[few]]).sum(axis=1)
            near = np.flatnonzero(is_pair & (n_off <= 1))
            fits = _fit(some[first], sign * some[near], labels[rows])
            yield from ((first, int(second), sign) for second in near[fits])


def is_sum(first: Floats, second: Floats, labels: Floats) -> NDArray[np.bool_]:
    """Return in which rows the label is the sum of two known numbers."""
    return ~(np.isnan(first + second) | _is_off(first, second, labels))


def _fit(first: Floats, seconds: Floats, labels: Floats) -> NDArray[np.bool_]:
    """Return which sums are nearly all labels, of the rows where both are known, as most are."""
    n_known = (~np.isnan(first + seconds)).sum(axis=1)
    n_off = _is_off(first, seconds, labels).sum(axis=1)
    return np.asarray((2 * n_known > len(labels)) & (n_off <= LOST_IN_SCREEN * n_known))


def _n_paired(values: Values, labels: Values) -> int:
    codes = np.unique(values, return_inverse=True)[1]
    label_names, label_codes = np.unique(labels, return_inverse=True)
    pairs, counts = np.unique(codes * len(label_names) + label_codes, return_counts=True)
    if 2 * len(pairs) > len(values):
        return 0
    order = np.argsort(-counts, kind="stable")
    of_value, of_label = np.divmod(pairs[order], len(label_names))
    is_first = np.zeros((2, len(pairs)), np.bool_)
    is_first[0, np.unique(of_value, return_index=True)[1]] = True
    is_first[1, np.unique(of_label, return_index=True)[1]] = True
    return int(counts[order][is_first.all(axis=0)].sum())


def _n_on_line(values: Floats, labels: Floats) -> int:
    line = _line(values, labels)
    if line is None:
        return 0
    slope, height = line
    off = np.abs(labels - slope * values - height)
    return int(np.count_nonzero(off <= SAME * labels.std()))


def _line(values: Floats, labels: Floats) -> tuple[float, float] | None:
    """Return slope and height of the line that most rows lie on, if they lie on one."""
    order = np.argsort(values, kind="stable")
    half = len(order) // 2
    run = values[order[half : 2 * half]] - values[order[:half]]
    rise = labels[order[half : 2 * half]] - labels[order[:half]]
    if 2 * np.count_nonzero(run > 0) < half:
        return None
    slope = float(np.median(rise[run > 0] / run[run > 0]))
    return (slope, float(np.median(labels - slope * values))) if slope != 0 else None


def _telling_rows(labels: Floats) -> NDArray[np.intp]:
    some = np.arange(len(labels))[some_rows(len(labels), 4 * SCREEN)]
    names, codes = np.unique(labels[some], return_inverse=True)
    is_commonest = codes == np.bincount(codes).argmax()
    telling = some[~is_commonest] if len(names) > 1 else some
    return telling[some_rows(len(telling))]


def _is_off(first: Floats, second: Floats, labels: Floats) -> NDArray[np.bool_]:
    size = np.abs(first) + np.abs(second) + np.abs(labels)
    is_off: NDArray[np.bool_] = np.abs(first + second - labels) > ROUNDING * size
    return is_off  # never where one is nan
