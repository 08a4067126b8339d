"""`FileSource`: the columns of a file, each read when it is asked for."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bough.table.column import Where
from bough.table.file.duckdb_engine import Cells, Database
from bough.table.file.guess import Guess
from bough.table.lazy_table import Remark, Source


@dataclass(frozen=True, eq=False, kw_only=True)
class FileSource(Source):
    """A file, whose rows are the table `cells` of a database, with the columns c0, c1, …"""

    database: Database
    typed: Callable[[int], str]
    """A column in SQL, as what it is read as."""
    delimiter: str = ","
    """What parts the cells of a CSV file."""
    decimal: str = "."
    """What parts the digits of its numbers."""


def text_source(
    cells: Cells,
    names: tuple[str, ...],
    guesses: Sequence[Guess],
    where: Where,
    remarks: Iterable[Remark] = (),
) -> FileSource:
    """Return the columns of a file in which every cell is text."""
    return FileSource(
        names=names,
        named=True,
        n_rows=cells.n_rows,
        column=lambda number: guesses[number].column(),
        text=cells.choices,
        where=where,
        remarks=(*remarks, *(remark for guess in guesses for remark in guess.remarks)),
        database=cells.database,
        typed=lambda number: guesses[number].typed or f"c{number}",
    )
