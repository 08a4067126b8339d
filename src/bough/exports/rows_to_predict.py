"""Rows as an export gets them: a value for each column that the tree asks about; and a few to test it with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.explain.rules_and_conditions import trail_conditions
from bough.predict import features_asked, stops
from bough.schema import MISSING_INTEGER, UNSEEN, Feature, Kind, Part, Value
from bough.table import Table, TableLike, read_like
from bough.table.dates import part_of
from bough.table.match_columns import all_missing
from bough.tree import Tree

TESTED = 20  # rows of a test that a file carries


def fields_of(tree: Tree) -> tuple[Feature, ...]:
    """Return a feature for each column that is asked about; for parts of a date, the date."""
    found: dict[int, Feature] = {}
    for number in features_asked(tree):
        feature = tree.schema.features[number]
        if feature.part is not Part.ITSELF:
            feature = replace(feature, kind=Kind.DATE, part=Part.ITSELF, choices=())
        found.setdefault(feature.column, feature)
    return tuple(found[column] for column in sorted(found))


@dataclass(frozen=True)
class Rows:
    """The values of some rows, for each field an array as tables hold it."""

    fields: tuple[Feature, ...]
    values: tuple[NDArray[Any], ...]
    n_rows: int

    def columns(self) -> list[list[Value | None]]:
        """Return the values of each field; dates are microseconds since 1970."""
        pairs = zip(self.fields, self.values, strict=True)
        return [_plain(feature, values) for feature, values in pairs]

    def cells(self) -> list[tuple[Value | None, ...]]:
        """Return the values of each row."""
        return list(zip(*self.columns(), strict=True)) if self.fields else [()] * self.n_rows

    def stops(self, tree: Tree) -> NDArray[np.int32]:
        """Return the node where each row stops."""
        pairs = zip(self.fields, self.values, strict=True)
        of_column = {field.column: values for field, values in pairs}
        values = []
        for feature in tree.schema.features:
            found = of_column.get(feature.column)
            if found is None:
                values.append(all_missing(feature, self.n_rows))
            else:
                is_part = feature.part is not Part.ITSELF
                values.append(part_of(found, feature.part) if is_part else found)
        table = Table(tree.schema.columns, True, tree.schema.features, tuple(values), self.n_rows)  # noqa: FBT003
        return stops(tree, table)


def read_rows(tree: Tree, table: TableLike) -> Rows:
    """Return the rows of a table, read as `predict` reads them."""
    fields = fields_of(tree)
    schema = replace(tree.schema, features=fields)
    read = read_like(table, schema, asked=range(len(fields))).dense()
    values = tuple(np.asarray(read.values[number]) for number in range(len(fields)))
    return Rows(fields, values, read.n_rows)


def rows_for_test(tree: Tree) -> Rows:
    """Return a few rows that stop at nodes all over the tree, and one without any value."""
    fields = fields_of(tree)
    trails = [conditions for _, conditions in trail_conditions(tree)] if len(tree) <= 10_000 else []
    picked = trails[:: max(1, -(-len(trails) // TESTED))]
    cells: dict[tuple[float | None, ...], None] = {(None,) * len(fields): None}  # each once
    for conditions in picked:
        met = {each.feature: each.nearest(None) for each in conditions}
        cells[tuple(met.get(field) for field in fields)] = None
    values = [
        np.array(
            [field.kind.missing if cell is None else cell for cell in column], field.kind.dtype
        )
        for field, column in zip(fields, zip(*cells, strict=True), strict=True)
    ]
    return Rows(fields, tuple(values), len(cells))


def _plain(field: Feature, values: NDArray[Any]) -> list[Value | None]:
    if field.kind.has_choices:
        choices = (*field.choices, _unseen(field.choices), None)
        return [
            choices[code]
            for code in np.where(values == UNSEEN, len(field.choices), values).tolist()
        ]
    gap = MISSING_INTEGER if field.kind.is_integer else None
    return [None if each == gap or each != each else each for each in values.tolist()]  # noqa: PLR0124


def _unseen(choices: Sequence[Value]) -> Value:
    if any(isinstance(each, str) for each in choices):
        return max((str(each) for each in choices), key=len) + "?"
    if all(isinstance(each, bool) for each in choices):
        return choices == (False,)
    return max(float(each) for each in choices) + 1
