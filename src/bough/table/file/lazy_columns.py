"""`FileSource`: the columns of a file, each read when it is asked for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from bough.errors import listed
from bough.reading import FileReading
from bough.table.column import Where
from bough.table.file.cells import Cells
from bough.table.file.duckdb_engine import Database
from bough.table.file.guess import Guess, TextColumn
from bough.table.file.settle_columns import as_before, settled
from bough.table.lazy_table import STRAY_CELLS, Remark, Source


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


@dataclass(frozen=True, eq=False)
class TextTable:
    """A file in which every cell is text."""

    cells: Cells
    names: tuple[str, ...]
    where: Where
    said: FileReading
    """What the user says, and what was found out about the file as a whole."""
    guess: Callable[[TextColumn, FileReading], Guess]
    """How a column is read, as far as it can tell itself."""
    remarks: Sequence[Remark] = ()
    as_before: Callable[[TextColumn, FileReading, FileReading], Guess] = as_before
    """How a column is read that was written in some way before."""

    def source(self, before: FileReading | None = None) -> FileSource:
        """Return its columns, written as those of a file before, if there was one."""
        said = self.said.like(before)
        cells = self.cells
        if said.missing_marks != cells.missing_marks:
            cells = cells.with_marks(said.missing_marks)
        columns = [TextColumn(cells, *each, self.where) for each in enumerate(self.names)]
        if before is None or before.has_only_marks:
            guesses = settled(columns, [self.guess(each, said) for each in columns], said)
        else:
            guesses = [self.as_before(each, said, before) for each in columns]
        both = list(zip(self.names, guesses, strict=True))
        forms = {name: each.form for name, each in both if each.form}
        strays = {name: each.strays for name, each in both if each.strays}
        return FileSource(
            names=self.names,
            named=True,
            n_rows=cells.n_rows,
            column=lambda number: guesses[number].column(),
            text=cells.choices,
            where=self.where,
            remarks=(
                *self.remarks,
                *_marks(self.names, guesses, said),
                *(remark for guess in guesses for remark in guess.remarks),
            ),
            database=cells.database,
            typed=lambda number: guesses[number].typed or f"c{number}",
            delimiter=said.delimiter or ",",
            decimal=said.decimal or _decimal(guesses) or ".",
            reading=replace(
                said, columns=forms, strays=strays, decimal=said.decimal or _decimal(guesses)
            ),
            again=self.source,
            before=before,
        )


def _marks(names: Sequence[str], guesses: Sequence[Guess], said: FileReading) -> Iterator[Remark]:
    """Give what texts may mean a missing value, in which columns of text."""
    columns: dict[str, list[str]] = {}
    for name, guess in zip(names, guesses, strict=True):
        for mark in guess.marks:
            columns.setdefault(mark, []).append(name)
    if columns:
        places = ", ".join(f"{mark!r} in {listed(found)}" for mark, found in columns.items())
        text = f"{places} may mean a missing value"
        yield Remark(STRAY_CELLS, "", text, {"missing_marks": (*said.missing_marks, *columns)})


def _decimal(guesses: Sequence[Guess]) -> str | None:
    """Return the comma, if it is the decimal sign of all numbers that have one."""
    return "," if {each.shows for each in guesses} & {".", ","} == {","} else None
