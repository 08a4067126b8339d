"""A growth as lines of text and as Markdown: the steps, and what the finished tree does."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bough.learn.score_result import criterion_word
from bough.teach.step_words import BLANK, Manners, StepPage, step_page
from bough.teach.steps import GrowthStep, Walkthrough
from bough.text_layout import Grid, GridColumn, GridRow, cells, filled, in_markdown, wrapped
from bough.words import TO_ASCII, guess_word, leaf_count, number, plain

INDENT = "  "
MOST_ROWS = 40  # of a table that is shown with a worksheet
USUAL = Manners()
_SIGNS = str.maketrans(
    {"█": "#", "▀": "'", "▄": ",", "├": "+", "└": "+", "─": "-", "│": "|", "²": "^2", "×": "x"}
)
_TIMES = re.compile(r"(?<=\d)·(?=\d)")


def in_ascii(words: str) -> str:
    """Return words for a terminal that knows only ASCII.

    Examples
    --------
    >>> in_ascii("▶ 3/9·0.918 − (2/9)²")
    '> 3/9*0.918 - (2/9)^2'
    """
    return _TIMES.sub("*", words).translate(_SIGNS).translate(TO_ASCII)


class TextLine(NamedTuple):
    """A line of text."""

    words: str = ""
    style: str = ""
    """'heading', 'marked', or nothing."""


def text(growth: Walkthrough, manners: Manners = USUAL, width: int | None = 100) -> str:
    """Return a whole growth as text."""
    lines = [line.words for line in all_lines(growth, manners, width)]
    return "\n".join(lines)


def all_lines(growth: Walkthrough, manners: Manners, width: int | None) -> Iterator[TextLine]:
    """Give every step, and what the finished tree does; a worksheet begins with the table."""
    if manners.blank or manners.full:
        yield from table_lines(growth, manners, width)
    for step in growth.steps:
        yield from step_lines(step, growth, manners, width)
        yield TextLine()
    yield from end_lines(growth, manners, width)


def step_lines(
    step: GrowthStep, growth: Walkthrough, manners: Manners, width: int | None
) -> Iterator[TextLine]:
    """Give the lines of one step, none longer than there is room."""
    page = step_page(step, growth, manners)
    yield from (TextLine(line, "heading") for line in _wrapped(page.heading, width, ""))
    *counts, last = page.labels
    room = None if width is None else width - len(INDENT)
    labels = "   ".join(counts) + (" " * 6 if counts else "") + last
    if room is not None and cells(labels) > room:
        yield from (TextLine(INDENT + plain(line)) for line in filled(page.labels, room, "   "))
    else:
        yield TextLine(INDENT + plain(labels))
    yield from _indented(page.impurity, width)
    if page.questions is not None:
        yield TextLine()
        yield from _grid_lines(page.questions, width)
    for line in page.lines:
        yield from _indented(line, width)
    for title, grid in page.pivots:
        yield TextLine()
        yield from _indented(title, width)
        yield from _grid_lines(grid, width)


def _grid_lines(grid: Grid, width: int | None) -> Iterator[TextLine]:
    for words, is_marked in grid.lines(width):
        yield TextLine(words.rstrip(), "marked" if is_marked else "")


def _indented(words: str, width: int | None) -> Iterator[TextLine]:
    """Give words below a heading; two formulas stay on one line only if both fit."""
    if not words:
        return
    room = None if width is None else width - len(INDENT)
    parts = [words] if room is None or cells(words) <= room else words.split("   ")
    for part in parts:
        yield from (TextLine(line) for line in _wrapped(part, width, INDENT))


def _wrapped(words: str, width: int | None, indent: str) -> list[str]:
    words = plain(words)
    if width is None or cells(indent + words) <= width:
        return [indent + words]
    first, *others = wrapped(words, max(width - len(indent) - 2, 8))
    return [indent + first, *(f"{indent}  {line}" for line in others)]


# --- The table, and the finished tree ------------------------------------------------------------


def table_lines(growth: Walkthrough, manners: Manners, width: int | None) -> Iterator[TextLine]:
    """Give the table that the tree is grown from, for whoever works it out by hand."""
    yield TextLine(document_title(growth, manners), "heading")
    yield TextLine()
    yield from _grid_lines(rows_grid(growth), width)
    yield TextLine()


def document_title(growth: Walkthrough, manners: Manners) -> str:
    """Return the title of a worksheet, of its key, or of notes."""
    if not (manners.blank or manners.full):
        return f"How to predict {growth.target}"
    what = "Worksheet" if manners.blank else "Key"
    return f"{what}: predict {growth.target}, by {criterion_word(growth.criterion)}"


def rows_grid(growth: Walkthrough) -> Grid:
    """Return the rows of the table."""
    names = ["row", *(each.name for each in growth.columns), growth.target]
    columns = tuple(
        GridColumn(name, is_number=name == "row" and not i) for i, name in enumerate(names)
    )
    rows = [
        GridRow((str(row + 1), *(each.values[row] for each in growth.columns), guess_word(label)))
        for row, label in enumerate(growth.labels[:MOST_ROWS])
    ]
    if growth.n_rows > MOST_ROWS:
        rows.append(GridRow(("…", f"{growth.n_rows - MOST_ROWS:,} more rows")))
    return Grid(columns, tuple(rows))


def end_lines(growth: Walkthrough, manners: Manners, width: int | None) -> Iterator[TextLine]:
    """Give the finished tree, and what it does."""
    yield TextLine("the tree", "heading")
    if not manners.blank:
        yield from (TextLine(INDENT + plain(line)) for line in outline(growth, manners.digits))
    for line in end_words(growth, manners):
        yield from _indented(line, width)


def end_words(growth: Walkthrough, manners: Manners) -> list[str]:
    """Return leaves, depth, questions on average, and the training loss at every depth."""
    if manners.blank:
        return [
            f"leaves {BLANK}   depth {BLANK}   questions on average {BLANK}",
            f"training errors at each depth: {BLANK}",
        ]
    n_rows = growth.n_rows
    leaves = [step for step in growth.steps if step.is_leaf and step.rows]
    by_depth = {
        depth: sum(s.n_rows for s in leaves if s.depth == depth)
        for depth in range(growth.depth + 1)
    }
    terms = [f"{n}/{n_rows}·{depth}" for depth, n in by_depth.items() if n]
    average = number(growth.mean_questions, max(manners.digits, 4))
    if growth.classes:
        losses = [f"{loss:.0f}/{n_rows}" for loss in growth.losses]
        what = "training errors"
    else:
        losses = [number(loss, manners.digits) for loss in growth.losses]
        what = f"training {criterion_word(growth.criterion)}"
    said = " · ".join(f"depth {depth}: {loss}" for depth, loss in enumerate(losses))
    return [
        f"{leaf_count(growth.n_leaves)}, depth {growth.depth}",
        f"questions on average = {' + '.join(terms)} = {average}",
        f"{what}:  {said}",
    ]


def outline(growth: Walkthrough, digits: int, node: int = 0) -> Iterator[str]:
    """Give the tree, a line for each node."""
    step = growth.steps[node]
    yield f"{step.trail[-1] if step.trail else 'all rows'}{_verdict(step, growth, digits)}"
    for child in step.leads_to:
        is_last = child == step.leads_to[-1]
        corner, line = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
        first, *others = outline(growth, digits, child)
        yield corner + first
        yield from (line + each for each in others)


def _verdict(step: GrowthStep, growth: Walkthrough, digits: int) -> str:
    if not step.is_leaf:
        return ""
    if not growth.classes:
        return f" → {number(float(step.guess), digits)}"
    right = f"{step.n_right}/{step.n_rows}" if step.rows else "no rows"
    return f" → {guess_word(step.guess)} ({right})"


# --- Markdown ------------------------------------------------------------------------------------


def markdown(growth: Walkthrough, manners: Manners = USUAL) -> str:
    """Return a whole growth in Markdown: a worksheet, its key, or notes."""
    lines = [f"# {in_markdown(document_title(growth, manners))}", ""]
    if manners.blank or manners.full:
        lines += [*rows_grid(growth).markdown(), ""]
    for step in growth.steps:
        lines += _markdown_step(step_page(step, growth, manners))
    lines += ["## The tree", ""]
    if not manners.blank:
        lines += ["```", *map(plain, outline(growth, manners.digits)), "```", ""]
    lines += [f"- {in_markdown(line)}" for line in end_words(growth, manners)]
    return "\n".join(lines) + "\n"


def _markdown_step(page: StepPage) -> list[str]:
    lines = [f"## {in_markdown(page.heading)}", "", in_markdown("   ".join(page.labels)), ""]
    lines += [in_markdown(page.impurity), ""] if page.impurity else []
    lines += [*page.questions.markdown(), ""] if page.questions is not None else []
    lines += [f"- {in_markdown(line)}" for line in page.lines]
    for title, grid in page.pivots:
        lines += ["", in_markdown(title), "", *grid.markdown()]
    return [*lines, ""]
