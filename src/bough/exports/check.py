"""Compares what an export says with what the tree predicts."""

from collections.abc import Mapping, Sequence
from typing import Any

from bough.errors import ExportError
from bough.exports.replay import expected, replay
from bough.exports.rows import read_rows
from bough.table import TableLike
from bough.tree import Tree
from bough.walk import trail
from bough.words import plain

BUG = "This is a bug in bough: please report it with the model."
ROUNDED = (
    "This format may round numbers to float32, and sends a missing value on where bough stops. "
    "If such rows matter, choose another format."
)


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
    wanted, found = expected(tree, nodes, format), replay(content, format, tree, rows, options)
    advice = ROUNDED if format in ("sklearn", "treelite") else BUG
    parts: list[tuple[Sequence[Sequence[object]], Sequence[Sequence[object]]]] = [
        (found.guesses, wanted.guesses)
    ]
    if any(found.shares):
        parts.append((found.shares, wanted.shares))
    for row, node in enumerate(nodes.tolist()):
        for said, true in parts:
            if said[row] != true[row]:  # databases may give 1 for true
                words = _first_difference(tree, said[row], true[row])
                raise _difference(tree, row, node, words, advice)
    return rows.n_rows


def _difference(tree: Tree, row: int, node: int, difference: str, advice: str) -> ExportError:
    path = [
        f"{step.parent.query.feature.name} {step.answer}"
        for step in trail(tree, node)
        if step.parent is not None and step.parent.query is not None
    ]
    words = " → ".join(path) or "all rows"
    return ExportError(f"row {row}: {difference} (node {node}: {plain(words)}). {advice}")


def _first_difference(tree: Tree, found: Sequence[object], wanted: Sequence[object]) -> str:
    """Say which prediction, or else which probability, is the first that differs: there may be hundreds."""
    if len(found) != len(wanted):
        return f"the export gives {len(found):,} values, but the tree {len(wanted):,}"
    pairs = zip(found, wanted, strict=True)
    at = next(place for place, (one, other) in enumerate(pairs) if one != other)
    labels = tree.schema.labels
    if isinstance(wanted, tuple):
        of = f" for {labels[at].name!r}" if len(labels) > 1 else ""
    else:
        classes = [(label.name, each) for label in labels for each in label.classes]
        name, each = classes[at]
        of = f" as the probability of {each!r}" + (f" for {name!r}" if len(labels) > 1 else "")
    return plain(f"the export gives {found[at]!r}{of}, but the tree {wanted[at]!r}")
