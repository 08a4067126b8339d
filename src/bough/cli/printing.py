"""What commands print: notes, nodes, trees, progress."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from sys import maxsize
from threading import Timer
from typing import Any

from rich.console import Group, RenderableType
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from bough.checks.list_of_checks import is_information
from bough.checks.note_words import note_mark, note_text
from bough.cli.command_line import has_options
from bough.cli.terminal import Beside, Terminal, hanging
from bough.drawing import draw
from bough.drawing.layout import Drawn, drawn_nodes
from bough.errors import as_option
from bough.evidence import Note
from bough.node_words import verdict_of
from bough.predict import features_asked
from bough.text_layout import shortened_answer
from bough.tree import Tree
from bough.walk import walk
from bough.words import plain, row_count, share

_BESIDE = 4  # lines of a screen for the legend, for what is left out and for the next prompt
_FEWEST = 4  # lines of a tree, however low the screen is
_CUT_PIVOT = re.compile(r"[<≥] ?-?[\d,.]*( or )?(…|\.\.\.)")  # an answer that is none
_NARROW = 60  # columns, in which the questions of a drawing would be cut
_MOST_LINES = 3  # of an answer, where each node has lines of its own
PATIENCE = 0.5  # seconds of work before the bar appears


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


@dataclass(frozen=True)
class Picture:
    """A tree as text, no deeper than asked for or, if nothing is, no higher than the screen."""

    terminal: Terminal
    tree: Tree
    depth: int | None = None
    full: bool = False
    ids: bool = False
    beside: int = _BESIDE
    """How many lines of the screen are needed for other things."""

    def drawn(self) -> RenderableType:
        max_nodes = None
        if self.depth is None and not self.full and self.terminal.height is not None:
            max_nodes = max(self.terminal.height - self.beside, _FEWEST)
        if _is_too_narrow(self.terminal, self.tree):
            return self._outline(max_nodes)
        words = self._words(max_nodes)
        # A legend that takes more than its line leaves room for fewer nodes.
        if max_nodes is not None and (surplus := len(words.splitlines()) - max_nodes - 2) > 0:
            max_nodes = max(max_nodes - surplus, _FEWEST)
            words = self._words(max_nodes)
        drawn = Text.from_ansi(words)
        if _CUT_PIVOT.search(drawn.plain):
            return self._outline(max_nodes)
        return Group(drawn, *self._hidden(drawn_nodes(self.tree, self.depth, max_nodes)))

    def _hidden(self, shown: Iterable[Drawn]) -> list[Text]:
        """Return how many nodes are not drawn, and what draws them."""
        if not (n_hidden := len(self.tree) - sum(each.node is not None for each in shown)):
            return []
        deeper = "" if self.depth is None else f"--depth {self.depth + 1}, or "
        return [Text(f"{n_hidden:,} more nodes: {deeper}--full for all", "dim")]

    def _outline(self, max_nodes: int | None) -> RenderableType:
        """Return a line, or several, for each answer, each further in than the question."""
        lines: list[RenderableType] = []
        width = self.terminal.out.width
        room = maxsize if self.full else _MOST_LINES * width
        shown = list(drawn_nodes(self.tree, self.depth, max_nodes))
        for each in shown:
            indent = Text(" " * min(each.depth, width // 2))
            if each.node is None:
                lines.append(Beside(indent, Text(f"… {each.n_more:,} more answers", "dim")))
                continue
            query = None if each.parent is None else each.parent.query
            answer = shortened_answer(each.answer, room, "…")
            question = "all rows" if query is None else f"{query.feature.name} {answer}"
            verdict = verdict_of(self.tree, each.node.id, self.terminal.digits)
            end = f" → {verdict.in_full}" if each.is_end else f" ({row_count(each.n_rows)})"
            number = f"#{each.node.id} " if self.ids else ""
            words = Text(plain(f"{number}{question}{end}"), "bold" if each.is_end else "")
            lines.append(hanging(Text.assemble(indent, words), width))
        return Group(*lines, *self._hidden(shown))

    def _words(self, max_nodes: int | None) -> str:
        return draw(
            self.tree,
            max_depth=self.depth,
            max_nodes=max_nodes,
            ids=self.ids,
            width=self.terminal.width,
            ascii=self.terminal.is_ascii,
            color=self.terminal.has_color,
            digits=self.terminal.digits,
        )


def _is_too_narrow(terminal: Terminal, tree: Tree) -> bool:
    if terminal.width is None:
        return False
    names = [tree.schema.features[feature].name for feature in features_asked(tree)]
    longest = max(map(len, names), default=0)
    return terminal.width < _NARROW or 2 * longest > terminal.width


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
