"""`Below`, `OneOf`, `EachValue`, `IsMissing`: the questions that branches ask."""

from dataclasses import dataclass, field
from enum import IntEnum

from bough.schema import Feature
from bough.words import ordered_answers, value_list


class QueryKind(IntEnum):
    """The kinds of query, in the order in which ties are decided."""

    BELOW = 0
    EACH_VALUE = 1
    ONE_OF = 2
    IS_MISSING = 3


class _Answers:
    """The answers of a query, each to be read after the name of its feature."""

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers in words."""
        raise NotImplementedError


@dataclass(frozen=True)
class Below(_Answers):
    """Is the value below the pivot?"""

    feature: Feature
    pivot: float | int
    missing: int | None = None
    """The answer of a missing value; None: the node saw none, stop there."""
    shown: float | None = field(default=None, compare=False)
    """What words give for the pivot, the same to the rows of the node; None: the pivot itself."""

    @property
    def said(self) -> float | int:
        """The pivot as words give it."""
        return self.pivot if self.shown is None else self.shown

    def is_shown_for(self, value: float | None) -> bool:
        """Return whether what words say is true of a value, which no row may have had before."""
        return value is None or (value < self.said) == (value < self.pivot)

    @property
    def answers(self) -> tuple[str, ...]:
        return _with_missing(ordered_answers(self.feature, self.said), self.missing)


@dataclass(frozen=True)
class OneOf(_Answers):
    """Is it one of these values?"""

    feature: Feature
    codes: tuple[int, ...]
    others: tuple[int, ...]
    missing: int | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        sides = (self.codes, self.others)
        answers = tuple(value_list(self.feature, codes) for codes in sides)
        return _with_missing(answers, self.missing)


@dataclass(frozen=True)
class EachValue(_Answers):
    """Which value is it?"""

    feature: Feature
    codes: tuple[int, ...]
    missing: int | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        values = tuple(value_list(self.feature, (code,)) for code in self.codes)
        return values if self.missing is None else (*values, "is missing")


@dataclass(frozen=True)
class IsMissing(_Answers):
    """Is the value missing?"""

    feature: Feature

    @property
    def answers(self) -> tuple[str, ...]:
        return ("is missing", "is known")


Query = Below | OneOf | EachValue | IsMissing


def _with_missing(answers: tuple[str, ...], missing: int | None) -> tuple[str, ...]:
    return tuple(
        f"{answer} or missing" if number == missing else answer
        for number, answer in enumerate(answers)
    )
