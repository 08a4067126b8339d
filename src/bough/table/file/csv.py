"""Reads CSV files, and TSV and the like."""

from pathlib import Path

import numpy as np

from bough.errors import DataError
from bough.table.column import Remark
from bough.table.file.cells import Cells
from bough.table.file.delimiter import delimiter_word
from bough.table.file.engine import Dialect, database, load_rows
from bough.table.file.guess import TextColumn, guess
from bough.table.file.header import check_is_header, names_of, numbered_names
from bough.table.file.opened import Given
from bough.table.file.options import Options, saying
from bough.table.file.pieces import pieces
from bough.table.file.records import write_records
from bough.table.file.source import FileSource, text_source


def read_csv(given: Given, options: Options, folder: Path) -> FileSource:
    """Return the columns of a CSV file."""
    target = folder / "rows.csv"
    has_header = options.header is not False
    parts = pieces(given, options)
    records = write_records(parts, target, options, given.name, has_header=has_header)
    loaded = database(given.name, target)
    empty_is_missing = "" in options.missing_marks
    dialect = Dialect(records.delimiter, options.quote, empty_is_missing, records.longest)
    load_rows(loaded, target, "cells", records.width, dialect)
    n_columns = len(records.first)
    cells = Cells(loaded, n_columns, options.missing_marks)
    if cells.n_rows != records.n_rows:
        raise DataError(
            f"{given.name} is not a clean table: it has {records.n_rows:,} rows, but DuckDB finds "
            f"{cells.n_rows:,}."
        )
    if has_header:
        hint = f"; if the first line holds no names, {saying('header', value=False)}"
        names, remarks = names_of(records.first, given.name, hint)
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
