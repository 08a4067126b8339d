"""A few hashes by which many rows are known again."""

from collections.abc import Sequence
from math import hypot

import numpy as np

from bough.share_interval import wilson
from bough.table.hashes import Hashes, mixed

SKETCHED = 256
SOME = 0.01  # of the rows, from which on it matters that they equal others
STANDARD_ERRORS = 3  # by which more must be equal than by chance


def sketch(hashes: Hashes, k: int = SKETCHED) -> tuple[str, ...]:
    """Return the k smallest hashes, in hexadecimal; of all rows where there are no more.

    Examples
    --------
    >>> sketch(np.array([2, 3, 2], np.uint64), k=2)
    ('64684c4f0fd784b4', '64684c4f0fd784b4')
    """
    return tuple(f"{each:016x}" for each in np.sort(_shuffled(hashes))[:k].tolist())


def merged(*sketches: Sequence[str]) -> tuple[str, ...]:
    """Return the sketch of the rows of all sketches; what one of them cannot know is left out."""
    limit = _limit(*sketches)
    return tuple(sorted(each for rows in sketches for each in rows if each <= limit))


def n_equal(
    hashes: Hashes, sketched: Sequence[str], n_sketched: int, but: Sequence[str] = ()
) -> int:
    """Return about how many rows equal a sketched row.

    It is exact where the sketch holds all rows. Otherwise a sketch of k out of n rows stands for
    n / k times as many as are found in it, wrong by a factor of about 1 ± 1 / √k.

    Parameters
    ----------
    hashes
        The hashes of the rows in question.
    sketched
        The sketch of the other rows.
    n_sketched
        How many rows were sketched.
    but
        The sketch of rows that do not count: what equals one of them is passed over.

    Examples
    --------
    >>> rows = np.arange(100, dtype=np.uint64)
    >>> (
    ...     n_equal(rows[50:], sketch(rows[:93]), 93),
    ...     n_equal(rows[50:], sketch(rows[:93]), 93, but=sketch(rows[:60])),
    ... )
    (43, 33)
    """
    rows = _shuffled(hashes)
    limit = _limit(sketched, but)  # up to here, both sketches know every row
    known = _numbers([each for each in sketched if each <= limit])
    is_equal = np.isin(rows, known) & ~np.isin(rows, _numbers(but))
    n_found = int(np.count_nonzero(is_equal))
    return min(round(n_found * n_sketched / max(len(known), 1)), len(hashes))


def is_chance(hashes: Hashes, sketched: Sequence[str]) -> bool:
    """Return whether no more rows equal a sketched one than sketched ones equal each other.

    New rows equal old ones by chance about as often as old ones equal each other.
    """
    rows, known = _shuffled(hashes), _numbers(sketched)
    rows = rows[rows <= np.uint64(int(_limit(sketched), 16))]
    if not len(rows) or not len(known):
        return True
    share = float(np.isin(rows, known).mean())
    counts = np.unique(known, return_counts=True)[1]
    chance = float(counts[counts > 1].sum()) / len(known)
    # The interval of a difference is put together from those of its parts (Zou and Donner, 2008).
    least, _ = wilson(share, len(rows), STANDARD_ERRORS)
    _, most = wilson(chance, len(known), STANDARD_ERRORS)
    error = hypot(share - least, most - chance)
    return share - chance <= SOME + error


def _limit(*sketches: Sequence[str]) -> str:
    """Return the greatest hash up to which all sketches know every row."""
    lasts = [max(each) for each in sketches if len(each) >= SKETCHED]
    return min(lasts, default="f" * 16)


def _numbers(sketched: Sequence[str]) -> Hashes:
    return np.array([int(each, 16) for each in sketched], np.uint64)


def _shuffled(hashes: Hashes) -> Hashes:
    """Return other hashes: rows are placed by the order of theirs, which a sketch must not share."""
    return mixed(mixed(hashes))
