"""The rows of small nodes, gathered on one worker, which grows all that is below them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.encode import Labels
from bough.grow import Ground, Place, ground_of, grown
from bough.partitioned.read_parts import ReadPart
from bough.predict import stops
from bough.table import Table
from bough.tree import Tree


class TakenRows(NamedTuple):
    """TakenRows of some nodes, and which node each of them is at."""

    table: Table
    labels: Labels
    nodes: NDArray[np.int32]


def taken(
    part: ReadPart | None, task: tuple[Tree, Sequence[Sequence[int]]]
) -> list[TakenRows | None]:
    """Return the rows of a part that are at the nodes of each bin."""
    tree, bins = task
    if part is None:
        return [None] * len(bins)
    bin_of = np.full(len(tree), -1)
    for number, nodes in enumerate(bins):
        bin_of[nodes] = number
    here = stops(tree, part.table)
    if part.labels.weights is not None:
        here = np.where(part.labels.weights > 0, here, -1)
    of_row = np.where(here < 0, -1, bin_of[here])
    order = np.argsort(of_row, kind="stable")
    starts = np.searchsorted(of_row[order], np.arange(len(bins) + 1))
    found: list[TakenRows | None] = []
    for start, end in pairwise(starts):
        rows = order[start:end]
        some = TakenRows(part.table.rows(rows), part.labels.rows(rows), here[rows])
        found.append(some if len(rows) else None)
    return found


def joined(one: TakenRows, other: TakenRows) -> TakenRows:
    """Return the rows of both."""
    both = (one.table, other.table)
    values = tuple(
        np.concatenate([table.values[place] for table in both])
        for place in range(len(one.table.features))
    )
    table = replace(one.table, values=values, n_rows=one.table.n_rows + other.table.n_rows)
    return TakenRows(table, _joined_labels(one, other), np.concatenate([one.nodes, other.nodes]))


def _joined_labels(one: TakenRows, other: TakenRows) -> Labels:
    def both(name: str, axis: int) -> NDArray[np.generic] | None:
        arrays = [getattr(each.labels, name) for each in (one, other)]
        if all(array is None for array in arrays):
            return None
        ones = [
            np.ones(each.table.n_rows) if array is None else array
            for each, array in zip((one, other), arrays, strict=True)
        ]
        return np.concatenate(ones, axis=axis)

    return Labels(one.labels.labels, both("codes", 1), both("values", 1), both("weights", 0))  # type: ignore[arg-type]


def pieces_of(
    number: int,
    rows: TakenRows,
    *,
    ground: Ground,
    places: Mapping[int, Place],
    bins: Sequence[Sequence[int]],
) -> dict[int, Tree]:
    """Return the branch that grows at each node of a bin."""
    found = {}
    for node in bins[number]:
        own = np.flatnonzero(rows.nodes == node)
        table, labels = rows.table.rows(own), rows.labels.rows(own)
        here = ground_of(table, labels, ground.settings, intervals=ground.intervals)
        place = places[node]
        whole = ground.whole if place.trail else None  # the root has all rows, as in memory
        here = replace(here, n_rows=ground.n_rows, place=place, whole=whole)
        found[node] = grown(here)
    return found
