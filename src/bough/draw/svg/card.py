"""The box of a node: its words fitted in, and its labels as a small picture."""

from bough.draw.folding import Drawn
from bough.draw.svg.document import SMALL, group
from bough.draw.svg.element import element, escaped, isolated, words
from bough.draw.svg.face import Count, Face, Faces
from bough.draw.svg.glyph import Glyph
from bough.draw.svg.measure import fitted, text_width
from bough.draw.svg.paint import Paint
from bough.draw.svg.theme import Theme
from bough.tree import Node

PADDING = 12
NAME = 14  # size of letters
NARROWEST, WIDEST = 128, 256  # pixels inside a box
NAME_LINE, GLYPH = 24, 34  # how far down the first words stand, and what is below them begins
LINE = 18  # from one line of words to the next
GAP = 10  # between words side by side
SWATCH = 8
MOST_COUNTS = 3
STUB = 30  # height of what stands for answers
ROUNDING = 9
SHEET = 4  # how far the sheet behind a folded box peeps out


class Cards:
    """Writes the boxes of one picture, all as wide as the widest needs to be."""

    def __init__(self, faces: Faces, glyph: Glyph, all_drawn: list[Drawn], theme: Theme) -> None:
        self.glyph, self.theme = glyph, theme
        self.faces = [faces.face(drawn) for drawn in all_drawn]
        wish = min(max(map(_wish, self.faces)), WIDEST)
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
        inner = self._stub(face) if drawn.node is None else self._inner(face, drawn.node, height)
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
        return GLYPH + self.glyph.height + LINE * lines + (9 if lines or self.glyph.height else 2)

    def _inner(self, face: Face, node: Node, height: float) -> list[str]:
        inner = [element("title", escaped(face.in_full))]
        if face.more:
            inner.append(self._box(height, x=SHEET, y=SHEET))
        inner.append(self._box(height, stroke_width=2.5 if node.is_leaf else None))
        inner.append(self._name(face))
        inner.append(self._at_the_end(face.rows, NAME_LINE))
        paint = Paint()
        inner.append(self.glyph.draw(node, paint, PADDING, GLYPH, self.inside))
        line = GLYPH + self.glyph.height + LINE - 2
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
        taken = text_width(face.rows, SMALL) + GAP + text_width(face.end, NAME, bold=True)
        head = isolated(fitted(face.head, self.inside - taken, NAME, bold=True))
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
    name = text_width(face.head + face.end, NAME, bold=True) + GAP + text_width(face.rows, SMALL)
    return max(name, _width_of_counts(face.counts[:2]))


def _need(face: Face) -> float:
    """Return how wide the inside of a box must be for what is never shortened."""
    return text_width(face.end, NAME, bold=True) + GAP + text_width(face.rows, SMALL)


def _width_of_counts(counts: tuple[Count, ...]) -> float:
    widths = [_swatch(count) + text_width(count.words, SMALL) for count in counts]
    return sum(widths) + GAP * (len(counts) - 1)


def _swatch(count: Count) -> float:
    return 0 if count.color is None else SWATCH + 4
