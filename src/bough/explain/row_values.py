"""The values of one row of a table, as the tree reads them and as people do."""

from math import isnan

from bough.schema import Feature, Kind, Value
from bough.table import MISSING, MISSING_INTEGER, UNSEEN, Table
from bough.words import date

Cell = float | int  # a number, or the code of a choice


def cell_of(table: Table, feature: int, row: int) -> Cell | None:
    """Return the value of a feature in a row; None where it is missing or not a known choice."""
    cell: Cell = table.values[feature][row].item()
    kind = table.features[feature].kind
    if kind is Kind.NUMBER:
        return None if isnan(cell) else float(cell)
    no_values = (MISSING_INTEGER,) if kind.is_integer else (MISSING, UNSEEN)
    return None if cell in no_values else cell


def is_unseen(table: Table, feature: int, row: int) -> bool:
    """Return whether a value is none of the choices that the feature has."""
    has_choices = table.features[feature].kind in (Kind.CHOICE, Kind.ORDERED)
    return has_choices and bool(table.values[feature][row] == UNSEEN)


def plain_cell(feature: Feature, cell: Cell | None) -> Value | None:
    """Return a cell as plain data: a number, the name of a choice, a date as text."""
    if cell is None:
        return None
    if feature.kind in (Kind.CHOICE, Kind.ORDERED):
        return feature.choices[int(cell)]
    return date(cell) if feature.kind is Kind.DATE else cell
