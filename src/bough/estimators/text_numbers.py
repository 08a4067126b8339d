"""Says that a column of text holds numbers, which are then read as categories."""

import re
import warnings

import narwhals as nw

from bough.errors import listed
from bough.schema import Kind, NumberFeatures
from bough.table import Table, TableLike, Types
from bough.table.types_argument import wanted_types

FEW = 2  # of two values it does not matter what they are
NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?")


def warn_of_numbers(X: TableLike, table: Table, types: Types | None) -> None:
    """Warn of columns whose values are all numbers written as text; codes such as 007 are none.

    Columns that `types` names are left out, and those that the frame itself calls categories.
    """
    if isinstance(table.features, NumberFeatures):
        return
    told = wanted_types(types, table.columns, named=table.named)
    frame = nw.from_native(X, pass_through=True)
    kinds = dict(enumerate(frame.schema.dtypes())) if isinstance(frame, nw.DataFrame) else {}
    names = [
        feature.name
        for feature in table.features
        if feature.kind is Kind.CHOICE
        and len(feature.choices) > FEW
        and feature.column not in told
        and all(isinstance(each, str) and NUMBER.fullmatch(each) for each in feature.choices)
        and kinds.get(feature.column) not in (nw.Categorical, nw.Enum)
    ]
    if names:
        first = repr(names[0])
        hold = "columns hold" if len(names) > 1 else "column holds"
        warnings.warn(
            f"{len(names)} {hold} numbers as text, read as categories: {listed(names)}. To compare them as numbers, use types={{{first}: 'number'}}; "
            f"to keep them and hide this warning, types={{{first}: 'category'}}.",
            UserWarning,
            stacklevel=5,
        )
