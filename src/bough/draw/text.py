"""The tree as indented text."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.draw.cells import cells, padded, shortened
from bough.draw.options import check_options
from bough.draw.palette import COLORS, colored_classes
from bough.draw.verdict import verdict_of
from bough.tree import Node, Tree
from bough.walk import Step, parents, walk
from bough.words import TO_ASCII, guess_word, plain

MOST_GUIDES = 32  # levels that have guide lines; further ones are counted: lines stay short
LONGEST = 200  # cells of a question with its answer
LONGEST_GUESS = 40
NARROWEST = 16  # cells that questions should have
TIGHTEST = 6  # cells that a question keeps however little room there is
GAP = "  "

# For each node: a child, the last one; beside one, below the last. Short ones are for narrow screens.
GUIDES = {4: ("├── ", "└── ", "│   ", "    "), 2: ("├ ", "└ ", "│ ", "  ")}
ASCII_GUIDES = {4: ("|-- ", "`-- ", "|   ", "    "), 2: ("|-", "`-", "| ", "  ")}
LAYOUTS = (
    (12, 4),
    (6, 4),
    (6, 2),
    (0, 2),
)  # cells of a bar and of a guide line; the first that fits
FILLS = "█░▓▒▚▞▌▀"
ASCII_FILLS = "#.o+x=%@"


class _Line(NamedTuple):
    """One node of the tree, before the columns are aligned."""

    guides: str
    name: str  # of the feature that is asked about
    answer: str
    bar: str
    rows: str
    guess: str
    certainty: str  # the share of the guess, or the spread around it
    more: str


def text(
    tree: Tree,
    *,
    max_depth: int | None = None,
    width: int | None = None,
    ascii: bool = False,  # noqa: A002
    color: bool = False,
    digits: int = 3,
) -> str:
    """Return the tree as a table: guide lines, answer, class bar, rows, guess.

    Parameters
    ----------
    tree
        The tree to draw.
    max_depth
        The depth below which nodes are left out; None draws all.
    width
        How many columns the table may take; None takes what it needs.
    ascii
        Use no sign beyond ASCII; other signs in names are shown as escapes.
    color
        Colour the bars by codes that terminals know.
    digits
        How many significant digits numbers have at least.
    """
    check_options(max_depth=max_depth, width=width, digits=digits)
    n_guides = MOST_GUIDES if width is None else max(min(MOST_GUIDES, width // 12), 1)
    for layout in LAYOUTS:
        hand = _Hand(tree, ascii=ascii, color=color, digits=digits, layout=layout)
        lines = list(hand.lines(max_depth, n_guides))
        widest = max(len(line.guides) for line in lines) + TIGHTEST
        if _room(lines, width, hand.n_bar) >= max(widest, NARROWEST):
            break
    legend = hand.legend(has_more=any(line.more for line in lines))
    return "\n".join([*_aligned(lines, width, hand), "", legend])


class _Hand:
    """Draws the parts of a line."""

    def __init__(
        self,
        tree: Tree,
        *,
        ascii: bool,  # noqa: A002
        color: bool,
        digits: int,
        layout: tuple[int, int],
    ) -> None:
        self.tree, self.ascii, self.digits, self.color = tree, ascii, digits, color
        self.fills = ASCII_FILLS if ascii else FILLS
        self.dots = "..." if ascii else "…"
        n_bar, n_guide = layout
        self.guides = (ASCII_GUIDES if ascii else GUIDES)[n_guide]
        self.n_bar = n_bar if tree.schema.has_classes and len(tree.schema.labels) == 1 else 0
        self.classes: list[int] = []
        if self.n_bar:
            self.classes = colored_classes(tree)
            self.cells = _cells_of_bars(tree.shares[:, 0, :], self.classes, n_bar)
        self.bar = cache(self._bar)  # few bars differ

    def lines(self, max_depth: int | None, n_guides: int) -> Iterator[_Line]:
        """Draw the nodes from top to bottom."""
        parent = parents(self.tree)
        is_last = np.append(parent[1:] != parent[:-1], True)  # siblings lie side by side
        above: list[str] = []  # the guide line of each level above
        for step in walk(self.tree, max_depth, self.digits):
            node, depth = step.node, step.depth
            guides = ""
            if depth > 0:
                child, last_child, beside, below = self.guides
                del above[depth - 1 :]
                hidden = max(depth - 1 - n_guides, 0)
                counted = f"{self.dots}{hidden} " if hidden else ""
                mark, later = (last_child, below) if is_last[node.id] else (child, beside)
                guides = counted + "".join(above[hidden:]) + mark
                above.append(later)
            is_cut = depth == max_depth and not node.is_leaf
            name, answer = self.question(step)
            guess, certainty = self.guess(node) if is_cut or node.is_leaf else ("", "")
            yield _Line(
                guides=guides,
                name=name,
                answer=answer,
                bar=self.bar(tuple(self.cells[node.id].tolist())) if self.n_bar else "",
                rows=f"{node.n_rows:,}",
                guess=guess,
                certainty=certainty,
                more=self.dots if is_cut else "",
            )

    def question(self, step: Step) -> tuple[str, str]:
        """Return the name of the feature that was asked about, and the answer that led here."""
        if step.parent is None or (query := step.parent.query) is None:
            return "all rows", ""
        return self.shown(query.feature.name), self.shown(step.answer)

    def guess(self, node: Node) -> tuple[str, str]:
        verdict = verdict_of(self.tree, node.id, self.digits)
        guessed = shortened(
            self.shown(guess_word(verdict.guess, self.digits)), LONGEST_GUESS, self.dots
        )
        return self.shown("→ ") + guessed, self.shown(verdict.certainty)

    def legend(self, *, has_more: bool) -> str:
        parts = ["number: rows"]
        if self.n_bar:
            parts.insert(0, "bars: share of each class")
        elif not self.tree.schema.has_classes and len(self.tree.schema.labels) == 1:
            parts.append("±: spread of the rows around the guess")
        if has_more:
            parts.append("…: asks on")
        classes = self.tree.schema.labels[0].classes
        names = [guess_word(classes[each]) for each in self.classes]
        if self.n_bar and len(names) < len(classes):
            names.append(f"{len(classes) - len(names)} others")
        keys = [
            f"{self.filled(number, 1)} {shortened(self.shown(name), LONGEST_GUESS, self.dots)}"
            for number, name in enumerate(names)
        ]
        return "   ".join(filter(None, [GAP.join(keys), self.shown(" · ".join(parts))]))

    def shown(self, words: str) -> str:
        """Return words as the terminal can show them."""
        words = plain(words)
        if not self.ascii or words.isascii():
            return words
        return words.translate(TO_ASCII).encode("ascii", "backslashreplace").decode("ascii")

    def filled(self, fill: int, count: int) -> str:
        """Return this many cells of a bar."""
        if not self.color or not count:
            return self.fills[fill] * count
        red, green, blue = COLORS[fill]
        return f"\x1b[38;2;{red};{green};{blue}m{self.fills[fill] * count}\x1b[0m"

    def _bar(self, counts: tuple[int, ...]) -> str:
        return "".join(self.filled(fill, count) for fill, count in enumerate(counts))


def _cells_of_bars(
    shares: NDArray[np.float64], classes: list[int], n_bar: int
) -> NDArray[np.int64]:
    """Return how many cells of each node's bar each class has; they add up to a whole bar."""
    ends = np.rint(np.cumsum(shares[:, classes], axis=1) * n_bar).astype(np.int64)
    others = np.full((len(ends), 1), n_bar)
    if len(classes) == shares.shape[1]:  # no rounding can leave a gap at the end
        ends[:, -1] = n_bar
    return np.diff(np.hstack([np.zeros_like(others), ends, others]), axis=1)


def _aligned(lines: list[_Line], width: int | None, hand: _Hand) -> Iterator[str]:
    """Put the columns below each other."""
    n_rows = max(len(line.rows) for line in lines)
    n_guess = max(cells(line.guess) for line in lines)
    n_certainty = max(len(line.certainty) for line in lines)
    room = max(_room(lines, width, hand.n_bar), NARROWEST // 2)
    questions = [
        _question(line, max(room - len(line.guides), TIGHTEST), hand.dots) for line in lines
    ]
    n_first = max(
        len(line.guides) + cells(each) for line, each in zip(lines, questions, strict=True)
    )
    for question, line in zip(questions, lines, strict=True):
        columns = [
            line.guides + padded(question, n_first - len(line.guides)),
            *([line.bar] if line.bar else []),
            line.rows.rjust(n_rows),
            padded(line.guess, n_guess),
            line.certainty.rjust(n_certainty),
            line.more,
        ]
        yield GAP.join(columns).rstrip()


def _room(lines: list[_Line], width: int | None, n_bar: int) -> int:
    """Return how many cells are left for questions and their guide lines."""
    if width is None:
        return LONGEST + max(GUIDES) * MOST_GUIDES
    others = [
        n_bar,
        *(
            max(len(getattr(line, each)) for line in lines)
            for each in ("rows", "certainty", "more")
        ),
        max(cells(line.guess) for line in lines),
    ]
    return width - sum(len(GAP) + other for other in others if other)


def _question(line: _Line, room: int, dots: str) -> str:
    """Return a question with its answer; of the two, the name of the feature is shortened first."""
    whole = f"{line.name} {line.answer}".rstrip()
    name_room = min(room, LONGEST) - cells(line.answer) - 1
    if cells(whole) > room and name_room >= TIGHTEST // 2:
        return f"{shortened(line.name, name_room, dots)} {line.answer}"
    return shortened(whole, min(room, LONGEST), dots)
