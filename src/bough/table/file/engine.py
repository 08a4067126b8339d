"""DuckDB, shut in: no network, no extensions, no file but those that it is given."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

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

Connection = duckdb.DuckDBPyConnection


def connect(files: Sequence[Path]) -> Connection:
    """Return a database of its own in memory, which may open these files only."""
    is_small = sum(path.stat().st_size for path in files) < SMALL
    connection = duckdb.connect(":memory:", config=SETTINGS | ({"threads": 1} if is_small else {}))
    paths = ", ".join(quoted(str(path)) for path in files)
    connection.execute(f"SET allowed_paths = [{paths}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


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
