"""`Cells`: the rows of a file in DuckDB, every cell as the text that stands there."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.table.column import MISSING, Choices, Integers, Numbers
from bough.table.file.engine import Database, quoted

AT_ONCE = 100  # columns in one query
FEW = 1000  # texts that may be written into a query


class Look(NamedTuple):
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
class Cells:
    """The table `cells` of a database, with the columns c0, c1, …"""

    database: Database
    n_columns: int
    missing_marks: Sequence[str]
    _words: dict[int, Words] = field(default_factory=dict)

    @cached_property
    def looks(self) -> list[Look]:
        """A look at every column."""
        known = [self.known(number) for number in range(self.n_columns)]
        # Numbers begin with digits and with signs before them: a greater text is none.
        glances = self._rows([f"count({each}), max({each}) < ':'" for each in known])
        may_be_numbers = [number for number, (_, is_low) in enumerate(glances) if is_low]
        found = [Look(n_known, 0) for n_known, _ in glances]
        looks = self._rows([_look(known[number]) for number in may_be_numbers])
        for number, look in zip(may_be_numbers, looks, strict=True):
            found[number] = Look(*look)
        return found

    @cached_property
    def n_rows(self) -> int:
        """How many rows there are."""
        (n_rows,) = self.row("count(*)")
        return int(n_rows)

    def known(self, number: int) -> str:
        """Return a column in SQL, NULL where it is missing."""
        result = f"c{number}"
        for mark in self.missing_marks:
            if mark == "":
                continue  # NULL already
            result = f"nullif({result}, {quoted(mark)})"
        return result

    def words(self, number: int) -> Words:
        """Return the texts of a column."""
        if number not in self._words:
            rows = self.database.ask(
                f"SELECT {self.known(number)} AS text, count(*) FROM cells WHERE text IS NOT NULL "
                "GROUP BY text ORDER BY text"
            ).fetchall()
            texts, counts = zip(*rows, strict=True) if rows else ((), ())
            self._words[number] = Words(texts, np.array(counts, np.int64))
        return self._words[number]

    def first_row(self, number: int, text: str) -> int:
        """Return the first row that has a text."""
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

    def row(self, aggregates: str) -> tuple[Any, ...]:
        """Return what some aggregates over all rows come to."""
        (row,) = self.database.ask(f"SELECT {aggregates} FROM cells").fetchall()
        return tuple(row)

    def _rows(self, aggregates: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return what the aggregates of each column come to, which are equally many."""
        found: list[tuple[Any, ...]] = []
        for first in range(0, len(aggregates), AT_ONCE):
            asked = aggregates[first : first + AT_ONCE]
            row = self.row(", ".join(asked))
            size = len(row) // len(asked)
            found += [row[start : start + size] for start in range(0, len(row), size)]
        return found

    def arrays(self, *expressions: str) -> list[NDArray[Any]]:
        """Return arrays of what some expressions come to in each row."""
        named = ", ".join(f"{each} AS a{number}" for number, each in enumerate(expressions))
        return list(self.database.ask(f"SELECT {named} FROM cells").fetchnumpy().values())


def _look(known: str) -> str:
    """Return in SQL the numbers of a `Look`."""
    number = f"TRY_CAST({known} AS DOUBLE)"
    has_plus = f"{known} >= '+' AND {known} < ','"  # the comma comes after the plus
    is_odd = f"NOT isfinite({number}) OR contains({known}, '_') OR {has_plus}"
    is_broken = f"contains({known}, '.') OR {number} <> floor({number})"
    is_code = f"{known} >= '00' AND {known} < '0:'"  # the colon comes after the digits
    return (
        f"count({known}), count({number}), count_if({is_odd}), count_if({is_broken}), "
        f"count_if({is_code}), coalesce(max(abs({number})), 0)"
    )
