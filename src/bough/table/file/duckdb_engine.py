"""DuckDB, shut in: no network, no extensions, no file but those that it is given."""

from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, NamedTuple, Protocol, Self
from weakref import finalize

from numpy.typing import NDArray

from bough.errors import BudgetError, DataError, needs_package
from bough.machine_limits import of_temporary, reading_limit

SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "allow_community_extensions": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,  # a name in SQL is never a variable of Python
    "temp_directory": "",
}
SMALL = 1 << 24  # bytes, for which threads cost more than they save
LONG_LINE = 1_000_000  # bytes; DuckDB wants to be told of longer ones


class Connection(Protocol):
    """What is asked of DuckDB, which is loaded only where a file is read."""

    def execute(self, query: str) -> Self: ...

    def fetchall(self) -> list[tuple[Any, ...]]: ...

    def fetchnumpy(self) -> dict[str, NDArray[Any]]: ...

    def register(self, name: str, columns: dict[str, NDArray[Any]]) -> Self: ...


class Dialect(NamedTuple):
    """How the cells of a text stand."""

    delimiter: str
    quote: str
    empty_is_missing: bool
    longest: int
    """How many bytes the longest row has."""


@dataclass(frozen=True, eq=False)
class Database:
    """A database in memory with the rows of one file."""

    connection: Connection
    file: str
    """What messages call the file."""
    input: Path
    """The only file that may be read."""
    output: Path
    """The only file that may be written; its folder need not be there until then."""
    memory: int | None = None
    """How many bytes it may take, if the file is large for the memory that there is."""
    folder: Path | None = None
    """Where a large file is, and what of its rows does not fit into memory; it goes with this."""

    def ask(self, query: str) -> Connection:
        """Return the result of a query; if there is none, an error about the file."""
        import duckdb

        try:
            return self.connection.execute(query)
        except duckdb.OutOfMemoryException as error:
            raise BudgetError(
                f"{self.file} does not fit into memory ({self._why(error)})."
            ) from error
        except duckdb.Error as error:
            raise DataError(f"{self.file} cannot be read ({self._why(error)}).") from error

    def write(self, query: str) -> None:
        """Run a query that writes the output."""
        import duckdb

        try:
            self.ask(query)
        except DataError as error:
            if isinstance(error.__cause__, duckdb.IOException):  # the rows are in memory
                raise of_temporary(self._why(error.__cause__)) from error
            raise

    def _why(self, error: Exception) -> str:
        first_line = str(error).split("\n", maxsplit=1)[0]
        return first_line.replace(f"'{self.input}'", self.file)


def database(file: str, path: Path, *, is_kept: bool = False) -> Database:
    """Return a database that may open one file to read, and one beside it to write.

    If the file is large for the memory that there is, rows that do not fit lie in a folder, and the
    file in it, too, if it is to be kept.
    """
    try:
        import duckdb
    except ImportError:
        needs = needs_package("duckdb", "'bough[cli]'")
        raise DataError(f"Reading {file}{needs}, or pass a data frame.") from None

    size, output = path.stat().st_size, path.with_name("written")
    settings = SETTINGS | ({"threads": 1} if size < SMALL else {})
    folder, place = None, ":memory:"
    if (limit := reading_limit(size)) is not None:
        folder = Path(mkdtemp(prefix="bough-"))
        settings |= {"memory_limit": f"{limit}B", "temp_directory": str(folder)}
        if is_kept:
            path = path.rename(folder / path.name)
        else:
            place = str(folder / "rows")
    made = Database(duckdb.connect(place, config=settings), file, path, output, limit, folder)
    finalize(made, rmtree, folder or "", ignore_errors=True)
    made.ask(f"SET allowed_paths = [{quoted(str(path))}, {quoted(str(output))}]")
    made.ask("SET enable_external_access = false")
    made.ask("SET lock_configuration = true")
    return made


def load_rows(database: Database, rows: Path, table: str, width: int, dialect: Dialect) -> None:
    """Make a table of texts, with the columns c0, c1, …, of a file that holds nothing but rows."""
    columns = ", ".join(f"'c{number}': 'VARCHAR'" for number in range(width))
    # No cell can hold NUL: so nothing is missing where not even the empty cell is.
    missing = "''" if dialect.empty_is_missing else "chr(0)"
    long = ""
    if dialect.longest > LONG_LINE:
        long = f", max_line_size = {dialect.longest + 1}, buffer_size = {2 * dialect.longest + 2}"
    database.ask(
        f"CREATE TABLE {table} AS SELECT * FROM read_csv({quoted(str(rows))}, auto_detect = false, "
        f"columns = {{{columns}}}, header = false, delim = {quoted(dialect.delimiter)}, "
        f"quote = {quoted(dialect.quote)}, escape = {quoted(dialect.quote)}, "
        f"nullstr = {missing}, new_line = '\\n'{long})"
    )


def quoted(text: str) -> str:
    """Return a text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"
