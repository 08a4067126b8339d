"""How much room words take; words that are cut, wrapped and put in tables to fit it, as text and as Markdown."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from bough.words import OR_MISSING, plain

FIRST = 16  # cells that the first column of a table has, or as many as it needs
LAST = 24  # cells that words of the last column need at least, to go on below
_BETWEEN = re.compile(r" (?!%)")  # where a line may be broken: '44.1 %' stays together
MARK = "▶"  # before the line that has won
NARROW_GRID = 60  # columns of a terminal; below, a grid becomes a list
MOST_CELLS = 28  # of the words of an answer
_BETWEEN_UNITS = re.compile(r" (?!bit$|%)")  # a unit stays with its number


def cells(words: str) -> int:
    """Return how many columns of a terminal words take."""
    if words.isascii():
        return len(words)
    return sum(map(_cells_of_sign, words))


def blanks(words: str, room: int) -> str:
    """Return as many blanks as words leave room for."""
    return " " * (room - cells(words))


def shortened(words: str, room: float, dots: str, width: Callable[[str], float] = cells) -> str:
    """Return words that take no more room than there is; dots stand for the rest."""
    if width(words) <= room:
        return words
    room -= width(dots)
    kept = words[: max(int(room), 0)]
    while kept and width(kept) > room:
        kept = kept[:-1]
    return kept + dots


def shortened_in_the_middle(words: str, room: int, dots: str) -> str:
    """Return a name that takes no more room than there is, with its end, which often tells most.

    Examples
    --------
    >>> shortened_in_the_middle("case_state_of_residence", room=11, dots="…")
    'case_s…ence'
    """
    if cells(words) <= room:
        return words
    tail = ""
    for sign in reversed(words):
        if cells(sign + tail) > (room - cells(dots)) * 2 // 5:
            break
        tail = sign + tail
    return shortened(words, room - cells(tail), dots) + tail


def shortened_condition(words: str, room: int, dots: str) -> str:
    """Return a condition that takes no more room than there is: its end tells what holds.

    Examples
    --------
    >>> shortened_condition("how_satisfied_are_you_with_the_service < 3", room=24, dots="…")
    'how_satisfied_are…ce < 3'
    >>> shortened_condition("city = Aachen, Berlin, Bonn, Bremen", room=24, dots="…")
    'city = Aachen, Berlin, …'
    >>> shortened_condition("city = Aachen, Berlin, Bonn or missing", room=30, dots="…")
    'city = Aachen, Ber… or missing'
    """
    if cells(words) <= room:
        return words
    end = OR_MISSING if words.endswith(OR_MISSING) else ""
    words, room = words.removesuffix(end), room - cells(end)
    if ", " not in words:  # of a list, the first values tell most
        end = words[-(room // 4) :] + end
        room -= room // 4
    return shortened(words, room, dots) + end


def shortened_answer(
    answer: str, room: float, dots: str, width: Callable[[str], float] = cells
) -> str:
    """Return an answer that takes no more room than there is.

    Of a list, dots stand for whole values, and that missing ones belong to it is still told.

    Examples
    --------
    >>> shortened_answer("= bread, butter, milk, salt or missing", room=30, dots="…")
    '= bread, butter, … or missing'
    """
    if width(answer) <= room or not answer.startswith("= "):
        return shortened(answer, room, dots, width)
    end = OR_MISSING if answer.endswith(OR_MISSING) and width(OR_MISSING) <= room / 2 else ""
    shown = shortened(answer.removesuffix(end), room - width(end), dots, width)
    last = shown.rfind(", ")
    return (shown if last < 0 else f"{shown[:last]}, {dots}") + end


def filled(
    parts: Iterable[str],
    room: float,
    gap: str = "  ",
    width: Callable[[str], float] = cells,
) -> list[str]:
    """Return parts beside each other, in as many lines as it takes; none is broken.

    Examples
    --------
    >>> filled(["[1] red", "[2] green", "[3] blue"], room=20)
    ['[1] red  [2] green', '[3] blue']
    """
    lines: list[str] = []
    for part in parts:
        if lines and width(lines[-1] + gap + part) <= room:
            lines[-1] += gap + part
        else:
            lines.append(part)
    return lines


def table_lines(rows: Sequence[Sequence[str]], aligned: str, width: int | None = None) -> list[str]:
    """Return rows of cells as lines whose columns are below each other.

    Examples
    --------
    >>> table_lines([["", "rows"], ["red", "12"], ["green", "3"]], "<>")
    ['       rows', 'red      12', 'green     3']
    """
    return [line for lines in table_rows(rows, aligned, width) for line in lines]


def table_rows(
    rows: Sequence[Sequence[str]], aligned: str, width: int | None = None
) -> list[list[str]]:
    """Return the lines of each row of a table, whose columns end ('>') or begin ('<') below each other.

    Where a line would be longer than `width`, cells of the first column go on below, or words of
    the last; where that is not enough, there is no heading, and each row tells its cells below the
    first.
    """
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    if width is not None:
        over = sum(widths) + 2 * (len(widths) - 1) - width
        if widths[0] - over >= min(widths[0], FIRST):
            widths[0] -= max(over, 0)
        elif aligned[-1] == "<" and widths[-1] - over >= LAST:
            widths[-1] -= over
        else:
            return [[], *(_stacked(rows[0], row, width) for row in rows[1:])]
    return [_row_lines(row, widths, aligned) for row in rows]


def _row_lines(row: Sequence[str], widths: Sequence[int], aligned: str) -> list[str]:
    """Return the lines of a row whose first cell, or the words of its last, may go on below."""
    first, *below = _folded(row[0], widths[0])
    last, *more = filled(_BETWEEN.split(row[-1]), widths[-1], gap=" ")
    padded = (
        blanks(cell, room) + cell if side == ">" else cell + blanks(cell, room)
        for cell, room, side in zip([first, *row[1:-1], last], widths, aligned, strict=True)
    )
    indent = " " * (sum(widths[:-1]) + 2 * (len(widths) - 1))
    return ["  ".join(padded).rstrip(), *below, *(indent + each for each in more)]


def _stacked(heading: Sequence[str], row: Sequence[str], width: int) -> list[str]:
    """Return a row that is too long for a line, with what each cell is."""
    told = [f"{name} {cell}" for name, cell in zip(heading[1:], row[1:], strict=True) if cell]
    indent = " " * (len(row[0]) - len(row[0].lstrip()) + 2)
    room = width - len(indent)
    lines = filled(told, room, gap=" · ")
    below = [part for line in lines for part in filled(_BETWEEN.split(line), room, gap=" ")]
    return [*_folded(row[0], width), *(indent + each for each in below)]


def _folded(words: str, room: int) -> list[str]:
    """Return words in lines that take no more room than there is; only a long word is broken."""
    blank = words[: len(words) - len(words.lstrip(" "))]
    left = max(room - len(blank), 1)
    lines = []
    for line in filled(_BETWEEN.split(words.lstrip(" ")), left, gap=" "):
        lines += filled(line, left, gap="")  # sign by sign, which keeps what fits
    return [blank + line for line in lines] or [""]


@cache
def _cells_of_sign(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


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
        if width < NARROW_GRID or grid.width > width:
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
    lines = filled(_BETWEEN_UNITS.split(words), width, gap=" ")
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
