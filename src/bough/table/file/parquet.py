"""Reads Parquet files, whose columns have types of their own."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from bough.errors import DataError
from bough.reading import FileReading
from bough.schema import MISSING, MISSING_INTEGER
from bough.table.column import Choices, Column, Integers, Moments, Numbers
from bough.table.dates import as_microseconds
from bough.table.file.csv import names_of
from bough.table.file.duckdb_engine import Cells, Database, database, quoted
from bough.table.file.lazy_columns import FileSource
from bough.table.file.open_file import OpenFile
from bough.table.file.pieces import BLOCK
from bough.table.objects import Family, refused

TEXT = "VARCHAR"
REFUSED = {
    "TIME": Family.DURATION,
    "TIME WITH TIME ZONE": Family.DURATION,
    "INTERVAL": Family.DURATION,
    "BLOB": Family.BYTES,
}


def read_parquet(
    given: OpenFile, options: FileReading, folder: Path, _: FileReading | None = None
) -> FileSource:
    """Return the columns of a Parquet file."""
    target = folder / "table.parquet"
    _place(given, target)
    loaded = database(given.name, target)
    types = _load(loaded, target)
    names, remarks = names_of(_names(loaded, target), given.name)
    marks = tuple(mark for mark in options.missing_marks if mark)  # the empty text is a value
    cells = Cells(loaded, len(names), marks)
    if cells.n_rows == 0:
        raise DataError(f"{given.name} has columns but no rows.")
    return FileSource(
        names=names,
        named=True,
        n_rows=cells.n_rows,
        column=lambda number: _column(cells, number, types[number], names[number]),
        remarks=tuple(remarks),
        database=loaded,
        typed=lambda number: f"c{number}",
        reading=options,
    )


def _place(given: OpenFile, target: Path) -> None:
    """Put a file where it has a plain name: DuckDB would look for others that match an odd one."""
    if given.path is not None:
        try:
            target.symlink_to(given.path.resolve())
        except OSError:  # not every system has links
            pass
        else:
            return
    with target.open("wb") as file:
        while block := given.stream.read(BLOCK):
            file.write(block)


def _load(database: Database, target: Path) -> list[str]:
    """Make the table `cells`, and return the types of its columns."""
    source = f"read_parquet({quoted(str(target))}, hive_partitioning = false)"
    described = database.ask(f"DESCRIBE SELECT * FROM {source}").fetchall()
    columns = ", ".join(f"c{number}" for number in range(len(described)))
    texts = ", ".join(
        f"CAST(c{number} AS VARCHAR) AS c{number}"
        for number, (_, kind, *_) in enumerate(described)
        if kind == "UUID"
    )
    chosen = f"* REPLACE ({texts})" if texts else "*"
    database.ask(f"CREATE TABLE cells AS SELECT {chosen} FROM {source} AS given({columns})")
    return [TEXT if kind == "UUID" else kind for _, kind, *_ in described]


def _names(database: Database, target: Path) -> list[str]:
    """Return the names of the columns as they are, not as DuckDB makes them differ."""
    nodes = database.ask(
        f"SELECT name, coalesce(num_children, 0) FROM parquet_schema({quoted(str(target))})"
    ).fetchall()
    names, inside = [], 0  # the nodes come parents first; `inside` are still to come of a column
    for name, n_children in nodes[1:]:
        if inside == 0:
            names.append(name)
        inside = max(inside - 1, 0) + n_children
    return names


def _column(cells: Cells, number: int, kind: str, name: str) -> Column:
    known, base = f"c{number}", kind.split("(", maxsplit=1)[0]
    if base in READERS:
        return READERS[base](cells, known, name)
    if base == TEXT:
        return cells.choices(number)
    if base == '"NULL"':
        return Choices((), np.full(cells.n_rows, MISSING, np.int32))
    raise refused(REFUSED.get(base, Family.NESTED), name, f"the type {kind}")


def _integers(cells: Cells, known: str, _: str) -> Integers:
    values, missing = cells.arrays(f"coalesce({known}, 0)", f"{known} IS NULL")
    return Integers(values, missing if missing.any() else None)


def _floats(cells: Cells, known: str, _: str) -> Numbers:
    (values,) = cells.arrays(f"coalesce({known}, 'nan')")
    return Numbers(values)


def _decimals(cells: Cells, known: str, name: str) -> Numbers:
    return _floats(cells, f"CAST({known} AS DOUBLE)", name)


def _booleans(cells: Cells, known: str, _: str) -> Choices:
    (codes,) = cells.arrays(f"coalesce(CAST({known} AS INTEGER), {MISSING})")
    return Choices((False, True), codes)


def _moments(cells: Cells, known: str, name: str) -> Moments:
    (values,) = cells.arrays(f"coalesce(epoch_us({known}), {MISSING_INTEGER})")
    return Moments(as_microseconds(values.view("M8[us]"), name))


def _fine_moments(cells: Cells, known: str, name: str) -> Moments:
    (values,) = cells.arrays(f"coalesce(epoch_ns({known}), {MISSING_INTEGER})")
    return Moments(as_microseconds(values.view("M8[ns]"), name))


READERS: dict[str, Callable[[Cells, str, str], Column]] = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT"), _integers),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"), _integers),
    **dict.fromkeys(("FLOAT", "DOUBLE"), _floats),
    "DECIMAL": _decimals,
    "BOOLEAN": _booleans,
    **dict.fromkeys(("DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE"), _moments),
    "TIMESTAMP_NS": _fine_moments,
}
