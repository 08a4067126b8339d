"""Exact sums of the rows of parts, by node and by interval of a column, as arrays that add up."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough import _core

Keys = NDArray[np.uint64]
LAST = 2**64 - 1  # the greatest key


class Entries(NamedTuple):
    """Sums by place and key; `_core.add_entries` adds those of two parts."""

    places: NDArray[np.int32]
    keys: Keys
    ends: Keys  # (entries, …): the least and the greatest of something, in turn
    sums: Keys  # (entries, sums, limbs): integers, the lowest limb first

    @property
    def nbytes(self) -> int:
        return sum(each.nbytes for each in self)


def add(one: Entries, other: Entries) -> Entries:
    """Return the entries of two parts, added up."""
    return Entries(*_core.add_entries(tuple(one), tuple(other)))


class Intervals(NamedTuple):
    """The intervals of a column at a node, in order; missing values have the key 0."""

    ends: Keys  # (intervals, 2)
    sums: Keys  # (intervals, sums, limbs)

    def replaced(self, places: Sequence[int], finer: Sequence["Intervals"]) -> "Intervals":
        """Return the column in which finer intervals are in the place of some."""
        kept = Intervals(np.delete(self.ends, places, 0), np.delete(self.sums, places, 0))
        ends = np.concatenate([kept.ends, *(each.ends for each in finer)])
        sums = _stacked([kept.sums, *(each.sums for each in finer)])
        order = np.argsort(ends[:, 0], kind="stable")
        return Intervals(ends[order], sums[order])


def by_place(entries: Entries, n: int) -> list[Intervals]:
    """Return the entries of each place."""
    starts = np.searchsorted(entries.places, np.arange(n + 1))
    return [
        Intervals(entries.ends[start:end], entries.sums[start:end])
        for start, end in pairwise(starts)
    ]


def _stacked(sums: Sequence[Keys]) -> Keys:
    """Return sums below each other, with as many limbs as the widest has."""
    limbs = max(each.shape[2] for each in sums)
    wide = []
    for each in sums:
        is_negative = each[:, :, -1:] >> np.uint64(63)
        fill = np.repeat(np.uint64(0) - is_negative, limbs - each.shape[2], axis=2)
        wide.append(np.concatenate([each, fill], axis=2))
    return np.ascontiguousarray(np.concatenate(wide))


@dataclass(frozen=True)
class CountRequest:
    """What is asked of every part: the values of a feature at a node whose keys lie in a range.

    They come in cells: each edge is one, and so is what lies between two edges. Without edges, value
    by value.
    """

    node: int
    feature: int
    low: int = 0
    high: int = LAST
    edges: Keys | None = None


def core_requests(requests: Sequence[CountRequest]) -> dict[str, Any]:
    """Return requests as keyword arguments of the core."""
    edges = [np.empty(0, np.uint64) if each.edges is None else each.edges for each in requests]
    return {
        "asked": np.array([[each.node, each.feature] for each in requests], np.int32),
        "ranges": np.array([[each.low, each.high] for each in requests], np.uint64),
        "edges_start": np.cumsum([0, *map(len, edges)]).astype(np.int64),
        "edges": np.concatenate(edges),
    }


def finer_edges(low: int, high: int, n: int) -> Keys:
    """Return keys evenly between two."""
    return np.unique(np.array([low + (high - low) * i // n for i in range(1, n)], np.uint64))
