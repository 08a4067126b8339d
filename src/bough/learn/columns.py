"""Columns of one table or of several below each other: found by name, joined, cut to some rows."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, DataError, ParameterError, SchemaError, did_you_mean, listed
from bough.schema import Value
from bough.settings import COLUMN_LISTS
from bough.table import column_as
from bough.table.column import (
    Choices,
    Column,
    Integers,
    Moments,
    Numbers,
    Source,
    finite,
    missing_rows,
    recoded,
    with_missing,
)
from bough.table.types_argument import is_text

Rows = NDArray[np.intp]


def number_of(source: Source, name: object, role: str) -> int:
    """Return the number of the column that has a role, as in `target='species'`."""
    if not isinstance(name, str) and role in COLUMN_LISTS:
        raise ParameterError(
            Argument(role),
            f" has {name!r}, but must name columns of the table: {listed(source.names)}.",
        )
    if not isinstance(name, str):
        kind = type(name).__name__
        raise ParameterError(
            f"{role} is of type {kind!r}, but must be the name of a column of the table. Give the "
            "table with that column in it: bough.fit(table, target='…')."
        )
    if name in source.names:
        return source.names.index(name)
    raise ParameterError(
        Argument(role, name), " is not a column of the "
        f"table.{did_you_mean(str(name), source.names)} Columns: {listed(source.names, most=12)}.",
    )  # fmt: skip


def joined_column(
    sources: Sequence[Source], name: str, kind: str | Sequence[Value] | None
) -> tuple[Column, bool]:
    """Return a column with the rows of all sources, and whether it was read from text.

    Text in the first source is text in the others, even where their cells look like numbers.
    """
    columns: list[Column] = []
    from_text = False
    for source in sources:
        number = _number_in_part(source, name)
        column, is_read = column_as(source, number, kind)
        if kind is None and source.text is not None and columns and is_text(columns[0]):
            column = source.text(number)
        if isinstance(column, Numbers):
            finite(column.values, name)
        columns.append(column)
        from_text |= is_read
    return (columns[0] if len(columns) == 1 else _joined(columns, name)), from_text


def _number_in_part(source: Source, name: str) -> int:
    if name in source.names:
        return source.names.index(name)
    raise SchemaError(
        f"column {name!r} is missing in the development or test table."
        f"{did_you_mean(name, source.names)} Give it the columns of the training table."
    )


def rows_of(column: Column, rows: Rows) -> Column:
    """Return some rows of a column."""
    match column:
        case Numbers():
            return Numbers(column.values[rows])
        case Integers():
            missing = None if column.missing is None else column.missing[rows]
            return Integers(column.values[rows], missing)
        case Choices():
            return Choices(column.values, column.codes[rows], column.is_ordered)
        case Moments():
            return Moments(column.values[rows])


def floats_of(column: Numbers | Integers) -> NDArray[np.float64]:
    """Return numbers as float64, nan where they are missing."""
    if isinstance(column, Integers):
        return with_missing(column.values, column.missing)
    return column.values.astype(np.float64, copy=False)


def weights_of(column: Column, name: str) -> NDArray[np.float64]:
    """Return how much each row counts, as a column says."""
    if isinstance(column, Choices | Moments):
        raise ParameterError(Argument("weight", name), " has no numbers. Name a column of numbers.")
    weights = floats_of(column)
    n_wrong = int(np.count_nonzero(~(weights >= 0)))  # nan too
    if n_wrong:
        raise DataError(
            Argument("weight", name), f" is negative or missing in {n_wrong:,} rows. A weight must "
            "be 0 or more; a row of weight 0 is left out.",
        )  # fmt: skip
    if not weights.any():
        raise DataError(
            Argument("weight", name), " is 0 in every row. Give at least one row a weight."
        )
    return weights


def _joined(columns: Sequence[Column], name: str) -> Column:
    choices = [column for column in columns if isinstance(column, Choices)]
    moments = [column for column in columns if isinstance(column, Moments)]
    integers = [column for column in columns if isinstance(column, Integers)]
    numbers = [column for column in columns if isinstance(column, Numbers | Integers)]
    if len(choices) == len(columns):
        return _joined_choices(choices)
    if len(moments) == len(columns):
        return Moments(np.concatenate([column.values for column in moments]))
    if len(integers) == len(columns):
        values = np.concatenate([column.values for column in integers])
        if values.dtype.kind in "iu":  # and not float64, as int64 beside uint64 would be
            return Integers(values, np.concatenate([missing_rows(column) for column in integers]))
    if len(numbers) == len(columns):
        return Numbers(np.concatenate([floats_of(column) for column in numbers]))
    raise SchemaError(
        f"column {name!r} has another kind of values in the development or test table than in the "
        "training table. Say which it has, as in ", Argument("types", {name: "category"}), ".",
    )  # fmt: skip


def _joined_choices(columns: Sequence[Choices]) -> Choices:
    values = tuple(dict.fromkeys(value for column in columns for value in column.values))
    position = {value: number for number, value in enumerate(values)}
    codes = [
        recoded(column.codes, [position[value] for value in column.values]) for column in columns
    ]
    is_ordered = all(column.is_ordered for column in columns)
    return Choices(values, np.concatenate(codes), is_ordered)
