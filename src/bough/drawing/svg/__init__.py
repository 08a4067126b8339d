"""The tree as a picture: boxes from left to right, and lines as wide as their rows."""

from functools import partial
from itertools import accumulate

from bough.drawing.layout import Drawn, centers, drawn_nodes
from bough.drawing.style import Theme, check_options, theme_of
from bough.drawing.svg.elements import (
    DOTS,
    SMALL,
    Key,
    class_keys,
    document,
    element,
    fitted,
    group,
    legend_of,
    short,
    sign_keys,
    text_width,
    words,
)
from bough.drawing.svg.node_card import Cards, Faces
from bough.drawing.svg.node_chart import chart_of
from bough.node_words import meaning_of_guesses
from bough.text_layout import shortened_answer
from bough.tree import Tree
from bough.walk import depths
from bough.words import leaf_count, plain, row_count

GAP, ABOVE = 14, 18  # between boxes of a column; for an answer above a box
NARROWEST = 420  # a picture, so that its legend has room
DEEPEST_ON_PAPER = 5
FEWER = 4  # boxes, where more have no room
TALLEST = 0.75  # times as high as wide, so that it stands below the headline on the first page
FAN, WIDEST_FAN = 44.0, 110.0  # pixels in which the lines of a box part
FAN_ABOVE, WIDEST_ABOVE = 34.0, 60.0  # the same where answers stand above their boxes
STEEPEST = 0.12  # of these pixels for each pixel that a line goes up or down
LONGEST = 132  # of a line of an answer
ROOM = 12  # before and after an answer
WIDEST, THINNEST = 16.0, 1.5


def svg(
    tree: Tree,
    *,
    max_depth: int | None = None,
    max_nodes: int | None = 40,
    theme: str = "light",
    digits: int = 3,
    ids: bool = False,
    legend: bool = True,
) -> str:
    """Return the tree as an SVG picture, which any browser and most programs show.

    Each node is a box: its question or prediction, its rows, and its labels. A bar shows the share
    of each class. Where labels are numbers, columns show how many of the node's rows get which
    prediction, on one axis for all nodes, and a line shows the node's own prediction with the
    spread of its rows around it. A line is as wide as the number of its rows. Of more than
    `max_nodes` boxes, those that most rows come to are drawn.
    """
    check_options(max_depth=max_depth, max_nodes=max_nodes, digits=digits)
    drawn = list(drawn_nodes(tree, max_depth, max_nodes))
    picture = _Picture(tree, drawn, theme_of(theme), digits=digits, ids=ids)
    return picture.write(legend=legend)


def on_paper(tree: Tree, width: float, *, max_nodes: int, digits: int) -> tuple[str, int]:
    """Return the tree with as many boxes as a page so wide has room for, and how many nodes are drawn.

    Where it would be too wide, answers stand above their boxes before boxes are left out.
    """
    choices = {}
    for depth in range(DEEPEST_ON_PAPER, 0, -1):
        for most in range(max_nodes, FEWER, -FEWER):
            drawn = list(drawn_nodes(tree, depth, most))
            choices[len(drawn), max(each.depth for each in drawn)] = drawn
    for size in sorted(choices, reverse=True):
        drawn = choices[size]
        for narrow in (False, True):
            picture = _Picture(
                tree, drawn, theme_of("light"), digits=digits, ids=False, narrow=narrow
            )
            if picture.width <= width and picture.height <= width * TALLEST:
                return picture.write(legend=True), sum(each.node is not None for each in drawn)
    return picture.write(legend=True), sum(each.node is not None for each in drawn)


class _Picture:
    """Everything that is drawn, and where."""

    def __init__(
        self,
        tree: Tree,
        drawn: list[Drawn],
        theme: Theme,
        *,
        digits: int,
        ids: bool,
        narrow: bool = False,
    ) -> None:
        self.tree, self.drawn, self.theme = tree, drawn, theme
        node_ids = [each.node.id for each in drawn if each.node is not None]
        self.chart = chart_of(tree, node_ids, theme, digits)
        self.cards = Cards(
            Faces(tree, digits=digits, ids=ids), self.chart, drawn, theme, narrow=narrow
        )
        self.parents = _parents(drawn)
        heights = self.cards.heights
        self.above = ABOVE if narrow else 0
        self.middles = centers(self.parents, heights, GAP + self.above)
        above = self.cards.width if narrow else None
        self.edges = Edges(drawn, self.parents, self.middles, heights, theme, above=above)
        steps = [self.cards.width + room for room in self.edges.rooms]
        self.columns = list(accumulate(steps, initial=0.0))  # the left side of each depth's boxes
        self.width = max(self.columns[-1] + self.cards.width, NARROWEST)
        self.height = max(
            middle + height / 2 for middle, height in zip(self.middles, heights, strict=True)
        )

    def write(self, *, legend: bool) -> str:
        keys, down = legend_of(self._keys(), self.width) if legend else ("", 0.0)
        down += self.above + (GAP if keys else 0)
        theme = self.theme
        return document(
            [
                group(keys, (0, 0), class_="legend", fill=theme.muted),
                group(self._lines(), (0, down), class_="edges", fill="none", stroke=theme.edge),
                group(self._boxes(), (0, down), class_="nodes", fill=theme.muted),
            ],
            (self.width, down + self.height),
            theme,
            name="bough-tree",
            title=self._title(),
            description=self._description(),
        )

    def _lines(self) -> str:
        found = []
        for number, parent in enumerate(self.parents):
            if parent >= 0:
                start = self._left(parent) + self.cards.width, self.middles[parent]
                end = self._left(number), self.middles[number]
                found.append(self.edges.line(number, start, end))
        return "".join(found)

    def _boxes(self) -> str:
        found = []
        for number, drawn in enumerate(self.drawn):
            height = self.cards.heights[number]
            place = self._left(number), self.middles[number] - height / 2
            answer = self.edges.answer(number, height)
            found.append(self.cards.write(number, drawn, place, answer))
        return "".join(found)

    def _left(self, number: int) -> float:
        return self.columns[self.drawn[number].depth]

    def _keys(self) -> list[Key]:
        signs = [*self.chart.legend, *meaning_of_guesses(self.tree.schema), "n: rows"]
        if len(self.drawn) > 1:
            signs.append("line width: rows")
        if any(each.n_more for each in self.drawn):
            signs.append("…: not drawn")
        return [*class_keys(self.tree), *sign_keys(signs, self.width)]

    def _title(self) -> str:
        names = ", ".join(plain(label.name) for label in self.tree.schema.labels)
        return f"Decision tree for {names}" if names else "Decision tree"

    def _description(self) -> str:
        tree = self.tree
        n_drawn = sum(each.node is not None for each in self.drawn)
        leaves = leaf_count(tree.n_leaves)
        words = f"{leaves}, depth {depths(tree).max()}, grown from {row_count(tree[0].n_rows)}."
        if n_drawn < len(tree):
            words += f" {n_drawn:,} of {len(tree):,} nodes are drawn."
        return words


def _parents(all_drawn: list[Drawn]) -> list[int]:
    """Return for each box the number of its parent's; -1 for the root's."""
    number_of = {
        each.node.id: number for number, each in enumerate(all_drawn) if each.node is not None
    }
    return [-1 if each.parent is None else number_of[each.parent.id] for each in all_drawn]


class Edges:
    """Writes the lines of one picture.

    Lines part right after the box, one below the other, and then go straight to their child. An
    answer lies on its own straight piece, so that it meets no other line; or above its box, where
    `above` says how many pixels it has there.
    """

    def __init__(
        self,
        all_drawn: list[Drawn],
        parents: list[int],
        middles: list[float],
        heights: list[float],
        theme: Theme,
        *,
        above: float | None = None,
    ) -> None:
        self.all_drawn, self.parents, self.theme, self.above = all_drawn, parents, theme, above
        most = max(all_drawn[0].n_rows, 1)
        self.widths = [max(WIDEST * each.n_rows / most, THINNEST) for each in all_drawn]
        words = [plain(each.answer) for each in all_drawn]
        self.answers = [
            _lines(each, LONGEST) if above is None else (_line(each, above),) for each in words
        ]
        self.starts = self._starts(heights)
        n_levels = 1 + max(each.depth for each in all_drawn)
        least, most_wide = (FAN, WIDEST_FAN) if above is None else (FAN_ABOVE, WIDEST_ABOVE)
        self.fans = [least] * n_levels  # before the boxes of each depth
        self.longest = [0.0] * n_levels  # answers there
        for number, each in enumerate(all_drawn[1:], 1):
            rise = abs(middles[number] - middles[parents[number]])
            fan = min(max(rise * STEEPEST, least), most_wide)
            self.fans[each.depth] = max(self.fans[each.depth], fan)
            widths = (text_width(line, SMALL) for line in self.answers[number])
            self.longest[each.depth] = max(self.longest[each.depth], *widths)

    @property
    def rooms(self) -> list[float]:
        """How many pixels there are before the boxes of each depth but the first."""
        if self.above is not None:
            return self.fans[1:]
        return [
            fan + longest + 2 * ROOM
            for fan, longest in zip(self.fans[1:], self.longest[1:], strict=True)
        ]

    def line(self, number: int, start: tuple[float, float], end: tuple[float, float]) -> str:
        """Return the line to a box: from the middle of its parent's side to the middle of its own."""
        (x0, y0), (x2, y2) = start, end
        y0 += self.starts[number]
        fan = self.fans[self.all_drawn[number].depth]
        x1, bend = x0 + fan, x0 + fan / 2
        curve = f"M{short(x0)} {short(y0)}C{short(bend)} {short(y0)} {short(bend)} {short(y2)} "
        child = self.all_drawn[number].node
        return element(
            "path",
            data_child=None if child is None else str(child.id),
            d=f"{curve}{short(x1)} {short(y2)}H{short(x2)}",
            stroke_width=self.widths[number],
        )

    def answer(self, number: int, height: float) -> str:
        """Return the answer, as seen from the upper left corner of the box that it leads to."""
        if self.above is not None:
            (line,) = self.answers[number]
            return words(line, 2, -5, class_="answer", fill=self.theme.ink) if line else ""
        middle, half = height / 2, self.widths[number] / 2
        baselines = (middle - half - 5, middle + half + SMALL + 1)  # above the line, and below it
        return "".join(
            words(line, -ROOM, y, class_="answer", fill=self.theme.ink, text_anchor="end")
            for line, y in zip(self.answers[number], baselines, strict=False)
            if line
        )

    def _starts(self, heights: list[float]) -> list[float]:
        """Return how far below the middle of its parent's side each line begins."""
        totals = [0.0] * len(self.widths)
        for width, parent in zip(self.widths[1:], self.parents[1:], strict=True):
            totals[parent] += width
        # Very many thin lines begin closer to each other, so that they stay at their box.
        scales = [
            min(1.0, (height - 2 * ROOM) / total) if total else 1.0
            for height, total in zip(heights, totals, strict=True)
        ]
        used = [0.0] * len(self.widths)
        found = [0.0] * len(self.widths)
        for number, parent in enumerate(self.parents[1:], 1):
            middle = used[parent] + self.widths[number] / 2 - totals[parent] / 2
            found[number] = middle * scales[parent]
            used[parent] += self.widths[number]
        return found


def _line(answer: str, room: float) -> str:
    """Return an answer in one line; a number that has lost its last digits would be another one."""
    if answer.startswith(("<", "≥")):
        return answer
    return shortened_answer(answer, room, DOTS, partial(text_width, size=SMALL))


def _lines(answer: str, longest: float) -> tuple[str, ...]:
    """Return an answer in one line or, if it is long, in two."""
    if text_width(answer, SMALL) <= longest:
        return (answer,)
    first = fitted(answer, longest + text_width(DOTS, SMALL), SMALL).removesuffix(DOTS)
    first = first[: first.rfind(" ") + 1].rstrip()
    if len(first) <= len("= ") and answer.startswith(("<", "≥")):
        return (answer,)  # a number that has lost its last digits would be another one
    if len(first) <= len("= "):  # a sign alone is no line
        return (fitted(answer, longest, SMALL),)
    rest = "= " + answer.removeprefix(first).lstrip()
    room = longest + text_width("= ", SMALL)
    second = shortened_answer(rest, room, DOTS, partial(text_width, size=SMALL))
    return first, second.removeprefix("= ")
