"""`Below`, `OneOf`, `EachValue`, `IsMissing`: the questions that branches ask."""

from dataclasses import dataclass
from enum import IntEnum

from bough.schema import Feature
from bough.words import ordered_answers, value_list


class QueryKind(IntEnum):
    """The kinds of query, in the order in which ties are decided."""

    BELOW = 0
    EACH_VALUE = 1
    ONE_OF = 2
    IS_MISSING = 3


@dataclass(frozen=True)
class Below:
    """Is the value below the pivot?"""

    feature: Feature
    pivot: float | int
    missing: int | None = None
    """The answer of a missing value; None: the node saw none, stop there."""

    @property
    def answers(self) -> tuple[str, ...]:
        return _with_missing(ordered_answers(self.feature, self.pivot), self.missing)


@dataclass(frozen=True)
class OneOf:
    """Is it one of these values?"""

    feature: Feature
    codes: tuple[int, ...]
    others: tuple[int, ...]
    missing: int | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        sides = (value_list(self.feature, self.codes), value_list(self.feature, self.others))
        return _with_missing(sides, self.missing)


@dataclass(frozen=True)
class EachValue:
    """Which value is it?"""

    feature: Feature
    codes: tuple[int, ...]
    missing: int | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        values = tuple(value_list(self.feature, (code,)) for code in self.codes)
        return values if self.missing is None else (*values, "missing")


@dataclass(frozen=True)
class IsMissing:
    """Is the value missing?"""

    feature: Feature

    @property
    def answers(self) -> tuple[str, ...]:
        return ("missing", "known")


Query = Below | OneOf | EachValue | IsMissing


def _with_missing(answers: tuple[str, ...], missing: int | None) -> tuple[str, ...]:
    return tuple(
        f"{answer} or missing" if number == missing else answer
        for number, answer in enumerate(answers)
    )
