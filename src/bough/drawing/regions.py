"""Rectangles between two axes, each with what is guessed there."""

from collections.abc import Iterable, Mapping, Sequence
from math import cos, isfinite, radians, sqrt
from typing import NamedTuple

import numpy as np

from bough.drawing.leaf_rectangles import Region, Span, is_map, named_features, partition
from bough.drawing.style import Theme, check_options, color_of, colored_classes, theme_of
from bough.drawing.svg.elements import (
    SMALL,
    Key,
    Scale,
    class_keys,
    document,
    element,
    escaped,
    fitted,
    group,
    isolated,
    legend_of,
    short,
    sign_keys,
    text_width,
    words,
)
from bough.errors import ParameterError
from bough.histograms import Density
from bough.node_words import LARGEST, Verdict, meaning_of_guesses, verdict_of
from bough.query_kinds import Below
from bough.schema import Feature, Kind, date
from bough.tree import Tree
from bough.words import amount, cell_word, plain

WIDTH, HEIGHT = 560.0, 400.0
TICK = 5
LINE = 16
GAP = 8
FAINTEST, STRONGEST = 0.1, 0.5  # how much of its colour a rectangle has
BEYOND = 0.2  # how far the plane reaches beyond the outermost pivots, in parts of their distance


class PlaneEdges(NamedTuple):
    """The numbers between the edges of cells, which are all drawn as wide as each other."""

    edges: tuple[float, ...]

    @property
    def low(self) -> float:
        return self.edges[0]

    @property
    def high(self) -> float:
        return self.edges[-1]

    def place(self, value: float) -> float:
        """Return where a number lies: 0 at the low end or below it, 1 at the high end or above.

        Examples
        --------
        >>> PlaneEdges((0.0, 1.0, 100.0)).place(50.5)
        0.75
        """
        return float(np.interp(value, self.edges, np.linspace(0, 1, len(self.edges))))


class Plane:
    """Draws the plane of two numbers."""

    def __init__(
        self,
        tree: Tree,
        features: tuple[Feature, Feature],
        axes: tuple[Scale, Scale] | tuple[PlaneEdges, PlaneEdges],
        theme: Theme,
        digits: int,
        *,
        density: Density | None = None,
    ) -> None:
        self.density = density
        self.width, self.height = WIDTH, HEIGHT
        if density is not None and is_map(density.features):
            self.width = HEIGHT * _shape(density)
        self.tree, self.features, self.axes = tree, features, axes
        self.theme, self.digits = theme, digits
        self.colored = colored_classes(tree)
        if tree.guess is not None:
            guesses = tree.guess[:, 0]
            self.guesses = Scale(float(guesses.min()), float(guesses.max()))

    def write(self, found: list[Region]) -> str:
        shown = [region for region in found if self._is_shown(region)]
        across, upwards = (
            self._ticks(place, [region.spans[place] for region in found]) for place in (0, 1)
        )
        told = [*(tick for _, tick in upwards), *self._ends(1)]
        left = max(text_width(tick, SMALL) for tick in told) + TICK + 4
        keys, height = legend_of(self._keys(shown, left + self.width), left + self.width)
        down = height + LINE + GAP  # the name of the second number stands above its axis
        names = [fitted(plain(feature.name), self.width / 2, SMALL) for feature in self.features]
        inner = [
            group(keys, (0, 0), class_="legend", fill=self.theme.muted),
            group(self._rectangles(shown), (left, down), class_="regions"),
            group(
                self._across(across) + self._upwards(upwards) + self._names(names),
                (left, down),
                class_="axes",
                fill=self.theme.muted,
            ),
        ]
        return document(
            inner,
            (left + self.width, down + self.height + TICK + 2 * LINE),
            self.theme,
            name="bough-regions",
            title=f"Predictions by {names[0]} and {names[1]}",
            description=f"{len(shown):,} rectangles, each a leaf of the tree.",
        )

    def _rectangles(self, shown: list[Region]) -> str:
        """Return rectangles, on these the rows, and on these what is predicted."""
        drawn = [self._rectangle(region) for region in shown]
        said = [self._said(region) for region in shown]
        return "".join([*drawn, self._dots(), *said])

    def _dots(self) -> str:
        """Return a dot for each cell of the plane that holds rows."""
        if self.density is None:
            return ""
        counts = np.array(self.density.counts)
        height, width = self.height / counts.shape[0], self.width / counts.shape[1]
        most, radius = int(counts.max()) or 1, min(0.48 * min(height, width), 16.0)
        dots = [
            element(
                "circle",
                cx=f"{(across + 0.5) * width:.1f}",
                cy=f"{self.height - (up + 0.5) * height:.1f}",
                r=f"{max(radius * sqrt(count / most), 1.0):.1f}",
            )
            for up, line in enumerate(self.density.counts)
            for across, count in enumerate(line)
            if count
        ]
        shade = {"fill": self.theme.ink, "fill_opacity": "0.3", "pointer_events": "none"}
        return group("".join(dots), (0, 0), class_="density", **shade)

    def _is_shown(self, region: Region) -> bool:
        _, _, width, height = self._sides(region)
        return width > 0 and height > 0

    def _sides(self, region: Region) -> tuple[float, float, float, float]:
        """Return the left and the upper side of a rectangle, its width and its height."""
        (left, right), (bottom, top) = (
            [self.axes[place].place(end) for end in span] for place, span in enumerate(region.spans)
        )
        return (
            left * self.width,
            (1 - top) * self.height,
            (right - left) * self.width,
            (top - bottom) * self.height,
        )

    def _rectangle(self, region: Region) -> str:
        x, y, width, height = self._sides(region)
        verdict = verdict_of(self.tree, region.node.id, self.digits)
        in_full = "\n".join([verdict.in_full, *map(plain, region.others)])
        color, strength = self._shade(region)
        return element(
            "g",
            element("title", escaped(in_full)),
            element(
                "rect",
                x=x,
                y=y,
                width=width,
                height=height,
                fill=color,
                fill_opacity=f"{strength:.2f}",
                stroke=self.theme.ground,
            ),
            data_node=str(region.node.id),
        )

    def _said(self, region: Region) -> str:
        verdict = verdict_of(self.tree, region.node.id, self.digits)
        return self._words(verdict, *self._sides(region))

    def _words(self, verdict: Verdict, x: float, y: float, width: float, height: float) -> str:
        """Return lines in the middle of a rectangle, if there is room for the guess or its share."""
        firsts = [str(verdict), plain(verdict.guess_word)]
        if verdict.share is not None:  # which class it is, the colour says
            firsts.append(verdict.certainty)
        fitting = [line for line in firsts if text_width(line, SMALL) <= width - 4]
        rows = f"n {verdict.n_rows:,}"
        room = fitting[:1] + [rows] * (text_width(rows, SMALL) <= width - 4)
        room = room[: int(height / LINE)] if fitting else []
        top = y + height / 2 - LINE * len(room) / 2 + SMALL
        return "".join(
            words(
                isolated(line),
                x + width / 2,
                top + LINE * place,
                text_anchor="middle",
                fill=self.theme.ink,
            )
            for place, line in enumerate(room)
        )

    def _shade(self, region: Region) -> tuple[str, float]:
        """Return the colour of a rectangle, and how much of it there is."""
        node, tree = region.node.id, self.tree
        if tree.guess is None:
            guessed = int(tree.class_guess[node, 0])
            strength = float(tree.shares[node, 0, guessed])
            color = color_of(guessed, self.colored)
        else:
            strength = self.guesses.place(float(tree.guess[node, 0]))
            color = self.theme.number
        return color, FAINTEST + (STRONGEST - FAINTEST) * strength

    def _keys(self, found: list[Region], width: float) -> list[Key]:
        signs = [f"stronger colour: {self._strong()}", *meaning_of_guesses(self.tree.schema)]
        signs.append("n: rows")
        if any(region.others for region in found):
            signs.append("other questions: answered as most rows do")
        return [*class_keys(self.tree), *sign_keys(signs, width)]

    def _strong(self) -> str:
        if self.tree.guess is None:
            return "purer leaf"
        low, high = (amount(end, self.digits) for end in self.guesses)
        return f"higher {self.tree.schema.task.guess}, from {low} to {high}"

    def _ticks(self, place: int, spans: list[tuple[float, float]]) -> list[tuple[float, str]]:
        """Return where pivots lie, from 0 to 1, with their words."""
        axis, feature = self.axes[place], self.features[place]
        pivots = sorted({end for span in spans for end in span if axis.low < end < axis.high})
        queries = [self.tree[node].query for node in self._asking(feature)]
        said = {each.pivot: each.said for each in queries if isinstance(each, Below)}
        return [(axis.place(pivot), cell_word(feature, said[pivot])) for pivot in pivots]

    def _asking(self, feature: Feature) -> list[int]:
        asks = self.tree.feature == self.tree.schema.features.index(feature)
        return np.flatnonzero(asks).tolist()

    def _across(self, ticks: list[tuple[float, str]]) -> str:
        low, high = self._ends(0)
        shown, free_from, last = "", -GAP * 1.0, self.width + GAP
        if low:
            shown += words(low, 0, self.height + TICK + SMALL)
            shown += words(high, self.width, self.height + TICK + SMALL, text_anchor="end")
            free_from = text_width(low, SMALL) + GAP
            last = self.width - text_width(high, SMALL) - GAP
        for place, tick in ticks:
            x, half = place * self.width, text_width(tick, SMALL) / 2
            shown += _tick(f"M{short(x)} {short(self.height)}v{TICK}", self.theme)
            if x - half >= free_from and x + half <= last:
                shown += words(tick, x, self.height + TICK + SMALL, text_anchor="middle")
                free_from = x + half + GAP
        return shown

    def _upwards(self, ticks: list[tuple[float, str]]) -> str:
        low, high = self._ends(1)
        shown, free_to = "", self.height + LINE
        if low:
            shown += words(low, -TICK - 4, self.height, text_anchor="end")
            shown += words(high, -TICK - 4, SMALL, text_anchor="end")
            free_to = self.height - LINE
        for place, tick in ticks:
            y = (1 - place) * self.height
            shown += _tick(f"M0 {short(y)}h-{TICK}", self.theme)
            if y <= free_to and not (high and y < LINE + SMALL):
                shown += words(tick, -TICK - 4, y + SMALL / 3, text_anchor="end")
                free_to = y - LINE
        return shown

    def _ends(self, place: int) -> tuple[str, str]:
        """Return the ends of an axis in words, where they are those of rows."""
        if self.density is None:
            return "", ""
        axis, feature = self.axes[place], self.features[place]
        low, high = (
            date(end) if feature.kind is Kind.DATE else amount(end, self.digits)
            for end in (axis.low, axis.high)
        )
        return low, high

    def _names(self, names: list[str]) -> str:
        ink = {"fill": self.theme.ink, "font_weight": "700"}
        across, upwards = map(isolated, names)
        return words(
            across, self.width, self.height + TICK + 2 * LINE - 2, text_anchor="end", **ink
        ) + words(upwards, 0, -GAP, **ink)


def _shape(density: Density) -> float:
    """Return how many times as wide as high a map is: degrees of longitude get narrower northwards."""
    (west, east), (south, north) = (
        (each[0], each[-1]) for each in (density.across, density.upwards)
    )
    narrower = cos(radians(min(max((south + north) / 2, -80.0), 80.0)))
    return min(max((east - west) * narrower / (north - south), 0.7), 1.6)


def _tick(path: str, theme: Theme) -> str:
    return element("path", d=path, stroke=theme.border)


def regions(
    tree: Tree,
    *,
    features: Sequence[str] | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    density: Density | None = None,
    theme: str = "light",
    digits: int = 3,
) -> str:
    """Return an SVG picture of the rectangles that the leaves hold on the plane of two numbers.

    Questions about other features are answered as most rows answer them: the picture says so, and
    each rectangle what was answered. Rows without one of the two numbers are not in it.

    The first of two `features`, by default those of most gain, goes from left to right, the second
    upwards. A tree knows its pivots but not the numbers it has seen: without `ranges`, from where
    to where the plane reaches, by name, it reaches a little beyond them. A `density` of rows is
    drawn, and the axes are as its cells.
    """
    check_options(digits=digits)
    if len(tree.schema.labels) > 1:
        raise ParameterError("Regions show one label, and this tree predicts several.")
    pair = named_features(tree, features if density is None else density.features)
    found = partition(tree, pair)
    if density is not None:
        axes = PlaneEdges(density.across), PlaneEdges(density.upwards)
        return Plane(tree, pair, axes, theme_of(theme), digits, density=density).write(found)
    across, upwards = (
        _axis(feature, [region.spans[place] for region in found], (ranges or {}).get(feature.name))
        for place, feature in enumerate(pair)
    )
    return Plane(tree, pair, (across, upwards), theme_of(theme), digits).write(found)


def _axis(feature: Feature, spans: Iterable[Span], span: Span | None) -> Scale:
    if span is not None:
        low, high = span
        if not (isfinite(low) and isfinite(high) and low < high):
            raise ParameterError(
                f"ranges: {span!r} of {feature.name!r} must be two numbers, the smaller one first."
            )
        return Scale(low, high)
    pivots = [pivot for each in spans for pivot in each if isfinite(pivot)]
    if not pivots:
        raise ParameterError(
            f"The tree does not ask about {feature.name!r} here, so it does not know the range to draw. "
            f"Give it in Python: bough.draw(tree, 'regions', ranges={{{feature.name!r}: (0, 1)}})."
        )
    low, high = min(pivots), max(pivots)
    more = (high / 2 - low / 2) * 2 * BEYOND if high > low else max(abs(high) * BEYOND, 1.0)
    return Scale(max(low - more, -LARGEST), min(high + more, LARGEST))
