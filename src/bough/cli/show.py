"""`bough show`: the tree in the terminal."""

from pathlib import Path
from typing import Annotated

from rich.text import Text

from bough.cli.model import read_model
from bough.cli.nodes import plain_labels, plain_nodes
from bough.cli.picture import picture
from bough.cli.terminal import AS_USUAL, FLAG, Terminal
from bough.explain import rules as rules_of


def show(
    model: Path,
    /,
    *,
    depth: int | None = None,
    full: Annotated[bool, FLAG] = False,
    rules: Annotated[bool, FLAG] = False,
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
    rules
        List the rule that leads to each leaf instead.
    """
    tree = read_model(model).tree
    if terminal.json:
        found = (
            {"rules": [rule.as_dict() for rule in rules_of(tree)]}
            if rules
            else {"nodes": plain_nodes(tree, depth)}
        )
        terminal.document("show", {"labels": plain_labels(tree), **found})
    elif rules:
        for rule in rules_of(tree, digits=terminal.digits):
            terminal.say(Text(str(rule)))
    else:
        terminal.say(picture(terminal, tree, depth=depth, full=full))
