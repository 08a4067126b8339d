"""The box of a node: its words, fitted in, and its labels as a small picture."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from bough.drawing.layout import Drawn
from bough.drawing.style import Theme, color_of, colored_classes
from bough.drawing.svg.elements import (
    SMALL,
    Paint,
    element,
    escaped,
    fitted,
    group,
    isolated,
    text_width,
    words,
)
from bough.drawing.svg.node_chart import NodeChart
from bough.node_words import Verdict, verdict_of
from bough.tree import Node, Tree
from bough.words import guess_word, number, plain

MOST_IN_FULL = 12  # classes whose counts a tooltip lists
PADDING = 12
NAME = 14  # size of letters
NARROWEST, WIDEST, WIDEST_NARROW = 128, 256, 166  # pixels inside a box
NAME_LINE, CHART = 24, 34  # how far down the first words stand, and what is below them begins
LINE = 18  # from one line of words to the next
GAP = 10  # between words side by side
SWATCH = 8
MOST_COUNTS = 3
STUB = 30  # height of what stands for answers
ROUNDING = 9
SHEET = 4  # how far the sheet behind a folded box peeps out


class Count(NamedTuple):
    """How many labels of a class there are, in words; or another short fact."""

    words: str
    color: str | None = None
    place: int = 0  # in the order of classes


@dataclass(frozen=True)
class Face:
    """The words of a box."""

    head: str  # may be shortened
    end: str  # follows the head and is never shortened
    rows: str
    counts: tuple[Count, ...] = ()  # the greatest first
    more: str = ""  # of what is not drawn
    in_full: str = ""

    def with_rows_below(self) -> "Face":
        """Return the same words with the rows in the last line, so that the head has room."""
        last = " · ".join(each for each in (self.rows, self.more) if each)
        return replace(self, rows="", more=last)


class Faces:
    """Finds the words of the boxes of one tree."""

    def __init__(self, tree: Tree, *, digits: int, ids: bool) -> None:
        self.tree, self.digits, self.ids = tree, digits, ids
        self.colored = colored_classes(tree)

    def face(self, drawn: Drawn) -> Face:
        """Return what the box of a node says, or what stands for answers that are not drawn."""
        node = drawn.node
        if node is None:
            return Face(f"… {drawn.n_more:,} more answers", "", f"n {drawn.n_rows:,}")
        verdict = verdict_of(self.tree, node.id, self.digits)
        head, end = self._first_words(drawn, node, verdict)
        number_of_node = f"#{node.id} · " if self.ids else ""
        return Face(
            head=head,
            end=end,
            rows=f"{number_of_node}n {node.n_rows:,}",
            counts=tuple(self._counts(drawn, node, verdict)),
            more=f"… {drawn.n_more:,} more" if drawn.n_more else "",
            in_full="\n".join(self._in_full(drawn, node, verdict)),
        )

    def _first_words(self, drawn: Drawn, node: Node, verdict: Verdict) -> tuple[str, str]:
        if node.query is not None and not drawn.is_end:
            return plain(node.query.feature.name), " ?"
        if isinstance(verdict.guess, tuple):  # several labels
            return plain(verdict.guess_word), ""
        if verdict.share is None:  # a number that has lost its last digits would be another one
            return "", _number_words(verdict)
        return plain(verdict.guess_word), f" · {verdict.certainty}"

    def _counts(self, drawn: Drawn, node: Node, verdict: Verdict) -> Iterator[Count]:
        if not self.colored:
            if not drawn.is_end:  # others have said so in their first words
                yield Count(_number_words(verdict))
            if verdict.relevance is not None:
                yield Count(verdict.certainty)
            return
        tally = node.tally[0]
        names = self.tree.schema.labels[0].classes
        for place in np.argsort(-tally, kind="stable").tolist():
            if tally[place] > 0:
                words = _counted(float(tally[place]), plain(guess_word(names[place])), self.digits)
                yield Count(words, color_of(place, self.colored), place)

    def _in_full(self, drawn: Drawn, node: Node, verdict: Verdict) -> Iterator[str]:
        if drawn.parent is not None and drawn.parent.query is not None:
            yield plain(f"{drawn.parent.query.feature.name} {drawn.answer}")
        if node.query is not None:
            yield f"asks: {plain(node.query.feature.name)}"
        yield verdict.in_full
        counts = list(self._counts(drawn, node, verdict))
        if len(counts) > 2:  # others are seen in the box
            yield from (count.words for count in counts[:MOST_IN_FULL])
            if len(counts) > MOST_IN_FULL:
                yield f"and {len(counts) - MOST_IN_FULL} more classes"


def _number_words(verdict: Verdict) -> str:
    """Return a guess with its spread; a score alone, below which its relevance stands."""
    return f"score {verdict.guess_word}" if verdict.is_score else str(verdict)


def _counted(weight: float, name: str, digits: int) -> str:
    """Return how often a class occurs: '46 died', or '1: 46' where that could be misread."""
    count = f"{int(weight):,}" if weight.is_integer() else number(weight, digits)
    name, begins = isolated(name), name[:1]
    return f"{count} {name}" if begins.isalpha() else f"{name}: {count}"


class Cards:
    """Writes the boxes of one picture, all as wide as the widest needs to be."""

    def __init__(
        self, faces: Faces, chart: NodeChart, all_drawn: list[Drawn], theme: Theme, *, narrow: bool
    ) -> None:
        self.chart, self.theme = chart, theme
        self.faces = [faces.face(drawn) for drawn in all_drawn]
        if narrow:
            self.faces = [
                face
                if drawn.node is None or _name(face) <= WIDEST_NARROW
                else face.with_rows_below()
                for drawn, face in zip(all_drawn, self.faces, strict=True)
            ]
        wish = min(max(map(_wish, self.faces)), WIDEST_NARROW if narrow else WIDEST)
        self.inside = max(NARROWEST, wish, *map(_need, self.faces))
        self.width = self.inside + 2 * PADDING
        self.heights = [
            STUB if drawn.node is None else self._height(face)
            for drawn, face in zip(all_drawn, self.faces, strict=True)
        ]

    def write(self, number: int, drawn: Drawn, place: tuple[float, float], answer: str) -> str:
        """Return a box, its upper left corner at a place, with the answer that leads to it."""
        face, height = self.faces[number], self.heights[number]
        kind = "more" if drawn.node is None else "folded" if drawn.n_more else "leaf"
        kind = kind if drawn.is_end else "branch"
        if drawn.node is None:
            inner = self._stub(face)
        else:
            inner = self._inner(face, drawn.node, height, is_folded=drawn.n_more > 0)
        return group(
            "".join([*inner, answer]),
            place,
            class_=kind,
            data_node=None if drawn.node is None else str(drawn.node.id),
            data_parent=None if drawn.parent is None else str(drawn.parent.id),
            data_folded=str(drawn.n_more) if kind == "folded" else None,
            data_more=str(drawn.n_more) if kind == "more" else None,
        )

    def _height(self, face: Face) -> float:
        lines = bool(face.counts) + bool(face.more)
        return CHART + self.chart.height + LINE * lines + (9 if lines or self.chart.height else 2)

    def _inner(self, face: Face, node: Node, height: float, *, is_folded: bool) -> list[str]:
        inner = [element("title", escaped(face.in_full))]
        if is_folded:
            inner.append(self._box(height, x=SHEET, y=SHEET))
        inner.append(self._box(height, stroke_width=2.5 if node.is_leaf else None))
        inner.append(self._name(face))
        if face.rows:
            inner.append(self._at_the_end(face.rows, NAME_LINE))
        paint = Paint()
        inner.append(self.chart.draw(node, paint, PADDING, CHART, self.inside))
        line = CHART + self.chart.height + LINE - 2
        if face.counts:
            inner.append(self._counts(face, paint, line))
            line += LINE
        if face.more:
            inner.append(words(face.more, PADDING, line))
        return [*inner, paint.write()]

    def _stub(self, face: Face) -> list[str]:
        line = STUB / 2 + SMALL / 3
        return [
            self._box(STUB, stroke_dasharray=4),
            words(face.head, PADDING, line),
            self._at_the_end(face.rows, line),
        ]

    def _box(self, height: float, **more: float | None) -> str:
        return element(
            "rect",
            class_="card",
            width=self.width,
            height=height,
            rx=ROUNDING,
            fill=self.theme.card,
            stroke=self.theme.border,
            **more,
        )

    def _at_the_end(self, content: str, y: float) -> str:
        return words(content, self.width - PADDING, y, text_anchor="end")

    def _name(self, face: Face) -> str:
        room = self.inside - _need(face) + 0.01  # where a name just fits, rounding cuts nothing
        head = isolated(fitted(face.head, room, NAME, bold=True))
        return words(
            head + face.end,
            PADDING,
            NAME_LINE,
            class_="name",
            fill=self.theme.ink,
            font_size=NAME,
            font_weight="700",
        )

    def _counts(self, face: Face, paint: Paint, y: float) -> str:
        """Return as many counts as there is room for, in the order of classes."""
        shown = ""
        x = float(PADDING)
        for count in sorted(self._fitting(face.counts), key=lambda count: count.place):
            if count.color is not None:
                paint.rectangle(count.color, x, y - SWATCH, SWATCH, SWATCH)
            x += _swatch(count)
            shown += words(count.words, x, y)
            x += text_width(count.words, SMALL) + GAP
        return shown

    def _fitting(self, counts: tuple[Count, ...]) -> tuple[Count, ...]:
        for n_shown in range(min(len(counts), MOST_COUNTS), 1, -1):
            if _width_of_counts(counts[:n_shown]) <= self.inside:
                return counts[:n_shown]
        first = counts[0]
        room = self.inside - _swatch(first)
        return (first._replace(words=fitted(first.words, room, SMALL)),)


def _wish(face: Face) -> float:
    """Return how wide the inside of a box would be if nothing limited it."""
    return max(_name(face), _width_of_counts(face.counts[:2]))


def _name(face: Face) -> float:
    return text_width(face.head + face.end, NAME, bold=True) + _rows_and_gap(face)


def _need(face: Face) -> float:
    """Return how wide the inside of a box must be for what is never shortened."""
    return text_width(face.end, NAME, bold=True) + _rows_and_gap(face)


def _rows_and_gap(face: Face) -> float:
    return GAP + text_width(face.rows, SMALL) if face.rows else 0.0


def _width_of_counts(counts: tuple[Count, ...]) -> float:
    widths = [_swatch(count) + text_width(count.words, SMALL) for count in counts]
    return sum(widths) + GAP * (len(counts) - 1)


def _swatch(count: Count) -> float:
    return 0 if count.color is None else SWATCH + 4
