"""Which columns are asked about first, and which never."""

from dataclasses import dataclass

from bough.errors import ParameterError, listed
from bough.schema import Schema
from bough.settings import Settings
from bough.table import Table
from bough.table.retype import column_number


@dataclass(frozen=True)
class Constraints:
    """What may be asked about."""

    first: tuple[int, ...]
    """The columns to ask about first, by number, in their order."""
    allowed: tuple[int, ...]
    """The features that may be asked about, by number."""


def constraints_of(settings: Settings, table: Table | Schema) -> Constraints:
    """Return what the settings say about the columns of a table, or refuse it."""
    first, forbidden = (_numbers(name, settings, table) for name in ("first", "forbid"))
    has_features = {feature.column for feature in table.features}
    if ignored := [table.columns[number] for number in first if number not in has_features]:
        raise ParameterError(
            f"first has {listed(ignored)}, which is not asked about: it is ignored. Leave it out, "
            "or do not ignore it."
        )
    if both := [table.columns[number] for number in first if number in forbidden]:
        raise ParameterError(
            f"first has {listed(both)}, and so has forbid. Leave it out of one of them."
        )
    allowed = [number for number, each in enumerate(table.features) if each.column not in forbidden]
    if not allowed:
        raise ParameterError(
            "forbid has every column that could be asked about. Leave at least one out."
        )
    return Constraints(tuple(first), tuple(allowed))


def _numbers(parameter: str, settings: Settings, table: Table | Schema) -> list[int]:
    names = getattr(settings, parameter) or ()
    numbers = [
        column_number(name, table.columns, named=table.named, parameter=parameter) for name in names
    ]
    if twice := [table.columns[each] for each in set(numbers) if numbers.count(each) > 1]:
        raise ParameterError(f"{parameter} has {listed(sorted(twice))} twice. Name a column once.")
    return numbers
