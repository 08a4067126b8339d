"""The tree as a flowchart for Mermaid, which Markdown pages show."""

from collections.abc import Iterator

from bough.export.graph import boxes
from bough.tree import Tree

# Signs that mean something to Mermaid, to Markdown or to HTML are given by number.
ESCAPES = str.maketrans({sign: f"#{ord(sign)};" for sign in '"#&<>;:`\\|[](){}*$'})


def mermaid(tree: Tree, *, digits: int | None = 3) -> str:
    """Return a flowchart with a box for each node and an arrow for each answer.

    Parameters
    ----------
    tree
        The tree.
    digits
        How many significant digits numbers have at least; None gives all that they have.
    """
    return "".join(f"{line}\n" for line in _lines(tree, digits))


def _lines(tree: Tree, digits: int | None) -> Iterator[str]:
    yield "flowchart TD"
    for box in boxes(tree, digits):
        label = "<br/>".join(each.translate(ESCAPES) for each in box.lines)
        yield f'  n{box.node}["{label}"]'
        if box.parent is not None:
            yield f'  n{box.parent} -->|"{box.answer.translate(ESCAPES)}"| n{box.node}'
