"""Reads files by DuckDB, which no other folder knows."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from bough.file_options import FileOptions, FileReading, reading_of
from bough.machine_limits import temporary_folder
from bough.table.file.columns import FileSource, TextTable
from bough.table.file.csv import read_csv
from bough.table.file.excel import read_excel
from bough.table.file.jsonl import read_json_lines
from bough.table.file.open_file import Format, OpenFile, opened
from bough.table.file.parquet import read_parquet

READERS: dict[
    Format, Callable[[OpenFile, FileReading, Path, FileReading | None], TextTable | FileSource]
] = {
    Format.CSV: read_csv,
    Format.EXCEL: read_excel,
    Format.JSON_LINES: read_json_lines,
    Format.PARQUET: read_parquet,
}


def read_file(
    path: str | os.PathLike[str], *, like: FileReading | None = None, **options: Unpack[FileOptions]
) -> FileSource:
    r"""Read a file as a table: CSV, TSV, Excel, Parquet or JSON lines, compressed by gzip or not.

    Parameters
    ----------
    path
        The file, or '-' for standard input.
    like
        How a file was read before, as a model remembers it. What contradicts it is refused.
    missing_marks
        Cells to treat as missing. The empty cell of a CSV file always is; in Parquet and JSON lines
        the empty text is a value, and null is missing.
    delimiter
        The character between the cells of a CSV file. By default bough detects a comma, a semicolon,
        a tab or a bar.
    quote
        The character around cells that contain the delimiter or a line break, by default '"'; ''
        for none.
    encoding
        The encoding of a text file, by default UTF-8.
    header
        Whether the first line of a CSV file is a header. 'auto' takes it as one, but raises an error
        where it looks like a row.
    short_rows
        'missing' treats the absent last cells of a short row as missing; 'error' refuses it.
    skip
        How many lines to skip at the top of a CSV file.
    decimal
        The decimal sign of a CSV file, '.' or ','. By default it is inferred.
    thousands
        The sign between thousands in a CSV file: ',', '.', ' ', "'", or '' for none. By default it is
        inferred.
    date_format
        How dates are written, as in '%d/%m/%Y'; or a list of formats. By default it is inferred.
    sheet
        The sheet of an Excel file, by name or by number from 1; the first by default.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "rooms.csv")
    ...     _ = file.write_text("size;height\n31;2,50\n18;2,40\n")
    ...     source = read_file(file)
    >>> source.names, source.n_rows
    (('size', 'height'), 2)
    >>> source.column(1)
    Numbers(values=array([2.5, 2.4]))
    """
    said = reading_of(options)
    with opened(path) as given, temporary_folder() as folder:
        found = READERS[given.format](given, said, folder, like)
        return found if isinstance(found, FileSource) else found.source(like)
