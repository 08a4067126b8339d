"""`Lesson`: what an experiment shows, as a sentence, a table, a picture, a question and data."""

from dataclasses import asdict, dataclass
from typing import Any

from bough.teach.lessons.pictures import MOST_CELLS, BarPicture, RegionPicture, alike
from bough.teach.text_tables import Grid, GridColumn, GridRow, wrapped


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
