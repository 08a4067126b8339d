"""`WideCells`: the cells of a file of many columns, which DuckDB reads all at once.

A query of its own for each column costs the more, the more columns there are: DuckDB looks at all
of them to answer it. So all cells are put below each other into one column.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.schema import MISSING
from bough.table.column import Choices, Integers, Numbers
from bough.table.file.cells import (
    AT_ONCE,
    CellCounts,
    Cells,
    Words,
    counts_in_sql,
    is_clear_in_sql,
    shape_of,
)

MOST_CELLS = 1 << 23  # that are held twice


@dataclass(frozen=True, eq=False)
class WideCells(Cells):
    """The table `cells` of a database, of more columns than rows are worth a query each."""

    _texts: dict[int, Choices] = field(default_factory=dict)

    @cached_property
    def looks(self) -> list[CellCounts]:
        known = self.without_marks("text")
        rows = self.database.ask(
            f"SELECT count({known}), max({known}) < ':', {counts_in_sql(known)} FROM {self._long} "
            "GROUP BY number ORDER BY number"
        ).fetchall()
        return [
            CellCounts(*counts) if may_be_number else CellCounts(n_known, 0)
            for n_known, may_be_number, *counts in rows
        ]

    @cached_property
    def unclear_points(self) -> set[int]:
        is_clear = is_clear_in_sql(self.without_marks("text"))
        rows = self.database.ask(
            f"SELECT {is_clear} FROM {self._long} GROUP BY number ORDER BY number"
        ).fetchall()
        both = enumerate(zip(rows, self.looks, strict=True))
        return {i for i, ((clear,), look) in both if not clear and look.is_number and look.n_broken}

    def with_marks(self, marks: Sequence[str]) -> Self:
        return replace(self, missing_marks=marks, _words={}, _texts={})

    def shapes(self, number: int) -> list[tuple[str, int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for text, n in zip(*self.words(number), strict=True):
            shape = shape_of(text)
            n_all, n_codes = found.get(shape, (0, 0))
            found[shape] = n_all + int(n), n_codes + int(n) * ("00" <= text < "0:")
        return [(shape, *counts) for shape, counts in sorted(found.items())]

    def words(self, number: int) -> Words:
        texts = self.choices(number)
        counts = np.bincount(texts.codes[texts.codes >= 0], minlength=len(texts.values))
        return Words(texts.values, counts.astype(np.int64))  # type: ignore[arg-type]

    def choices(self, number: int) -> Choices:
        if number not in self._texts:
            found = _core.number_objects(self._known_texts[number])
            empty = Choices((), np.full(self.n_rows, MISSING, np.int32))
            self._texts[number] = (
                empty if found is None else Choices(tuple(found[0]), found[1]).seen()
            )
        return self._texts[number]

    def integers(self, number: int) -> Integers:
        values, missing = (each[number] for each in self._integers)
        return Integers(values, missing if missing.any() else None)

    def numbers(self, number: int) -> Numbers:
        return Numbers(self._numbers[number])

    @cached_property
    def _long(self) -> str:
        """The table of all cells, in SQL; the rows of the other one are numbered as they lie."""
        columns = ", ".join(f"c{number}" for number in range(self.n_columns))
        self.database.ask(
            "CREATE TABLE IF NOT EXISTS long AS SELECT CAST(row AS INTEGER) AS row, unnest(texts) AS text, "
            "CAST(generate_subscripts(texts, 1) AS INTEGER) AS number "
            f"FROM (SELECT rowid AS row, [{columns}] AS texts FROM cells)"
        )
        return "long"

    @cached_property
    def _known_texts(self) -> NDArray[Any]:
        (texts,) = self._matrices(self.without_marks("text"))
        return texts

    @cached_property
    def _integers(self) -> list[NDArray[Any]]:
        known = self.without_marks("text")
        return self._matrices(f"coalesce(TRY_CAST({known} AS BIGINT), 0)", f"{known} IS NULL")

    @cached_property
    def _numbers(self) -> NDArray[Any]:
        known = self.without_marks("text")
        (values,) = self._matrices(f"coalesce(TRY_CAST({known} AS DOUBLE), 'nan')")
        return values

    def _matrices(self, *expressions: str) -> list[NDArray[Any]]:
        """Return what some expressions come to in every cell, as (columns, rows)."""
        named = ", ".join(f"{each} AS a{number}" for number, each in enumerate(expressions))
        found = self.database.ask(f"SELECT {named} FROM {self._long} ORDER BY number, row")
        return [each.reshape(self.n_columns, -1) for each in found.fetchnumpy().values()]


def cells_of(cells: Cells) -> Cells:
    """Return the cells of a text file, read all at once where there are many columns."""
    if cells.n_columns <= AT_ONCE or cells.n_columns * cells.n_rows > MOST_CELLS:
        return cells
    return WideCells(cells.database, cells.n_columns, cells.missing_marks)
