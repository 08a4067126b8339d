"""Grows a branch by the core, from its `Ground`: rows, where in a tree they are, and what may be asked there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.constraints import Constraints, feature_directions
from bough.encode import Labels, core_labels, grown_columns
from bough.grow.binning import Intervals, in_values
from bough.grow.short_pivots import OF_PIVOTS, short_pivots, shown_pivots
from bough.schema import Feature, NumberFeatures, Part, Schema, core_features
from bough.settings import SLACK, Settings, columns_drawn, rows_needed
from bough.table import Table, refuse_infinity
from bough.tree import SeenClasses, Tree
from bough.walk import answer_numbers, trails


@dataclass(frozen=True)
class Place:
    """Where in a tree a branch grows."""

    trail: tuple[int, ...] = ()
    """The answers that lead there from the root."""
    asked: tuple[int, ...] = ()
    """The columns that are asked about on the way, one after the other."""

    def below(self, branch: Tree, nodes: Sequence[int]) -> "list[Place]":
        """Return the places of some nodes of the branch that grows here."""
        answers, features = answer_numbers(branch), branch.schema.features
        starts, all_nodes = trails(branch, nodes)
        return [
            Place(
                trail=(*self.trail, *answers[trail[1:]].tolist()),
                asked=(
                    *self.asked,
                    *(features[each].column for each in branch.feature[trail[:-1]]),
                ),
            )
            for trail in np.split(all_nodes, starts[1:-1])
        ]


ROOT = Place()


@dataclass(frozen=True, eq=False)
class Ground:
    """What a branch grows from. Shares in the settings are shares of the whole table."""

    table: Table
    labels: Labels
    """What nodes tell of, as the criterion of the core takes it."""
    searched: Labels
    """The same, with the weights by which queries are chosen."""
    settings: Settings
    constraints: Constraints
    n_rows: int
    """How many rows of the whole table have a weight."""
    n_jobs: int = 1
    match_by_name: bool = False
    regime: Mapping[str, int] | None = None
    rows: NDArray[np.intp] | None = None
    """The rows that get here; None: all of the table."""
    place: Place = ROOT
    whole: Mapping[str, Any] | None = None
    """What the core must know of the whole table, where this one is a part of it."""
    intervals: Intervals | None = None
    """What is told apart of numbers, where growth is not exact."""
    coded: Table | None = None
    """The table with the intervals in the place of values."""

    @cached_property
    def schema(self) -> Schema:
        """What the columns mean to a tree that grows here."""
        return Schema(
            columns=self.table.columns,
            features=self.table.features,
            labels=self.labels.labels,
            named=self.table.named,
            match_by_name=self.match_by_name,
            reading=self.table.reading,
        )

    @cached_property
    def own_rows(self) -> tuple[Table, Labels]:
        """The rows that get here, and their labels."""
        if self.rows is None:
            return self.table, self.labels
        return self.table.rows(self.rows), self.labels.rows(self.rows)

    @cached_property
    def own_searched(self) -> Labels:
        """The labels of the rows that get here, with the weights by which queries are chosen."""
        return self.searched if self.rows is None else self.searched.rows(self.rows)

    @property
    def unasked(self) -> list[int]:
        """The columns to ask about first that are not asked about on the way here.

        None where anything else has been asked, or one of them again: they come before that, and
        not after.
        """
        first, asked = self.constraints.first, self.place.asked
        if len(set(asked)) < len(asked) or not set(asked) <= set(first):
            return []
        return [column for column in first if column not in asked]

    def at(self, branch: Tree, node: int, rows: NDArray[np.intp]) -> "Ground":
        """Return the ground of a node of the branch that grows here, and of some of the rows."""
        return self._at(self.place.below(branch, [node])[0], rows)

    def at_each(
        self, branch: Tree, nodes: Sequence[int], stops: NDArray[np.int32]
    ) -> "Iterator[tuple[int, Ground]]":
        """Give some nodes of the branch that grows here, each with the ground of rows that stop there."""
        order = np.argsort(stops, kind="stable")
        starts, ends = (np.searchsorted(stops[order], nodes, side) for side in ("left", "right"))
        places = self.place.below(branch, nodes)
        for node, place, start, end in zip(nodes, places, starts, ends, strict=True):
            yield node, self._at(place, order[start:end])

    def _at(self, place: Place, rows: NDArray[np.intp]) -> "Ground":
        return replace(self, rows=rows if self.rows is None else self.rows[rows], place=place)

    def leaf(self) -> Tree:
        """Return a single leaf of all rows that get here."""
        return self._grown([0], max_depth=0)

    def stump(self, column: int, part: Part = Part.ITSELF) -> Tree:
        """Return the best query about a column, and a leaf for each answer; a leaf if it has none.

        That about a date may be about any part of it, if none is named.
        """
        features = [
            number
            for number, each in enumerate(self.table.features)
            if each.column == column and part in (Part.ITSELF, each.part)
        ]
        return self._grown(features, max_depth=min(1, self.depth_left), max_features=0)

    def branch(self) -> Tree:
        """Return what grows from all columns that may be asked about."""
        return self._grown(self.constraints.allowed)

    def _grown(self, features: Sequence[int], **others: object) -> Tree:
        """Return what the core grows from some features, with some settings of the core's own."""
        table = (self.coded or self.table).only(features)
        settings = self.core_settings(features) | others | dict(self.regime or {})
        if self.rows is not None:
            table = table.rows(self.rows)
        try:
            arrays = _core.grow(
                grown_columns(table),
                **core_features(table.features),
                labels=core_labels(self.own_searched),
                settings=settings,
                n_threads=self.n_jobs,
            )
        except _core.InfiniteNumber:
            refuse_infinity(table)
            raise
        return self.tree_of(arrays, features, is_whole=True)

    def tree_of(
        self, arrays: dict[str, Any], features: Sequence[int], *, is_whole: bool = False
    ) -> Tree:
        """Return the tree that the core has grown from some features, with pivots short to say.

        `is_whole`: all of its arrays come from the core, so that they need no check.
        """
        if len(features) < len(self.table.features):
            arrays["feature"] = np.array([*features, -1], np.int32)[arrays["feature"]]
        if self.intervals:
            arrays = in_values(arrays, self.table, self.intervals)
        if not self._has_integer_pivots(arrays):
            arrays["pivot_int"] = None
        if (seen := arrays.pop("classes_seen", None)) is not None:
            start, code, weight = seen
            n_classes = len(self.schema.labels[0].classes)
            arrays["seen"] = SeenClasses(start, code, weight, n_classes)
        is_round = self.settings.pivots == "round"
        if is_whole and not is_round and not self.intervals:
            of_pivots = {name: arrays[name] for name in OF_PIVOTS}
            return Tree.grown(
                self.schema, arrays, partial(shown_pivots, of_pivots, self.table.features)
            )
        arrays |= short_pivots(arrays, self.table.features, is_round=is_round)
        del arrays["gap"]
        if seen is not None:
            arrays["tally"] = arrays.pop("seen").tally()
        return Tree(schema=self.schema, **arrays)

    def _has_integer_pivots(self, arrays: dict[str, Any]) -> bool:
        """Return whether a pivot of the arrays is a whole number beyond the floats."""
        if isinstance(self.table.features, NumberFeatures):
            return False
        is_below = (arrays["query_kind"] == 0) & (arrays["feature"] >= 0)
        return bool(np.any(is_below & np.isnan(arrays["pivot"])))

    def core_settings(self, features: Sequence[int]) -> dict[str, Any]:
        settings, n_features = self.settings, len(features)
        drawn = columns_drawn(settings.max_features, n_features)
        kept: Sequence[Feature] = self.table.features
        if n_features < len(kept):
            kept = [kept[number] for number in features]
        sizes = core_features(kept)["n_choices"]
        whole = {} if self.whole is None else {"whole": dict(self.whole)}
        return whole | {
            "criterion": core_criterion(settings.criterion),
            "quantile": settings.level,
            "draw_pivots": settings.splitter == "random",
            "max_depth": self.depth_left,
            "min_samples_split": min(
                rows_needed(settings.min_samples_split, self.n_rows, 2), 2**62
            ),
            "min_samples_leaf": min(rows_needed(settings.min_samples_leaf, self.n_rows, 1), 2**62),
            "min_weight_fraction_leaf": self._of_part(settings.min_weight_fraction_leaf),
            "min_impurity_decrease": self._of_part(settings.min_impurity_decrease),
            "max_leaf_nodes": int(settings.max_leaf_nodes or 0),
            "max_features": 0 if drawn >= n_features else drawn,
            "seed": int(settings.random_state) % 2**64,
            "trail": self.place.trail,
            "directions": feature_directions(settings.monotonic_cst, kept),
            "column_numbers": list(features) if n_features < len(self.table.features) else [],
            "grouped": [settings.groups(size) for size in sizes.tolist()] if sizes.any() else [],
        }

    @property
    def depth_left(self) -> int:
        """How many queries may follow each other from here on."""
        if self.settings.max_depth is None:
            return 2**62
        return max(min(int(self.settings.max_depth), 2**62) - len(self.place.trail), 0)

    def _of_part(self, least: float) -> float:
        """Return what a least share of the table is as a share of the rows that get here."""
        if least == 0 or self.rows is None or self.whole is not None:
            return float(least)
        slack = float(SLACK)  # is a share of the table, too
        return (least - slack) / self._share + slack

    @cached_property
    def _share(self) -> float:
        """The share of the table's weight that gets here, in whichever order it is summed up."""
        return self.own_searched.weight / self.searched.weight


def core_criterion(criterion: str) -> str:
    """Return the criterion by its name in the core."""
    return "squared_error" if criterion == "ndcg" else criterion
