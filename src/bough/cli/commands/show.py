"""`bough show`: the tree in the terminal."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from bough.checks.list_of_checks import NOT_EXACT
from bough.cli.arguments import ModelFile, open_page, page_beside, read_model
from bough.cli.printing import Picture, plain_labels, plain_nodes
from bough.cli.terminal import AS_USUAL, FLAG, Terminal, at_least, hanging
from bough.files import write_file
from bough.tree import Tree


def show(
    model: ModelFile,
    /,
    *,
    depth: Annotated[int | None, at_least(0)] = None,
    full: Annotated[bool, FLAG] = False,
    rules: Annotated[bool, FLAG] = False,
    ids: Annotated[bool, FLAG] = False,
    html: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    open: Annotated[bool, FLAG] = False,  # noqa: A002 - the name of the option
    terminal: Terminal = AS_USUAL,
) -> None:
    """Draw a tree.

    Parameters
    ----------
    depth
        Draw at most this many levels of questions.
    full
        Draw the whole tree, even if it is longer than the screen.
    rules
        List the rule of each leaf instead.
    ids
        Show the number of each node.
    html
        Write a page about the tree to this file instead.
    open
        Write that page, next to the model file if none is named, and open it in a browser.
    """
    if html is not None or open:
        _write_page(model, html, terminal, is_opened=open)
        return
    saved = read_model(model)
    tree = saved.tree
    if rules:
        _show_rules(tree, terminal)
    elif terminal.json:
        nodes = plain_nodes(tree, depth)
        terminal.document("show", {"labels": plain_labels(tree), "nodes": nodes})
    else:
        terminal.say(Picture(terminal, tree, depth, full, ids).drawn())
        if saved.settings.get("exact") is False:
            terminal.remark(f"{NOT_EXACT[0].upper()}{NOT_EXACT[1:]}.")


def _write_page(model: Path, page: Path | None, terminal: Terminal, *, is_opened: bool) -> None:
    from bough.exports import html

    page = page or page_beside(model) or Path("tree.html")
    write_file(page, html(read_model(model), digits=terminal.digits).encode())
    terminal.remark(f"wrote {page}")
    if terminal.json:
        terminal.document("show", {"output": str(page)})
    if is_opened:
        open_page(page, terminal)


def _show_rules(tree: Tree, terminal: Terminal) -> None:
    from bough.explain.rules import rules  # which a drawing need not wait for

    found = rules(tree, digits=terminal.digits)
    if terminal.json:
        plain = [rule.as_dict() for rule in found]
        terminal.document("show", {"labels": plain_labels(tree), "rules": plain})
        return
    for rule in found:
        terminal.say(hanging(Text(str(rule)), terminal.out.width))
