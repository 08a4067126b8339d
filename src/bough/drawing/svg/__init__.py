"""The tree as a picture: boxes from left to right, and lines as wide as their rows."""

from itertools import accumulate

from bough.drawing.colors import Theme, theme_of
from bough.drawing.layout import centers
from bough.drawing.options import check_options
from bough.drawing.shown_nodes import Drawn, drawn_nodes
from bough.drawing.svg.card import Cards, Faces
from bough.drawing.svg.edge import Edges
from bough.drawing.svg.elements import document, group
from bough.drawing.svg.glyph import glyph_of
from bough.drawing.svg.legend import Key, class_keys, legend_of, sign_keys
from bough.node_words import meaning_of_guesses
from bough.tree import Tree
from bough.walk import depths
from bough.words import leaf_count, plain, row_count

GAP, ABOVE = 14, 18  # between boxes of a column; for an answer above a box
NARROWEST = 420  # a picture, so that its legend has room
DEEPEST_ON_PAPER = 5
FEWER = 4  # boxes, where more have no room
TALLEST = 0.75  # times as high as wide, so that it stands below the headline on the first page


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
    prediction, on one axis for all nodes, and a line shows the node's own prediction with the spread
    of its rows around it. A line is as wide as the number of its rows.

    Parameters
    ----------
    max_depth
        The depth below which nodes are left out; None: no depth.
    max_nodes
        How many boxes there are at most; None: any number. Those that most rows come to are drawn.
    theme
        'light' or 'dark'.
    digits
        How many significant digits numbers have at least.
    ids
        Show the number of each node.
    legend
        Say what colours and widths mean.
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
        self.glyph = glyph_of(tree, node_ids, theme, digits)
        self.cards = Cards(
            Faces(tree, digits=digits, ids=ids), self.glyph, drawn, theme, narrow=narrow
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
        signs = [*self.glyph.legend, *meaning_of_guesses(self.tree.schema), "n: rows"]
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
