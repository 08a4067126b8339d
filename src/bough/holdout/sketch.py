"""A few hashes by which many rows are known again."""

from collections.abc import Sequence

import numpy as np

from bough.table.hashes import Hashes, mixed

SKETCHED = 256
DISTINCT = 0.8  # the share of rows that must differ from each other to be known again


def sketch(hashes: Hashes, k: int = SKETCHED) -> tuple[str, ...]:
    """Return the k smallest hashes, in hexadecimal; of all rows where there are no more.

    Examples
    --------
    >>> sketch(np.array([2, 3, 2], np.uint64), k=2)
    ('64684c4f0fd784b4', '64684c4f0fd784b4')
    """
    return tuple(f"{each:016x}" for each in np.sort(_shuffled(hashes))[:k].tolist())


def n_known(hashes: Hashes, sketched: Sequence[str], n_sketched: int) -> int:
    """Return about how many of these rows are among the sketched ones.

    It is exact where the sketch holds all of them. Otherwise a sketch of k out of n rows stands
    for n / k times as many as are found in it, wrong by a factor of about 1 ± 1 / √k.

    Parameters
    ----------
    hashes
        The hashes of the rows in question.
    sketched
        The sketch of the other rows.
    n_sketched
        How many rows were sketched.

    Examples
    --------
    >>> rows = np.arange(100, dtype=np.uint64)
    >>> n_known(rows[90:], sketch(rows[:93]), 93)
    3
    """
    # Where rows often equal each other, new ones equal old ones, too: nothing can be told.
    if len(set(sketched)) <= DISTINCT * len(sketched):
        return 0
    known = np.array([int(each, 16) for each in sketched], np.uint64)
    n_found = int(np.isin(_shuffled(hashes), known).sum())
    return min(round(n_found * n_sketched / len(known)), len(hashes))


def share_of_equals(sketched: Sequence[str], others: Sequence[str]) -> float:
    """Return which share of other rows equal a sketched row, judged by their sketch.

    Where a sketch does not hold all rows, nothing is known beyond its last hash.

    Examples
    --------
    >>> rows = np.array([5, 6, 7, 8], np.uint64)
    >>> share_of_equals(sketch(rows[:3]), sketch(rows[2:]))
    0.5
    """
    known = set(sketched)
    is_whole = len(sketched) < SKETCHED
    within = [each for each in others if is_whole or each <= max(known)]
    return sum(each in known for each in within) / max(len(within), 1)


def _shuffled(hashes: Hashes) -> Hashes:
    """Return other hashes: rows are placed by the order of theirs, which a sketch must not share."""
    return mixed(mixed(hashes))
