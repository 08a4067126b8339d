"""The tree as SQL, one expression or a query that adds predictions to a table; and such a query, run on rows."""

import json
import tempfile
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from bough.errors import ParameterError, refuse_unknown
from bough.explain.condition_sql import STANDARD, SqlDialect, where
from bough.explain.rules_and_conditions import Condition
from bough.exports.node_conditions import Branch, branch_of, guesses_of
from bough.exports.refusals import package, refusal, refuse_words, tool
from bough.exports.rows_to_predict import Rows
from bough.predict import features_asked
from bough.schema import Feature, Kind, Part, Value, date
from bough.tree import Node, Tree
from bough.walk import fold

_HOUR = "CAST(strftime('%H', substr({}, 1, 19)) AS INTEGER)"  # rounds nothing up
DIALECTS = {
    "duckdb": SqlDialect(double_end="e0", nan="'NaN'::DOUBLE"),
    "postgres": SqlDialect(double_end="::float8", nan="'NaN'::float8"),
    "spark": SqlDialect(
        name_quote="`",
        text_escapes={ord("\\"): "\\\\", ord("'"): "\\'", ord("$"): "\\u0024"},
        double_end="D",
        nan="double('NaN')",
        double="DOUBLE",
        parts={
            Part.WEEKDAY: ("(weekday({}) + 1)", 1),
            Part.MONTH: ("month({})", 1),
            Part.HOUR: ("hour({})", 0),
        },
    ),
    "sqlite": SqlDialect(
        double_end="",
        moment="{}",  # dates are text, as SQLite's functions write them
        double="REAL",
        parts={
            Part.WEEKDAY: (_HOUR.replace("%H", "%w").join(("(", " + 6) % 7")), 0),
            Part.MONTH: (_HOUR.replace("%H", "%m"), 1),
            Part.HOUR: (_HOUR, 0),
        },
    ),
}
DEEPEST = {"sqlite": 15}  # CASE within CASE; Debian's SQLite parses 18
DEEPEST_ELSEWHERE = 100
LONGEST_NAME = 63  # bytes that PostgreSQL keeps
MOST_BRANCHES = 10_000  # databases take time that grows with the square
Records = list[tuple[Any, ...]]


class Cases(NamedTuple):
    """What a node answers: conditions, each with what it leads to, and what all others get."""

    whens: tuple[tuple[str, "Cases"], ...]
    otherwise: str
    depth: int = 0

    def text(self, indent: str = "\n") -> str:
        """Return the expression; lines begin with `indent`."""
        if not self.whens:
            return self.otherwise
        further = indent + "  "
        lines = [f"{further}WHEN {test} THEN {then.text(further)}" for test, then in self.whens]
        return f"CASE{''.join(lines)}{further}ELSE {self.otherwise}{indent}END"


def sql(
    tree: Tree, *, dialect: str = "duckdb", expression: bool = False, table: str = "data"
) -> str:
    """Return a query that adds the prediction, and the probability of each class, to each row of a table.

    An `expression` is the prediction alone.
    """
    refuse_unknown("dialect", dialect, DIALECTS)
    to = DIALECTS[dialect]
    refuse_words(tree, "\0", "SQL")
    if dialect == "spark":
        _refuse_variables(tree)
    if len(tree) - tree.n_leaves > MOST_BRANCHES:
        raise ParameterError(
            f"SQL would need {len(tree) - tree.n_leaves:,} conditions, which databases take too "
            f"long to read (at most {MOST_BRANCHES:,}). Prune the tree, or export it as 'c' or 'onnx'."
        )
    if expression:
        if len(tree.schema.labels) > 1:
            raise refusal(
                0, "one expression cannot be several predictions", "Leave out 'expression'."
            )
        said = [to.literal(each) for (each,) in guesses_of(tree)]
        return _cases(tree, dialect, said).text() + "\n"
    return _query(tree, dialect, to, table)


def _refuse_variables(tree: Tree) -> None:
    """Refuse names in which Spark would fill in a variable."""
    for number in features_asked(tree):
        name = tree.schema.columns[tree.schema.features[number].column]
        if "${" in name:
            node = int((tree.feature == number).argmax())
            raise refusal(node, f"Spark fills in what stands after '${{' in the name {name!r}")


def _query(tree: Tree, dialect: str, to: SqlDialect, table: str) -> str:
    names, rows = columns_of(tree)
    values = [
        f"({node}, {', '.join(to.literal(each) for each in said)})"
        for node, said in enumerate(rows)
    ]
    listed = ", ".join(to.name(each) for each in ("bough_node", *names))
    cases = _cases(tree, dialect, [str(node) for node in range(len(tree))])
    return (
        f"WITH bough_rows AS (SELECT *, {cases.text()} AS {to.name('bough_node')} FROM {to.name(table)}),\n"
        f"bough_nodes ({listed}) AS (VALUES\n" + ",\n".join(values) + ")\n"
        f"SELECT * FROM bough_rows JOIN bough_nodes USING ({to.name('bough_node')})\n"
    )


def _cases(tree: Tree, dialect: str, said: Sequence[str]) -> Cases:
    """Return the expression that gives for a row what its node says."""
    to, deepest = DIALECTS[dialect], DEEPEST.get(dialect, DEEPEST_ELSEWHERE)

    def branch(node: Node, below: Sequence[Cases]) -> Cases:
        found = _nested(tree, branch_of(node), below, said[node.id], to)
        if found.depth > deepest:
            raise ParameterError(
                f"node {node.id} would need more than {deepest} CASE within one another, more than "
                f"{dialect} reads. Prune the tree, or export it as 'c' or 'onnx'."
            )
        return found

    return fold(tree, lambda leaf: Cases((), said[leaf.id]), branch)


def _nested(tree: Tree, branch: Branch, below: Sequence[Cases], stop: str, to: SqlDialect) -> Cases:
    """Return the cases of a branch. The deepest answer comes last, and so nests no further."""
    last = max(range(len(below)), key=lambda answer: (below[answer].depth, answer))
    is_open = branch.answered is None or bool(below[last].whens)
    whens = []
    if is_open and branch.answered is not None:  # who has no answer leaves first
        whens.append((_unanswered(tree, branch.answered, to), Cases((), stop)))
    for answer, condition in enumerate(branch.conditions):
        if not (is_open and answer == last):
            whens.append((where([condition], tree.schema, to), below[answer]))
    nested = [each.depth for answer, each in enumerate(below) if not (is_open and answer == last)]
    depth = 1 + max(nested, default=0)
    if not is_open:
        return Cases(tuple(whens), stop, depth)
    return Cases((*whens, *below[last].whens), below[last].otherwise, max(depth, below[last].depth))


def _unanswered(tree: Tree, answered: Condition, to: SqlDialect) -> str:
    if answered.codes is None:
        return where([replace(answered, may_be_known=False, may_be_missing=True)], tree.schema, to)
    return f"({where([answered], tree.schema, to)}) IS NOT TRUE"


def columns_of(tree: Tree) -> tuple[list[str], list[list[Value]]]:
    """Return the columns that a query adds, and what stands there for each node."""
    labels, guesses = tree.schema.labels, guesses_of(tree)
    names: list[str] = []
    found: list[list[Value]] = []
    for output, label in enumerate(labels):
        name = "prediction" if len(labels) == 1 else f"prediction_{label.name}"
        names += [name, *(f"{name}_{each}" for each in label.classes)]
        found.append([each[output] for each in guesses])
        if label.classes:
            found += tree.probabilities[:, output, : len(label.classes)].T.tolist()
    taken = Counter(each.casefold() for each in names)  # which is all that some databases see
    for number, name in enumerate(names):
        if taken[name.casefold()] > 1 or len(name.encode()) > LONGEST_NAME or "${" in name:
            names[number] = f"prediction_{number}"
    return names, [list(row) for row in zip(*found, strict=True)]


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
    duckdb = package("duckdb", "'bough[cli]'")
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        path = _written(rows, folder).replace("'", "''")
        kinds = {f"c{place}": kind for place, kind in enumerate(_types(rows))}
        read = f"read_json('{path}', format='newline_delimited', columns={kinds})"
        pairs = zip(_columns(rows, "make_timestamp"), names, strict=True)
        columns = ", ".join(f"{read} AS {STANDARD.name(name)}" for read, name in pairs)
        connection.execute(f"CREATE TABLE {table} AS SELECT {columns} FROM {read}")
        found: Records = connection.execute(query).fetchall()
        return found


def _in_spark(query: str, table: str, names: list[str], rows: Rows) -> Records:
    spark = package("pyspark.sql", "pyspark")
    tool("Java", "Install it (Debian: apt install default-jre).", "java")
    build = spark.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
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
