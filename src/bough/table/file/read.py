"""Reads a file into a source of columns."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from bough.table.file.csv import read_csv
from bough.table.file.jsonl import read_json_lines
from bough.table.file.lazy_columns import FileSource
from bough.table.file.open_file import Format, OpenFile, opened
from bough.table.file.options import Header, Options, ShortRows
from bough.table.file.parquet import read_parquet
from bough.table.file.temporary_folder import temporary_folder

READERS: dict[Format, Callable[[OpenFile, Options, Path], FileSource]] = {
    Format.CSV: read_csv,
    Format.JSON_LINES: read_json_lines,
    Format.PARQUET: read_parquet,
}


def read_file(
    path: str | os.PathLike[str],
    *,
    missing_marks: Sequence[str] = ("",),
    delimiter: str | None = None,
    quote: str = '"',
    encoding: str = "utf-8",
    header: Header = "auto",
    short_rows: ShortRows = "error",
) -> FileSource:
    r"""Read a file as a table: CSV, TSV, Parquet or JSON lines, compressed by gzip or not.

    Parameters
    ----------
    path
        The file, or '-' for standard input.
    missing_marks
        Cells to treat as missing. The empty cell of a CSV file always is; in Parquet and JSON lines
        the empty text is a value, and null is missing.
    delimiter
        The character between the cells of a CSV file. By default bough detects a comma, a semicolon,
        a tab or a bar.
    quote
        The character around cells that contain the delimiter or a line break; '' for none.
    encoding
        The encoding of a text file.
    header
        Whether the first line of a CSV file is a header. 'auto' takes it as one, but raises an error
        where it looks like a row.
    short_rows
        'missing' treats the absent last cells of a short row as missing; 'error' refuses it.

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
    options = Options(missing_marks, delimiter, quote, encoding, header, short_rows)
    with opened(path) as given, temporary_folder() as folder:
        return READERS[given.format](given, options, folder)
