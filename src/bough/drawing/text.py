"""The tree as indented text."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.drawing.layout import Drawn, drawn_nodes
from bough.drawing.style import COLORS, check_options, colored_classes
from bough.node_words import meaning_of_guesses, verdict_of
from bough.text_layout import (
    blanks,
    cells,
    filled,
    shortened,
    shortened_answer,
    shortened_in_the_middle,
)
from bough.tree import Node, Tree
from bough.words import TO_ASCII, guess_word, plain

LONGEST_NAME = 40  # cells of a class in the legend, and of a number
GAP = "  "

# For each node: a child, the last one; beside one, below the last. Short ones are for narrow screens.
GUIDES = {4: ("├── ", "└── ", "│   ", "    "), 2: ("├ ", "└ ", "│ ", "  ")}
ASCII_GUIDES = {4: ("|-- ", "`-- ", "|   ", "    "), 2: ("|-", "`-", "| ", "  ")}
FILLS = "█░▓▒▚▞▌▀"
ASCII_FILLS = "#.o+x=%@"
BOLD, DIM = "1", "2"
STYLE = re.compile(r"\x1b\[[0-9;]*m")
MOST_GUIDES = 32  # levels that have guide lines; further ones are counted: lines stay short
LONGEST = 200  # cells of a question with its answer
NARROWEST = 28  # cells that questions should have
READABLE = 14  # cells that each question should have, or all of its own
TIGHTEST = 6  # cells that a question keeps however little room there is
SHORTEST = 6  # cells that the name of a feature keeps where its answer is shortened as well


class Layout(NamedTuple):
    """How many cells there are for what; 0: it is left out."""

    n_bar: int
    n_guide: int
    n_guess: int  # at most
    n_level: int  # of a screen for each level that has a guide line


class NodeLine(NamedTuple):
    """One node of the tree."""

    id: str
    guides: str
    name: str  # of the feature that is asked about
    answer: str
    bar: str
    rows: str
    guess: str
    certainty: str  # the share of the guess, or the spread around it
    more: str
    is_end: bool = True


class Hand:
    """Writes the parts of a line."""

    def __init__(
        self,
        tree: Tree,
        *,
        ascii: bool,  # noqa: A002
        color: bool,
        digits: int,
        ids: bool,
        layout: Layout,
    ) -> None:
        self.tree, self.ascii, self.digits, self.color, self.ids = tree, ascii, digits, color, ids
        self.fills = ASCII_FILLS if ascii else FILLS
        self.dots = "..." if ascii else "…"
        self.guides = (ASCII_GUIDES if ascii else GUIDES)[layout.n_guide]
        self.n_guess = layout.n_guess
        self.classes = colored_classes(tree) if layout.n_bar else []
        self.n_bar = layout.n_bar if self.classes else 0
        if self.n_bar:
            self.cells = _cells_of_bars(tree.shares[:, 0, :], self.classes, self.n_bar)
        self.bar = cache(self._bar)  # few bars differ
        # Where bars say nothing of a branch, its guess does.
        self.tells_branches = tree.guess is not None and len(tree.schema.labels) == 1

    def lines(self, all_drawn: Iterable[Drawn], n_guides: int) -> Iterator[NodeLine]:
        """Write the nodes from top to bottom."""
        above: list[str] = []  # the guide line of each level above
        for drawn in all_drawn:
            guides = ""
            if drawn.depth > 0:
                child, last_child, beside, below = self.guides
                del above[drawn.depth - 1 :]
                hidden = max(drawn.depth - 1 - n_guides, 0)
                counted = f"{self.dots}{hidden} " if hidden else ""
                mark, later = (last_child, below) if drawn.is_last else (child, beside)
                guides = counted + "".join(above[hidden:]) + mark
                above.append(later)
            yield self._line(drawn, guides)

    def _line(self, drawn: Drawn, guides: str) -> NodeLine:
        node, rows = drawn.node, f"{drawn.n_rows:,}"
        if node is None:
            name = f"{self.dots} {drawn.n_more:,} more answers"
            return NodeLine("", guides, name, "", " " * self.n_bar, rows, "", "", "")
        name, answer = self._question(drawn)
        guess, certainty = "", ""
        if drawn.is_end or self.tells_branches:
            guess, certainty = self._guess(node, is_end=drawn.is_end)
        return NodeLine(
            id=f"#{node.id}" if self.ids else "",
            guides=guides,
            name=name,
            answer=answer,
            bar=self.bar(tuple(self.cells[node.id].tolist())) if self.n_bar else "",
            rows=rows,
            guess=guess,
            certainty=certainty,
            more=f"{self.dots} {drawn.n_more:,} more" if drawn.n_more else "",
            is_end=drawn.is_end,
        )

    def legend(self, room: float, *, has_more: bool) -> list[str]:
        """Return what bars, numbers and dots mean, in lines that no name is broken by."""
        parts = ["bars: share of each class"] if self.n_bar else []
        parts += ["number: rows", *meaning_of_guesses(self.tree.schema)]
        if self.tree.schema.task == "regression" and len(self.tree.schema.labels) == 1:
            parts.append("±: spread of the rows around the prediction")
        if self.ids:
            parts.append("#: node")
        if has_more:
            parts.append("…: not drawn")
        classes = self.tree.schema.labels[0].classes
        names = [guess_word(classes[each]) for each in self.classes]
        if names and len(names) < len(classes):
            names.append(f"{len(classes) - len(names)} others")
        keys = [
            f"{self.filled(fill, 1)} {shortened(self.shown(name), LONGEST_NAME, self.dots)}"
            for fill, name in enumerate(names)
        ]
        signs = filled(map(self.shown, parts), room, self.shown(" · "))
        lines = filled(keys, room, GAP, _cells_without_style)
        styled = [self.styled(line, DIM) for line in signs]
        if lines and len(signs) == 1 and _cells_without_style(lines[-1] + signs[0]) + 3 <= room:
            return [*lines[:-1], f"{lines[-1]}   {styled[0]}"]
        return lines + styled

    def shown(self, words: str) -> str:
        """Return words as the terminal can show them."""
        words = plain(words)
        if not self.ascii or words.isascii():
            return words
        return words.translate(TO_ASCII).encode("ascii", "backslashreplace").decode("ascii")

    def filled(self, fill: int, count: int) -> str:
        """Return this many cells of a bar."""
        color = "2;{};{};{}".format(*COLORS[fill])
        # On a ground of its own colour a sign is a full block, and it is still there when copied.
        return self.styled(self.fills[fill] * count, f"38;{color};48;{color}")

    def styled(self, words: str, style: str) -> str:
        """Return words in a style that terminals know, if there may be colours."""
        return f"\x1b[{style}m{words}\x1b[0m" if self.color and words.strip() else words

    def _question(self, drawn: Drawn) -> tuple[str, str]:
        """Return the name of the feature that was asked about, and the answer that led here."""
        if drawn.parent is None or (query := drawn.parent.query) is None:
            return "all rows", ""
        return self.shown(query.feature.name), self.shown(drawn.answer)

    def _guess(self, node: Node, *, is_end: bool) -> tuple[str, str]:
        verdict = verdict_of(self.tree, node.id, self.digits)
        arrow = self.shown("→ ")
        # A number that has lost its last digits would be another one.
        room = LONGEST_NAME if self.tells_branches else self.n_guess
        guessed = shortened(self.shown(verdict.guess_word), room, self.dots)
        return (arrow if is_end else " " * len(arrow)) + guessed, self.shown(verdict.certainty)

    def _bar(self, counts: tuple[int, ...]) -> str:
        return "".join(self.filled(fill, count) for fill, count in enumerate(counts) if count)


def _cells_without_style(words: str) -> int:
    return cells(STYLE.sub("", words))


def _cells_of_bars(
    shares: NDArray[np.float64], classes: list[int], n_bar: int
) -> NDArray[np.int64]:
    """Return how many cells of each node's bar each class has; they add up to a whole bar."""
    ends = np.rint(np.cumsum(shares[:, classes], axis=1) * n_bar).astype(np.int64)
    others = np.full((len(ends), 1), n_bar)
    if len(classes) == shares.shape[1]:  # no rounding can leave a gap at the end
        ends[:, -1] = n_bar
    return np.diff(np.hstack([np.zeros_like(others), ends, others]), axis=1)


LAYOUTS = (  # the first that fits
    Layout(n_bar=12, n_guide=4, n_guess=40, n_level=12),
    Layout(n_bar=6, n_guide=4, n_guess=40, n_level=12),
    Layout(n_bar=6, n_guide=2, n_guess=40, n_level=8),
    Layout(n_bar=6, n_guide=2, n_guess=16, n_level=8),
    Layout(n_bar=0, n_guide=2, n_guess=12, n_level=12),
)


def text(
    tree: Tree,
    *,
    max_depth: int | None = None,
    max_nodes: int | None = None,
    width: int | None = None,
    ascii: bool = False,  # noqa: A002
    color: bool = False,
    digits: int = 3,
    ids: bool = False,
) -> str:
    """Return the tree as a table: guide lines, answer, class bar, rows, prediction.

    Of more than `max_nodes` lines, beside the legend, those that most rows come to are drawn;
    `width` is how many columns there are, None: any number. With `ascii`, other signs in names are
    shown as escapes; `color` colours the bars by codes that terminals know.
    """
    check_options(max_depth=max_depth, max_nodes=max_nodes, width=width, digits=digits)
    drawn = list(drawn_nodes(tree, max_depth, max_nodes))
    deepest = max(each.depth for each in drawn)
    for layout in LAYOUTS:
        hand = Hand(tree, ascii=ascii, color=color, digits=digits, ids=ids, layout=layout)
        n_guides = (
            MOST_GUIDES if width is None else max(min(MOST_GUIDES, width // layout.n_level), 1)
        )
        if width is not None and deepest > n_guides + 1 and layout.n_guide > min(GUIDES):
            continue  # short guide lines are better than some that are only counted
        lines = list(hand.lines(drawn, n_guides))
        asked = [(len(line.guides), cells(f"{line.name} {line.answer}")) for line in lines]
        widest = max(n_guides + min(n_asked, READABLE) for n_guides, n_asked in asked)
        longest = max(map(sum, asked))
        if _room(lines, width, hand.n_bar) >= max(widest, min(longest, NARROWEST)):
            break
    legend = hand.legend(width or inf, has_more=any(each.n_more for each in drawn))
    return "\n".join([*_aligned(lines, width, hand), "", *legend])


def _aligned(lines: list[NodeLine], width: int | None, hand: Hand) -> Iterator[str]:
    """Put the columns below each other."""
    n_id, n_rows, n_certainty = (_longest(lines, each) for each in ("id", "rows", "certainty"))
    n_guess = max(cells(line.guess) for line in lines)
    n_arrow = len(hand.shown("→ "))
    room = max(_room(lines, width, hand.n_bar), TIGHTEST + 2)
    questions = [
        _question(line, max(room - len(line.guides), TIGHTEST), hand.dots) for line in lines
    ]
    n_first = max(
        len(line.guides) + cells(each) for line, each in zip(lines, questions, strict=True)
    )
    for question, line in zip(questions, lines, strict=True):
        style = BOLD if line.is_end else DIM
        guess = line.guess + blanks(line.guess, n_guess)
        if hand.tells_branches and line.guess:  # numbers end below each other
            guess = line.guess[:n_arrow] + blanks(line.guess, n_guess) + line.guess[n_arrow:]
        columns = [
            *([hand.styled(line.id.rjust(n_id), DIM)] if n_id else []),
            hand.styled(line.guides, DIM)
            + hand.styled(question, BOLD)
            + blanks(line.guides + question, n_first),
            *([line.bar] if line.bar else []),
            hand.styled(line.rows.rjust(n_rows), DIM),
            hand.styled(guess.rstrip(), style) + blanks(guess.rstrip(), n_guess),
            *([hand.styled(line.certainty.rjust(n_certainty), style)] if n_certainty else []),
            hand.styled(line.more, DIM),
        ]
        yield GAP.join(columns).rstrip()


def _longest(lines: list[NodeLine], column: str) -> int:
    return max(len(getattr(line, column)) for line in lines)


def _room(lines: list[NodeLine], width: int | None, n_bar: int) -> int:
    """Return how many cells are left for questions and their guide lines."""
    if width is None:
        return LONGEST + max(GUIDES) * MOST_GUIDES
    others = [
        n_bar,
        *(_longest(lines, each) for each in ("id", "rows", "certainty", "more")),
        max(cells(line.guess) for line in lines),
    ]
    return width - sum(len(GAP) + other for other in others if other)


def _question(line: NodeLine, room: int, dots: str) -> str:
    """Return a question with its answer; of the two, the name of the feature is shortened first."""
    room = min(room, LONGEST)
    whole = f"{line.name} {line.answer}".rstrip()
    if cells(whole) <= room or not line.answer:
        return shortened(whole, room, dots)
    name_room = room - cells(line.answer) - 1
    if name_room < SHORTEST:  # both are shortened, since the answer tells siblings apart
        name_room = max(room // 3, min(SHORTEST, room - 8))
    name = shortened_in_the_middle(line.name, name_room, dots)
    return f"{name} {shortened_answer(line.answer, room - cells(name) - 1, dots)}"
