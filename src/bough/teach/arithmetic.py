"""The arithmetic of a step, from a table as the reference reads it, in the words of a book.

Whoever adds up what is shown gets what is shown.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import isnan, log2
from typing import Any

import numpy as np

from bough import reference
from bough.encode import Labels
from bough.grow.short_pivots import MOMENTS, shortest, shortest_whole
from bough.learn.pivot_gains import worked_out
from bough.learn.score_result import SIGNS
from bough.query_kinds import Below, EachValue, IsMissing, OneOf, Query
from bough.schema import Feature, Kind, Value
from bough.table import Table
from bough.teach.steps import CandidateQuestion, GrowthStep, Walkthrough
from bough.words import cell_word, number, value_word

MORE_DIGITS = 8  # that terms may be given beyond those asked for, until they add up
MOST_TERMS = 8  # of distances that are written out


@dataclass(frozen=True, eq=False)
class ExactTable:
    """The rows of a table with the labels, for exact arithmetic."""

    table: Table
    labels: Labels

    @cached_property
    def features(self) -> dict[str, Feature]:
        return {feature.name: feature for feature in self.table.features}

    @cached_property
    def cells(self) -> dict[str, list[Any]]:
        """The values of each feature: numbers, or positions among its choices; None: missing."""
        return {
            feature.name: [
                None if is_missing else value
                for value, is_missing in zip(
                    np.asarray(values).tolist(), self.table.missing(place).tolist(), strict=True
                )
            ]
            for place, (feature, values) in enumerate(
                zip(self.table.features, self.table.values, strict=True)
            )
        }

    @cached_property
    def exact(self) -> reference.Table:
        """The table of the reference. Classes and choices are numbers, in their order."""
        known = self.labels.values if self.labels.codes is None else self.labels.codes
        assert known is not None  # noqa: S101 - one of the two is there
        choices = [name for name, each in self.features.items() if not each.kind.is_compared]
        return reference.Table(self.cells, known[0].tolist(), choices=choices)

    @property
    def classes(self) -> tuple[Value, ...]:
        return self.labels.labels[0].classes

    def guess_word(self, guess: Any) -> Value:  # noqa: ANN401 - a label of the reference
        """Return what is predicted: a class, or a number."""
        return self.classes[guess] if self.classes else float(guess)

    def query(self, asked: reference.Query, rows: list[int]) -> Query:
        """Return a question of the reference as bough has it, with a pivot that is short to say."""
        feature = self.features[asked.column]
        match asked.kind:
            case "Below":
                assert asked.pivot is not None  # noqa: S101 - of its kind
                said = self._said(asked, rows)
                return Below(feature, asked.pivot, asked.missing, said)
            case "OneOf":
                return OneOf(feature, asked.groups[0], asked.groups[1], asked.missing)
            case "EachValue":
                codes = tuple(code for (code,) in asked.groups)
                return EachValue(feature, codes, asked.missing)
        return IsMissing(feature)

    def _said(self, asked: reference.Query, rows: list[int]) -> float | None:
        """Return what words give for a pivot; None: the midpoint itself, as books do."""
        feature, pivot = self.features[asked.column], asked.pivot
        if feature.kind is Kind.ORDERED or pivot is None:
            return None
        known = [v for row in rows if (v := self.cells[asked.column][row]) is not None]
        low, high = max(v for v in known if v < pivot), min(v for v in known if v >= pivot)
        if feature.kind.is_integer:
            found = shortest_whole(low, high, MOMENTS, is_round=False)
            return found if feature.kind is Kind.DATE else None
        by_hand = worked_out(pivot)
        if low < by_hand <= high and _decimals(by_hand) <= max(map(_decimals, (low, high))) + 1:
            return None if by_hand == pivot else by_hand
        ends = (np.array([float(each)]) for each in (low, high, pivot))
        return float(shortest(*ends, is_round=False)[0])

    def value_words(self, column: str, value: Any) -> str:  # noqa: ANN401 - a cell
        """Return a cell in words; a missing one is empty."""
        feature = self.features[column]
        if value is None:
            return ""
        if feature.choices:
            return value_word(feature.choices[value])
        return cell_word(feature, value)


@cache
def _decimals(value: float) -> int:
    text = number(value)
    return 99 if "e" in text or isnan(value) else len(text.partition(".")[2])


class Figures:
    """How impurities and gains of one growth are written."""

    def __init__(self, growth: Walkthrough, digits: int) -> None:
        self.has_classes, self.digits = bool(growth.classes), digits
        self.is_ratio = growth.criterion == "gain_ratio"
        self.sign = SIGNS[growth.criterion]
        self.unit = " bit" if self.sign == "H" else ""

    def figure(self, value: float, digits: int | None = None) -> str:
        """Return an impurity or a gain: with so many decimals, or digits where labels are numbers."""
        digits = self.digits if digits is None else digits
        if value == 0 or (self.has_classes and abs(value) < 1e-12):
            return "0"
        if self.has_classes:
            return f"{value:.{digits}f}".replace("-", "−")
        return number(value, digits).replace("-", "−")

    def settled(
        self, terms: Sequence[float], combine: Callable[[list[Fraction]], Fraction], result: float
    ) -> tuple[list[str], str]:
        """Return terms and a result in words, so that what is read gives what is read.

        The terms get as many more digits as that takes.
        """
        for wanted in range(self.digits, self.digits + MORE_DIGITS):
            shown = self.figure(result, wanted)
            for digits in range(wanted, wanted + MORE_DIGITS):
                words = [self.figure(term, digits) for term in terms]
                if self.figure(float(combine([read(each) for each in words])), wanted) == shown:
                    return words, shown
        return words, shown


def read(words: str) -> Fraction:
    """Return the number that words give."""
    return Fraction(words.replace("−", "-"))


def impurity_words(step: GrowthStep, growth: Walkthrough, figures: Figures) -> str:
    """Return how the impurity of a node is worked out."""
    n_rows, sign, unit = step.n_rows, figures.sign, figures.unit
    if not growth.classes:
        return _distance_words(step, growth, figures)
    counts = [count for count in step.counts if count]
    if figures.sign == "E":
        return f"E = 1 − {max(counts)}/{n_rows} = {figures.figure(step.impurity)}"
    if len(counts) < 2:
        return f"{sign} = 0{unit}"
    if figures.sign == "G":
        squares = " − ".join(f"({count}/{n_rows})²" for count in counts)
        terms, result = figures.settled(
            [(count / n_rows) ** 2 for count in counts],
            lambda all_: 1 - sum(all_, Fraction(0)),
            step.impurity,
        )
        return f"G = 1 − {squares} = 1 − {' − '.join(terms)} = {result}"
    formula = " ".join(f"− {count}/{n_rows} lg {count}/{n_rows}" for count in counts)
    terms, result = figures.settled(
        [-count / n_rows * log2(count / n_rows) for count in counts],
        lambda all_: sum(all_, Fraction(0)),
        step.impurity,
    )
    return f"H = −{formula.removeprefix('− ')} = {' + '.join(terms)} = {result}{unit}"


def _distance_words(step: GrowthStep, growth: Walkthrough, figures: Figures) -> str:
    """Return the mean distance of numbers from their prediction, or that of the squares."""
    is_squared = growth.criterion == "squared_error"
    sign, centre = figures.sign, figures.figure(float(step.guess))
    sums = [n * (away**2 if is_squared else abs(away)) for n, away in step.distances]
    what = (
        f"squared distances from the mean {centre}"
        if is_squared
        else f"distances from the median {centre}"
    )
    head = f"{sign} = mean of the {what}"
    if step.impurity == 0:
        return f"{head} = 0"
    many = len(sums) > MOST_TERMS
    terms, result = figures.settled(
        [sum(sums)] if many else sums,
        lambda all_: sum(all_, Fraction(0)) / step.n_rows,
        step.impurity,
    )
    shown = terms[0] if len(terms) == 1 else f"({' + '.join(terms)})"
    return f"{head} = {shown} / {step.n_rows} = {result}"


def remainder_words(asks: CandidateQuestion, n_rows: int, figures: Figures) -> str:
    """Return how the remainder of a question is worked out."""
    some = [answer for answer in asks.answers if answer.n_rows]
    shares = [Fraction(answer.n_rows, n_rows) for answer in some]
    words, result = figures.settled(
        [answer.impurity for answer in some],
        lambda all_: sum((s * each for s, each in zip(shares, all_, strict=True)), Fraction(0)),
        asks.remainder,
    )
    terms = [f"{answer.n_rows}/{n_rows}·{each}" for answer, each in zip(some, words, strict=True)]
    return f"remainder = {' + '.join(terms)} = {result}"


def gain_words(asks: CandidateQuestion, impurity: float, figures: Figures) -> str:
    """Return how the gain of a question is worked out."""
    (whole, left), gain = figures.settled(
        [impurity, asks.remainder], lambda both: both[0] - both[1], asks.gain
    )
    return f"gain = {whole} − {left} = {gain}"


def ratio_words(asks: CandidateQuestion, figures: Figures) -> str:
    """Return how the gain ratio of a question is worked out."""
    (gain, bits), ratio = figures.settled(
        [asks.gain, asks.split_entropy],
        lambda both: both[0] / both[1] if both[1] else Fraction(0),
        asks.gain_ratio,
    )
    return f"gain ratio = gain / split entropy = {gain} / {bits} = {ratio}"
