"""Fits an estimator on parts: schema first, then what all parts must know, then the levels."""

from dataclasses import dataclass, replace
from operator import add
from typing import Any, Self

import numpy as np

from bough import _core
from bough.constraints import constraints_of, read_directions
from bough.encode import Labels, core_labels
from bough.errors import Argument, BoughError, DataError, ParameterError
from bough.estimators import DecisionTreeClassifier, DecisionTreeRegressor
from bough.estimators.fit_arguments import with_least_rows
from bough.grow.binning import Intervals, SampledRows, ends_of, joined_ends, sample_of
from bough.grow.grow_branch import Ground
from bough.partitioned import Engine, Message, Parts, over_all_parts
from bough.partitioned.levels import Keys, Levels, Pass
from bough.partitioned.read_parts import (
    ReadPart,
    both,
    look_at,
    read_part,
    schema_of,
    weights_of_classes,
)
from bough.pruning.ways import by_cost_complexity
from bough.schema import Schema
from bough.settings import Settings, is_whole
from bough.table import Table
from bough.tree import Tree

CELLS = 64
"""Into about how many intervals the values of a column are cut at first."""
SAMPLED = 256
"""How many values of a column each part tells, for the edges of these."""

Estimator = DecisionTreeClassifier | DecisionTreeRegressor
Exponents = tuple[int, int]


def grown_from(
    engine: Engine, raw_parts: Parts, estimator: Estimator, most_rows: int
) -> tuple[Tree, Settings, list[Pass]]:
    """Return the tree that an estimator grows from parts, its settings, and what was sent."""
    settings = estimator._settings()  # noqa: SLF001
    look = over_all_parts(engine, look_at, both, raw_parts, estimator.task, estimator.types)
    if look is None:
        raise DataError("no partition of X has any rows.")
    of_classes = weights_of_classes(getattr(estimator, "class_weight", None), look)
    if isinstance(estimator, DecisionTreeClassifier):
        look = replace(look, labels=estimator._said_of(look.labels))  # noqa: SLF001
    schema = schema_of(look)
    parts = engine.map(
        read_part, raw_parts, engine.share(schema), engine.share(of_classes), keep=True
    )
    measure = over_all_parts(engine, measured, add_measures, parts, settings.has_intervals)
    if measure.n_rows_with_weight == 0:
        raise DataError("every row has weight 0, so no row is left to grow a tree from.")
    ground = _ground(estimator, settings, schema, measure)
    ground = replace(ground, intervals=_intervals(engine, parts, measure))
    if measure.n_rows_with_weight > most_rows:
        _refuse_by_levels(estimator, ground, most_rows)
        ground = replace(ground, whole=_with_weight(engine, parts, ground, measure))
    edges = {number: _spread_out(keys, CELLS) for number, keys in measure.sample.items()}
    levels = Levels(engine, parts, ground, measure.n_rows_with_weight, edges, most_rows)
    return (
        levels.grow(),
        replace(settings, monotonic_cst=ground.settings.monotonic_cst),
        levels.passes,
    )


@dataclass(frozen=True)
class Measure:
    """What must be known of all rows before any are counted."""

    n_rows: int
    n_rows_with_weight: int
    weighs: Exponents | None  # of the bits that weights have; None: all weigh 1
    weights: tuple[float, float]  # the least and the greatest above 0
    labels: tuple[Exponents, ...]  # of the bits of each output's number labels
    sample: dict[int, Keys]
    """Keys of some values of each compared feature, where every value is told apart."""
    rows: SampledRows | None
    """Rows that tell which values are not."""


def measured(
    part: ReadPart | BoughError | None,
    has_intervals: bool,  # noqa: FBT001
) -> list[Measure | BoughError | None]:
    """Return what is to be known of a part."""
    if part is None or isinstance(part, BoughError):
        return [part]
    labels, weights = part.labels, part.labels.weights
    some = np.ones(1) if weights is None else weights[weights > 0]
    table = part.table.dense()
    sample = {}
    for number, feature in enumerate(table.features):
        if has_intervals or not feature.kind.is_compared:
            continue
        keys = np.unique(_core.value_keys([table.values[number]], feature.kind.core, table.n_rows))
        keys = keys[keys > 0]
        sample[number] = _spread_out(keys, SAMPLED)
    numbers = (
        ()
        if labels.values is None
        else tuple(_core.exponents(each, weights) for each in labels.values)
    )
    return [
        Measure(
            table.n_rows,
            table.n_rows if weights is None else len(some),
            None if weights is None else _core.exponents(weights, None),
            (float(some.min()), float(some.max())) if len(some) else (np.inf, 0.0),
            numbers,
            sample,
            sample_of(table, weights) if has_intervals else None,
        )
    ]


def add_measures(one: Message, other: Message) -> Message:
    """Return what is to be known of the rows of both."""
    for each in (one, other):
        if isinstance(each, BoughError):
            return each
    sample = {
        number: np.unique(np.concatenate([keys, other.sample[number]]))
        for number, keys in one.sample.items()
    }
    return Measure(
        one.n_rows + other.n_rows,
        one.n_rows_with_weight + other.n_rows_with_weight,
        None if one.weighs is None else _wider(one.weighs, other.weighs),
        (min(one.weights[0], other.weights[0]), max(one.weights[1], other.weights[1])),
        tuple(map(_wider, one.labels, other.labels)),
        sample,
        None if one.rows is None else one.rows.joined(other.rows),
    )


def _wider(one: Exponents, other: Exponents) -> Exponents:
    return min(one[0], other[0]), max(one[1], other[1])


def _intervals(engine: Engine, parts: Parts, measure: Measure) -> Intervals | None:
    """Return what is told apart of numbers, where growth is not exact."""
    if measure.rows is None:
        return None
    edges = measure.rows.edges()
    found: Intervals = over_all_parts(engine, intervals_in, joined_ends, parts, edges)
    return found


def intervals_in(part: ReadPart | None, edges: dict[int, Keys]) -> list[Intervals | None]:
    """Return the least and the greatest values of a part in each interval."""
    return [None if part is None else ends_of(part.table.dense(), part.labels.weights, edges)]


def _ground(estimator: Estimator, settings: Settings, schema: Schema, measure: Measure) -> Ground:
    """Return the ground of the whole table, without its rows."""
    table = Table(schema.columns, schema.named, schema.features, (), 0)
    no_rows = np.empty((len(schema.labels), 0))
    labels = Labels(
        schema.labels,
        no_rows.astype(np.int32) if schema.has_classes else None,
        None if schema.has_classes else no_rows,
    )
    directions = read_directions(getattr(estimator, "monotonic_cst", None), table, labels)
    settings = replace(settings, monotonic_cst=directions)
    if settings.min_weight_fraction_leaf > 0 and measure.weights[0] == measure.weights[1]:
        settings = with_least_rows(settings, measure.n_rows_with_weight)
    return Ground(
        table, labels, labels, settings, constraints_of(settings, table),
        measure.n_rows_with_weight, whole=_whole(measure),
    )  # fmt: skip


def _whole(measure: Measure) -> dict[str, Any]:
    """Return what the core must know of the whole table."""
    exponent = 0
    if measure.weighs is not None:
        exponent = _core.grid(*measure.weighs, measure.n_rows, of_weights=True)
    return {
        "weight_exponent": exponent,
        "is_weighted": measure.weighs is not None,
        "label_exponents": [
            _core.grid(*each, measure.n_rows, of_weights=False) for each in measure.labels
        ],
    }


def _with_weight(engine: Engine, parts: Parts, ground: Ground, measure: Measure) -> dict[str, Any]:
    """Return the same with the weight of all rows, in units of its grid."""
    whole = dict(ground.whole or {})
    if measure.weighs is None:
        return whole | {"weight": float(measure.n_rows)}
    settings = ground.core_settings(ground.constraints.allowed)
    return whole | {"weight": float(over_all_parts(engine, weighed, add, parts, settings))}


def weighed(part: ReadPart | None, settings: dict[str, Any]) -> list[int | None]:
    """Return the weight of the rows of a part, a whole number on its grid."""
    if part is None or not np.any(part.labels.weights):
        return [None]
    nodes = np.zeros(part.table.n_rows, np.int32)
    *_, sums = _core.sum_nodes(nodes, core_labels(part.labels), settings)
    return [sum(int(limb) << (64 * place) for place, limb in enumerate(sums[0, 1]))]


def _spread_out(keys: Keys, most: int) -> Keys:
    """Return at most so many keys, between which about equally many values lie."""
    return keys[np.linspace(0, len(keys) - 1, most).astype(int)] if len(keys) > most else keys


def _refuse_by_levels(estimator: Estimator, ground: Ground, most_rows: int) -> None:
    """Refuse settings that are not decided node by node from sums."""
    settings = ground.settings
    refused: dict[str, Any] = {
        "splitter": settings.splitter != "best",
        "max_features": settings.max_features is not None,
        "max_leaf_nodes": settings.max_leaf_nodes is not None,
        "monotonic_cst": settings.is_monotonic,
        "first": bool(settings.first),
        "costs": bool(ground.labels.labels[0].costs),
        "criterion": settings.criterion not in _core.criteria_of_sums(),
    }
    for name, is_refused in refused.items():
        if is_refused:
            raise ParameterError(
                Argument(name, getattr(estimator, name)), " needs all rows in one place, and the "
                f"{ground.n_rows:,} rows are more than the {most_rows:,} of gather_rows. Leave it out, or "
                f"let one worker hold the table: set gather_rows = {ground.n_rows:_} on the estimator.",
            )  # fmt: skip


class FitsParts:
    """Grows the tree of an estimator from parts."""

    gather_rows: int = 1_000_000
    """Nodes of no more rows are grown on one worker. It never changes the tree."""
    passes_: list[Pass]
    """The passes over the partitions that nodes of more rows have taken, and the bytes sent."""

    def _fit_parts(self, engine: Engine, raw_parts: Parts) -> Self:
        estimator: Any = self
        if not is_whole(self.gather_rows) or self.gather_rows < 0:
            raise ParameterError(
                Argument("gather_rows", self.gather_rows),
                " must be a whole number of rows, such as 1_000_000.",
            )
        tree, settings, passes = grown_from(engine, raw_parts, estimator, self.gather_rows)
        estimator._take(by_cost_complexity(tree, float(estimator.ccp_alpha)), settings)  # noqa: SLF001
        self.passes_ = passes
        return self
