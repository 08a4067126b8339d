"""Small tables as text that keeps to a width, and as Markdown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bough.learn.score_result import MARK
from bough.text_layout import blanks, cells, filled, shortened
from bough.words import plain

NARROW = 60  # columns of a terminal; below, a grid becomes a list
MOST_CELLS = 28  # of the words of an answer
_BETWEEN = re.compile(r" (?!bit$|%)")  # a unit stays with its number


@dataclass(frozen=True)
class GridColumn:
    """A column of a grid."""

    name: str
    is_number: bool = True
    """Whether it is right-aligned."""
    goes: int = 0
    """When it is left out for want of room: those of the greatest number first, 0 never."""


@dataclass(frozen=True)
class GridRow:
    """A line of a grid."""

    cells: tuple[str, ...]
    is_marked: bool = False
    is_below: bool = False
    """Whether it belongs to the line before."""


@dataclass(frozen=True)
class Grid:
    """Lines of cells under headings. The last cell of a short line may run over the others."""

    columns: tuple[GridColumn, ...]
    rows: tuple[GridRow, ...]
    gap: int = field(default=2, compare=False)
    most_cells: int = MOST_CELLS
    """How many columns of a terminal a cell may take."""

    def lines(self, width: int | None) -> list[tuple[str, bool]]:
        """Return the lines, no wider than there is room, and which of them are marked."""
        grid = replace(self, rows=tuple(_plain_row(row, self.most_cells) for row in self.rows))
        if width is None or grid.width <= width:
            return grid.as_columns()
        grid = replace(grid, gap=1)
        while grid.width > width and (last := max(each.goes for each in grid.columns)):
            grid = grid.without(last)
        if width < NARROW or grid.width > width:
            return replace(grid, columns=self.columns, rows=self.rows).as_list(width)
        return grid.as_columns()

    @property
    def width(self) -> int:
        """How many columns of a terminal the lines take."""
        return sum(self._widths()) + self.gap * (len(self.columns) - 1) + len(MARK) + 1

    def without(self, goes: int) -> "Grid":
        kept = [place for place, each in enumerate(self.columns) if each.goes != goes]
        rows = [
            row
            if len(row.cells) < len(self.columns)
            else replace(row, cells=tuple(row.cells[place] for place in kept))
            for row in self.rows
        ]
        return replace(self, columns=tuple(self.columns[p] for p in kept), rows=tuple(rows))

    def _widths(self) -> list[int]:
        whole = [row.cells for row in self.rows if len(row.cells) == len(self.columns)]
        first = [row.cells[0] for row in self.rows]
        columns = list(zip(*whole, strict=True)) or [()] * len(self.columns)
        found = [
            max(map(cells, (plain(each.name), *column)))
            for each, column in zip(self.columns, columns, strict=True)
        ]
        return [max(map(cells, (plain(self.columns[0].name), *first))), *found[1:]]

    def as_columns(self) -> list[tuple[str, bool]]:
        """Return the lines with each cell below its heading."""
        widths = self._widths()
        heading = GridRow(tuple(plain(each.name) for each in self.columns))
        return [
            (f"{MARK if row.is_marked else ' '} {self._line(row.cells, widths)}", row.is_marked)
            for row in (heading, *self.rows)
        ]

    def _line(self, row: Sequence[str], widths: Sequence[int]) -> str:
        words = []
        for place, cell in enumerate(row):
            fill = blanks(cell, max(widths[place], cells(cell)))
            is_last = place == len(row) - 1
            is_number = self.columns[place].is_number and len(row) == len(self.columns)
            words.append(fill + cell if is_number else cell if is_last else cell + fill)
        return (" " * self.gap).join(words).rstrip()

    def as_list(self, width: int) -> list[tuple[str, bool]]:
        """Return each line as words, where there is no room for columns."""
        found = []
        for row in self.rows:
            if len(row.cells) < len(self.columns):
                words = ": ".join(filter(None, row.cells))
            else:
                names = [
                    f"{each.name} " if each.is_number or each.goes else "" for each in self.columns
                ]
                said = [
                    f"{name}{cell}" for name, cell in zip(names, row.cells, strict=True) if cell
                ]
                words = ", ".join(said)
            head = f"{MARK if row.is_marked else ' '} {'  ' if row.is_below else ''}"
            words, room = plain(words), width - len(head)
            lines = [words] if cells(words) <= room else wrapped(words, max(room - 2, 8))
            found += [(f"{head}{lines[0]}", row.is_marked)]
            found += [(" " * (len(head) + 2) + line, row.is_marked) for line in lines[1:]]
        return found

    def markdown(self) -> list[str]:
        """Return the lines of a table in Markdown."""
        names = ["", *(in_markdown(each.name) for each in self.columns)]
        ends = [":-", *("-:" if each.is_number else ":-" for each in self.columns)]
        lines = [names, ends]
        for row in self.rows:
            mark = MARK if row.is_marked else ""
            short = [""] * (len(self.columns) - len(row.cells))
            lines.append([mark, *map(in_markdown, row.cells), *short])
        return [f"| {' | '.join(line)} |" for line in lines]


def wrapped(words: str, width: int) -> list[str]:
    """Return words in lines that are no longer than there is room, broken at blanks."""
    lines = filled(_BETWEEN.split(words), width, gap=" ")
    return [shortened(line, width, "…") for line in lines]


def _plain_row(row: GridRow, most: int) -> GridRow:
    return replace(row, cells=tuple(shortened(plain(cell), most, "…") for cell in row.cells))


def in_markdown(words: str) -> str:
    r"""Return words for a cell of a table in Markdown.

    Examples
    --------
    >>> in_markdown("a|b * <c>")
    'a\\|b \\* &lt;c>'
    """
    words = plain(words).replace("\\", "\\\\").replace("<", "&lt;")
    for sign in "|*_`[":
        words = words.replace(sign, f"\\{sign}")
    return words
