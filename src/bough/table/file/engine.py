"""DuckDB, shut in: no network, no extensions, no file but those that it is given."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import duckdb

from bough.errors import BudgetError, DataError

SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "allow_community_extensions": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,  # a name in SQL is never a variable of Python
    "temp_directory": "",
}
SMALL = 1 << 24  # bytes, for which threads cost more than they save
LONG_LINE = 1_000_000  # bytes; DuckDB wants to be told of longer ones

Connection = duckdb.DuckDBPyConnection


class Dialect(NamedTuple):
    """How the cells of a text stand."""

    delimiter: str
    quote: str
    empty_is_missing: bool
    longest: int
    """How many bytes the longest row has."""


def connect(files: Sequence[Path]) -> Connection:
    """Return a database of its own in memory, which may open these files only."""
    is_small = sum(path.stat().st_size for path in files) < SMALL
    connection = duckdb.connect(":memory:", config=SETTINGS | ({"threads": 1} if is_small else {}))
    paths = ", ".join(quoted(str(path)) for path in files)
    connection.execute(f"SET allowed_paths = [{paths}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def load_rows(connection: Connection, rows: Path, table: str, width: int, dialect: Dialect) -> None:
    """Make a table of texts, with the columns c0, c1, …, of a file that holds nothing but rows."""
    columns = ", ".join(f"'c{number}': 'VARCHAR'" for number in range(width))
    # No cell can hold NUL: so nothing is missing where not even the empty cell is.
    missing = "''" if dialect.empty_is_missing else "chr(0)"
    long = ""
    if dialect.longest > LONG_LINE:
        long = f", max_line_size = {dialect.longest + 1}, buffer_size = {2 * dialect.longest + 2}"
    connection.execute(
        f"CREATE TABLE {table} AS SELECT * FROM read_csv({quoted(str(rows))}, auto_detect = false, "
        f"columns = {{{columns}}}, header = false, delim = {quoted(dialect.delimiter)}, "
        f"quote = {quoted(dialect.quote)}, escape = {quoted(dialect.quote)}, "
        f"nullstr = {missing}, new_line = '\\n'{long})"
    )


def quoted(text: str) -> str:
    """Return a text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


@contextmanager
def errors_of(file: str) -> Iterator[None]:
    """Say about which file DuckDB complains, in an error of bough."""
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise BudgetError(f"{file} does not fit into memory ({_first_line(error)}).") from error
    except duckdb.Error as error:
        raise DataError(f"{file} cannot be read ({_first_line(error)}).") from error


def _first_line(error: duckdb.Error) -> str:
    return str(error).split("\n", maxsplit=1)[0]
