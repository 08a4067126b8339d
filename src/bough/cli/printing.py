"""What commands print: notes, tables, nodes, trees and progress."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Timer
from typing import Any

from rich.console import Group, RenderableType
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from bough.argument_names import as_option
from bough.checks.notes import is_information, note_mark, note_text
from bough.cli.before_parsing import has_options
from bough.cli.terminal import Beside, Terminal
from bough.drawing import draw
from bough.drawing.options import Drawn, drawn_nodes
from bough.evidence import Note
from bough.node_words import verdict_of
from bough.predict import features_asked
from bough.tree import Tree
from bough.walk import walk
from bough.words import plain, row_count, share


def note_words(note: Note) -> RenderableType:
    """Return a note as the terminal shows it: a loud one in red, information plain."""
    style = "bold red" if note.is_loud else "dim" if is_information(note) else "yellow"
    if note.fix and not has_options(note.fix):
        note = replace(note, text=f"{note.text}. In 'bough fit', add {as_option(note.fix)}", fix={})
    words = Text(note_text(note, cli=True))
    words.stylize("cyan", len(note.text))  # what to type
    return Beside(Text(f"{note_mark(note)}{note.code}  ", style), words)


def print_notes(terminal: Terminal, notes: Iterable[Note]) -> None:
    """Print notes beside a result, on stderr."""
    for note in notes:
        terminal.remark(note_words(note))


def plain_nodes(tree: Tree, max_depth: int | None = None) -> list[dict[str, Any]]:
    """Return the nodes from top to bottom, as the drawing has them.

    Examples
    --------
    >>> [(node["answer"], node["guess"]) for node in plain_nodes(play_tennis_tree, max_depth=1)]
    [(None, 'Yes'), ('outlook = Overcast', 'Yes'), ('outlook = Rain', 'Yes'), ('outlook = Sunny', 'No')]
    """
    nodes = []
    for node, depth, parent, answer in walk(tree, max_depth):
        above = None if parent is None else parent.query
        plain: dict[str, Any] = {
            "id": node.id,
            "parent": None if parent is None else parent.id,
            "depth": depth,
            "answer": None if above is None else f"{above.feature.name} {answer}",
            "asks_about": None if node.query is None else node.query.feature.name,
            "n_rows": node.n_rows,
            "impurity": node.impurity,
            "gain": node.gain,
            "guess": node.guess,
        }
        if tree.schema.has_classes:
            shares = tree.shares[node.id].tolist()
            plain["shares"] = shares[0] if len(shares) == 1 else shares
        nodes.append(plain)
    return nodes


def plain_labels(tree: Tree) -> list[dict[str, Any]]:
    """Return what the tree guesses: the name and the classes of each output."""
    return [{"name": label.name, "classes": list(label.classes)} for label in tree.schema.labels]


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
    if _is_too_narrow(terminal, tree):
        return _outline(terminal, tree, list(drawn_nodes(tree, depth, max_nodes)), depth, ids=ids)
    words = _words(terminal, tree, depth, max_nodes, ids=ids)
    # A legend that takes more than its line leaves room for fewer nodes.
    if max_nodes is not None and (surplus := len(words.splitlines()) - max_nodes - 2) > 0:
        max_nodes = max(max_nodes - surplus, _FEWEST)
        words = _words(terminal, tree, depth, max_nodes, ids=ids)
    drawn = Text.from_ansi(words)
    shown = list(drawn_nodes(tree, depth, max_nodes))
    if _CUT_PIVOT.search(drawn.plain):
        return _outline(terminal, tree, shown, depth, ids=ids)
    return Group(drawn, *_hidden(tree, shown, depth))


def _hidden(tree: Tree, shown: Iterable[Drawn], depth: int | None) -> list[Text]:
    """Return how many nodes are not drawn, and what draws them."""
    if not (n_hidden := len(tree) - sum(each.node is not None for each in shown)):
        return []
    deeper = "" if depth is None else f"--depth {depth + 1}, or "
    return [Text(f"{n_hidden:,} more nodes: {deeper}--full for all", "dim")]


_CUT_PIVOT = re.compile(r"[<≥] ?-?[\d,.]*( or )?(…|\.\.\.)")  # an answer that is none
_NARROW = 60  # columns, in which the questions of a drawing would be cut


def _is_too_narrow(terminal: Terminal, tree: Tree) -> bool:
    if terminal.width is None:
        return False
    names = [tree.schema.features[feature].name for feature in features_asked(tree)]
    longest = max(map(len, names), default=0)
    return terminal.width < _NARROW or 2 * longest > terminal.width


def _outline(
    terminal: Terminal, tree: Tree, shown: list[Drawn], depth: int | None, *, ids: bool
) -> RenderableType:
    """Return a tree with a line, or several, for each answer, each further in than the question."""
    lines: list[RenderableType] = []
    for each in shown:
        indent = Text(" " * min(each.depth, terminal.out.width // 2))
        if each.node is None:
            lines.append(Beside(indent, Text(f"… {each.n_more:,} more answers", "dim")))
            continue
        query = None if each.parent is None else each.parent.query
        question = "all rows" if query is None else f"{query.feature.name} {each.answer}"
        verdict = verdict_of(tree, each.node.id, terminal.digits)
        end = f" → {verdict.in_full}" if each.is_end else f" ({row_count(each.n_rows)})"
        number = f"#{each.node.id} " if ids else ""
        words = Text(plain(f"{number}{question}{end}"), "bold" if each.is_end else "")
        lines.append(Beside(indent, words))
    return Group(*lines, *_hidden(tree, shown, depth))


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


PATIENCE = 0.5  # seconds of work before the bar appears


@contextmanager
def progress(terminal: Terminal) -> Iterator[Callable[[str, float], None] | None]:
    """Give what reports a stage and the share of it that is done; None if nobody looks."""
    if terminal.quiet or terminal.json or not terminal.err.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[done]}"))
    bar = Progress(*columns, console=terminal.err, transient=True)
    task = bar.add_task("reading", start=False, done="")

    def report(stage: str, done: float) -> None:
        bar.reset(
            task,
            description=stage,
            start=done > 0,  # until then, the bar moves to and fro
            total=100,
            completed=round(100 * done),
            done=share(done) if done > 0 else "",
        )

    patience = Timer(PATIENCE, bar.start)
    patience.daemon = True
    patience.start()
    try:
        yield report
    finally:
        patience.cancel()
        patience.join()
        bar.stop()
