"""The tree of a model, cut to the size of the screen."""

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from bough.cli.terminal import Terminal
from bough.draw import draw
from bough.tree import Tree
from bough.walk import depths

_BESIDE = 4  # lines of a screen for the legend, for what is left out and for the next prompt


def picture(
    terminal: Terminal, tree: Tree, *, depth: int | None, full: bool, beside: int = _BESIDE
) -> RenderableType:
    """Return a tree as text, no deeper than asked for or than the screen is high.

    `beside` is how many lines of the screen are needed for other things.
    """
    if depth is None and not full and terminal.height is not None:
        depth = _fitting_depth(tree, terminal.height - beside)
    words = draw(
        tree,
        max_depth=depth,
        width=terminal.width,
        ascii=terminal.is_ascii,
        color=terminal.has_color,
        digits=terminal.digits,
    )
    drawn = Text.from_ansi(words)
    if depth is None or not (n_hidden := int(np.count_nonzero(depths(tree) > depth))):
        return drawn
    more = f"{n_hidden:,} more nodes below: --depth {depth + 1}, or --full for all"
    return Group(drawn, Text(more, "dim"))


def _fitting_depth(tree: Tree, n_lines: int) -> int | None:
    """Return the greatest depth whose nodes fit, 1 at least; None: all do."""
    n_nodes = np.cumsum(np.bincount(depths(tree)))
    if n_nodes[-1] <= n_lines:
        return None
    return max(int(np.searchsorted(n_nodes, n_lines, side="right")) - 1, 1)
