"""The labels of a node as a small picture: shares of classes, or where guesses lie."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bough.draw.palette import COLORS, colored_classes, hex_of
from bough.draw.svg.element import element, short
from bough.draw.svg.theme import Theme
from bough.draw.verdict import LARGEST, verdict_of
from bough.tree import Node, Tree
from bough.walk import fold
from bough.words import number

N_COLUMNS = 30


class Glyph(Protocol):
    """Draws the labels of the nodes of one tree."""

    height: float
    legend: str

    def draw(self, node: Node, x: float, y: float, width: float) -> str:
        """Return the picture of a node, its upper left corner at a place."""


def glyph_of(tree: Tree, node_ids: Sequence[int], theme: Theme, digits: int) -> Glyph:
    """Return what draws the labels of these nodes."""
    if len(tree.schema.labels) > 1:
        return Nothing()
    if tree.guess is None:
        return ShareBar(tree)
    return GuessPlot(tree, tree.guess[:, 0], node_ids, theme, digits)


class Nothing:
    """No picture, where there are several labels."""

    height = 0.0
    legend = ""

    def draw(self, node: Node, x: float, y: float, width: float) -> str:  # noqa: ARG002
        return ""


class ShareBar:
    """A bar with a piece for each class, as long as its share."""

    height = 12.0
    legend = "bar: share of each class"

    def __init__(self, tree: Tree) -> None:
        colored = colored_classes(tree)
        shares = tree.shares[:, 0, :]
        own = shares[:, colored]
        others = np.maximum(1 - own.sum(axis=1, keepdims=True), 0)
        self.shares = np.hstack([own, others]) if len(colored) < shares.shape[1] else own

    def draw(self, node: Node, x: float, y: float, width: float) -> str:
        lengths = self.shares[node.id] * width
        return "".join(
            element(
                "rect",
                class_="bar",
                x=x + end - length,
                y=y,
                width=length,
                height=self.height,
                fill=hex_of(COLORS[place]),
            )
            for place, (length, end) in enumerate(zip(lengths, np.cumsum(lengths), strict=True))
            if length > 0
        )


class GuessPlot:
    """How many rows get which guess below a node, and the spread around its own.

    A tree knows its guesses and their spread but not each label, so columns show what the leaves
    below a node guess, each with its rows, on an axis that all nodes share.
    """

    height = 26.0

    def __init__(
        self,
        tree: Tree,
        guesses: NDArray[np.float64],
        node_ids: Sequence[int],
        theme: Theme,
        digits: int,
    ) -> None:
        self.tree, self.guesses, self.theme = tree, guesses, theme
        ends = [end for node_id in node_ids for end in self._ends(node_id)]
        self.low, self.high = min(ends), max(ends)
        low, high = number(self.low, digits), number(self.high, digits)
        self.legend = f"columns: rows by guess, from {low} to {high} · line: guess ± spread"
        self.columns = self._columns(set(node_ids))

    def draw(self, node: Node, x: float, y: float, width: float) -> str:
        floor = y + self.height - 7
        counts = self.columns[node.id]
        step, tall = width / N_COLUMNS, (self.height - 7) / max(counts.max(), 1.0)
        columns = "".join(
            f"M{short(x + place * step)} {short(floor)}v{short(-max(count * tall, 1.0))}"
            f"h{short(step - 1)}V{short(floor)}z"
            for place, count in enumerate(counts.tolist())
            if count
        )
        axis = f"M{short(x)} {short(floor + 0.5)}h{short(width)}"
        low, guess, high = (x + self._place(end) * width for end in self._ends(node.id))
        mark = f"M{short(low)} {short(floor + 4)}H{short(high)}M{short(guess)} {short(floor + 1)}v6"
        return (
            element("path", class_="axis", d=axis, stroke=self.theme.border)
            + element("path", class_="columns", d=columns, fill=self.theme.number)
            + element("path", class_="mark", d=mark, stroke=self.theme.ink, stroke_width=1.5)
        )

    def _ends(self, node_id: int) -> tuple[float, float, float]:
        """Return the guess of a node, with its spread less and more."""
        guess, spread = float(self.guesses[node_id]), verdict_of(self.tree, node_id).spread or 0.0
        return max(guess - spread, -LARGEST), guess, min(guess + spread, LARGEST)

    def _place(self, value: float) -> float:
        """Return where a number lies on the axis, from 0 to 1."""
        span = self.high / 2 - self.low / 2  # halves, since the whole may be beyond all numbers
        return min(max((value / 2 - self.low / 2) / span, 0.0), 1.0) if span > 0 else 0.5

    def _columns(self, wanted: set[int]) -> dict[int, NDArray[np.float64]]:
        """Return for each node how many rows each column of its plot has."""
        found: dict[int, NDArray[np.float64]] = {}

        def kept(node: Node, counts: NDArray[np.float64]) -> NDArray[np.float64]:
            if node.id in wanted:
                found[node.id] = counts
            return counts

        def of_leaf(node: Node) -> NDArray[np.float64]:
            counts = np.zeros(N_COLUMNS)
            place = int(self._place(self._ends(node.id)[1]) * N_COLUMNS)
            counts[min(place, N_COLUMNS - 1)] = node.n_rows
            return kept(node, counts)

        fold(self.tree, of_leaf, lambda node, below: kept(node, np.sum(below, axis=0)))
        return found
