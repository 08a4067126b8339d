"""Parts of a table, as their engine holds them → parts that the core counts, all with one schema; the rows of small nodes, gathered from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.encode import Labels
from bough.errors import BoughError, DataError, listed
from bough.estimators.fit_arguments import ClassWeight, read_class_weights, read_weights
from bough.estimators.labels import class_array, code_classes, read_classes, read_numbers
from bough.grow import ground_of, grown
from bough.grow.grow_branch import Ground, Place
from bough.partitioned import Message
from bough.predict import stops
from bough.schema import Feature, Kind, Label, Schema, Task, what_are
from bough.table import Table, read, read_like, refuse_infinity
from bough.table.source import Types
from bough.tree import Tree

Counts = tuple[NDArray[np.float64], ...]  # of each class, for each output
Problem = BoughError  # an error is a value until it reaches the user: engines wrap what is raised


@dataclass(frozen=True)
class RawPart:
    """Some rows of the table as a data frame or an array, with their labels and weights."""

    number: int
    X: Any
    y: Any
    weight: Any = None


@dataclass(frozen=True)
class ReadPart:
    """Some rows as the core counts them."""

    table: Table
    labels: Labels


@dataclass(frozen=True)
class Seen:
    """A feature, and where it was seen."""

    feature: Feature
    part: int
    is_empty: bool
    """Whether it has no value there at all, so that its kind says nothing."""


@dataclass(frozen=True)
class PartLook:
    """What some parts hold: the columns, and the labels."""

    part: int
    columns: tuple[str, ...]
    named: bool
    seen: tuple[tuple[Seen, ...], ...]  # of each column, those of its features
    labels: tuple[Label, ...]
    counts: Counts
    n_rows: int


def look_at(raw: RawPart, task: Task, types: Types | None) -> list[PartLook | Problem | None]:
    """Return what a part holds, as one piece to reduce; none if it has no rows."""
    if _n_rows(raw.X) == 0:
        return [None]
    return [_named(raw, lambda: _look(raw, task, types))]


def both(one: PartLook | Problem, other: PartLook | Problem) -> PartLook | Problem:
    """Return what two parts hold together."""
    for each in (one, other):
        if isinstance(each, Problem):
            return each
    assert isinstance(one, PartLook) and isinstance(other, PartLook)  # noqa: S101, PT018
    first, second = sorted((one, other), key=lambda each: each.part)
    if first.columns != second.columns:
        return DataError(
            f"partition {second.part} has the columns {listed(second.columns)}, but partition "
            f"{first.part} has {listed(first.columns)}. Give all partitions the same columns, in "
            "the same order."
        )
    try:
        labels, counts = _joined_labels(first, second)
        seen = tuple(map(_joined_features, first.seen, second.seen))
    except DataError as error:
        return error
    n_rows = first.n_rows + second.n_rows
    return replace(first, seen=seen, labels=labels, counts=counts, n_rows=n_rows)


def schema_of(look: PartLook) -> Schema:
    """Return what the columns of all parts mean."""
    features = tuple(each.feature for of_column in look.seen for each in of_column)
    return Schema(look.columns, features, look.labels, named=look.named)


def weights_of_classes(
    class_weight: ClassWeight, look: PartLook
) -> list[NDArray[np.float64]] | None:
    """Return the weight of each class, for each output."""
    if class_weight is None:
        return None
    found = []
    for output, (label, counts) in enumerate(zip(look.labels, look.counts, strict=True)):
        classes = class_array(label)
        of_output: Any = class_weight
        if isinstance(class_weight, str):
            if class_weight == "balanced":
                balanced = counts.sum() / (len(counts) * counts)  # scikit-learn's formula
                of_output = dict(zip(classes.tolist(), balanced.tolist(), strict=True))
        elif len(look.labels) > 1 and isinstance(class_weight, list | tuple):
            of_output = class_weight[output]
        weights = read_class_weights(of_output, classes[:, np.newaxis])
        assert weights is not None  # noqa: S101 - there is a class_weight
        found.append(weights)
    return found


def read_part(
    raw: RawPart, schema: Schema, of_classes: list[NDArray[np.float64]] | None
) -> ReadPart | Problem | None:
    """Return a part as the core counts it; none if it has no rows."""
    if _n_rows(raw.X) == 0:
        return None
    found: ReadPart | Problem = _named(raw, lambda: _read(raw, schema, of_classes))
    return found


def _n_rows(X: Message) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _named(raw: RawPart, do: Callable[[], Any]) -> Message:
    """Return what is done; an error as a value that names the part."""
    try:
        return do()
    except BoughError as error:
        return type(error)(f"partition {raw.number}: {error}")
    except (TypeError, ValueError) as error:
        return DataError(f"partition {raw.number} cannot be read: {error}")


def _look(raw: RawPart, task: Task, types: Types | None) -> PartLook:
    table = read(raw.X, types=types)
    refuse_infinity(table)
    labels: tuple[Label, ...]
    counts: Counts = ()
    if task is Task.CLASSIFICATION:
        found = read_classes(raw.y, table.n_rows)
        labels = found.labels
        counts = tuple(np.bincount(codes).astype(np.float64) for codes in found.codes)
    else:
        labels, _ = read_numbers(raw.y, table.n_rows)
    seen: list[list[Seen]] = [[] for _ in table.columns]
    for place, feature in enumerate(table.features):
        is_empty = bool(table.missing(place).all())
        seen[feature.column].append(Seen(feature, raw.number, is_empty))
    return PartLook(
        raw.number, tuple(table.columns), table.named, tuple(map(tuple, seen)), labels, counts,
        table.n_rows,
    )  # fmt: skip


def _read(raw: RawPart, schema: Schema, of_classes: list[NDArray[np.float64]] | None) -> ReadPart:
    table = read_like(raw.X, schema)
    codes = numbers = class_weights = None
    if schema.has_classes:
        codes = code_classes(raw.y, table.n_rows, schema.labels).T.astype(np.int32)
        if of_classes is not None:
            each = [weights[of_row] for weights, of_row in zip(of_classes, codes, strict=True)]
            class_weights = np.prod(each, axis=0, dtype=np.float64)
    else:
        _, numbers = read_numbers(raw.y, table.n_rows)
    # That all weights are 0 is an error only where they are so in all parts.
    weights: NDArray[np.float64] | None = np.zeros(table.n_rows)
    if raw.weight is None or np.any(np.asarray(raw.weight)):
        weights = read_weights(raw.weight, table.n_rows, class_weights, may_be_0=True)
    return ReadPart(table, Labels(schema.labels, codes, numbers, weights))


def _joined_labels(one: PartLook, other: PartLook) -> tuple[tuple[Label, ...], Counts]:
    if len(one.labels) != len(other.labels):
        raise DataError(
            f"y has {len(one.labels)} outputs in partition {one.part}, but {len(other.labels)} in "
            f"partition {other.part}. Give all partitions the same."
        )
    if not one.counts:
        return one.labels, ()
    labels, counts = [], []
    for output, pair in enumerate(zip(one.labels, other.labels, strict=True)):
        classes = np.concatenate([class_array(label) for label in pair])
        label = read_classes(classes, len(classes)).labels[0]
        label = replace(label, name=pair[0].name)
        place = {value: number for number, value in enumerate(label.classes)}
        total = np.zeros(len(label.classes))
        for old, look in zip(pair, (one, other), strict=True):
            total[[place[value] for value in old.classes]] += look.counts[output]
        labels.append(label)
        counts.append(total)
    return tuple(labels), tuple(counts)


def _joined_features(one: Sequence[Seen], other: Sequence[Seen]) -> tuple[Seen, ...]:
    """Return what a column is in two parts; where it has no value in one of them, the other says."""
    if not one or one[0].is_empty or other[0].is_empty:
        return tuple(other if one and one[0].is_empty and not other[0].is_empty else one)
    first, second = one[0], other[0]
    kinds = {first.feature.kind, second.feature.kind}
    if kinds == {Kind.NUMBER, Kind.INTEGER}:  # of which some are beyond what floats hold
        wide = first if first.feature.kind is Kind.INTEGER else second
        return (wide,)
    if len(kinds) > 1:
        raise _other_kind(first, second)
    if first.feature.kind is Kind.ORDERED and first.feature.choices != second.feature.choices:
        raise DataError(
            f"column {first.feature.name!r} has the ordered values "
            f"{listed(first.feature.choices)} in partition {first.part}, but "
            f"{listed(second.feature.choices)} in partition {second.part}. Give all partitions the "
            "same order."
        )
    if first.feature.kind is Kind.CHOICE:
        try:
            choices = sorted({*first.feature.choices, *second.feature.choices})
        except TypeError:
            raise _other_kind(first, second) from None
        if what_are(first.feature.choices) != what_are(second.feature.choices):
            raise _other_kind(first, second)
        return (replace(first, feature=replace(first.feature, choices=tuple(choices))),)
    # The hour of a date is a feature where any has times.
    return tuple(one if len(one) >= len(other) else other)


def _other_kind(one: Seen, other: Seen) -> DataError:
    words = [
        f"{what_are(each.feature.choices) if each.feature.choices else each.feature.kind.word} in "
        f"partition {each.part}"
        for each in (one, other)
    ]
    return DataError(
        f"column {one.feature.name!r} is {words[0]}, but {words[1]}. Convert it to one type in all "
        "partitions, or name its kind in types."
    )


class TakenRows(NamedTuple):
    """Rows of some nodes, and which node each of them is at."""

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
    return TakenRows(table, _labels_of_both(one, other), np.concatenate([one.nodes, other.nodes]))


def _labels_of_both(one: TakenRows, other: TakenRows) -> Labels:
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
