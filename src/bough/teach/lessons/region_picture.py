"""Pictures of what trees predict for every point of a square."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from bough.drawing.colors import COLORS, hex_of, theme_of
from bough.drawing.svg.elements import Paint, document, element, group, words

HALVES = {(0, 0): "·", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}  # the upper and the lower cell
CELL, LINE, GAP = 6, 18, 24  # pixels


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
        """Return the picture as SVG."""
        look = theme_of(theme)
        wide = len(self.panels[0].cells[0]) * CELL
        inner = [words(self.title, 0, 14, fill=look.ink, font_weight="bold")]
        for number, each in enumerate(self.panels):
            middle = wide / 2
            outline = element(
                "circle", cx=middle, cy=LINE + middle, r=self.radius * wide,
                fill="none", stroke=look.ground, stroke_width=2,
            )  # fmt: skip
            shown = words(each.name, 0, 12, fill=look.ink) + each.svg() + outline
            inner.append(group(shown, (number * (wide + GAP), LINE + 6)))
        size = (len(self.panels) * (wide + GAP) - GAP, wide + 2.0 * LINE + 6)
        names = ", ".join(each.name for each in self.panels)
        return document(inner, size, look, name="bough", title=self.title, description=names)


def panel(name: str, labels: Sequence[int], wide: int) -> RegionPanel:
    """Return a square of cells from their classes in one line."""
    rows = [tuple(labels[start : start + wide]) for start in range(0, len(labels), wide)]
    return RegionPanel(name, tuple(rows))
