"""At most 255 intervals in the place of the values of a number: what `exact=False` grows from.

Where intervals begin is told by rows that are drawn by a hash of their values. So it is the same in
any order of the rows, in any parts of a table, and however often a row comes or what it weighs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.encode import aligned
from bough.query_kinds import QueryKind
from bough.schema import Feature, Kind
from bough.table import Table
from bough.table.numbers import SparseNumbers
from bough.table.value_hashes import mixed

MOST_INTERVALS = 255
SAMPLED = 2**14
"""How many rows tell where intervals begin."""
WITH_INTERVALS = (Kind.NUMBER, Kind.INTEGER, Kind.DATE)
LARGEST = 2**53  # beyond it, the pivot between whole numbers is one

_SIGN = np.uint64(2**63)  # the key of 0, too
_FIRST = np.uint64(1)  # the least key of a value; that of a missing one is 0

Keys = NDArray[np.uint64]
Weights = NDArray[np.float64] | None
Intervals = Mapping[int, Keys]
"""Of features that have them, by number: the first and the last key of each, (intervals, 2)."""


@dataclass(frozen=True)
class SampledRows:
    """Rows that tell where intervals begin; those of two parts of a table can be joined."""

    hashes: Keys
    keys: Mapping[int, Keys]
    """The values of each feature in these rows, as keys."""
    few: Mapping[int, Keys]
    """All values of the features that have no more of them than intervals."""

    def joined(self, other: "SampledRows") -> "SampledRows":
        """Return the sample of the rows of both."""
        hashes, place = np.unique(np.append(self.hashes, other.hashes), return_index=True)
        place = place[:SAMPLED]
        keys = {
            number: np.append(one, other.keys[number])[place] for number, one in self.keys.items()
        }
        both = {number: np.union1d(self.few[number], other.few[number])
                for number in self.few.keys() & other.few.keys()}  # fmt: skip
        few = {number: each for number, each in both.items() if len(each) <= MOST_INTERVALS}
        return SampledRows(hashes[:SAMPLED], keys, few)

    def edges(self) -> dict[int, Keys]:
        """Return the key with which each interval begins, for features of more values than intervals."""
        return {
            number: _edges(keys) for number, keys in self.keys.items() if number not in self.few
        }


def intervals_of(table: Table, weights: Weights) -> Intervals:
    """Return the intervals of the features of a table."""
    return ends_of(table, weights, sample_of(table, weights).edges())


def sample_of(table: Table, weights: Weights) -> SampledRows:
    """Return the rows of a table with the smallest hashes, among those that have weight."""
    hashes = _row_hashes(table)
    own = np.arange(table.n_rows) if weights is None else np.flatnonzero(weights)
    rows = own[_smallest(hashes[own])]
    sampled = table.rows(rows)
    keys, few = {}, {}
    for number in _numbers(table):
        keys[number] = _keys(sampled, number)
        if len(np.unique(keys[number])) <= MOST_INTERVALS:
            found = np.unique(_keys(table, number)[own])
            found = found[found >= _FIRST]
            if len(found) <= MOST_INTERVALS:
                few[number] = found
    return SampledRows(hashes[rows], keys, few)


def ends_of(table: Table, weights: Weights, edges: Mapping[int, Keys]) -> Intervals:
    """Return the intervals that begin with some keys, among the rows with weight."""
    found = {}
    for number, of_feature in edges.items():
        keys = _keys(table, number)
        keys = np.sort(keys if weights is None else keys[weights > 0])
        before_next = np.append(np.searchsorted(keys, of_feature[1:]), len(keys))
        most = np.append(np.uint64(0), keys)[before_next]
        found[number] = np.stack([of_feature, np.where(most < of_feature, 0, most)], axis=1)
    return found


def joined_ends(one: Intervals, other: Intervals) -> Intervals:
    """Return the intervals of the rows of two parts of a table, which begin with the same keys."""
    return {number: np.maximum(ends, other[number]) for number, ends in one.items()}


def coded(table: Table, intervals: Intervals) -> Table:
    """Return the table with the number of its interval in the place of each value."""
    features = coded_features(table.features, intervals)
    if isinstance(table.values, SparseNumbers):
        return replace(table, values=_coded_sparse(table, intervals))
    values = tuple(
        _places(intervals[number][:, 0], _keys(table, number)).astype(np.int16)
        if number in intervals
        else table.values[number]
        for number in range(len(features))
    )
    return replace(table, features=features, values=values)


def coded_features(features: Sequence[Feature], intervals: Intervals) -> tuple[Feature, ...]:
    """Return the features of a table that is not sparse, as they are once it is coded."""
    return tuple(
        replace(each, kind=Kind.ORDERED, choices=tuple(range(len(intervals[number]))))
        if number in intervals
        else each
        for number, each in enumerate(features)
    )


def in_values(arrays: dict[str, Any], table: Table, intervals: Intervals) -> dict[str, Any]:
    """Return the arrays of a tree that was grown from a coded table, which compares values again.

    A pivot lies halfway between the greatest value of an interval and the least of another one; no
    row of the node has a value between these intervals.
    """
    pivot, whole = arrays["pivot"].copy(), arrays["pivot_int"].copy()
    gap = arrays["gap"].reshape(-1, 2).copy()
    asks = (arrays["feature"] >= 0) & (arrays["query_kind"] == QueryKind.BELOW)
    for number, ends in intervals.items():
        nodes = np.flatnonzero(asks & (arrays["feature"] == number))
        codes = gap[nodes].view(np.float64).astype(np.intp)
        if isinstance(table.values, SparseNumbers):
            codes += _place_of_zero(ends)
        low, high = ends[codes[:, 0], 1], ends[codes[:, 1], 0]
        if not table.features[number].kind.is_integer:
            pivot[nodes], gap[nodes] = _between(_floats(low), _floats(high))
            continue
        low, high = ((each ^ _SIGN).view(np.int64) for each in (low, high))
        is_far = (low < -LARGEST) | (high > LARGEST)
        pivot[nodes], gap[nodes] = _between(low.astype(float), high.astype(float))
        pivot[nodes[is_far]], gap[nodes[is_far]] = np.nan, np.stack([low, high], axis=1)[is_far]
        whole[nodes[is_far]] = [
            -(-sum(ends) // 2) for ends in gap[nodes[is_far]].tolist()
        ]  # as Python's, which may be of any size
    return arrays | {"pivot": pivot, "pivot_int": whole, "gap": gap.ravel()}


def _between(low: NDArray[Any], high: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the pivots between floats as the core places them, and the bits of these."""
    with np.errstate(over="ignore"):
        middle = np.where(np.isinf(low + high), low / 2 + high / 2, (low + high) / 2)
    gap = np.stack([low, high], axis=1).view(np.int64)
    return np.where(middle > low, middle, high) + 0.0, gap


def _floats(keys: Keys) -> NDArray[np.float64]:
    return np.where(keys & _SIGN, keys ^ _SIGN, ~keys).view(np.float64)


def _numbers(table: Table) -> Iterator[int]:
    """Give the features that may have intervals; few numbers of a sparse one need not be looked at."""
    values = table.values
    for number, feature in enumerate(table.features):
        if isinstance(values, SparseNumbers):
            stored = values.stored(number)
            is_small = stored.stop - stored.start < MOST_INTERVALS
        else:
            is_small = False
        if feature.kind in WITH_INTERVALS and not is_small:
            yield number


def _keys(table: Table, number: int) -> Keys:
    """Return the values of a feature as keys, in the order of values; 0 where they are missing."""
    return _keys_of(table.values[number], table.features[number].kind)


def _keys_of(values: NDArray[Any], kind: Kind) -> Keys:
    return _core.value_keys([aligned(values)], kind.core, len(values))


def _row_hashes(table: Table) -> Keys:
    """Return a hash of each row; a 0 adds nothing to it."""
    total = np.zeros(table.n_rows, np.uint64)
    for number, feature in enumerate(table.features):
        rows, values = _stored(table, number)
        keys = _keys_of(values, feature.kind)
        salt = mixed(np.array([number], np.uint64))
        total[rows] += np.where(keys == _SIGN, np.uint64(0), mixed(keys ^ salt))
    return mixed(total)


def _stored(table: Table, number: int) -> tuple[Any, NDArray[Any]]:
    """Return rows, and the values of a feature in them; it is 0 in all others."""
    sparse = table.values
    if not isinstance(sparse, SparseNumbers):
        return slice(None), sparse[number]
    stored = sparse.stored(number)
    return sparse.by_column.indices[stored], sparse.by_column.data[stored]


def _smallest(hashes: Keys) -> NDArray[np.intp]:
    """Return where the smallest hashes stand, one place for each."""
    n_taken = SAMPLED
    while True:
        rows = np.arange(len(hashes))
        if n_taken < len(hashes):
            rows = np.argpartition(hashes, n_taken)[:n_taken]
        _, first = np.unique(hashes[rows], return_index=True)
        if len(first) >= SAMPLED or len(rows) == len(hashes):
            return rows[first[:SAMPLED]]
        n_taken *= 4


def _edges(keys: Keys) -> Keys:
    """Return the first key of each interval, so that about equally many of these keys are in each.

    A value that is in the place of several ends has an interval of its own.
    """
    values, counts = np.unique(keys[keys >= _FIRST], return_counts=True)
    before = np.append(0, np.cumsum(counts)) * MOST_INTERVALS
    ends = np.arange(1, MOST_INTERVALS) * counts.sum()
    after = np.searchsorted(before, ends)
    nearest = after - (ends - before[after - 1] <= before[after] - ends)
    cuts = np.unique(nearest)
    return np.append(_FIRST, values[cuts[(cuts > 0) & (cuts < len(values))]])


def _places(edges: Keys, keys: Keys) -> NDArray[np.intp]:
    """Return the interval of each key; -1 for a missing value."""
    return np.searchsorted(edges, keys, side="right") - 1


def _place_of_zero(ends: Keys) -> int:
    return int(_places(ends[:, 0], np.array([_SIGN]))[0])


def _coded_sparse(table: Table, intervals: Intervals) -> SparseNumbers:
    """Return the intervals of numbers, counted from that of 0."""
    assert isinstance(table.values, SparseNumbers)  # noqa: S101
    sparse = table.values
    found = sparse.by_column.astype(np.float64)
    for number, ends in intervals.items():
        stored = sparse.stored(number)
        keys = _keys_of(sparse.by_column.data[stored], Kind.NUMBER)
        places = _places(ends[:, 0], keys)
        found.data[stored] = np.where(places < 0, np.nan, places - _place_of_zero(ends))
    return SparseNumbers(found)
