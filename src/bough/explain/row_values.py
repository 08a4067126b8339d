"""The values of one row of a table, as the tree reads them and as people do."""

from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.schema import Feature, Kind, Value, date
from bough.table import UNSEEN, Table

Cell = float | int  # a number, or the code of a choice


def cell_of(table: Table, feature: int, row: int) -> Cell | None:
    """Return the value of a feature in a row; None where it is missing or not a known choice."""
    value, kind = table.values[feature][row], table.features[feature].kind
    if kind is Kind.NUMBER:
        return None if isnan(number := float(value)) else number
    code = int(value)
    is_unknown = code == kind.missing or (kind.has_choices and code == UNSEEN)
    return None if is_unknown else code


def is_known(feature: Feature, values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which values are neither missing nor other choices than the feature has."""
    kind = feature.kind
    found: NDArray[np.bool_] = ~np.isnan(values) if kind is Kind.NUMBER else values != kind.missing
    return found & (values != UNSEEN) if kind.has_choices else found


def is_unseen(table: Table, feature: int, row: int) -> bool:
    """Return whether a value is none of the choices that the feature has."""
    has_choices = table.features[feature].kind.has_choices
    return has_choices and bool(table.values[feature][row] == UNSEEN)


def plain_cell(feature: Feature, cell: Cell | None) -> Value | None:
    """Return a cell as plain data: a number, the name of a choice, a date as text."""
    if cell is None or feature.kind in (Kind.NUMBER, Kind.INTEGER):
        return cell
    return feature.choices[int(cell)] if feature.kind.has_choices else date(cell)
