"""`bough show`: the tree in the terminal."""

from pathlib import Path
from typing import Annotated

from bough.cli.model import read_model
from bough.cli.nodes import plain_labels, plain_nodes
from bough.cli.picture import picture
from bough.cli.terminal import AS_USUAL, FLAG, Terminal


def show(
    model: Path,
    /,
    *,
    depth: int | None = None,
    full: Annotated[bool, FLAG] = False,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Draw a tree.

    Parameters
    ----------
    model
        A model file, as 'bough fit' writes it.
    depth
        Draw this many questions below each other and no more.
    full
        Draw the whole tree, however high the screen is.
    """
    tree = read_model(model).tree
    if terminal.json:
        nodes = plain_nodes(tree, depth)
        terminal.document("show", {"labels": plain_labels(tree), "nodes": nodes})
    else:
        terminal.say(picture(terminal, tree, depth=depth, full=full))
