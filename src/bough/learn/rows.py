"""`LabelledRows`: rows with their labels, and the test rows that stay sealed."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from bough.encode import Labels
from bough.learn.choices import with_features
from bough.learn.target import dtype_of
from bough.schema import Feature, Label
from bough.table import Table
from bough.table.column import Choices, Column, Numbers


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
        """Return some of the rows."""
        hashes = None if self.hashes is None else self.hashes[rows]
        return LabelledRows(self.table.rows(rows), self.labels.rows(rows), hashes)

    def without(self, columns: Collection[str]) -> "LabelledRows":
        """Return the rows without the features of some columns."""
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
            raise RuntimeError("the test rows have been looked at before")
        self._is_open = True
        return self._rows


def label_column(labels: Labels) -> dict[str, Column]:
    """Return the labels of rows as a column."""
    label = labels.labels[0]
    if labels.codes is not None:
        return {label.name: Choices(label.classes, labels.codes[0])}
    assert labels.values is not None  # noqa: S101 - labels are one or the other
    return {label.name: Numbers(labels.values[0])}


def seen_label(labels: Labels) -> Label:
    """Return what is to be guessed, with only those classes that occur in these rows."""
    label = labels.labels[0]
    if labels.codes is None:
        return label
    classes = tuple(label.classes[code] for code in np.unique(labels.codes[0]).tolist())
    return replace(label, classes=classes, dtype=dtype_of(classes))
