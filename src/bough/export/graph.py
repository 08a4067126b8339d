"""The boxes and arrows of a tree, for formats that draw graphs."""

from collections.abc import Iterator
from typing import NamedTuple

from bough.draw.verdict import verdict_of
from bough.tree import Tree
from bough.walk import walk
from bough.words import plain, row_count


class Box(NamedTuple):
    """A node in words that may be shown anywhere, and the arrow that leads to it."""

    node: int
    lines: tuple[str, ...]
    parent: int | None
    answer: str


def boxes(tree: Tree, digits: int | None) -> Iterator[Box]:
    """Return the box of each node, parents before children, siblings in order."""
    for node, _, parent, answer in walk(tree, digits=digits):
        verdict = verdict_of(tree, node.id, digits)
        rows = row_count(verdict.n_rows)
        lines: tuple[str, ...] = (str(verdict), rows)
        if (query := node.query) is not None:
            lines = (f"{plain(query.feature.name)}?", rows, f"({verdict})")
        yield Box(node.id, lines, None if parent is None else parent.id, plain(answer))
