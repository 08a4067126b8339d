"""`Feature`, `Schema`: what the columns of a table mean."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Literal

from bough.tasks import Task

Probability = Literal["raw", "laplace"]
Value = str | bool | int | float


class Kind(StrEnum):
    """How the values of a feature are asked about."""

    NUMBER = "number"  # float64, compared with a pivot
    INTEGER = "integer"  # 64 bits, some beyond ±2^53, compared as integers
    DATE = "date"  # microseconds since 1970, compared as integers
    ORDERED = "ordered"  # positions in `choices`, compared with a pivot
    CHOICE = "choice"  # unordered, asked by name

    @property
    def is_compared(self) -> bool:
        return self is not Kind.CHOICE

    @property
    def is_integer(self) -> bool:
        return self in (Kind.INTEGER, Kind.DATE)


class Part(StrEnum):
    """The part of its column that a feature reads."""

    ITSELF = "itself"
    WEEKDAY = "weekday"
    MONTH = "month"
    HOUR = "hour"


@dataclass(frozen=True)
class Feature:
    """A column, or a part of one, that queries may ask about."""

    name: str
    kind: Kind
    column: int
    """The number of the column that the feature is read from."""
    part: Part = Part.ITSELF
    choices: tuple[Value, ...] = ()
    """The values of a CHOICE or ORDERED feature, in code order."""
    from_text: bool = False
    """Whether the column holds text that the user asked to be read as numbers or dates."""


@dataclass(frozen=True)
class Label:
    """What a tree guesses: a name, and its classes in order (none when it is a number)."""

    name: str
    classes: tuple[Value, ...] = ()
    dtype: str = "float64"
    """The NumPy type that guesses are given back in."""
    ranks: bool = False
    """Whether guesses are scores, by which the rows of a group are ranked."""
    costs: tuple[tuple[float, ...], ...] = ()
    """What guessing class j costs where class i is true, at [i][j]; none: any wrong guess costs 1."""
    probability: Probability = "raw"
    """How shares become probabilities: as they are, or as if each class had one more row."""


@dataclass(frozen=True)
class Schema:
    """What the columns of a table mean to a tree."""

    columns: tuple[str, ...]
    """The names of all columns, in order."""
    features: tuple[Feature, ...]
    labels: tuple[Label, ...]
    named: bool = True
    """Whether the columns had names of their own; `x0`, `x1`, … otherwise."""
    match_by_name: bool = False
    """Columns are found by name, in any order, extra ones ignored; else checked as scikit-learn does."""

    @cached_property
    def is_matrix(self) -> bool:
        """Whether every column is one number, so that an array of float64 is the table as it is."""
        return len(self.features) == len(self.columns) and all(
            feature.column == number and feature.kind is Kind.NUMBER and feature.part is Part.ITSELF
            for number, feature in enumerate(self.features)
        )

    @property
    def has_classes(self) -> bool:
        return bool(self.labels[0].classes)

    @property
    def task(self) -> Task:
        """The task that a tree with this schema was grown for."""
        if self.has_classes:
            return Task.CLASSIFICATION
        return Task.RANKING if self.labels[0].ranks else Task.REGRESSION
