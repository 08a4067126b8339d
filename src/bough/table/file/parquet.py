"""Reads Parquet files, whose columns have types of their own."""

import json
from base64 import b64decode
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bough.errors import DataError
from bough.file_options import FileReading
from bough.schema import MISSING, MISSING_INTEGER
from bough.table.column import Choices, Column, Integers, Moments, Numbers
from bough.table.dates import as_microseconds
from bough.table.file.cells import AT_ONCE, Cells
from bough.table.file.columns import FileSource, names_of
from bough.table.file.duckdb_engine import Database, database, quoted
from bough.table.file.open_file import BLOCK, OpenFile
from bough.table.objects import Family, refused
from bough.table.source import Remark

Arrays: TypeAlias = Sequence[NDArray[Any]]

TEXT = "VARCHAR"
REFUSED = {
    "TIME": Family.DURATION,
    "TIME WITH TIME ZONE": Family.DURATION,
    "INTERVAL": Family.DURATION,
    "BLOB": Family.BYTES,
}
OF_POLARS = b"_PL_"


def read_parquet(
    given: OpenFile, options: FileReading, folder: Path, before: FileReading | None = None
) -> FileSource:
    """Return the columns of a Parquet file; the marks of a file before are missing here, too."""
    target = folder / "table.parquet"
    _place(given, target)
    loaded = database(given.name, target, is_kept=True)
    target = loaded.input
    types = _load(loaded, target)
    names, remarks = names_of(_names(loaded, target), given.name)
    texts = {name for name, kind in zip(names, types, strict=True) if kind == TEXT}
    orders, of_orders = declared_orders(loaded, target, names, texts)
    cells = Cells(loaded, len(names), ())
    if cells.n_rows == 0:
        raise DataError(f"{given.name} has columns but no rows.")

    def source(before: FileReading | None) -> FileSource:
        said = options.like(before)
        marks = tuple(mark for mark in said.missing_marks if mark)  # the empty text is a value
        return FileSource(
            names=names,
            named=True,
            n_rows=cells.n_rows,
            column=TypedCells(cells.with_marks(marks), names, types, orders).column,
            remarks=(*remarks, *of_orders),
            database=loaded,
            typed=lambda number: f"c{number}",
            reading=replace(options, missing_marks=said.missing_marks),
            again=source,
            before=before,
        )

    return source(before)


def _place(given: OpenFile, target: Path) -> None:
    """Put a file where it has a plain name: DuckDB would look for others that match an odd one."""
    if given.path is not None:
        try:
            target.symlink_to(given.path.resolve())
        except OSError:  # not every system has links
            pass
        else:
            return
    with target.open("wb") as file:
        while block := given.stream.read(BLOCK):
            file.write(block)


def _load(database: Database, target: Path) -> list[str]:
    """Make the table `cells`, and return the types of its columns."""
    source = f"read_parquet({quoted(str(target))}, hive_partitioning = false)"
    described = database.ask(f"DESCRIBE SELECT * FROM {source}").fetchall()
    columns = ", ".join(f"c{number}" for number in range(len(described)))
    texts = ", ".join(
        f"CAST(c{number} AS VARCHAR) AS c{number}"
        for number, (_, kind, *_) in enumerate(described)
        if kind == "UUID"
    )
    chosen = f"* REPLACE ({texts})" if texts else "*"
    made = "TABLE" if database.folder is None else "VIEW"  # which reads the file again
    database.ask(f"CREATE {made} cells AS SELECT {chosen} FROM {source} AS given({columns})")
    return [TEXT if kind == "UUID" else kind for _, kind, *_ in described]


def _names(database: Database, target: Path) -> list[str]:
    """Return the names of the columns as they are, not as DuckDB makes them differ."""
    nodes = database.ask(
        f"SELECT name, coalesce(num_children, 0) FROM parquet_schema({quoted(str(target))})"
    ).fetchall()
    names, inside = [], 0  # the nodes come parents first; `inside` are still to come of a column
    for name, n_children in nodes[1:]:
        if inside == 0:
            names.append(name)
        inside = max(inside - 1, 0) + n_children
    return names


@dataclass(frozen=True)
class Reader:
    """How a column of some type is read: what is asked for in SQL, and what its arrays make."""

    asked: tuple[str, ...]
    """In place of {} stands the column."""
    made: Callable[[str, Arrays], Column]
    """The column of a name."""


@dataclass(frozen=True, eq=False)
class TypedCells:
    """The columns of a Parquet file; where they are many, neighbours are read by one query."""

    cells: Cells
    names: Sequence[str]
    types: Sequence[str]
    orders: Mapping[str, Sequence[str]]
    """The values of ordered categories, by name."""
    _read: dict[int, Column] = field(default_factory=dict)

    def column(self, number: int) -> Column:
        base = _base(self.types[number])
        if base == TEXT:
            texts, order = self.cells.choices(number), self.orders.get(self.names[number])
            return texts if order is None else texts.in_order(order, self.names[number])
        if base == '"NULL"':
            return Choices((), np.full(self.cells.n_rows, MISSING, np.int32))
        if base not in READERS:
            family = REFUSED.get(base, Family.NESTED)
            raise refused(family, self.names[number], f"the type {self.types[number]}")
        if len(self.names) <= AT_ONCE:
            return next(self._columns([number]))
        if number not in self._read:
            self._read.clear()
            first = number - number % AT_ONCE
            near = range(first, min(first + AT_ONCE, len(self.names)))
            found = [each for each in near if _base(self.types[each]) in READERS]
            self._read.update(zip(found, self._columns(found), strict=True))
        return self._read[number]

    def _columns(self, numbers: Sequence[int]) -> Iterator[Column]:
        readers = [READERS[_base(self.types[number])] for number in numbers]
        asked = [
            each.format(f"c{number}")
            for number, reader in zip(numbers, readers, strict=True)
            for each in reader.asked
        ]
        arrays = iter(self.cells.arrays(*asked))
        for number, reader in zip(numbers, readers, strict=True):
            yield reader.made(self.names[number], [next(arrays) for _ in reader.asked])


def _base(kind: str) -> str:
    return kind.split("(", maxsplit=1)[0]


def _integers(_: str, arrays: Arrays) -> Integers:
    values, missing = arrays
    return Integers(values, missing if missing.any() else None)


def _moments(unit: str) -> Callable[[str, Arrays], Column]:
    return lambda name, arrays: Moments(as_microseconds(arrays[0].view(f"M8[{unit}]"), name))


def _floats(_: str, arrays: Arrays) -> Numbers:
    return Numbers(arrays[0])


_WHOLE = Reader(("coalesce({0}, 0)", "{0} IS NULL"), _integers)
_FLOAT = Reader(("coalesce({0}, 'nan')",), _floats)
_MOMENT = Reader((f"coalesce(epoch_us({{0}}), {MISSING_INTEGER})",), _moments("us"))
READERS = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT"), _WHOLE),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"), _WHOLE),
    **dict.fromkeys(("FLOAT", "DOUBLE"), _FLOAT),
    "DECIMAL": Reader(("coalesce(CAST({0} AS DOUBLE), 'nan')",), _floats),
    "BOOLEAN": Reader(
        (f"coalesce(CAST({{0}} AS INTEGER), {MISSING})",),
        lambda _, arrays: Choices((False, True), arrays[0]),
    ),
    **dict.fromkeys(("DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE"), _MOMENT),
    "TIMESTAMP_NS": Reader((f"coalesce(epoch_ns({{0}}), {MISSING_INTEGER})",), _moments("ns")),
}


def declared_orders(
    database: Database, target: Path, names: Sequence[str], texts: Collection[str]
) -> tuple[dict[str, list[str]], list[Remark]]:
    """Return the values of ordered categories in their order, and remarks on those that are not known.

    DuckDB reads them as text. The names of the columns that have an order stand in the file's notes
    for pandas, the order itself only in pages that pyarrow reads. Polars marks every Enum as
    ordered; it is a category, as in its frames. `texts` are the names of columns that hold text.
    """
    noted = _noted(database, target)
    if b"ARROW:schema" not in noted or OF_POLARS in b64decode(noted[b"ARROW:schema"]):
        return {}, []
    may_be = [name for name in names if name in texts]
    if b"pandas" in noted:
        ordered = _ordered_for_pandas(noted[b"pandas"])
        may_be = [name for name in may_be if name in ordered]
    if not may_be:
        return {}, []
    if find_spec("pyarrow") is None:
        said = "its order in the file is not read. Install what reads it: pip install pyarrow"
        is_sure = b"pandas" in noted
        return {}, [Remark("B111", name, said) for name in may_be if is_sure]
    return _read_by_arrow(target, may_be), []


def _noted(database: Database, target: Path) -> dict[bytes, bytes]:
    """Return what writers have noted in a file."""
    rows = database.ask(
        f"SELECT key, value FROM parquet_kv_metadata({quoted(str(target))})"
    ).fetchall()
    return {bytes(key): bytes(value) for key, value in rows}


def _ordered_for_pandas(noted: bytes) -> set[str]:
    try:
        columns = json.loads(noted)["columns"]
        return {
            str(each["field_name"]) for each in columns if (each["metadata"] or {}).get("ordered")
        }
    except (ValueError, KeyError, TypeError, AttributeError):  # somebody else's notes
        return set()


def _read_by_arrow(target: Path, names: Sequence[str]) -> dict[str, list[str]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {field.name: field.type for field in pq.read_schema(target)}
    ordered = [
        name
        for name in names
        if name in kinds and pa.types.is_dictionary(kinds[name]) and kinds[name].ordered
    ]
    if not ordered:
        return {}
    table = pq.read_table(target, columns=ordered).unify_dictionaries()
    return {
        name: table.column(name).chunk(0).dictionary.to_pylist()
        for name in ordered
        if table.column(name).num_chunks
    }
