"""The tree as SQL: one expression, or a query that adds predictions to a table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from bough.errors import ParameterError, refuse_unknown
from bough.explain.condition import Condition
from bough.explain.condition_sql import SqlDialect, where
from bough.exports.conditions import Branch, branch_of, guesses_of, refusal, refuse_words
from bough.predict import features_asked
from bough.schema import Part, Value
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
    """Return a query that adds the prediction, and the probability of each class, to each row.

    Parameters
    ----------
    tree
        The tree.
    dialect
        'duckdb', 'postgres', 'spark' or 'sqlite'.
    expression
        Return only the expression that is the prediction.
    table
        The table to read.
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
