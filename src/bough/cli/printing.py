"""What commands print (notes, tables, nodes, trees, progress), and the files that they write."""

import os
import re
import webbrowser
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from errno import EACCES, EISDIR, ENOENT
from pathlib import Path
from sys import maxsize
from threading import Timer
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Group, RenderableType
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from bough.checks import is_information, note_mark, note_text
from bough.cli import PIPE
from bough.cli.command_line import has_options
from bough.cli.messages import FLAG, Beside, Terminal, UsageError, hanging
from bough.drawing import draw
from bough.drawing.layout import Drawn, drawn_nodes
from bough.errors import as_option
from bough.evidence import Note
from bough.files import raise_clearly
from bough.node_words import verdict_of
from bough.predict import features_asked
from bough.tree import Tree
from bough.walk import walk
from bough.words import plain, row_count, share, shortened_answer

_BESIDE = 4  # lines of a screen for the legend, for what is left out and for the next prompt
_FEWEST = 4  # lines of a tree, however low the screen is
_CUT_PIVOT = re.compile(r"[<≥] ?-?[\d,.]*( or )?(…|\.\.\.)")  # an answer that is none
_NARROW = 60  # columns, in which the questions of a drawing would be cut
_MOST_LINES = 3  # of an answer, where each node has lines of its own
PATIENCE = 0.5  # seconds of work before the bar appears
_START = 4096  # bytes that tell what a file is
_OURS = re.compile(
    rb'\A\s*\{\s*"bough"\s*:|<meta name="generator" content="bough |\A<svg [^>]*class="bough'
)
LONGEST_NAME = 100  # bytes of the name of a file, before its ending


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
        shown = list(drawn_nodes(tree, depth, max_nodes))
        return _outline(terminal, tree, shown, depth, ids=ids, full=full)
    words = _words(terminal, tree, depth, max_nodes, ids=ids)
    # A legend that takes more than its line leaves room for fewer nodes.
    if max_nodes is not None and (surplus := len(words.splitlines()) - max_nodes - 2) > 0:
        max_nodes = max(max_nodes - surplus, _FEWEST)
        words = _words(terminal, tree, depth, max_nodes, ids=ids)
    drawn = Text.from_ansi(words)
    shown = list(drawn_nodes(tree, depth, max_nodes))
    if _CUT_PIVOT.search(drawn.plain):
        return _outline(terminal, tree, shown, depth, ids=ids, full=full)
    return Group(drawn, *_hidden(tree, shown, depth))


def _hidden(tree: Tree, shown: Iterable[Drawn], depth: int | None) -> list[Text]:
    """Return how many nodes are not drawn, and what draws them."""
    if not (n_hidden := len(tree) - sum(each.node is not None for each in shown)):
        return []
    deeper = "" if depth is None else f"--depth {depth + 1}, or "
    return [Text(f"{n_hidden:,} more nodes: {deeper}--full for all", "dim")]


def _is_too_narrow(terminal: Terminal, tree: Tree) -> bool:
    if terminal.width is None:
        return False
    names = [tree.schema.features[feature].name for feature in features_asked(tree)]
    longest = max(map(len, names), default=0)
    return terminal.width < _NARROW or 2 * longest > terminal.width


def _outline(
    terminal: Terminal,
    tree: Tree,
    shown: list[Drawn],
    depth: int | None,
    *,
    ids: bool,
    full: bool,
) -> RenderableType:
    """Return a tree with a line, or several, for each answer, each further in than the question."""
    lines: list[RenderableType] = []
    room = maxsize if full else _MOST_LINES * terminal.out.width
    for each in shown:
        indent = Text(" " * min(each.depth, terminal.out.width // 2))
        if each.node is None:
            lines.append(Beside(indent, Text(f"… {each.n_more:,} more answers", "dim")))
            continue
        query = None if each.parent is None else each.parent.query
        answer = shortened_answer(each.answer, room, "…")
        question = "all rows" if query is None else f"{query.feature.name} {answer}"
        verdict = verdict_of(tree, each.node.id, terminal.digits)
        end = f" → {verdict.in_full}" if each.is_end else f" ({row_count(each.n_rows)})"
        number = f"#{each.node.id} " if ids else ""
        words = Text(plain(f"{number}{question}{end}"), "bold" if each.is_end else "")
        lines.append(hanging(Text.assemble(indent, words), terminal.out.width))
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


def is_ours(path: Path) -> bool:
    """Return whether a file is a model, a page or a picture that bough has written."""
    with path.open("rb") as file:
        return _OURS.search(file.read(_START)) is not None


@Parameter(name="*")
@dataclass(frozen=True)
class Outputs:
    """Whether files that are there may be overwritten."""

    force: Annotated[bool, FLAG] = False
    """Overwrite a file that bough did not write, or that this command reads."""

    def check(
        self,
        path: Path,
        inputs: Iterable[str | Path | None],
        may_replace: Callable[[Path], bool] = is_ours,
    ) -> None:
        """Refuse a file that cannot be written, or that would be lost and nobody has said so.

        That is one of `inputs` (None and '-' are no files), or one that bough did not write before.
        """
        _check_place(path)
        if self.force or not path.is_file() or not path.stat().st_size:
            return
        read = (Path(each) for each in inputs if each is not None and str(each) != PIPE)
        if any(each.exists() and each.samefile(path) for each in read):
            raise UsageError(
                f"{str(path)!r} is a file that this command reads. Name another file with -o, or "
                "add --force to overwrite it."
            )
        if not may_replace(path):
            raise UsageError(
                f"{str(path)!r} already exists and does not look like a file of bough. Name another "
                "file with -o, or add --force to overwrite it."
            )


NOTHING_LOST = Outputs()


def _check_place(path: Path) -> None:
    folder = path.absolute().parent
    if path.is_dir():
        errno = EISDIR
    elif not folder.is_dir():
        errno = ENOENT
    elif not path.exists() and not os.access(folder, os.W_OK):
        errno = EACCES
    else:
        return
    raise_clearly(OSError(errno, os.strerror(errno)), f"cannot save {str(path)!r}")


def file_name(target: str) -> str:
    """Return what is left of a target in the name of a file."""
    kept = re.sub(r"[^\w.-]", "", target).lstrip(".-")
    return kept.encode()[:LONGEST_NAME].decode(errors="ignore") or "tree"


@Parameter(name="*")
@dataclass(frozen=True)
class Pages:
    """Whether a page about the tree is written, and opened."""

    report: Annotated[bool, FLAG, Parameter(negative="--no-report")] = True
    """Write a page about the tree next to the model file: TARGET.html. The default."""
    open: Annotated[bool, FLAG] = False
    """Open the page in a browser."""

    def page_of(self, model: Path) -> Path | None:
        """Return the file of the page beside a model file; None: it is not wanted."""
        return page_beside(model) if self.report or self.open else None


AS_A_RULE = Pages()


def page_beside(model: Path) -> Path | None:
    """Return the file of the page that belongs to a model file; none beside a pipe or a device.

    Examples
    --------
    >>> print(page_beside(Path("trees/species.bough.json")))
    trees/species.html
    """
    if model.exists() and not model.is_file():
        return None
    return model.with_name(f"{model.name.removesuffix('.json').removesuffix('.bough')}.html")


def open_page(page: Path, terminal: Terminal) -> None:
    """Open a page in the browser, or say that there is none."""
    if not webbrowser.open(page.absolute().as_uri()):
        terminal.remark(f"No browser can be opened from here. Open {page} yourself.")
