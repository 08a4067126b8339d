"""The tree as a graph, for Graphviz and for Mermaid, which Markdown pages show."""

from collections.abc import Iterator
from typing import NamedTuple

from bough.node_words import verdict_of
from bough.tree import Tree
from bough.walk import walk
from bough.words import plain, row_count

DOT_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"'})
# Signs that mean something to Mermaid, to Markdown or to HTML are given by number.
MERMAID_ESCAPES = str.maketrans({sign: f"#{ord(sign)};" for sign in '"#&<>;:`\\|[](){}*$'})


class Box(NamedTuple):
    """A node in words that may be shown anywhere, and the arrow that leads to it."""

    node: int
    lines: tuple[str, ...]
    parent: int | None
    answer: str


def boxes(tree: Tree, digits: int | None) -> Iterator[Box]:
    """Return the box of each node, parents before children, siblings in order."""
    for node, _, parent, answer in walk(tree):
        verdict = verdict_of(tree, node.id, digits)
        rows = row_count(verdict.n_rows)
        lines: tuple[str, ...] = (str(verdict), rows)
        if (query := node.query) is not None:
            lines = (f"{plain(query.feature.name)}?", rows, f"({verdict})")
        yield Box(node.id, lines, None if parent is None else parent.id, plain(answer))


def dot(tree: Tree, *, digits: int | None = 3) -> str:
    """Return a digraph with a box for each node and an arrow for each answer; digits are at least so many, None: all."""
    return "".join(f"{line}\n" for line in _dot_lines(tree, digits))


def _dot_lines(tree: Tree, digits: int | None) -> Iterator[str]:
    yield "digraph tree {"
    yield '  node [shape=box, style=rounded, fontname="sans-serif"]'
    yield '  edge [fontname="sans-serif"]'
    for box in boxes(tree, digits):
        label = "\\n".join(each.translate(DOT_ESCAPES) for each in box.lines)
        yield f'  {box.node} [label="{label}"]'
        if box.parent is not None:
            yield f'  {box.parent} -> {box.node} [label="{box.answer.translate(DOT_ESCAPES)}"]'
    yield "}"


def mermaid(tree: Tree, *, digits: int | None = 3) -> str:
    """Return a flowchart with a box for each node and an arrow for each answer, as `dot` has them."""
    return "".join(f"{line}\n" for line in _mermaid_lines(tree, digits))


def _mermaid_lines(tree: Tree, digits: int | None) -> Iterator[str]:
    yield "flowchart TD"
    for box in boxes(tree, digits):
        label = "<br/>".join(each.translate(MERMAID_ESCAPES) for each in box.lines)
        yield f'  n{box.node}["{label}"]'
        if box.parent is not None:
            yield f'  n{box.parent} -->|"{box.answer.translate(MERMAID_ESCAPES)}"| n{box.node}'
