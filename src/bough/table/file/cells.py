"""`Cells`: the cells of a text file as DuckDB holds them; what columns look like, counted by queries."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.errors import Argument, BudgetError
from bough.machine_limits import OF_FILES
from bough.remembered import Remembering, once
from bough.schema import MISSING
from bough.table.column import Choices, Integers, Numbers
from bough.table.file.duckdb_engine import Database, quoted

AT_ONCE = 100  # columns in one query
INFINITE = ("inf", "infinity", "+inf", "+infinity", "-inf", "-infinity")
MARKS = ("na", "n/a", "#n/a", "nan", "null", "none", "nil", "?", "-", "--", ".")
"""Cells that often mean a missing value."""
GLANCE = 1000  # rows that usually tell whether a point may part thousands
POINT = r"[+-]?[1-9][0-9]{0,2}(\.[0-9]{3})?"  # which may be 1.234 or 1234, if all cells are so
BYTES_PER_TEXT = 450  # of a text in a list of Python, and on the way there; measured
FEW = 1000  # texts that may be written into a query
_DIGITS_AS_9 = str.maketrans("012345678", "9" * 9)
MOST_CELLS = 1 << 23  # that are held twice


class CellCounts(NamedTuple):
    """What one pass over the cells of a column tells."""

    n_known: int
    n_numbers: int
    n_odd: int = 0
    """Cells that DuckDB and bough may read differently: infinity, nan, 1_000, +-1."""
    n_broken: int = 0
    """Cells with a point, or with a number that is not whole."""
    n_codes: int = 0
    """Cells that begin with a zero before another digit."""
    largest: float = 0.0

    @property
    def is_number(self) -> bool:
        """Whether every cell is a number without doubt."""
        return 0 < self.n_known == self.n_numbers and not self.n_odd


class Words(NamedTuple):
    """The texts of a column, sorted, and how many cells have each."""

    texts: Sequence[str]
    counts: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Cells(Remembering):
    """The table `cells` of a database, with the columns c0, c1, …"""

    database: Database
    n_columns: int
    missing_marks: Sequence[str]

    @cached_property
    def looks(self) -> list[CellCounts]:
        """A look at every column."""
        known = [self.known(number) for number in range(self.n_columns)]
        # Numbers begin with digits and with signs before them: a greater text is none.
        glances = self._rows([f"count({each}), max({each}) < ':'" for each in known])
        may_be_numbers = [number for number, (_, is_low) in enumerate(glances) if is_low]
        found = [CellCounts(n_known, 0) for n_known, _ in glances]
        looks = self._rows([counts_in_sql(known[number]) for number in may_be_numbers])
        for number, look in zip(may_be_numbers, looks, strict=True):
            found[number] = CellCounts(*look)
        return found

    @cached_property
    def unclear_points(self) -> set[int]:
        """The columns of numbers in which every point may be a decimal one or part thousands."""
        found = [i for i, look in enumerate(self.looks) if look.is_number and look.n_broken]
        for table in (f"(SELECT * FROM cells LIMIT {GLANCE})", "cells"):
            others = self._rows([is_clear_in_sql(self.known(number)) for number in found], table)
            found = [
                number for number, (is_clear,) in zip(found, others, strict=True) if not is_clear
            ]
        return set(found)

    @cached_property
    def n_rows(self) -> int:
        (n_rows,) = self.row("count(*)")
        return int(n_rows)

    def known(self, number: int) -> str:
        """Return a column in SQL, NULL where it is missing."""
        return self.without_marks(f"c{number}")

    def without_marks(self, text: str) -> str:
        """Return a text in SQL, NULL where it is a mark of a missing value."""
        result = text
        for mark in self.missing_marks:
            if mark == "":
                continue  # NULL already
            result = f"nullif({result}, {quoted(mark)})"
        return result

    @once
    def words(self, number: int) -> Words:
        """Return the texts of a column."""
        self._refuse_too_many_words(number)
        rows = self.database.ask(
            f"SELECT {self.known(number)} AS text, count(*) FROM cells WHERE text IS NOT NULL "
            "GROUP BY text ORDER BY text"
        ).fetchall()
        texts, counts = zip(*rows, strict=True) if rows else ((), ())
        return Words(texts, np.array(counts, np.int64))

    def _refuse_too_many_words(self, number: int) -> None:
        """Refuse a column of a large file that has more texts than fit into memory."""
        if self.database.memory is None:
            return
        text = self.known(number)
        n_texts, length = self.row(
            f"approx_count_distinct({text}), coalesce(avg(length({text})), 0)"
        )
        size = int(n_texts * (BYTES_PER_TEXT + length))
        if size > self.database.memory:
            raise BudgetError(
                f"Column {number + 1} of {self.database.file} has about {n_texts:,} different texts, "
                f"which take {size // 2**20 + 1:,} MB. Leave it out of the file, or use at least ",
                Argument("max_memory", f"{size * OF_FILES // 2**20 + 1}MB"), ".",
            )  # fmt: skip

    def with_marks(self, marks: Sequence[str]) -> Self:
        """Return the same cells, with other ones missing."""
        return replace(self, missing_marks=marks)

    def shapes(self, number: int) -> list[tuple[str, int, int]]:
        """Return the shapes of a column, how many cells have each, and how many of them are codes."""
        kept = ", ".join(map(quoted, (*INFINITE, *MARKS)))
        return self.database.ask(
            "SELECT CASE WHEN contains(shape, '9') THEN shape "
            f"WHEN lower(trim(shape)) IN ({kept}) THEN shape ELSE '' END AS kind, count(*), "
            f"count_if({_is_code('text')}) FROM (SELECT {self.known(number)} AS text, "
            "translate(text, '012345678', '999999999') AS shape FROM cells) "
            "WHERE text IS NOT NULL GROUP BY kind ORDER BY kind"
        ).fetchall()

    def unread(self, number: int, read: str, most: int) -> tuple[list[tuple[str, int]], int]:
        """Return the first texts that are NULL as they are read, with their rows, and how many there are."""
        found = self.database.ask(
            f"SELECT {self.known(number)} AS text, min(rowid), count(*) OVER () FROM cells "
            f"WHERE text IS NOT NULL AND ({read}) IS NULL GROUP BY text ORDER BY text LIMIT {most}"
        ).fetchall()
        return [(text, row) for text, row, _ in found], found[0][2] if found else 0

    def first_row(self, number: int, text: str) -> int:
        (row,) = self.row(f"min(rowid) FILTER (c{number} = {quoted(text)})")
        return int(row)

    def choices(self, number: int) -> Choices:
        """Return a column as its texts, sorted, and their positions."""
        texts, known = self.words(number).texts, self.known(number)
        if not texts:
            return Choices((), np.full(self.n_rows, MISSING, np.int32))
        if len(texts) < FEW and not any("\0" in text for text in texts):
            values = ", ".join(quoted(text) for text in texts)
        else:
            values = (
                f"SELECT DISTINCT {known} AS text FROM cells WHERE text IS NOT NULL ORDER BY text"
            )
        self.database.ask(f"CREATE OR REPLACE TYPE word AS ENUM ({values})")
        code = f"CAST(enum_code(CAST({known} AS word)) AS INTEGER)"
        (codes,) = self.arrays(f"coalesce({code}, {MISSING})")
        return Choices(tuple(texts), codes)

    def integers(self, number: int) -> Integers:
        """Return a column whose cells are all integers of 64 bits."""
        known = self.known(number)
        integers = f"coalesce(CAST({known} AS BIGINT), 0)"
        values, missing = self.arrays(integers, f"{known} IS NULL")
        return Integers(values, missing if missing.any() else None)

    def numbers(self, number: int) -> Numbers:
        """Return a column whose cells are all numbers."""
        (values,) = self.arrays(f"coalesce(CAST({self.known(number)} AS DOUBLE), 'nan')")
        return Numbers(values)

    def row(self, aggregates: str, table: str = "cells") -> tuple[Any, ...]:
        """Return what some aggregates over all rows come to."""
        (row,) = self.database.ask(f"SELECT {aggregates} FROM {table}").fetchall()
        return tuple(row)

    def _rows(self, aggregates: Sequence[str], table: str = "cells") -> list[tuple[Any, ...]]:
        """Return what the aggregates of each column come to, which are equally many."""
        found: list[tuple[Any, ...]] = []
        for first in range(0, len(aggregates), AT_ONCE):
            asked = aggregates[first : first + AT_ONCE]
            row = self.row(", ".join(asked), table)
            size = len(row) // len(asked)
            found += [row[start : start + size] for start in range(0, len(row), size)]
        return found

    def arrays(self, *expressions: str) -> list[NDArray[Any]]:
        """Return arrays of what some expressions come to in each row."""
        named = ", ".join(f"{each} AS a{number}" for number, each in enumerate(expressions))
        return list(self.database.ask(f"SELECT {named} FROM cells").fetchnumpy().values())


def counts_in_sql(known: str) -> str:
    """Return in SQL the numbers of a `CellCounts`."""
    number = f"TRY_CAST({known} AS DOUBLE)"
    has_plus = f"{known} >= '+' AND {known} < ','"  # the comma comes after the plus
    is_odd = f"NOT isfinite({number}) OR contains({known}, '_') OR {has_plus}"
    is_broken = f"contains({known}, '.') OR {number} <> floor({number})"
    return (
        f"count({known}), count({number}), count_if({is_odd}), count_if({is_broken}), "
        f"count_if({_is_code(known)}), coalesce(max(abs({number})), 0)"
    )


def _is_code(text: str) -> str:
    return f"{text} >= '00' AND {text} < '0:'"  # the colon comes after the digits


def is_clear_in_sql(known: str) -> str:
    """Return in SQL whether some point in a column can only be a decimal one."""
    return f"coalesce(bool_or(NOT regexp_full_match({known}, {quoted(POINT)})), false)"


def shape_of(text: str) -> str:
    """Return a text with every digit a 9; nothing where it has none, but for infinity and marks."""
    shape = text.translate(_DIGITS_AS_9)
    is_kept = "9" in shape or shape.strip(" ").lower() in (*INFINITE, *MARKS)
    return shape if is_kept else ""


@dataclass(frozen=True, eq=False)
class WideCells(Cells):
    """The cells of a file of many columns, which DuckDB reads all at once.

    A query of its own for each column costs the more, the more columns there are: DuckDB looks at
    all of them to answer it. So all cells are put below each other into one column.
    """

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

    @once
    def choices(self, number: int) -> Choices:
        found = _core.number_objects(self._known_texts[number])
        empty = Choices((), np.full(self.n_rows, MISSING, np.int32))
        return empty if found is None else Choices(tuple(found[0]), found[1]).seen()

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
