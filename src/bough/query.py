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


class _Answers:
    """The answers of a query, each to be read after the name of its feature."""

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers in words, with every digit that a pivot needs."""
        return self.answers_with(None)

    def answers_with(self, digits: int | None) -> tuple[str, ...]:
        """Return the answers in words, with this many digits."""
        raise NotImplementedError


@dataclass(frozen=True)
class Below(_Answers):
    """Is the value below the pivot?"""

    feature: Feature
    pivot: float | int
    missing: int | None = None
    """The answer of a missing value; None: the node saw none, stop there."""

    def answers_with(self, digits: int | None) -> tuple[str, ...]:
        return _with_missing(ordered_answers(self.feature, self.pivot, digits), self.missing)


@dataclass(frozen=True)
class OneOf(_Answers):
    """Is it one of these values?"""

    feature: Feature
    codes: tuple[int, ...]
    others: tuple[int, ...]
    missing: int | None = None

    def answers_with(self, digits: int | None) -> tuple[str, ...]:
        sides = (self.codes, self.others)
        answers = tuple(value_list(self.feature, codes, digits) for codes in sides)
        return _with_missing(answers, self.missing)


@dataclass(frozen=True)
class EachValue(_Answers):
    """Which value is it?"""

    feature: Feature
    codes: tuple[int, ...]
    missing: int | None = None

    def answers_with(self, digits: int | None) -> tuple[str, ...]:
        values = tuple(value_list(self.feature, (code,), digits) for code in self.codes)
        return values if self.missing is None else (*values, "is missing")


@dataclass(frozen=True)
class IsMissing(_Answers):
    """Is the value missing?"""

    feature: Feature

    def answers_with(self, digits: int | None) -> tuple[str, ...]:  # noqa: ARG002
        return ("is missing", "is known")


Query = Below | OneOf | EachValue | IsMissing


def _with_missing(answers: tuple[str, ...], missing: int | None) -> tuple[str, ...]:
    return tuple(
        f"{answer} or missing" if number == missing else answer
        for number, answer in enumerate(answers)
    )
