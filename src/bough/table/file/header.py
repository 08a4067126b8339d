"""The names of the columns of a CSV file, if its first line holds names."""

from collections import Counter
from collections.abc import Sequence

from bough.errors import DataError, listed
from bough.table.column import Remark
from bough.table.file.cells import Cells
from bough.table.file.engine import quoted
from bough.table.file.forms import local_time, plain_number
from bough.table.file.options import saying


def names_of(
    first: Sequence[str], name: str, hint: str = ""
) -> tuple[tuple[str, ...], list[Remark]]:
    """Return the names in a header; a column without one gets one, and a remark."""
    repeated = [each for each, count in Counter(first).items() if count > 1 and each]
    if repeated:
        places = [number for number, each in enumerate(first, 1) if each == repeated[0]]
        also = f"; so do {listed(repeated[1:])}" if repeated[1:] else ""
        raise DataError(
            f"column {repeated[0]!r} of {name} appears {len(places)} times (columns {listed(places)})"
            f"{also}. Give every column a name of its own{hint}."
        )
    names, remarks = [], []
    for number, given in enumerate(first, 1):
        made = given
        if not given:
            made = f"column_{number}"
            while made in first:
                made += "_"
            remarks.append(
                Remark("B111", made, f"has no name in the file, where it is column {number}")
            )
        names.append(made)
    return tuple(names), remarks


def numbered_names(n_columns: int) -> tuple[str, ...]:
    """Return the names of the columns of a file without a header."""
    return tuple(f"column_{number}" for number in range(1, n_columns + 1))


def check_is_header(first: Sequence[str], cells: Cells, line: str, name: str) -> None:
    """Refuse a first line that may as well be a row as hold names."""
    asks = f"If it holds names, {saying('header', value=True)}; if it is a row, {saying('header', value=False)}."
    values = [text for text in first if plain_number(text) or local_time(text)]
    if _names_a_number(first, cells):
        return
    if values:
        raise DataError(f"{line} of {name} has {values[0]!r} where a name should be. {asks}")
    if _recurs(first, cells):
        raise DataError(
            f"{line} of {name} has {listed(first, most=3)}, and each is a value of its column further down. {asks}"
        )


def _names_a_number(first: Sequence[str], cells: Cells) -> bool:
    """Return whether some column of numbers has a word on top."""
    return any(
        look.is_number and text and not plain_number(text)
        for text, look in zip(first, cells.looks, strict=True)
    )


def _recurs(first: Sequence[str], cells: Cells) -> bool:
    """Return whether every cell of the first line is found again below itself."""
    found = [f"bool_or(c{number} = {quoted(text)})" for number, text in enumerate(first)]
    return all(cells.row(", ".join(found)))
