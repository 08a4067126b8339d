"""`Feature`, `Schema`: what the columns of a table mean; `Task`: what a tree is grown for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from math import ceil, nan
from typing import Any, Literal, Self

from bough.file_options import FileReading

Probability = Literal["raw", "laplace", "prior"]
Value = str | bool | int | float

MISSING_INTEGER = -(2**63)
MISSING = -1
UNSEEN = -2

_EPOCH = datetime(1970, 1, 1)  # moments are kept without a zone


class Task(StrEnum):
    """What a tree is grown for; it is its name, too, as model files hold it."""

    does: str
    """What such a tree does."""
    estimator: str
    """The name of the estimator that grows such trees."""
    criteria: tuple[str, ...]
    """The criteria that are tried where the user names none, the most usual first."""
    loss: str
    """The loss to minimise where the user names none."""
    headline: str
    """The score that people know, which follows from that loss."""
    guess: str
    """What a node's number or class is called."""
    baseline: str
    """What a tree has to beat."""

    def __new__(cls, name: str, facts: Mapping[str, Any] | None = None) -> "Task":
        task = str.__new__(cls, name)
        task._value_ = name
        vars(task).update(facts or {})
        return task

    CLASSIFICATION = "classification", {
        "does": "predicts classes", "estimator": "DecisionTreeClassifier",
        "criteria": ("gini", "entropy"), "loss": "error", "headline": "accuracy",
        "guess": "prediction", "baseline": "always the same",
    }  # fmt: skip
    REGRESSION = "regression", {
        "does": "predicts numbers", "estimator": "DecisionTreeRegressor",
        "criteria": ("squared_error",), "loss": "squared_error", "headline": "rmse",
        "guess": "prediction", "baseline": "always the same",
    }  # fmt: skip
    RANKING = "ranking", {
        "does": "ranks rows", "estimator": "DecisionTreeRanker",
        "criteria": ("ndcg",), "loss": "ndcg_loss", "headline": "ndcg",
        "guess": "score", "baseline": "random order",
    }  # fmt: skip

    @property
    def has_classes(self) -> bool:
        return self is Task.CLASSIFICATION

    @property
    def ranks(self) -> bool:
        """Whether guesses are scores, which order the rows of a group and mean nothing alone."""
        return self is Task.RANKING

    def __repr__(self) -> str:
        return repr(str(self))


def what_are(choices: Sequence[Value]) -> str:
    """Return what messages call some choices: text, booleans or numbers."""
    if any(isinstance(choice, str) for choice in choices):
        return "text"
    is_truth = choices and all(isinstance(choice, bool) for choice in choices)
    return "booleans" if is_truth else "numbers"


def date(microseconds: float) -> str:
    """Return a moment, given in microseconds since 1970, as a date and, if need be, a time.

    A moment between two microseconds reads as the later one: as many moments lie before it.
    """
    since = ceil(microseconds)
    try:
        moment = _EPOCH + timedelta(microseconds=since)
    except OverflowError:  # before the year 1 or after 9999
        return f"{since} µs after 1970"
    text = moment.isoformat(" ").removesuffix(" 00:00:00")
    return text.rstrip("0") if "." in text else text


class Kind(StrEnum):
    """How the values of a feature are held and asked about: all that differs from kind to kind."""

    word: str
    """What users call it."""
    core: int
    """Its number in the core."""
    dtype: str
    """The NumPy type of its values, where they are not those of a column as they lie."""
    sql: str
    """Its type in SQL; empty: that of its choices."""

    def __new__(cls, value: str, word: str, core: int, dtype: str, sql: str) -> Self:
        """Return a kind with all that is to be known about it."""
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.word, kind.core, kind.dtype, kind.sql = word, core, dtype, sql
        return kind

    # Compared with a pivot; integers beyond ±2^53 and microseconds since 1970 as integers.
    NUMBER = "number", "number", 0, "float64", "DOUBLE PRECISION"
    INTEGER = "integer", "number", 1, "int64", "BIGINT"
    DATE = "date", "date", 1, "int64", "TIMESTAMP"
    # Positions in `choices`: ordered and compared with a pivot, or asked by name.
    ORDERED = "ordered", "ordered", 2, "int32", ""
    CHOICE = "choice", "category", 3, "int32", ""

    @property
    def missing(self) -> float:
        if self.has_choices:
            return MISSING
        return MISSING_INTEGER if self.is_integer else nan

    @property
    def is_compared(self) -> bool:
        return self is not Kind.CHOICE

    @property
    def is_integer(self) -> bool:
        return self.dtype == "int64"

    @property
    def has_choices(self) -> bool:
        return self.dtype == "int32"


class Part(StrEnum):
    """The part of its column that a feature reads."""

    ITSELF = "itself"
    WEEKDAY = "weekday"
    MONTH = "month"
    HOUR = "hour"


@dataclass(frozen=True, slots=True)  # a wide table has many
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

    @property
    def is_about_dates(self) -> bool:
        return self.kind is Kind.DATE or self.part is not Part.ITSELF


class _Made(Sequence[Any]):
    """A sequence whose items are made when they are asked for: a wide table has many."""

    def _item(self, number: int) -> Any:  # noqa: ANN401
        raise NotImplementedError

    def __getitem__(self, number: Any) -> Any:  # noqa: ANN401
        found = range(len(self))[number]
        return tuple(map(self._item, found)) if isinstance(number, slice) else self._item(found)

    def __iter__(self) -> Iterator[Any]:
        return map(self._item, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Made | tuple):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class DefaultNames(_Made):
    """The names of columns that have none of their own: `x0`, `x1`, …"""

    def __init__(self, n_columns: int) -> None:
        self._n_columns = n_columns

    def __len__(self) -> int:
        return self._n_columns

    def _item(self, number: int) -> str:
        return f"x{number}"


class NumberFeatures(_Made):
    """The features of a table each of whose columns is one number."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._kept: dict[int, Feature] = {}  # a tree asks about few, again and again

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, number: Any) -> Any:  # noqa: ANN401
        if isinstance(number, slice):
            return super().__getitem__(number)
        if (found := self._kept.get(number)) is None:
            found = self._kept[number] = super().__getitem__(number)
        return found

    def _item(self, number: int) -> Feature:
        return Feature(self._names[number], Kind.NUMBER, number)


def core_features(features: Sequence[Feature]) -> dict[str, Any]:
    """Return what the values of features are, as the core's functions take it."""
    import numpy as np  # which `bough --help` does without

    if isinstance(features, NumberFeatures):
        n_features = len(features)
        return {
            "kinds": np.zeros(n_features, np.uint8),
            "n_choices": np.zeros(n_features, np.int32),
        }
    return {
        "kinds": np.array([feature.kind.core for feature in features], np.uint8),
        "n_choices": np.array([len(feature.choices) for feature in features], np.int32),
    }


def are_of_kind(features: Sequence[Feature], kind: Kind) -> Any:  # noqa: ANN401 - of NumPy
    """Return which features are of a kind, as an array of booleans."""
    import numpy as np

    if isinstance(features, NumberFeatures):
        return np.full(len(features), kind is Kind.NUMBER)
    return np.array([each.kind is kind for each in features], bool)


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
    """How shares become probabilities, as `Tree.probabilities` says."""


@dataclass(frozen=True)
class Schema:
    """What the columns of a table mean to a tree."""

    columns: Sequence[str]
    """The names of all columns, in order."""
    features: Sequence[Feature]
    labels: tuple[Label, ...]
    named: bool = True
    """Whether the columns had names of their own; `x0`, `x1`, … otherwise."""
    match_by_name: bool = False
    """Columns are found by name, in any order, extra ones ignored; else checked as scikit-learn does."""
    reading: FileReading | None = None
    """How the file was read that the tree was grown from; None: it was none."""

    @cached_property
    def is_matrix(self) -> bool:
        """Whether every column is one number, so that an array of float64 is the table as it is."""
        if isinstance(self.features, NumberFeatures):
            return True
        return len(self.features) == len(self.columns) and all(
            feature.column == number and feature.kind is Kind.NUMBER and feature.part is Part.ITSELF
            for number, feature in enumerate(self.features)
        )

    @cached_property
    def core_features(self) -> dict[str, Any]:
        import numpy as np

        are_dates = are_of_kind(self.features, Kind.DATE).astype(np.uint8)
        return core_features(self.features) | {"are_dates": are_dates}

    @property
    def has_classes(self) -> bool:
        return bool(self.labels[0].classes)

    @property
    def task(self) -> Task:
        """The task that a tree with this schema was grown for."""
        if self.has_classes:
            return Task.CLASSIFICATION
        return Task.RANKING if self.labels[0].ranks else Task.REGRESSION
