"""Reads CSV files, and TSV and the like."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from bough.errors import Argument, DataError, Words, listed
from bough.reading import FileReading
from bough.table.file.cells import Cells, cells_of
from bough.table.file.columns import TextTable
from bough.table.file.csv_rows import Records, delimiter_word, write_records
from bough.table.file.duckdb_engine import Dialect, database, load_rows, quoted
from bough.table.file.forms import is_value
from bough.table.file.guess import guess
from bough.table.file.open_file import OpenFile, pieces
from bough.table.source import Remark


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
    values = [text for text in first if is_value(text)]
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
        look.is_number and text and not is_value(text)
        for text, look in zip(first, cells.looks, strict=True)
    )


def _recurs(first: Sequence[str], cells: Cells) -> bool:
    """Return whether every cell of the first line is found again below itself."""
    found = [f"bool_or(c{number} = {quoted(text)})" for number, text in enumerate(first)]
    return all(cells.row(", ".join(found)))


def read_csv(
    given: OpenFile, said: FileReading, folder: Path, before: FileReading | None = None
) -> TextTable:
    """Return the table in a CSV file."""
    target = folder / "rows.csv"
    likely = None if before is None else before.delimiter
    said = _of_file(said, before)
    has_header = said.header is not False
    parts = pieces(given, said, is_sure=before is None)
    records = write_records(parts, target, said, given.name, likely, has_header=has_header)
    loaded = database(given.name, target)
    dialect = Dialect(
        records.delimiter, said.quote_sign, empty_is_missing=True, longest=records.longest
    )
    load_rows(loaded, target, "cells", records.width, dialect)
    n_columns = len(records.first)
    cells = cells_of(Cells(loaded, n_columns, said.missing_marks))
    if cells.n_rows != records.n_rows:
        raise DataError(
            f"{given.name} cannot be read reliably: it has {records.n_rows:,} rows, but DuckDB finds "
            f"{cells.n_rows:,}. Check its quotes."
        )
    if has_header:
        hint = "; if the first line is not a header, use ", Argument("header", value=False)
        names, remarks = names_of(records.first, given.name, hint)
        if said.header == "auto":
            check_is_header(records.first, cells, f"line {records.first_line}", given.name)
    else:
        names, remarks = numbered_names(n_columns), []
    lines = np.concatenate(records.lines)

    def where(row: int) -> str:
        return f"line {lines[row]}"

    said = replace(said, delimiter=records.delimiter, header=has_header)
    return TextTable(cells, names, where, said, guess, [*remarks, *_found(records)])


def _of_file(said: FileReading, before: FileReading | None) -> FileReading:
    """Return what is said, and what is remembered about a file as a whole, but for its delimiter."""
    told = said.like(before)
    return replace(
        said,
        missing_marks=told.missing_marks,
        quote=told.quote,
        encoding=told.encoding,
        header=told.header,
        short_rows=told.short_rows,
        skip=told.skip,
    )


def _found(records: Records) -> list[Remark]:
    """Return what was found out about the file as a whole."""
    found = []
    if records.above:
        lines = "1 line" if len(records.above) == 1 else f"{len(records.above):,} lines"
        found.append(f"{lines} above the header left out: {listed(records.above, most=2)}")
    if records.is_sniffed and records.delimiter not in ",\t":
        found.append(f"the delimiter is a {delimiter_word(records.delimiter)}")
    return [Remark("B111", "", text) for text in found]
