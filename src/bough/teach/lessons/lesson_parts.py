"""What lessons are made of: rows, trees grown from some of them, errors on others, means over trials.

And `Lesson`, what an experiment shows: a sentence, a table, a picture, a question and data; pictures
are squares of classes and bars, as text and as SVG.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bough.datasets import load
from bough.drawing.style import COLORS, hex_of, theme_of
from bough.drawing.svg.elements import SMALL, Paint, document, element, group, text_width, words
from bough.encode import Labels
from bough.errors import ParameterError
from bough.grow import grow
from bough.learn.labelled_rows import LabelledRows
from bough.predict import stops
from bough.schema import Label
from bough.settings import Settings
from bough.table import TableLike, read
from bough.teach.walkthrough import read_taught
from bough.text_layout import Grid, GridColumn, GridRow, blanks, cells, wrapped
from bough.tree import Tree
from bough.walk import depths, parents
from bough.words import number, plain

MOST_ROWS, LEAST_ROWS = 100_000, 40
RADIUS = float(np.sqrt(2 / np.pi))  # of a circle with half of the area of a square from -1 to 1
NEEDS_CLASSES = "This lesson counts errors: it needs a target with classes."
Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]
HALVES = {(0, 0): "·", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}  # the upper and the lower cell
CELL, LINE, BETWEEN = 6, 18, 24  # pixels
LONGEST_BAR, MOST_CELLS = 40, 60  # columns of a terminal: of a bar, and of a cell
BAR, GAP, ACROSS = 14, 8, 360  # pixels


def made_rows(values: ArrayLike, labels: ArrayLike) -> LabelledRows:
    """Return rows of numbers with labels 0 and 1."""
    codes = np.asarray(labels, dtype=np.int32)[np.newaxis]
    return LabelledRows(
        read(np.asarray(values, dtype=np.float64)), Labels((Label("y", (0, 1)),), codes, None)
    )


def circle_rows(
    chance: np.random.Generator, n_rows: int, label_noise: float = 0.0, feature_noise: float = 0.0
) -> LabelledRows:
    """Return points of a square, labelled 1 inside a circle that has half of its area.

    Some labels are turned round, or the numbers moved a bit after the labels were given.
    """
    points = chance.uniform(-1, 1, (n_rows, 2))
    is_inside = (points**2).sum(axis=1) < RADIUS**2
    is_turned = chance.random(n_rows) < label_noise
    return made_rows(points + chance.normal(0, feature_noise, points.shape), is_inside ^ is_turned)


def rows_to_split(
    table: TableLike | None, target: str | None, usual: str = "species"
) -> LabelledRows:
    """Return rows for parts of which something can be concluded; by default the penguins."""
    if table is None:
        table, target = dict(load("penguins")), usual
    rows = rows_of(table, target)
    if len(rows) < LEAST_ROWS:
        raise ParameterError(
            f"This lesson splits the rows: it needs at least {LEAST_ROWS} with a label, not {len(rows)}."
        )
    return rows


def rows_of(table: TableLike, target: str | None) -> LabelledRows:
    """Return the rows of a table that have a label."""
    taught = read_taught(table, target, most_rows=MOST_ROWS)
    if not taught.exact.classes:
        raise ParameterError(NEEDS_CLASSES)
    return LabelledRows(taught.exact.table, taught.exact.labels)


def tree_from(rows: LabelledRows, **settings: Any) -> Tree:  # noqa: ANN401 - as `Settings` has them
    """Return the tree that rows grow by entropy, as the textbooks do."""
    wanted = Settings(**{"criterion": "entropy", **settings})
    return grow(rows.table, rows.labels, wanted, match_by_name=True)


def wrong(tree: Tree, rows: LabelledRows) -> float:
    """Return the share of rows that a tree gets wrong."""
    return float(np.mean(tree.class_guess[stops(tree, rows.table), 0] != rows.answers))


def wrong_at_depths(tree: Tree, rows: LabelledRows, up_to: int | None = None) -> Floats:
    """Return the share of wrong rows of a tree cut at each depth, from 0 on.

    Beyond the depth of the tree nothing changes any more.
    """
    found = np.asarray(wrong_rows_at_depths(tree, rows).mean(axis=1))
    return found if up_to is None else found[np.minimum(np.arange(up_to + 1), len(found) - 1)]


def wrong_rows_at_depths(tree: Tree, rows: LabelledRows) -> NDArray[np.bool_]:
    """Return which rows a tree cut at each depth gets wrong, (depths, rows)."""
    here, depth, above = stops(tree, rows.table), depths(tree), parents(tree)
    found = np.empty((int(depth.max()) + 1, len(rows)), np.bool_)
    for level in range(len(found) - 1, -1, -1):
        here = np.where(depth[here] > level, above[here], here)
        found[level] = tree.class_guess[here, 0] != rows.answers
    return found


def parted(
    rows: LabelledRows, chance: np.random.Generator, *shares: float
) -> tuple[LabelledRows, ...]:
    """Return rows in parts of these shares, at random; the last part has the others."""
    order = chance.permutation(len(rows))
    ends = np.cumsum(np.round(np.array(shares) * len(rows)).astype(np.intp))
    return tuple(rows.take(part) for part in np.split(order, ends))


def n_trials(rows: LabelledRows) -> int:
    """Return how often an experiment is repeated: the fewer rows there are, the more often."""
    return int(np.clip(20_000 // len(rows), 5, 50))


@dataclass(frozen=True)
class Mean:
    """The mean of figures of several trials, and how sure it is."""

    mean: float
    error: float
    """Its standard error."""


def mean_of(figures: ArrayLike) -> Mean:
    """Return the mean of independent trials.

    Examples
    --------
    >>> mean_of([1, 2, 3, 4])
    Mean(mean=2.5, error=0.6454972243679028)
    """
    known = np.asarray(figures, dtype=np.float64)
    return Mean(float(known.mean()), float(known.std(ddof=1) / np.sqrt(len(known))))


@dataclass(frozen=True)
class RegionPanel:
    """One square: the classes 0 and 1 of its cells, row by row from above."""

    name: str
    cells: tuple[tuple[int, ...], ...]

    def lines(self) -> list[str]:
        """Return the square as text, two cells above each other in one letter."""
        pairs = zip(self.cells[::2], self.cells[1::2], strict=True)
        return [
            "".join(HALVES[each] for each in zip(upper, lower, strict=True))
            for upper, lower in pairs
        ]

    def svg(self) -> str:
        """Return the square as SVG, as wide as its cells."""
        paint = Paint()
        for place, row in enumerate(self.cells):
            start = 0
            for label, run in groupby(row):
                width = len(list(run))
                paint.rectangle(
                    hex_of(COLORS[label]), start * CELL, LINE + place * CELL, width * CELL, CELL
                )
                start += width
        return paint.write()


@dataclass(frozen=True)
class RegionPicture:
    """Squares beside each other."""

    title: str
    panels: tuple[RegionPanel, ...]
    radius: float
    """That of the circle that is drawn over each, by the side of the square."""

    def lines(self, room: int = 78) -> list[str]:
        """Return the picture as text, as many squares in a line as there is room for."""
        wide = len(self.panels[0].cells[0])
        most = max(1, (room + 2) // (wide + 2))
        found = [self.title]
        for start in range(0, len(self.panels), most):
            some = self.panels[start : start + most]
            parts = [[f"{each.name:{wide}}", *each.lines()] for each in some]
            found += ["  ".join(line).rstrip() for line in zip(*parts, strict=True)]
        return found

    def svg(self, theme: str = "light") -> str:
        look = theme_of(theme)
        wide = len(self.panels[0].cells[0]) * CELL
        inner = [words(self.title, 0, 14, fill=look.ink, font_weight="bold")]
        for place, each in enumerate(self.panels):
            middle = wide / 2
            outline = element(
                "circle", cx=middle, cy=LINE + middle, r=self.radius * wide,
                fill="none", stroke=look.ground, stroke_width=2,
            )  # fmt: skip
            shown = words(each.name, 0, 12, fill=look.ink) + each.svg() + outline
            inner.append(group(shown, (place * (wide + BETWEEN), LINE + 6)))
        size = (len(self.panels) * (wide + BETWEEN) - BETWEEN, wide + 2.0 * LINE + 6)
        names = ", ".join(each.name for each in self.panels)
        return document(inner, size, look, name="bough", title=self.title, description=names)


def panel(name: str, labels: Sequence[int], wide: int) -> RegionPanel:
    """Return a square of cells from their classes in one line."""
    rows = [tuple(labels[start : start + wide]) for start in range(0, len(labels), wide)]
    return RegionPanel(name, tuple(rows))


@dataclass(frozen=True)
class BarSeries:
    """Numbers that are drawn as bars, one for each label of a picture."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class BarPicture:
    """Bars beside their labels; several series stand below each other."""

    title: str
    labels: tuple[str, ...]
    series: tuple[BarSeries, ...]

    def lines(self, room: int = 78) -> list[str]:
        """Return the picture as text, no wider than there is room."""
        wide = max(map(cells, self.labels))
        names = max(cells(each.name) for each in self.series) if len(self.series) > 1 else 0
        most = max(max(each.values) for each in self.series) or 1.0
        said = self._said()
        longest = max(map(cells, (word for words_ in said for word in words_)))
        longest = min(LONGEST_BAR, max(room - wide - names - longest - 5, 1))
        found = [self.title]
        for place, label in enumerate(self.labels):
            for which, each in enumerate(self.series):
                head = plain(label if which == 0 else "")
                name = f"  {each.name}{blanks(each.name, names)}" if names else ""
                bar = "█" * round(each.values[place] / most * longest)
                value = f"{bar} {said[which][place]}".lstrip()
                found.append(f"{head}{blanks(head, wide)}{name}  {value}")
        return found

    def _said(self) -> list[list[str]]:
        """Return the numbers of each series in words, all with as many decimals."""
        known = alike(value for each in self.series for value in each.values)
        wide = len(self.labels)
        return [known[start : start + wide] for start in range(0, len(known), wide)]

    def svg(self, theme: str = "light") -> str:
        look = theme_of(theme)
        left = max(text_width(label, SMALL) for label in self.labels) + GAP
        most = max(max(each.values) for each in self.series) or 1.0
        values = self._said()
        inner, y = [words(self.title, 0, BAR, fill=look.ink, font_weight="bold")], 2.0 * BAR
        for place, label in enumerate(self.labels):
            inner.append(words(label, 0, y + BAR - 3, fill=look.ink))
            for which, each in enumerate(self.series):
                value = each.values[place]
                width = max(value / most * ACROSS, 0.5)
                color = hex_of(COLORS[which])
                inner.append(element("rect", x=left, y=y, width=width, height=BAR - 2, fill=color))
                said = values[which][place]
                said += f" {each.name}" if len(self.series) > 1 else ""
                inner.append(words(said, left + width + 4, y + BAR - 3, fill=look.ink))
                y += BAR
            y += GAP
        size = (left + ACROSS + 120, y)
        spoken = "; ".join(" ".join(line.replace("█", "").split()) for line in self.lines()[1:])
        return document(inner, size, look, name="bough", title=self.title, description=spoken)


def bars(title: str, labels: Sequence[object], series: Mapping[str, Sequence[float]]) -> BarPicture:
    """Return a picture; each series is given by its name."""
    named = tuple(BarSeries(name, tuple(map(float, each))) for name, each in series.items())
    return BarPicture(title, tuple(map(str, labels)), named)


def alike(values: Iterable[Any]) -> list[str]:
    """Return numbers in words with as many decimals each, three at most.

    Examples
    --------
    >>> alike([1.375, 2.25, 2]), alike([1658880, 12])
    (['1.375', '2.250', '2.000'], ['1,658,880', '12'])
    """
    known = list(values)
    decimals = max(len(number(round(float(value), 3)).partition(".")[2]) for value in known)
    return [f"{value:,.{decimals}f}" for value in known]


@dataclass(frozen=True)
class Lesson:
    """What an experiment shows."""

    name: str
    title: str
    sentence: str
    """What to take away."""
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    """A table: a word and figures in each line."""
    picture: BarPicture | RegionPicture
    question: str
    """For the class."""
    answer: str
    data: dict[str, Any]
    """The figures of the lesson, by name."""

    def grid(self) -> Grid:
        """Return the table with its figures in words, one precision a column."""
        columns, said = [], []
        for name, cells_ in zip(self.columns, zip(*self.rows, strict=True), strict=True):
            is_word = any(isinstance(cell, str) for cell in cells_)
            columns.append(GridColumn(name, is_number=not is_word))
            said.append(list(map(str, cells_)) if is_word else alike(cells_))
        rows = [GridRow(tuple(cells_)) for cells_ in zip(*said, strict=True)]
        return Grid(tuple(columns), tuple(rows), most_cells=MOST_CELLS)

    def lines(self, width: int | None = 80, *, answer: bool = False) -> list[str]:
        """Return the lesson as text; the answer to its question only if asked for."""
        room = 80 if width is None else min(width, 80)
        lines = [self.title, *wrapped(self.sentence, room), ""]
        lines += [line.rstrip() for line, _ in self.grid().lines(width)]
        lines += ["", *(f"  {line}" for line in self._picture(room - 2)), ""]
        lines += wrapped(f"Question: {self.question}", room)
        return [*lines, *wrapped(f"Answer: {self.answer}", room)] if answer else lines

    def _picture(self, room: int) -> list[str]:
        title, *lines = self.picture.lines(room)
        return [*wrapped(title, room), *lines]

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        return "\n".join(self.lines(answer=True))
