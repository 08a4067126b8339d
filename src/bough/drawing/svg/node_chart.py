"""The labels of a node as a small picture: shares of classes, or where guesses lie."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bough.drawing.style import Theme, color_of, colored_classes
from bough.drawing.svg.elements import Paint, Scale, element, short
from bough.node_words import LARGEST, verdict_of
from bough.tree import Node, Tree
from bough.walk import marked_above, parents
from bough.words import amount

N_COLUMNS = 24


class NodeChart(Protocol):
    """Draws the labels of the nodes of one tree."""

    height: float
    legend: tuple[str, ...]

    def draw(self, node: Node, paint: Paint, x: float, y: float, width: float) -> str:
        """Paint the picture of a node, its upper left corner at a place; return what is no paint."""


def chart_of(tree: Tree, node_ids: Sequence[int], theme: Theme, digits: int) -> NodeChart:
    """Return what draws the labels of these nodes."""
    if len(tree.schema.labels) > 1:
        return Nothing()
    if tree.guess is None:
        return ShareBar(tree)
    return GuessPlot(tree, tree.guess[:, 0], node_ids, theme, digits)


class Nothing:
    """No picture, where there are several labels."""

    height = 0.0
    legend: tuple[str, ...] = ()

    def draw(self, node: Node, paint: Paint, x: float, y: float, width: float) -> str:  # noqa: ARG002
        return ""


class ShareBar:
    """A bar with a piece for each class, as long as its share; classes without a colour come last."""

    height = 12.0
    legend: tuple[str, ...] = ("bar: share of each class",)

    def __init__(self, tree: Tree) -> None:
        self.colored = colored_classes(tree)
        others = sorted(set(range(len(tree.schema.labels[0].classes))) - set(self.colored))
        self.order = [*self.colored, *others]
        self.shares = tree.shares[:, 0, :]

    def draw(self, node: Node, paint: Paint, x: float, y: float, width: float) -> str:
        for place in self.order:
            length = float(self.shares[node.id, place]) * width
            # A seam tells apart pieces that have the same colour.
            seam = 0.8 if place not in self.colored and length > 2 else 0.0
            if length > 0:
                color = color_of(place, self.colored)
                paint.rectangle(color, x, y, max(length - seam, 0.1), self.height)
            x += length
        return ""


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
        ends += [float(guesses.min()), float(guesses.max())]
        self.axis = Scale(min(ends), max(ends))
        low, high = (amount(end, digits) for end in self.axis)
        task = tree.schema.task
        name, line = task.guess, "mark: score" if task.ranks else "line: prediction ± spread"
        self.legend: tuple[str, ...] = (f"columns: rows by {name}, from {low} to {high}", line)
        self.columns = self._columns(node_ids)

    def draw(self, node: Node, paint: Paint, x: float, y: float, width: float) -> str:
        floor = y + self.height - 7
        counts = self.columns[node.id]
        step, tall = width / N_COLUMNS, (self.height - 7) / max(counts.max(), 1.0)
        for place, count in enumerate(counts.tolist()):
            if count:
                high = max(count * tall, 1.0)
                paint.rectangle(self.theme.number, x + place * step, floor - high, step - 1, high)
        axis = f"M{short(x)} {short(floor + 0.5)}h{short(width)}"
        low, guess, high = (x + self.axis.place(end) * width for end in self._ends(node.id))
        mark = f"M{short(low)} {short(floor + 4)}H{short(high)}M{short(guess)} {short(floor + 1)}v6"
        return element("path", class_="axis", d=axis, stroke=self.theme.border) + element(
            "path", class_="mark", d=mark, stroke=self.theme.ink, stroke_width=1.5
        )

    def _ends(self, node_id: int) -> tuple[float, float, float]:
        """Return the guess of a node, with its spread less and more."""
        guess, spread = float(self.guesses[node_id]), verdict_of(self.tree, node_id).spread or 0.0
        return max(guess - spread, -LARGEST), guess, min(guess + spread, LARGEST)

    def _columns(self, node_ids: Sequence[int]) -> dict[int, NDArray[np.float64]]:
        """Return for each of some nodes how many rows each column of its plot has."""
        tree, low, high = self.tree, *self.axis
        leaves = np.flatnonzero(tree.feature < 0)
        span = high / 2 - low / 2  # as `Scale.place` has it
        places = (
            (self.guesses[leaves] / 2 - low / 2) / span if span > 0 else np.full(len(leaves), 0.5)
        )
        columns = np.minimum((np.clip(places, 0.0, 1.0) * N_COLUMNS).astype(np.intp), N_COLUMNS - 1)
        numbers = np.full(len(tree), -1)
        numbers[node_ids] = np.arange(len(node_ids))
        drawn_above = marked_above(tree, numbers >= 0)
        here = numbers[drawn_above[leaves]]
        cells = (here * N_COLUMNS + columns)[here >= 0]
        counted = tree.n_rows[leaves[here >= 0]]
        rows = np.bincount(cells, counted, minlength=len(node_ids) * N_COLUMNS).astype(np.float64)
        found = dict(zip(node_ids, rows.reshape(-1, N_COLUMNS), strict=True))
        for node_id in sorted(found, reverse=True)[:-1]:  # a child comes after its parent
            parent = int(drawn_above[parents(tree)[node_id]])
            if parent in found:
                found[parent] += found[node_id]
        return found
