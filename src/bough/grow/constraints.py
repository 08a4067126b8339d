"""What may be asked about: the columns to ask about first, and those that are left to ask about."""

from collections.abc import Sequence
from dataclasses import dataclass

from bough.errors import Argument, ParameterError, listed
from bough.schema import Schema
from bough.settings import Settings
from bough.table import Table
from bough.table.source import column_number


@dataclass(frozen=True)
class Constraints:
    """What may be asked about."""

    first: tuple[int, ...]
    """The columns to ask about first, by number, in their order."""
    allowed: Sequence[int]
    """The features that may be asked about, by number."""


def constraints_of(settings: Settings, table: Table | Schema) -> Constraints:
    """Return what the settings say about the columns of a table, or refuse it."""
    first, forbidden = (_numbers(name, settings, table) for name in ("first", "forbid"))
    has_features = {feature.column for feature in table.features} if first else set()
    if ignored := [table.columns[number] for number in first if number not in has_features]:
        raise ParameterError(
            Argument("first"), f" names {listed(ignored)}, which is ignored. "
            "Leave it out, or do not ignore it.",
        )  # fmt: skip
    if both := [table.columns[number] for number in first if number in forbidden]:
        raise ParameterError(
            Argument("first"), " and ", Argument("forbid"), f" both name {listed(both)}. Leave it "
            "out of one of them.",
        )  # fmt: skip
    if not forbidden:
        return Constraints(tuple(first), range(len(table.features)))
    allowed = [number for number, each in enumerate(table.features) if each.column not in forbidden]
    if not allowed:
        raise ParameterError(
            Argument("forbid"),
            " names every usable column. Leave at least one out.",
        )
    return Constraints(tuple(first), tuple(allowed))


def _numbers(parameter: str, settings: Settings, table: Table | Schema) -> list[int]:
    names = getattr(settings, parameter) or ()
    numbers = [
        column_number(name, table.columns, named=table.named, parameter=parameter) for name in names
    ]
    if twice := [table.columns[each] for each in set(numbers) if numbers.count(each) > 1]:
        raise ParameterError(
            f"{parameter} names {listed(sorted(twice))} twice. Name each column once."
        )
    return numbers
