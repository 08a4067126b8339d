"""`ClassLabels`, `NumberLabels`: the labels of a table with one output, as checks look at them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.note_words import column_word
from bough.encode import Labels
from bough.schema import Value

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClassLabels:
    """Labels that are classes, by number."""

    name: str
    classes: tuple[Value, ...]
    each: NDArray[np.int32]
    weights: Floats | None = None

    @property
    def word(self) -> str:
        return column_word(self.name)

    @cached_property
    def tally(self) -> NDArray[np.intp]:
        """How many rows each class has."""
        return np.bincount(self.each, minlength=len(self.classes))

    @property
    def n_others(self) -> int:
        """How many rows do not have the commonest label."""
        return len(self.each) - int(self.tally.max())

    @property
    def numbers(self) -> Floats | None:
        """The labels as numbers, where classes have numbers as names."""
        if any(isinstance(value, str | bool) for value in self.classes):
            return None
        return np.asarray(np.array(self.classes, np.float64)[self.each])


@dataclass(frozen=True, eq=False)
class NumberLabels:
    """Labels that are numbers."""

    name: str
    each: Floats
    weights: Floats | None = None

    @property
    def word(self) -> str:
        return column_word(self.name)

    @cached_property
    def n_others(self) -> int:
        """How many rows do not have the commonest label."""
        return len(self.each) - int(np.unique(self.each, return_counts=True)[1].max())

    @property
    def numbers(self) -> Floats:
        return self.each


KnownLabels = ClassLabels | NumberLabels


def known_labels(labels: Labels) -> KnownLabels:
    """Return the labels of a table with one output."""
    (label,) = labels.labels
    if labels.codes is not None:
        return ClassLabels(label.name, label.classes, labels.codes[0], labels.weights)
    values: Any = labels.values
    return NumberLabels(label.name, values[0], labels.weights)
