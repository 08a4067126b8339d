"""Runs an SQL export on rows: in DuckDB, which reads PostgreSQL's dialect too, in SQLite or in Spark."""

import json
import shutil
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bough.errors import ParameterError, needs_package
from bough.explain.condition_sql import STANDARD
from bough.exports.rows import Rows
from bough.exports.sql import DIALECTS, columns_of
from bough.schema import Feature, Kind, date
from bough.tree import Tree

Records = list[tuple[Any, ...]]


def query_rows(content: str, tree: Tree, rows: Rows, options: Mapping[str, Any]) -> Records:
    """Return what a query or an expression says of each row."""
    dialect = options.get("dialect", "duckdb")
    quoted, order = DIALECTS[dialect].name, "row"
    table = quoted(options.get("table", "data"))
    while order in {each.casefold() for each in tree.schema.columns}:
        order += "_"
    names = [order, *(tree.schema.columns[field.column] for field in rows.fields)]
    width = len(columns_of(tree)[0])
    if options.get("expression"):
        content, width = f"SELECT *, {content} FROM {table}", 1
    run = {"sqlite": _in_sqlite, "spark": _in_spark}.get(dialect, _in_duckdb)
    query = f"SELECT * FROM ({content}) ORDER BY {quoted(order)}"
    return [row[-width:] for row in run(query, table, names, rows)]


def _in_duckdb(query: str, table: str, names: list[str], rows: Rows) -> Records:
    try:
        import duckdb
    except ImportError:
        raise missing_package("duckdb", "'bough[cli]'") from None

    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        path = _written(rows, folder).replace("'", "''")
        kinds = {f"c{place}": kind for place, kind in enumerate(_types(rows))}
        read = f"read_json('{path}', format='newline_delimited', columns={kinds})"
        pairs = zip(_columns(rows, "make_timestamp"), names, strict=True)
        columns = ", ".join(f"{read} AS {STANDARD.name(name)}" for read, name in pairs)
        connection.execute(f"CREATE TABLE {table} AS SELECT {columns} FROM {read}")
        return connection.execute(query).fetchall()


def _in_spark(query: str, table: str, names: list[str], rows: Rows) -> Records:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise missing_package("pyspark", "pyspark") from None
    tool("Java", "Install it (Debian: apt install default-jre).", "java")
    build = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    build = build.config("spark.ui.showConsoleProgress", "false")
    session = build.getOrCreate().newSession()  # whose settings and tables are its own
    session.conf.set("spark.sql.session.timeZone", "UTC")
    with tempfile.TemporaryDirectory() as folder:
        declared = ", ".join(f"c{place} {kind}" for place, kind in enumerate(_types(rows)))
        read = session.read.schema(declared).json(_written(rows, folder))
        read.selectExpr(*_columns(rows, "timestamp_micros")).toDF(*names).createOrReplaceTempView(
            table
        )
        found = session.sql(query)
        places = [str(place) for place in range(len(found.columns))]
        kinds = [kind for _, kind in found.dtypes]  # Python has not all dates
        known = [each for each, kind in zip(places, kinds, strict=True) if kind != "timestamp"]
        said = found.toDF(*places).select(known)
        with warnings.catch_warnings():  # PySpark closes no socket that it reads rows from
            warnings.simplefilter("ignore", ResourceWarning)
            return [tuple(row) for row in said.collect()]


def _in_sqlite(query: str, table: str, names: list[str], rows: Rows) -> Records:
    import sqlite3

    columns: list[Any] = rows.columns()
    for place, field in enumerate(rows.fields):
        if field.kind is Kind.DATE:
            columns[place] = [None if each is None else date(each) for each in columns[place]]
    cells = zip(range(rows.n_rows), *columns, strict=True)
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute(f"CREATE TABLE {table} ({', '.join(map(STANDARD.name, names))})")
        marks = ", ".join("?" * len(names))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", cells)
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def _written(rows: Rows, folder: str) -> str:
    """Return a file with a line of JSON for each row: its number, and its values by place."""
    path = Path(folder) / "rows.json"
    lines = [
        json.dumps({f"c{place}": each for place, each in enumerate((n, *row))})
        for n, row in enumerate(rows.cells())
    ]
    path.write_text("\n".join(lines), "utf-8")
    return str(path)


def _columns(rows: Rows, moment: str) -> list[str]:
    """Return what reads the columns of such a file, of which some are dates."""
    is_date = [False, *(field.kind is Kind.DATE for field in rows.fields)]
    return [f"{moment}(c{place})" if each else f"c{place}" for place, each in enumerate(is_date)]


def _types(rows: Rows) -> list[str]:
    return ["BIGINT", *map(_type, rows.fields)]


def _type(field: Feature) -> str:
    if field.kind.has_choices:
        kinds = {str: "STRING", bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE"}
        return kinds[type(field.choices[0])]
    return "BIGINT" if field.kind.is_integer else "DOUBLE"


def tool(what: str, advice: str, *names: str) -> str:
    """Return the path of a program that has one of these names."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise ParameterError(
            f"To check this export, bough needs {what}, which is not installed. {advice}"
        )
    return found


def missing_package(package: str, install: str) -> ParameterError:
    """Return the error about a package that an export is run in."""
    return ParameterError("Checking this export", needs_package(package, install), ".")
