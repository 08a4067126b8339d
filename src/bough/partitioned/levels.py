"""Growth by levels over parts: every part counts, exact sums say what is asked; small nodes are gathered.

A node of more rows than one worker takes is searched from sums of all parts: those of cells of each
column first, then, inside the cells that may hold the best cut, of finer cells, and at last of single
values. Sums are integers, and cells that are not looked into cannot hold a cut as good as the best, so
the query is the one that is found in memory. The rows of smaller nodes go to one worker, which grows
all that is below. What the nodes say is worked out at the end, from the sums of the leaves.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.encode import core_columns, core_labels
from bough.grow import filled_by_sums, graft
from bough.grow.binning import coded, coded_features
from bough.grow.grow_branch import Ground, Place
from bough.partitioned import Engine, Message, over_all_parts
from bough.partitioned.read_parts import ReadPart, joined, pieces_of, taken
from bough.predict import stops
from bough.schema import core_features
from bough.tree import Tree

Keys = NDArray[np.uint64]
LAST = 2**64 - 1  # the greatest key

SUB_CELLS = 64
"""Into how many cells an interval is cut that may hold the best cut."""
FEW_ROWS = 4096
"""Intervals of no more rows are looked at value by value."""
MOST_REQUESTS = 20_000
"""Columns of nodes that one pass counts, so that what a part sends stays below some 100 MB."""

logger = logging.getLogger("bough")


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


@dataclass(frozen=True)
class Pass:
    """One pass over all parts, and what it cost."""

    level: int
    n_nodes: int
    n_requests: int
    sent: int
    """Bytes of sums that all parts together have sent."""


@dataclass
class Levels:
    """Grows a tree from parts."""

    engine: Engine
    parts: Any
    ground: Ground
    """That of the whole table, without its rows."""
    n_rows: int
    """How many rows of the table have a weight."""
    edges: Mapping[int, Keys]
    """Of each compared feature, keys between cells; of those that have intervals, none."""
    most_rows: int
    """Nodes of no more rows are gathered on one worker."""
    passes: list[Pass] = field(default_factory=list)

    def grow(self) -> Tree:
        tree, waiting = self._leaf(), [0]
        if self.n_rows <= self.most_rows:
            return self._gathered(tree, [()])
        small: list[tuple[int, ...]] = []
        places = {0: self.ground.place}
        while waiting:
            large = [node for node in waiting if tree.n_rows[node] > self.most_rows]
            small += [places[node].trail for node in waiting if node not in large]
            stumps: dict[int, Tree] = {}
            together = max(1, MOST_REQUESTS // len(self.ground.constraints.allowed))
            for start in range(0, len(large), together):
                some = large[start : start + together]
                stumps |= self._searched(tree, {node: places[node] for node in some})
            if not stumps:
                break
            tree, moved = graft(tree, stumps)
            waiting = [node for leaf in stumps for node in moved[leaf][1:].tolist()]
            places = dict(zip(waiting, self.ground.place.below(tree, waiting), strict=True))
        tree = self._gathered(tree, small)
        return self._filled(tree)

    def _leaf(self) -> Tree:
        leaf = {
            "feature": np.array([-1], np.int32), "query_kind": np.zeros(1, np.uint8),
            "pivot": np.array([np.nan]), "pivot_int": np.zeros(1, np.int64),
            "gap": np.zeros(2, np.int64), "codes": np.empty(0, np.int32),
            "answers": np.empty(0, np.int32), "codes_start": np.zeros(2, np.int32),
            "first_child": np.array([-1], np.int32), "n_children": np.zeros(1, np.int32),
            "missing_child": np.array([-1], np.int32), "impurity": np.zeros(1), "gain": np.zeros(1),
            "n_rows": np.array([self.n_rows]),
        }  # fmt: skip
        return self._tree(leaf)

    def _tree(self, arrays: dict[str, Any]) -> Tree:
        """Return a tree of which nothing but queries and rows is known yet."""
        labels, n_nodes = self.ground.schema.labels, len(arrays["n_rows"])
        width = max(len(label.classes) for label in labels)
        arrays["tally"] = np.ones((n_nodes, len(labels), width or 3))
        for output, label in enumerate(labels):
            if width:
                arrays["tally"][:, output, len(label.classes) :] = 0
        arrays["guess"] = None if width else np.zeros((n_nodes, len(labels)))
        return self.ground.tree_of(arrays, self.ground.constraints.allowed)

    def _searched(self, tree: Tree, places: Mapping[int, Place]) -> dict[int, Tree]:
        """Return the queries of large nodes; those that stay leaves have none."""
        grounds = {node: replace(self.ground, place=place) for node, place in places.items()}
        nodes = [node for node, ground in grounds.items() if ground.depth_left > 0]
        if not nodes:
            return {}
        allowed = self.ground.constraints.allowed
        requests = [
            CountRequest(number, feature, edges=self.edges.get(feature))
            for number in range(len(nodes)) for feature in allowed
        ]  # fmt: skip
        level = len(places[nodes[0]].trail)
        sums, values = self._asked(tree, nodes, requests, level)
        columns = by_place(values, len(requests))
        found: dict[int, Tree] = {}
        open_nodes = {
            number: _OpenNode(
                _one(sums, number), columns[number * len(allowed) : (number + 1) * len(allowed)]
            )
            for number in range(len(nodes))
        }
        while open_nodes:
            finer: list[tuple[int, int, list[int], list[CountRequest]]] = []
            for number, here in list(open_nodes.items()):
                result = self._search(grounds[nodes[number]], here)
                if len(result["alive"]) == 0:
                    del open_nodes[number]
                    if not result["is_leaf"]:
                        found[nodes[number]] = self._tree(result["stump"])
                else:
                    finer += here.requests(number, result["alive"], allowed)
            self._refine(tree, nodes, open_nodes, finer, level)
        return found

    def _search(self, ground: Ground, here: "_OpenNode") -> dict[str, Any]:
        allowed = ground.constraints.allowed
        all_features = coded_features(ground.table.features, ground.intervals or {})
        features = [all_features[number] for number in allowed]
        return _core.search_parts(
            [tuple(column) for column in here.columns],
            core_features(features)["kinds"],
            here.sums,
            [len(label.classes) for label in ground.labels.labels],
            ground.core_settings(allowed),
        )

    def _refine(
        self,
        tree: Tree,
        nodes: Sequence[int],
        open_nodes: Mapping[int, "_OpenNode"],
        finer: Sequence[tuple[int, int, list[int], list[CountRequest]]],
        level: int,
    ) -> None:
        """Ask for what lies inside some intervals, and put it in their place."""
        requests = [request for *_, of_column in finer for request in of_column]
        if not requests:
            return
        _, values = self._asked(tree, nodes, requests, level)
        columns, first = by_place(values, len(requests)), 0
        for number, place, intervals, of_column in finer:
            last = first + len(of_column)
            all_columns = open_nodes[number].columns
            all_columns[place] = all_columns[place].replaced(intervals, columns[first:last])
            first = last

    def _asked(
        self, tree: Tree, nodes: Sequence[int], requests: Sequence[CountRequest], level: int
    ) -> tuple[Entries, Entries]:
        allowed = self.ground.constraints.allowed
        settings = self.ground.core_settings(allowed)
        task = (tree, list(nodes), list(requests), settings, self.ground.intervals)
        sums, values, sent = over_all_parts(self.engine, counted, add_counted, self.parts, task)
        self.passes.append(Pass(level, len(nodes), len(requests), sent))
        words = "level %d: %d nodes, %d requests, %d bytes"
        logger.info(words, level, len(nodes), len(requests), sent)
        return sums, values

    def _gathered(self, tree: Tree, trails: Sequence[tuple[int, ...]]) -> Tree:
        """Return the tree with all that grows below small nodes, given by the answers that lead there."""
        leaves = np.flatnonzero(tree.feature < 0).tolist()
        all_places = zip(leaves, self.ground.place.below(tree, leaves), strict=True)
        wanted = set(trails)
        places = {node: place for node, place in all_places if place.trail in wanted}
        if not places:
            return tree
        bins: list[list[int]] = []
        room = 0
        for node in places:
            rows = int(tree.n_rows[node])
            if rows > room:
                bins.append([])
                room = self.most_rows
            bins[-1].append(node)
            room -= rows
        taking = self.engine.map(taken, self.parts, self.engine.share((tree, bins)))
        then = partial(pieces_of, ground=self.ground, places=places, bins=bins)
        pieces: dict[int, Tree] = {}
        for each in self.engine.reduce(joined, taking, len(bins), then):
            pieces |= each
        logger.info("%d small nodes grown in %d tasks", len(places), len(bins))
        return graft(tree, pieces)[0]

    def _filled(self, tree: Tree) -> Tree:
        """Return the tree whose nodes say what their rows tell."""
        settings = self.ground.core_settings(self.ground.constraints.allowed)
        leaves = over_all_parts(self.engine, summed, add, self.parts, (tree, settings))
        return filled_by_sums(tree, tuple(leaves), settings)


@dataclass
class _OpenNode:
    """A large node: what all its rows add up to, and what is known of its columns."""

    sums: tuple[Keys, Keys]
    columns: list[Intervals]

    def requests(
        self, number: int, alive: NDArray[np.int64], allowed: Sequence[int]
    ) -> list[tuple[int, int, list[int], list[CountRequest]]]:
        """Return what to ask inside the intervals that are alive, by column."""
        found = []
        for place in np.unique(alive[:, 0]).tolist():
            intervals = alive[alive[:, 0] == place, 1].tolist()
            ends, sums = self.columns[place]
            asked = []
            for interval in intervals:
                low, high = map(int, ends[interval])
                is_small = int(sums[interval, 0, 0]) <= FEW_ROWS
                edges = None if is_small else finer_edges(low, high, SUB_CELLS)
                asked.append(CountRequest(number, allowed[place], low, high, edges))
            found.append((number, place, intervals, asked))
        return found


def counted(part: ReadPart | None, task: Message) -> list[Any]:
    """Return what the rows of a part add up to at some nodes, and what requests ask of them."""
    if part is None:
        return [None]
    tree, nodes, requests, settings, intervals = task
    number_of = np.full(len(tree), -1, np.int32)
    number_of[nodes] = np.arange(len(nodes))
    here = number_of[stops(tree, part.table)]
    labels = core_labels(part.labels)
    sums = Entries(*_core.sum_nodes(here, labels, settings))
    table = coded(part.table.dense(), intervals or {})
    values = Entries(
        *_core.sum_values(
            core_columns(table), core_features(table.features)["kinds"], here, labels, settings,
            **core_requests(requests),
        )
    )  # fmt: skip
    return [(sums, values, sums.nbytes + values.nbytes)]


def add_counted(one: Message, other: Message) -> Message:
    """Return what two parts have counted, added up."""
    return add(one[0], other[0]), add(one[1], other[1]), one[2] + other[2]


def summed(part: ReadPart | None, task: tuple[Tree, dict[str, Any]]) -> list[Entries | None]:
    """Return what the rows of a part add up to at each leaf."""
    if part is None:
        return [None]
    tree, settings = task
    return [Entries(*_core.sum_nodes(stops(tree, part.table), core_labels(part.labels), settings))]


def _one(entries: Entries, key: int) -> tuple[Keys, Keys]:
    place = np.searchsorted(entries.keys, key)
    return entries.ends[place : place + 1], entries.sums[place : place + 1]
