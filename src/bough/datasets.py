"""The small teaching tables.

Every number of the teaching texts can be worked out by hand from these tables. `penguins` is the
one real table, for trying things out.
"""

import csv
from importlib.resources import files
from os import PathLike
from pathlib import Path

from bough.errors import ParameterError, did_you_mean
from bough.files import write_file

Cell = str | int | float | None


class Teaching(dict[str, list[Cell]]):
    """A small table: its columns by name, which of them is the target, and which to leave out.

    Whatever takes a table takes it: `bough.fit(table)` knows the target, `tree.fit(table,
    table.labels)` and `tree.predict(table)` read the features, and `pandas.DataFrame(table)` has all
    columns. Cells are words, whole numbers or numbers; None where a value is missing.

    Parameters
    ----------
    name
        Its name.
    columns
        The cells of each column.
    target
        The column to be predicted.
    ignore
        Columns that only name the rows.
    source
        Where the table comes from.
    """

    def __init__(
        self,
        name: str,
        columns: dict[str, list[Cell]],
        target: str,
        ignore: tuple[str, ...],
        source: str,
    ) -> None:
        super().__init__(columns)
        self.name, self.target, self.ignore, self.source = name, target, ignore, source

    @property
    def columns(self) -> dict[str, list[Cell]]:
        """All columns."""
        return self

    @property
    def features(self) -> dict[str, list[Cell]]:
        """The columns that queries may ask about: `pandas.DataFrame(table.features)` is X."""
        left_out = {self.target, *self.ignore}
        return {name: cells for name, cells in self.items() if name not in left_out}

    @property
    def labels(self) -> list[str | int | float]:
        """The column to be predicted; no label is missing."""
        return [cell for cell in self[self.target] if cell is not None]


# name: (target, columns that only name the rows, source)
_TABLES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "and": ("y", (), "truth table: y = a and b"),
    "commute": ("transport", (), "splitting-criterion slides: how to get home, 16 days"),
    "course_ratings": (
        "opinion",
        (),
        "made for bough, with the counts of the course-ratings chapter of Daumé, A Course in "
        "Machine Learning: 20 courses, 12 liked",
    ),
    "eight_rows": ("y", (), "splitting-criterion slides: error rate against information"),
    "heart_disease_5": ("heart_disease", (), "splitting-criterion slides: five patients"),
    "heart_disease_6": ("heart_disease", (), "splitting-criterion slides: six patients"),
    "office_rooms": ("recycling_bin", ("room",), "office rooms text: which rooms have a bin"),
    "one_bit": ("y", (), "splitting-criterion slides: a feature that says all"),
    "or": ("y", (), "truth table: y = a or b"),
    "penguins": (
        "species",
        (),
        "Horst, Hill and Gorman, Palmer Archipelago penguins (palmerpenguins), CC0",
    ),
    "play_tennis": (
        "play_tennis",
        ("day",),
        "Mitchell, Machine Learning (1997), section 3.4.2, after Quinlan (1986)",
    ),
    "play_tennis_d15": (
        "play_tennis",
        ("day",),
        "Mitchell, Machine Learning (1997), section 3.7.1: play_tennis and a wrong fifteenth day",
    ),
    "seven_numbers": ("letter", (), "pivots between seven numbers, two of them equal"),
    "six_rows": ("y", (), "play tennis slides: two features, six rows"),
    "xor": ("y", (), "truth table: y = 1 if a and b differ"),
    "zero_bits": ("y", (), "splitting-criterion slides: a feature that says nothing"),
}


def names() -> list[str]:
    """List the tables that `load` knows.

    Examples
    --------
    >>> names()[:3]
    ['and', 'commute', 'course_ratings']
    """
    return list(_TABLES)


def load(name: str) -> Teaching:
    """Return a teaching table.

    Examples
    --------
    >>> table = load("play_tennis")
    >>> list(table.features)
    ['outlook', 'temperature', 'humidity', 'wind']
    >>> table.labels.count("Yes")
    9
    """
    if not isinstance(name, str) or name not in _TABLES:
        hint = did_you_mean(str(name), _TABLES)
        known = ", ".join(repr(table) for table in _TABLES)
        raise ParameterError(f"There is no teaching table {name!r}.{hint} Known tables: {known}.")
    text = (files("bough") / "tables" / f"{name}.csv").read_text("utf-8")
    header, *rows = csv.reader(text.splitlines())
    cells = zip(*rows, strict=True)
    columns = {column: _read(list(texts)) for column, texts in zip(header, cells, strict=True)}
    return Teaching(name, columns, *_TABLES[name])


def path(name: str) -> str:
    """Return the file of a teaching table."""
    load(name)  # which refuses other names
    return str(files("bough") / "tables" / f"{name}.csv")


def write(name: str, to: str | PathLike[str]) -> None:
    """Write a teaching table as a CSV file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write("xor", f"{folder}/xor.csv")
    ...     print(Path(f"{folder}/xor.csv").read_text().splitlines()[0])
    a,b,y
    """
    write_file(to, Path(path(name)).read_bytes())


def _read(texts: list[str]) -> list[Cell]:
    """Return the cells of a column: whole numbers if all are, else numbers if all are, else words."""
    for kind in (int, float):
        try:
            return [kind(text) if text else None for text in texts]
        except ValueError:
            continue
    return [text or None for text in texts]
