"""A table as the reference reads it, and the questions of the reference in the words of bough."""

from dataclasses import dataclass
from functools import cache, cached_property
from math import isnan
from typing import Any

import numpy as np

from bough import reference
from bough.encode import Labels
from bough.grow.pivots import MOMENTS, shortest, shortest_whole
from bough.learn.pivot_gains import worked_out
from bough.query import Below, EachValue, IsMissing, OneOf, Query
from bough.schema import Feature, Kind, Value
from bough.table import Table
from bough.words import cell_word, number, value_word


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
