"""The tree as a graph for Graphviz."""

from collections.abc import Iterator

from bough.export.graph import boxes
from bough.tree import Tree

ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"'})


def dot(tree: Tree, *, digits: int | None = 3) -> str:
    """Return a digraph with a box for each node and an arrow for each answer.

    Parameters
    ----------
    tree
        The tree.
    digits
        How many significant digits numbers have at least; None gives all that they have.
    """
    return "".join(f"{line}\n" for line in _lines(tree, digits))


def _lines(tree: Tree, digits: int | None) -> Iterator[str]:
    yield "digraph tree {"
    yield '  node [shape=box, style=rounded, fontname="sans-serif"]'
    yield '  edge [fontname="sans-serif"]'
    for box in boxes(tree, digits):
        label = "\\n".join(each.translate(ESCAPES) for each in box.lines)
        yield f'  {box.node} [label="{label}"]'
        if box.parent is not None:
            yield f'  {box.parent} -> {box.node} [label="{box.answer.translate(ESCAPES)}"]'
    yield "}"
