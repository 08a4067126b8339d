"""Reads JSON lines: an object on each line, whose keys are columns."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from bough.errors import DataError
from bough.file_options import FileReading
from bough.schema import MISSING
from bough.table.column import Choices, Column, Where
from bough.table.file.cells import Cells
from bough.table.file.columns import TextTable, as_before, names_of
from bough.table.file.duckdb_engine import Database, Dialect, database, load_rows, quoted
from bough.table.file.guess_types import Guess, TextColumn, guess, guess_json_text, text_guess
from bough.table.file.open_file import OpenFile, pieces
from bough.table.objects import Family, mixed, refused

FAMILIES = {
    "VARCHAR": Family.TEXT,
    "BOOLEAN": Family.BOOLEAN,
    "BIGINT": Family.NUMBER,
    "UBIGINT": Family.NUMBER,
    "HUGEINT": Family.NUMBER,
    "DOUBLE": Family.NUMBER,
    "OBJECT": Family.NESTED,
    "ARRAY": Family.NESTED,
}
UNIT_SEPARATOR = "\x1f"  # no JSON has it as it is, so that a line is one cell to DuckDB
MOST_SHOWN = 40  # signs of a line


def read_json_lines(
    given: OpenFile, options: FileReading, folder: Path, _: FileReading | None = None
) -> TextTable:
    """Return the table in a file of JSON lines; a key that a line lacks is missing there."""
    target = folder / "lines.txt"
    lines, dialect = _write_lines(given, options, target)

    def where(row: int) -> str:
        return f"line {lines[row]}"

    loaded = database(given.name, target)
    load_rows(loaded, target, "lines", 1, dialect)
    _refuse_other_lines(loaded, where)
    keys = _keys(loaded, where)
    _load_cells(loaded, keys)
    names, remarks = names_of(keys, given.name)
    # The empty text is a value: what is missing is null, or not there.
    cells = Cells(loaded, len(names), options.missing_marks)
    return TextTable(cells, names, where, options, _guess, remarks, _as_before)


def _write_lines(
    given: OpenFile, options: FileReading, target: Path
) -> tuple[NDArray[np.int32], Dialect]:
    """Write the lines that are not blank, and return which lines of the file they are."""
    found, longest = [np.empty(0, np.int32)], 0
    with target.open("wb") as file:
        for piece in pieces(given, replace(options, quote="")):
            if UNIT_SEPARATOR.encode() in piece.text:
                line = piece.line(piece.text.index(UNIT_SEPARATOR.encode()))
                raise DataError(
                    f"line {line} of {given.name} is not JSON: it has a control character."
                )
            is_blank = piece.starts == piece.ends
            signs = np.frombuffer(piece.text, np.uint8)
            file.write(np.delete(signs, piece.ends[is_blank]).tobytes())
            found.append(piece.lines[~is_blank])
            longest = max(longest, int((piece.ends - piece.starts).max()))
    lines = np.concatenate(found)
    if not len(lines):
        raise DataError(f"{given.name} is empty.")
    return lines, Dialect(UNIT_SEPARATOR, "", empty_is_missing=False, longest=longest)


def _refuse_other_lines(database: Database, where: Where) -> None:
    """Refuse the first line that holds no object."""
    found = database.ask(
        "SELECT rowid, c0 FROM lines WHERE CASE WHEN json_valid(c0) THEN json_type(c0) <> 'OBJECT' "
        "ELSE true END ORDER BY rowid LIMIT 1"
    ).fetchall()
    for row, text in found:
        shown = repr(text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…")
        raise DataError(
            f"{where(row)} of {database.file} is not a JSON object: {shown}. JSON lines have one object "
            "{…} per line."
        )


def _keys(database: Database, where: Where) -> tuple[str, ...]:
    """Return the keys of all objects, in the order in which they come up."""
    structures = database.ask(
        "SELECT json_keys(c0) AS keys, min(rowid) AS first FROM lines GROUP BY keys ORDER BY first"
    ).fetchall()
    for keys, row in structures:
        if len(set(keys)) < len(keys):
            repeated = next(key for key in keys if keys.count(key) > 1)
            raise DataError(
                f"{where(row)} of {database.file} has the key {repeated!r} twice. Give every key once."
            )
    names = tuple(dict.fromkeys(key for keys, _ in structures for key in keys))
    if not names:
        raise DataError(f"{database.file} has no columns: its objects are empty.")
    return names


def _load_cells(database: Database, names: Sequence[str]) -> None:
    """Make the tables `cells`, of texts, and `families`, of what the texts are in JSON."""
    escaped = [name.replace("~", "~0").replace("/", "~1") for name in names]
    pointers = ", ".join(quoted(f"/{name}") for name in escaped)
    for table, function in (("cells", "json_extract_string"), ("families", "json_type")):
        columns = ", ".join(f"x[{number + 1}] AS c{number}" for number in range(len(names)))
        database.ask(
            f"CREATE TABLE {table} AS SELECT {columns} FROM "
            f"(SELECT {function}(c0, [{pointers}]) AS x FROM lines)"
        )
    database.ask("DROP TABLE lines")


def _as_before(column: TextColumn, said: FileReading, before: FileReading) -> Guess:
    """Return how a column is read that was written in a form before; what is no text needs none."""
    if column.name in said.columns and [*_families(column)] == [Family.TEXT]:
        return as_before(column, said, before)
    found = _guess(column, said)
    return text_guess(column) if found.form else found


def _guess(column: TextColumn, said: FileReading) -> Guess:
    first_of = _families(column)
    if len(first_of) > 1 or Family.NESTED in first_of:
        return Guess(lambda: _refuse(column, first_of))
    if Family.BOOLEAN in first_of:
        known = column.cells.known(column.number)
        return Guess(lambda: _booleans(column), typed=f"CAST({known} AS BOOLEAN)")
    return (guess_json_text if Family.TEXT in first_of else guess)(column, said)


def _families(column: TextColumn) -> dict[Family, int]:
    """Return what the cells of a column are, and the first row of each kind."""
    found = column.cells.database.ask(
        f"SELECT c{column.number} AS family, min(rowid) AS first FROM families "
        "WHERE family IS NOT NULL AND family <> 'NULL' GROUP BY family ORDER BY first"
    ).fetchall()
    first_of: dict[Family, int] = {}
    for json_type, row in found:
        first_of.setdefault(FAMILIES[json_type], row)
    return first_of


def _booleans(column: TextColumn) -> Column:
    known = column.cells.known(column.number)
    (codes,) = column.cells.arrays(
        f"CAST(CASE {known} WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE {MISSING} END AS INTEGER)"
    )
    return Choices((False, True), codes)


def _refuse(column: TextColumn, first_of: dict[Family, int]) -> NoReturn:
    if Family.NESTED in first_of:
        where = column.where(first_of[Family.NESTED])
        raise refused(Family.NESTED, column.name, f"a list or an object in {where}")
    places = [(family, f"{family} in {column.where(row)}") for family, row in first_of.items()]
    raise mixed(column.name, places[0], places[1])
