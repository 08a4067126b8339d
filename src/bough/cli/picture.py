"""The tree of a model, folded to the size of the screen."""

from rich.console import Group, RenderableType
from rich.text import Text

from bough.cli.terminal import Terminal
from bough.draw import draw
from bough.draw.folding import drawn_nodes
from bough.tree import Tree

_BESIDE = 4  # lines of a screen for the legend, for what is left out and for the next prompt
_FEWEST = 4  # lines of a tree, however low the screen is


def picture(
    terminal: Terminal,
    tree: Tree,
    *,
    depth: int | None,
    full: bool,
    ids: bool = False,
    beside: int = _BESIDE,
) -> RenderableType:
    """Return a tree as text, no deeper than asked for or, if nothing is, no higher than the screen.

    `beside` is how many lines of the screen are needed for other things.
    """
    max_nodes = None
    if depth is None and not full and terminal.height is not None:
        max_nodes = max(terminal.height - beside, _FEWEST)
    words = _words(terminal, tree, depth, max_nodes, ids=ids)
    # A legend that takes more than its line leaves room for fewer nodes.
    if max_nodes is not None and (surplus := len(words.splitlines()) - max_nodes - 2) > 0:
        max_nodes = max(max_nodes - surplus, _FEWEST)
        words = _words(terminal, tree, depth, max_nodes, ids=ids)
    drawn = Text.from_ansi(words)
    shown = drawn_nodes(tree, depth, max_nodes, terminal.digits)
    if not (n_hidden := len(tree) - sum(each.node is not None for each in shown)):
        return drawn
    deeper = "" if depth is None else f"--depth {depth + 1}, or "
    return Group(drawn, Text(f"{n_hidden:,} more nodes below: {deeper}--full for all", "dim"))


def _words(
    terminal: Terminal, tree: Tree, depth: int | None, max_nodes: int | None, *, ids: bool
) -> str:
    return draw(
        tree,
        max_depth=depth,
        max_nodes=max_nodes,
        ids=ids,
        width=terminal.width,
        ascii=terminal.is_ascii,
        color=terminal.has_color,
        digits=terminal.digits,
    )
