"""Rows with their labels, how they are known again, and the seal on those to test with."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.rows import RowHashes
from bough.encode import Labels
from bough.errors import Argument, DataError, ParameterError
from bough.holdout import hashes_but_one, row_hashes
from bough.schema import UNSEEN, Feature, Kind, Label, Value
from bough.table import Table, column_of
from bough.table.column import Column, recoded
from bough.words import row_count

LEAST_WEIGHT, MOST_WEIGHT = 1e-100, 1e100  # sums of squares beyond are no numbers any more


def seen_features(table: Table) -> tuple[Feature, ...]:
    """Return the features of a table, with only those choices that occur in its rows."""
    return tuple(
        _seen(feature, values) for feature, values in zip(table.features, table.values, strict=True)
    )


def with_features(table: Table, features: tuple[Feature, ...]) -> Table:
    """Return a table read with the choices of other features; a value not among them is unseen."""
    if features == table.features:
        return table
    values = tuple(
        _recoded(values, old, new)
        for values, old, new in zip(table.values, table.features, features, strict=True)
    )
    return replace(table, features=features, values=values)


def _seen(feature: Feature, codes: NDArray[Any]) -> Feature:
    if feature.kind is not Kind.CHOICE:
        return feature
    counts = np.bincount(codes + 1, minlength=len(feature.choices) + 1)[1:]  # but missing ones
    choices = tuple(feature.choices[code] for code in np.flatnonzero(counts).tolist())
    return replace(feature, choices=choices)


def _recoded(values: NDArray[Any], old: Feature, new: Feature) -> NDArray[Any]:
    if old.choices == new.choices:
        return values
    position = {choice: number for number, choice in enumerate(new.choices)}
    return recoded(values, [position.get(choice, UNSEEN) for choice in old.choices])


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Some rows of a table, all of which have a label."""

    table: Table
    labels: Labels
    hashes: NDArray[np.uint64] | None = None
    """A hash of all values of each row, by which it is placed; None where rows are not placed."""

    def __len__(self) -> int:
        return self.table.n_rows

    def take(self, rows: NDArray[np.intp]) -> "LabelledRows":
        hashes = None if self.hashes is None else self.hashes[rows]
        return LabelledRows(self.table.rows(rows), self.labels.rows(rows), hashes)

    def without(self, columns: Collection[str]) -> "LabelledRows":
        table = self.table
        kept = [
            number
            for number, feature in enumerate(table.features)
            if table.columns[feature.column] not in columns
        ]
        return replace(self, table=table.only(kept))

    def read_with(self, features: tuple[Feature, ...], label: Label) -> "LabelledRows":
        """Return the rows read with the choices of other features and the classes of a label."""
        table, labels = with_features(self.table, features), self.labels
        if labels.codes is not None:
            number = {name: code for code, name in enumerate(label.classes)}
            codes = np.array([number.get(name, -1) for name in labels.labels[0].classes], np.int32)
            labels = replace(labels, labels=(label,), codes=codes[labels.codes])
        return replace(self, table=table, labels=labels)

    @property
    def answers(self) -> NDArray[np.int32] | NDArray[np.float64]:
        """The label of each row: its class by number, or a number."""
        if self.labels.codes is not None:
            return np.asarray(self.labels.codes[0])
        assert self.labels.values is not None  # noqa: S101 - labels are one or the other
        return np.asarray(self.labels.values[0])

    @property
    def places(self) -> NDArray[np.uint64]:
        """The hashes of rows that are placed."""
        assert self.hashes is not None  # noqa: S101 - only rows to learn from are placed
        return self.hashes

    def counted(self, rows: NDArray[np.generic]) -> dict[str, Any]:
        """Return how much some rows count and what they are about, as estimates of them need it."""
        return {
            "weights": None if self.weights is None else self.weights[rows],
            "groups": None if self.group is None else self.group[rows],
        }

    @property
    def weights(self) -> NDArray[np.float64] | None:
        return self.labels.weights

    @property
    def group(self) -> NDArray[np.uint64] | None:
        """What each row is about; rows of one group stay together."""
        return self.labels.group


@dataclass(eq=False)
class Sealed:
    """The test rows. They can be looked at once, when everything has been decided."""

    _rows: LabelledRows
    _is_open: bool = field(default=False)

    def __len__(self) -> int:
        return len(self._rows)

    def open(self) -> LabelledRows:
        """Return the rows, the first time."""
        if self._is_open:
            raise RuntimeError("the test rows have been used before")
        self._is_open = True
        return self._rows


def label_column(labels: Labels) -> dict[str, Column]:
    """Return the labels of rows as a column."""
    label = labels.labels[0]
    if labels.codes is not None:
        return {label.name: column_of(labels.codes[0], Kind.CHOICE, label.classes)}
    assert labels.values is not None  # noqa: S101 - labels are one or the other
    return {label.name: column_of(labels.values[0], Kind.NUMBER)}


def weights_of(column: Column, name: str) -> NDArray[np.float64]:
    """Return how much each row counts, as a column says."""
    weights = column.floats()
    if weights is None:
        raise ParameterError(
            Argument("weight", name), " is not a column of numbers. Name one that is."
        )
    n_wrong = int(np.count_nonzero(~(weights >= 0)))  # nan too
    if n_wrong:
        raise DataError(
            Argument("weight", name), f" is negative or missing in {row_count(n_wrong)}. A weight must "
            "be 0 or more; a row of weight 0 is left out.",
        )  # fmt: skip
    if not weights.any():
        raise DataError(
            Argument("weight", name), " is 0 in every row. Give at least one row a weight."
        )
    least, most = float(weights[weights > 0].min()), float(weights.max())
    if least < LEAST_WEIGHT or most > MOST_WEIGHT:
        wrong = least if least < LEAST_WEIGHT else most
        raise DataError(
            Argument("weight", name),
            f" has the weight {wrong:g}. Weights must be 0, or from {LEAST_WEIGHT:g} to "
            f"{MOST_WEIGHT:g}: multiply all of them by the same number.",
        )
    return weights


def seen_label(labels: Labels) -> Label:
    """Return what is to be guessed, with only those classes that occur in these rows."""
    label = labels.labels[0]
    if labels.codes is None:
        return label
    classes = tuple(label.classes[code] for code in np.unique(labels.codes[0]).tolist())
    return replace(label, classes=classes, dtype=dtype_of(classes))


def dtype_of(classes: tuple[Value, ...]) -> str:
    """Return the NumPy type of guesses among these classes."""
    array: NDArray[Any] = np.array(classes)
    return (
        f"<U{max(1, *map(len, map(str, classes)))}" if array.dtype.kind == "U" else array.dtype.name
    )


def hashes_of(rows: LabelledRows) -> NDArray[np.uint64]:
    """Return a hash of the features and the label of each row."""
    return row_hashes(_columns_of(rows))


def all_hashes_of(rows: LabelledRows) -> RowHashes:
    """Return all hashes by which equal rows are told from copies."""
    return RowHashes(hashes_of(rows), rows.places, lambda: hashes_but_one(_columns_of(rows)))


def _columns_of(rows: LabelledRows) -> dict[str, Column]:
    return rows.table.columns_asked() | label_column(rows.labels)


def ranges_of(table: Table) -> dict[str, tuple[float, float]]:
    """Return the least and the greatest value of each number and date."""
    found = {}
    for number, (feature, values) in enumerate(zip(table.features, table.values, strict=True)):
        known = values[~table.missing(number)]
        if not feature.kind.has_choices and len(known):
            found[feature.name] = float(known.min()), float(known.max())
    return found
