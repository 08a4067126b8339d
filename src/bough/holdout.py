"""Which rows are training, development and test rows, by hashes of their values, and how they are known again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, DataError, ParameterError
from bough.losses.intervals import wilson
from bough.settings import is_real
from bough.table.column import Column
from bough.table.value_hashes import Hashes, mixed, of_text

Rows = NDArray[np.intp]
Codes = NDArray[np.integer[Any]]

SHARES = (0.7, 0.1, 0.2)
N_PARTS = 3
_SLACK = 1e-9  # by which shares may miss 1
SKETCHED = 256
SOME = 0.01  # of the rows, from which on it matters that they equal others
STANDARD_ERRORS = 3  # by which more must be equal than by chance


@dataclass(frozen=True, eq=False)
class SplitRows:
    """The numbers of the training, development and test rows, rising."""

    train: Rows
    dev: Rows
    test: Rows


def split_rows(
    hashes: Hashes,
    *,
    shares: Sequence[float] = SHARES,
    classes: Codes | None = None,
    group: Hashes | None = None,
    time: NDArray[Any] | None = None,
) -> SplitRows:
    """Return which rows are training, development and test rows.

    A row is placed by its hash and its copy number, so the order of the rows does not matter, and
    copies of a row spread over the parts. Each part gets its share of each class (or hash of one),
    to a row. Rows of one group, a hash made with the seed, stay together, and the shares are met as
    nearly as the groups, in the order of their hashes, allow. By time, the oldest are training
    rows, the newest test rows, and rows of one time stay together.

    Examples
    --------
    >>> parts = split_rows(np.arange(10, dtype=np.uint64), time=np.arange(10) // 2)
    >>> parts.train.tolist(), parts.dev.tolist(), parts.test.tolist()
    ([0, 1, 2, 3, 4, 5], [6, 7], [8, 9])
    """
    check_shares(shares)
    if group is not None and time is not None:
        raise ParameterError(
            "group and time cannot be combined: both decide how to split the rows. Give one of them."
        )
    if group is not None:
        parts = _together(group, shares, "groups")
    elif time is not None:
        parts = _together(time, shares, "different times")
    else:
        parts = _by_chance(_places(hashes), classes, shares)
    return SplitRows(*(np.flatnonzero(parts == number) for number in range(N_PARTS)))


def folds(
    hashes: Hashes,
    n_folds: int,
    *,
    classes: Codes | None = None,
    group: Hashes | None = None,
) -> NDArray[np.int8]:
    """Return the number of the fold that each row is in.

    The folds are as large as each other, and so are their parts of each class; with `group` as
    nearly as whole groups allow. See `split_rows` for the parameters.

    Examples
    --------
    >>> np.bincount(folds(np.arange(10, dtype=np.uint64), 3)).tolist()
    [4, 3, 3]
    """
    number = np.empty(len(hashes), np.int8)
    if group is None:
        keys = (_places(hashes),) if classes is None else (_places(hashes), classes)
        number[np.lexsort(keys)] = np.arange(len(hashes)) % n_folds
        n_units, units = len(hashes), "rows"
    else:
        _, unit, sizes = np.unique(group, return_inverse=True, return_counts=True)
        number[:] = _evenly(sizes, n_folds)[unit]
        n_units, units = len(sizes), "groups"
    if n_units < n_folds:
        raise DataError(
            f"{n_units} {units} are too few for {n_folds} folds. Give more rows, or a table of "
            "development rows."
        )
    return number


def folds_in_time(time: NDArray[Any], n_folds: int) -> NDArray[np.int8]:
    """Return the number of the fold that each row is in, older rows in lower ones.

    The older half of the rows is in fold 0, which is only learnt from: trees of much fewer rows than
    the final one has would say little about it. The newer half is cut into folds, each to be tried
    on what grows from all folds before it. Rows of one time stay together, so that there may be fewer
    folds than asked for, but at least one beside fold 0.

    Examples
    --------
    >>> folds_in_time(np.arange(12), 3).tolist()
    [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3]
    """
    _, unit, sizes = np.unique(time, return_inverse=True, return_counts=True)
    if len(sizes) < 2:
        raise DataError(
            "All training rows have the same time, so none can be predicted from older ones. Give "
            "training rows of at least two times, or leave ", Argument("time", ...), " out.",
        )  # fmt: skip
    middles = (np.cumsum(sizes) - sizes / 2) / len(time)
    fold = np.maximum(np.ceil((2 * middles - 1) * n_folds), 0)
    fold[0] = 0
    fold[-1] = max(fold[-1], 1)
    return np.unique(fold, return_inverse=True)[1].astype(np.int8)[unit]


def check_shares(shares: Sequence[float]) -> None:
    """Refuse what are not three shares that add up to 1."""
    is_right = isinstance(shares, Sequence) and len(shares) == N_PARTS
    is_right = is_right and all(is_real(share) and share >= 0 for share in shares)
    if not is_right or shares[0] == 0 or abs(sum(shares) - 1) > _SLACK:
        raise ParameterError(
            Argument("split", shares), " must be three shares that add up to 1, for training, "
            "development and test rows, as in ", Argument("split", SHARES), ".",
        )  # fmt: skip


def _places(hashes: Hashes) -> Hashes:
    return mixed(hashes + mixed(copy_numbers(hashes).astype(np.uint64)))


def _by_chance(places: Hashes, classes: Codes | None, shares: Sequence[float]) -> Codes:
    """Return the part of each row, each class by itself unless that would leave a part empty."""
    if classes is not None:
        parts = _by_class(places, classes, shares)
        if np.isin(np.flatnonzero(shares), parts).all():
            return parts
    return _together(places, shares, "rows")


def _by_class(places: Hashes, classes: Codes, shares: Sequence[float]) -> Codes:
    """Return the part of each row, so that every part has its share of each class, to a row.

    The rows of a class with the greatest places are test rows. Whether a part of a row is
    rounded up is drawn by the class: a row of a rare class is a test row as often as any other,
    and rows that are added hardly move others.
    """
    order = np.lexsort((places, classes))
    in_order = classes[order]
    first = np.searchsorted(in_order, in_order, "left")
    last = np.searchsorted(in_order, in_order, "right")
    from_top = last - 1 - np.arange(len(order))
    drawn = mixed(in_order.astype(np.uint64))
    train, dev, test = shares
    n_test = _rounded(test * (last - first), drawn)
    n_dev = _rounded(dev / (train + dev) * (last - first - n_test), mixed(drawn))
    parts = np.empty(len(places), np.int8)
    parts[order] = np.where(from_top < n_test, 2, np.where(from_top < n_test + n_dev, 1, 0))
    return parts


def _rounded(numbers: NDArray[np.floating[Any]], drawn: Hashes) -> NDArray[np.int64]:
    """Return whole numbers, rounded up as often as the part that is left over."""
    return np.floor(numbers + 1e-9 + drawn / 2.0**64).astype(np.int64)


def _together(keys: NDArray[Any], shares: Sequence[float], units: str) -> Codes:
    """Return the part of each row, by the order of the keys; rows of one key stay together.

    A unit goes where its middle lies, but no part that has a share is left empty.
    """
    _, unit, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    if len(sizes) < np.count_nonzero(shares):
        raise DataError(
            f"The table has {len(sizes)} {units}, too few to be split into "
            f"{np.count_nonzero(shares)} parts. Give more rows."
        )
    middles = (np.cumsum(sizes) - sizes / 2) / len(keys)
    cuts = np.searchsorted(middles, np.cumsum(shares[:-1]))
    least = 0
    for number in range(len(cuts)):
        least += shares[number] > 0
        most = len(sizes) - np.count_nonzero(shares[number + 1 :])
        least = cuts[number] = min(max(cuts[number], least), most)
    return np.searchsorted(cuts, np.arange(len(sizes)), "right").astype(np.int8)[unit]


def _evenly(sizes: NDArray[np.intp], n_folds: int) -> NDArray[np.int8]:
    """Return a fold for each group, the largest first, always to the fold with the fewest rows."""
    fold_of_group = np.empty(len(sizes), np.int8)
    loads = [(0, fold) for fold in range(n_folds)]
    for group in np.argsort(-sizes, kind="stable").tolist():
        load, fold = heappop(loads)
        fold_of_group[group] = fold
        heappush(loads, (load + int(sizes[group]), fold))
    return fold_of_group


def row_hashes(named: Mapping[str, Column], seed: int = 0) -> Hashes:
    """Return a hash of each row, whatever the order of its columns; at least one must be there.

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

    It is exact where the sketch holds all `n_sketched` rows. Otherwise a sketch of k out of n rows
    stands for n / k times as many as are found in it, wrong by a factor of about 1 ± 1 / √k. What
    equals a row of the sketch `but` is passed over.

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
