"""Writes the rows of a file with columns added to them."""

import csv
import gzip
import io
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from numpy.typing import NDArray

from bough.errors import DataError, ParameterError, listed
from bough.files import replacing
from bough.machine_limits import using_temporary
from bough.table.column import Column, Numbers
from bough.table.file.columns import FileSource
from bough.table.file.duckdb_engine import quoted
from bough.table.numbers import NUMBER

STANDARD_OUTPUT = "-"
FORMULA = r"^[=+\-@\t\r]"  # what a spreadsheet would run begins so
SHIELD = "'"  # what a spreadsheet takes as "this is text", and does not show


class OutputFormat(NamedTuple):
    """A format of tables."""

    options: str
    """What DuckDB is told."""
    delimiter: str = ""
    """What parts the cells, where every cell is text, which a spreadsheet might run."""


def _separated(delimiter: str) -> OutputFormat:
    return OutputFormat(f"FORMAT csv, HEADER false, DELIMITER {quoted(delimiter)}", delimiter)


TARGETS = {
    ".csv": _separated(","),
    ".tsv": _separated("\t"),
    ".parquet": OutputFormat("FORMAT parquet"),
    ".jsonl": OutputFormat("FORMAT json"),
}


def write_table(
    source: FileSource,
    added: Mapping[str, Column],
    path: str | os.PathLike[str],
    *,
    excel_safe: bool = False,
) -> int:
    r"""Write the rows of a file with some columns added, and return how many cells are formulas.

    Cells of a text file are written as they stand there. The new file is whole or not there: .csv,
    .tsv, .parquet or .jsonl, and .gz after it for gzip; '-' is the standard output, as CSV. CSV
    keeps the delimiter and the decimal comma of the rows. If it is to be `excel_safe`, ' is put
    before a cell that a spreadsheet would run as a formula.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from bough.table.column import Numbers
    >>> from bough.table.file import read_file
    >>> with TemporaryDirectory() as folder:
    ...     rooms, sizes = Path(folder, "rooms.csv"), Path(folder, "sizes.tsv")
    ...     _ = rooms.write_text("size,height\n31,2.50\n18,\n")
    ...     _ = write_table(read_file(rooms), {"guess": Numbers(np.array([0.5, 1.0]))}, sizes)
    ...     sizes.read_text()
    'size\theight\tguess\n31\t2.50\t0.5\n18\t\t1.0\n'
    """
    target, database = _target(path, source), source.database
    _check_names(source, added, target)
    with _folder(database.output.parent):
        rows = "FROM cells"
        if added:
            database.connection.register("added", _arrays(added))
            rows += " POSITIONAL JOIN added"
        written = _written(source, added, as_text=bool(target.delimiter))
        n_formulas = 0
        if target.delimiter and excel_safe:
            written = [(_safe_name(name), _safe(cell)) for name, cell in written]
        elif target.delimiter:
            counts = " + ".join(f"count_if({_runs(cell)})" for _, cell in written)
            ((n_formulas,),) = database.ask(f"SELECT {counts} {rows}").fetchall()
        columns = ", ".join(f"{cell} AS {_identifier(name)}" for name, cell in written)
        database.write(
            f"COPY (SELECT {columns} {rows}) TO {quoted(str(database.output))} "
            f"({target.options}, USE_TMP_FILE false)"
        )
        with database.output.open("rb") as written_rows, _opened(path) as file:
            file.write(_header((name for name, _ in written), target.delimiter))
            shutil.copyfileobj(written_rows, file)
    return int(n_formulas)


def _target(path: str | os.PathLike[str], source: FileSource) -> OutputFormat:
    if path == STANDARD_OUTPUT:
        return _separated(source.delimiter)
    suffix = _suffix(str(path))
    if suffix not in TARGETS:
        raise ParameterError(
            f"{os.fspath(path)!r} does not end with the name of a known format. Use one of "
            f"{listed(TARGETS)}, with or without '.gz'."
        )
    if suffix == ".csv" and _suffix(source.database.file.strip("'")) != ".tsv":
        return _separated(source.delimiter)
    return TARGETS[suffix]


def _suffix(path: str) -> str:
    return Path(path.lower().removesuffix(".gz")).suffix


def _check_names(source: FileSource, added: Mapping[str, Column], target: OutputFormat) -> None:
    """Refuse names of columns that cannot stand beside each other."""
    if repeated := [name for name in added if name in source.names]:
        raise DataError(
            f"{source.database.file} already has a column {listed(repeated)}, which would be "
            "overwritten. Rename it."
        )
    lower = Counter(name.lower() for name in (*source.names, *added))
    alike = [name for name in (*source.names, *added) if lower[name.lower()] > 1]
    if alike and not target.delimiter:  # DuckDB would give them other names
        raise DataError(
            f"the columns {listed(alike)} of {source.database.file} differ only in case. Rename "
            "them, or write CSV."
        )


def _header(names: Iterable[str], delimiter: str) -> bytes:
    """Return the line of names of a CSV file; other formats need none."""
    text = io.StringIO()
    if delimiter:
        csv.writer(text, delimiter=delimiter, lineterminator="\n").writerow(names)
    return text.getvalue().encode()


@contextmanager
def _opened(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    if path == STANDARD_OUTPUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with replacing(path) as file:
        if str(path).lower().endswith(".gz"):
            with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
                yield cast(BinaryIO, packed)
        else:
            yield file


@contextmanager
def _folder(folder: Path) -> Iterator[None]:
    """Make a folder, and remove it in the end."""
    with using_temporary():
        folder.mkdir(mode=0o700)
    try:
        yield
    finally:
        shutil.rmtree(folder)


def _written(
    source: FileSource, added: Mapping[str, Column], *, as_text: bool
) -> list[tuple[str, str]]:
    """Return the columns to write: their names, and what they are in SQL."""
    written = [
        (name, f"c{number}" if as_text else source.typed(number))
        for number, name in enumerate(source.names)
    ]
    for number, (name, column) in enumerate(added.items()):
        value = f"v{number}"
        if as_text and source.decimal == "," and isinstance(column, Numbers):
            value = f"replace(CAST({value} AS VARCHAR), '.', ',')"
        written.append((name, f"CASE WHEN m{number} THEN NULL ELSE {value} END"))
    return written


def _arrays(added: Mapping[str, Column]) -> dict[str, NDArray[Any]]:
    """Return two arrays for each column: its values, and which of them are missing."""
    found: dict[str, NDArray[Any]] = {}
    for number, column in enumerate(added.values()):
        found |= {f"v{number}": column.array(), f"m{number}": column.missing_rows()}
    return found


def _runs(cell: str) -> str:
    """Return in SQL whether a spreadsheet would run a cell; a number is never touched."""
    text = f"CAST({cell} AS VARCHAR)"
    with_point = f"replace({text}, ',', '.')"  # of a decimal comma
    is_number = f"regexp_full_match({with_point}, {quoted(NUMBER.pattern)})"
    return f"regexp_matches({text}, {quoted(FORMULA)}) AND NOT {is_number}"


def _safe(cell: str) -> str:
    text = f"CAST({cell} AS VARCHAR)"
    return f"CASE WHEN {_runs(cell)} THEN {quoted(SHIELD)} || {text} ELSE {text} END"


def _safe_name(name: str) -> str:
    return SHIELD + name if re.match(FORMULA, name) else name


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
