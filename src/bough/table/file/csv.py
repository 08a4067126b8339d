"""Reads CSV files, and TSV and the like."""

from pathlib import Path

import numpy as np

from bough.errors import DataError
from bough.table.column import Remark
from bough.table.file.cells import Cells
from bough.table.file.delimiter import delimiter_word
from bough.table.file.engine import Connection, connect, errors_of, quoted
from bough.table.file.guess import TextColumn, guess
from bough.table.file.header import check_is_header, names_of, numbered_names
from bough.table.file.opened import Given
from bough.table.file.options import Options
from bough.table.file.pieces import pieces
from bough.table.file.records import Records, write_records
from bough.table.file.source import FileSource, text_source

LONG_LINE = 1_000_000  # bytes; DuckDB wants to be told of longer ones


def read_csv(given: Given, options: Options, folder: Path) -> FileSource:
    """Return the columns of a CSV file."""
    target = folder / "rows.csv"
    has_header = options.header is not False
    parts = pieces(given, options)
    records = write_records(parts, target, options, given.name, has_header=has_header)
    connection = connect([target])
    with errors_of(given.name):
        _load(connection, target, records, options)
    n_columns = len(records.first)
    cells = Cells(connection, given.name, n_columns, options.missing_marks)
    if cells.n_rows != records.n_rows:
        raise DataError(
            f"{given.name} is not a clean table: it has {records.n_rows:,} rows, but DuckDB finds "
            f"{cells.n_rows:,}."
        )
    if has_header:
        names, remarks = names_of(records.first, given.name)
        if options.header == "auto":
            check_is_header(records.first, cells, f"line {records.first_line}", given.name)
    else:
        names, remarks = numbered_names(n_columns), []
    if options.delimiter is None and records.delimiter not in ",\t":
        word = delimiter_word(records.delimiter)
        remarks.append(Remark("B111", "", f"the cells are parted by the {word}"))
    lines = np.concatenate(records.lines)

    def where(row: int) -> str:
        return f"line {lines[row]}"

    guesses = [
        guess(TextColumn(cells, number, name, where), comma_is_decimal=records.delimiter == ";")
        for number, name in enumerate(names)
    ]
    return text_source(cells, names, guesses, where, remarks)


def _load(connection: Connection, rows: Path, records: Records, options: Options) -> None:
    """Make the table `cells` of a file that holds nothing but rows of equal length."""
    columns = ", ".join(f"'c{number}': 'VARCHAR'" for number in range(records.width))
    long = ""
    if records.longest > LONG_LINE:
        long = f", max_line_size = {records.longest + 1}, buffer_size = {2 * records.longest + 2}"
    # No cell can hold NUL: so nothing is missing where not even the empty cell is.
    missing = "''" if "" in options.missing_marks else "chr(0)"
    connection.execute(
        f"CREATE TABLE cells AS SELECT * FROM read_csv({quoted(str(rows))}, auto_detect = false, "
        f"columns = {{{columns}}}, header = false, delim = {quoted(records.delimiter)}, "
        f"quote = {quoted(options.quote)}, escape = {quoted(options.quote)}, nullstr = {missing}, "
        f"new_line = '\\n'{long})"
    )
