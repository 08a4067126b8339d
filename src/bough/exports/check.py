"""Compares what an export says with what the tree predicts."""

from collections.abc import Mapping
from typing import Any

from bough.errors import ExportError
from bough.exports.replay import expected, replay
from bough.exports.rows import read_rows
from bough.schema import Value
from bough.table import TableLike
from bough.tree import Tree
from bough.walk import trail
from bough.words import plain


def check_export(
    content: str | bytes,
    format: str,  # noqa: A002
    tree: Tree,
    table: TableLike,
    options: Mapping[str, Any],
) -> int:
    """Run an export on the rows of a table, and refuse it at the first row that differs.

    Returns
    -------
    int
        How many rows were compared.
    """
    rows = read_rows(tree, table)
    nodes = rows.stops(tree)
    wanted, found = expected(tree, nodes), replay(content, format, tree, rows, options)
    compares_shares = any(found.shares)
    for row, node in enumerate(nodes.tolist()):
        if not _same(tree, found.guesses[row], wanted.guesses[row]):
            raise _difference(tree, row, node, found.guesses[row], wanted.guesses[row])
        if compares_shares and found.shares[row] != wanted.shares[row]:
            raise _difference(tree, row, node, found.shares[row], wanted.shares[row])
    return rows.n_rows


def _same(tree: Tree, found: tuple[Value, ...], wanted: tuple[Value, ...]) -> bool:
    """Return whether predictions are equal; databases may give 1 for true."""
    return len(found) == len(tree.schema.labels) and all(
        one == other for one, other in zip(found, wanted, strict=True)
    )


def _difference(tree: Tree, row: int, node: int, found: object, wanted: object) -> ExportError:
    path = [
        f"{step.parent.query.feature.name} {step.answer}"
        for step in trail(tree, node)
        if step.parent is not None and step.parent.query is not None
    ]
    words = " → ".join(path) or "all rows"
    return ExportError(
        f"row {row}: the export gives {_plain(found)}, but the tree {_plain(wanted)} "
        f"(node {node}: {plain(words)}). This is a bug in bough: please report it with the model."
    )


def _plain(said: object) -> str:
    one = said[0] if isinstance(said, tuple) and len(said) == 1 else said
    return plain(repr(one))
