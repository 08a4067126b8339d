"""The values of one row of a table, as the tree reads them and as people do."""

from math import isnan

from bough.schema import Feature, Kind, Value, date
from bough.table import UNSEEN, Table

Cell = float | int  # a number, or the code of a choice


def cell_of(table: Table, feature: int, row: int) -> Cell | None:
    """Return the value of a feature in a row; None where it is missing or not a known choice."""
    cell, kind = table.values[feature][row].item(), table.features[feature].kind
    if isnan(cell) or cell == kind.missing or is_unseen(table, feature, row):
        return None
    return float(cell) if kind is Kind.NUMBER else int(cell)


def is_unseen(table: Table, feature: int, row: int) -> bool:
    """Return whether a value is none of the choices that the feature has."""
    has_choices = table.features[feature].kind.has_choices
    return has_choices and bool(table.values[feature][row] == UNSEEN)


def plain_cell(feature: Feature, cell: Cell | None) -> Value | None:
    """Return a cell as plain data: a number, the name of a choice, a date as text."""
    if cell is None or feature.kind in (Kind.NUMBER, Kind.INTEGER):
        return cell
    return feature.choices[int(cell)] if feature.kind.has_choices else date(cell)
