"""Reads CSV files, and TSV and the like."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from bough.errors import Argument, DataError, Words, listed
from bough.table.file.csv_rows import delimiter_word, write_records
from bough.table.file.duckdb_engine import Cells, Dialect, database, load_rows, quoted
from bough.table.file.guess import TextColumn, guess, local_time, plain_number
from bough.table.file.lazy_columns import FileSource, text_source
from bough.table.file.open_file import OpenFile
from bough.table.file.options import Options
from bough.table.file.pieces import pieces
from bough.table.file.wide_cells import cells_of
from bough.table.lazy_table import Remark


def names_of(
    first: Sequence[str], name: str, hint: Sequence[Words] = ()
) -> tuple[tuple[str, ...], list[Remark]]:
    """Return the names in a header; a column without one gets one, and a remark."""
    repeated = [each for each, count in Counter(first).items() if count > 1 and each]
    if repeated:
        places = [number for number, each in enumerate(first, 1) if each == repeated[0]]
        also = f"; so do {listed(repeated[1:])}" if repeated[1:] else ""
        raise DataError(
            f"column {repeated[0]!r} of {name} appears {len(places)} times (columns {listed(places)})"
            f"{also}. Give every column a name of its own",
            *hint,
            ".",
        )
    names, remarks = [], []
    for number, given in enumerate(first, 1):
        made = given
        if not given:
            made = f"column_{number}"
            while made in first:
                made += "_"
            remarks.append(Remark("B111", made, f"column {number} has no name in the file"))
        names.append(made)
    return tuple(names), remarks


def numbered_names(n_columns: int) -> tuple[str, ...]:
    """Return the names of the columns of a file without a header."""
    return tuple(f"column_{number}" for number in range(1, n_columns + 1))


def check_is_header(first: Sequence[str], cells: Cells, line: str, name: str) -> None:
    """Refuse a first line that may as well be a row as hold names."""
    asks = (
        "If it is the header, use ",
        Argument("header", value=True),
        "; if it is a row, use ",
        Argument("header", value=False),
        ".",
    )
    values = [text for text in first if plain_number(text) or local_time(text)]
    if _names_a_number(first, cells):
        return
    if values:
        raise DataError(f"{line} of {name} has {values[0]!r} where a name should be. ", *asks)
    if _recurs(first, cells):
        raise DataError(
            f"{line} of {name} has {listed(first, most=3)}, and each also occurs further down in its column. ",
            *asks,
        )


def _names_a_number(first: Sequence[str], cells: Cells) -> bool:
    """Return whether some column of numbers has a word on top."""
    return any(
        look.is_number and text and not plain_number(text)
        for text, look in zip(first, cells.looks, strict=True)
    )


def _recurs(first: Sequence[str], cells: Cells) -> bool:
    """Return whether every cell of the first line is found again below itself."""
    found = [f"bool_or(c{number} = {quoted(text)})" for number, text in enumerate(first)]
    return all(cells.row(", ".join(found)))


def read_csv(given: OpenFile, options: Options, folder: Path) -> FileSource:
    """Return the columns of a CSV file."""
    target = folder / "rows.csv"
    has_header = options.header is not False
    parts = pieces(given, options)
    records = write_records(parts, target, options, given.name, has_header=has_header)
    loaded = database(given.name, target)
    dialect = Dialect(
        records.delimiter, options.quote, empty_is_missing=True, longest=records.longest
    )
    load_rows(loaded, target, "cells", records.width, dialect)
    n_columns = len(records.first)
    cells = cells_of(Cells(loaded, n_columns, options.missing_marks))
    if cells.n_rows != records.n_rows:
        raise DataError(
            f"{given.name} cannot be read reliably: it has {records.n_rows:,} rows, but DuckDB finds "
            f"{cells.n_rows:,}. Check its quotes."
        )
    if has_header:
        hint = "; if the first line is not a header, use ", Argument("header", value=False)
        names, remarks = names_of(records.first, given.name, hint)
        if options.header == "auto":
            check_is_header(records.first, cells, f"line {records.first_line}", given.name)
    else:
        names, remarks = numbered_names(n_columns), []
    if options.delimiter is None and records.delimiter not in ",\t":
        word = delimiter_word(records.delimiter)
        remarks.append(Remark("B111", "", f"the delimiter is a {word}"))
    lines = np.concatenate(records.lines)

    def where(row: int) -> str:
        return f"line {lines[row]}"

    guesses = [
        guess(TextColumn(cells, number, name, where), comma_is_decimal=records.delimiter == ";")
        for number, name in enumerate(names)
    ]
    decimal = "," if any(each.decimal == "," for each in guesses) else "."
    source = text_source(cells, names, guesses, where, remarks)
    return replace(source, delimiter=records.delimiter, decimal=decimal)
