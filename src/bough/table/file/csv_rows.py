"""Finds the delimiter, and writes the rows for DuckDB, each with as many cells as the header has."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, DataError
from bough.table.file.options import SIGNS, Options
from bough.table.file.pieces import Piece, Positions, check_quotes

SNIFFED = 1000  # records


def cell_counts(piece: Piece, delimiter: str) -> NDArray[np.intp]:
    """Return how many cells each record has."""
    signs = np.frombuffer(piece.text, np.uint8)
    separators = piece.outside(np.flatnonzero(signs == ord(delimiter)))
    return np.diff(np.searchsorted(separators, piece.ends), prepend=0) + 1


def sniffed(piece: Piece, name: str) -> str:
    """Return the delimiter of a table: the one by which its records agree best on their cells."""
    best = max(SIGNS, key=lambda sign: _agreement(cell_counts(_head(piece), sign)))
    if _agreement(cell_counts(_head(piece), best))[1] > 0:
        return best
    raise DataError(
        f"{name} has no comma, semicolon, tab or bar between its cells. Name the delimiter, for "
        "example ", Argument("delimiter", ":"), "; if it is a table of one column, use ",
        Argument("delimiter", ","), ".",
    )  # fmt: skip


def check_given(piece: Piece, delimiter: str, name: str) -> None:
    """Refuse a delimiter that gives one column where another gives more."""
    if cell_counts(_head(piece), delimiter)[0] > 1:
        return
    others = [sign for sign in SIGNS if cell_counts(_head(piece), sign)[0] > 1]
    if others:
        raise DataError(
            f"{name} has only one column with {delimiter!r}. Did you mean ",
            Argument("delimiter", others[0]), "?",
        )  # fmt: skip


def delimiter_word(delimiter: str) -> str:
    """Return what messages call a delimiter."""
    return SIGNS.get(delimiter, repr(delimiter))


def _head(piece: Piece) -> Piece:
    cut = piece.ends[:SNIFFED][-1] + 1
    breaks, quotes = piece.breaks, piece.quotes
    return Piece(piece.text[:cut], 1, breaks[breaks < cut], quotes[quotes < cut])


def _agreement(counts: NDArray[np.intp]) -> tuple[bool, float, int]:
    """Return how well a delimiter parts records: as in the header, in most records, into many."""
    counts = counts[counts.nonzero()]
    values, times = np.unique(counts[1:] if len(counts) > 1 else counts, return_counts=True)
    usual = int(values[times.argmax()])
    if max(usual, counts[0]) < 2:
        return (False, 0.0, 0)
    return (usual == counts[0], times.max() / times.sum(), usual)


@dataclass(eq=False)
class Records:
    """What was found on the way."""

    delimiter: str
    first: list[str]
    """The cells of the first record, which are names if `has_header`."""
    first_line: int
    lines: list[NDArray[np.int32]] = field(default_factory=list)
    """The line that each row begins in."""
    n_rows: int = 0
    longest: int = 0
    """How many bytes the longest row has."""
    n_odd: int = 0
    """How many rows have another number of cells than the first record."""
    first_odd: tuple[int, int] = (0, 0)
    """The line and the number of cells of the first of them."""
    odd_lengths: set[int] = field(default_factory=set)

    @property
    def width(self) -> int:
        """How many cells a row is written with: two at least, so that no line is blank."""
        return max(len(self.first), 2)


def write_records(
    pieces: Iterable[Piece], target: Path, options: Options, name: str, *, has_header: bool
) -> Records:
    """Write the rows of a CSV file without its header, and return what was found."""
    records: Records | None = None
    with target.open("wb") as file:
        for piece in pieces:
            rows = piece
            if records is None:
                rows = _without_leading_blanks(piece)
                if not len(rows.ends):
                    continue
                records = _begun(rows, options, name)
                if has_header:
                    rows = _after(rows, int(rows.ends[0]) + 1)
            check_quotes(rows, records.delimiter, name)
            file.write(_rows(rows, records, options))
    if records is None:
        raise DataError(f"{name} is empty.")
    _check_lengths(records, options, name)
    if records.n_rows == 0:
        raise DataError(f"{name} has a header but no rows.")
    return records


def _begun(piece: Piece, options: Options, name: str) -> Records:
    delimiter = options.delimiter
    if delimiter is None:
        delimiter = sniffed(piece, name)
    else:
        check_given(piece, delimiter, name)
    check_quotes(piece, delimiter, name)
    text = piece.text[: piece.ends[0]].decode()
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quotechar=options.quote or None,
        quoting=csv.QUOTE_MINIMAL if options.quote else csv.QUOTE_NONE,
    )
    try:
        first = next(reader)
    except csv.Error as error:
        raise DataError(
            f"line {piece.first_line} of {name} is not a header ({error}). Is it a table?"
        ) from error
    return Records(delimiter, first, piece.first_line)


def _without_leading_blanks(piece: Piece) -> Piece:
    n_blank = len(piece.text) - len(piece.text.lstrip(b"\n"))
    return _after(piece, n_blank)


def _after(piece: Piece, place: int) -> Piece:
    return Piece(
        piece.text[place:],
        piece.line(place),
        piece.breaks[piece.breaks >= place] - place,
        piece.quotes[piece.quotes >= place] - place,
    )


def _rows(piece: Piece, records: Records, options: Options) -> bytes:
    """Return the rows of a piece, noting their lines and those that are too long or too short."""
    starts, ends, lines = piece.starts, piece.ends, piece.lines
    counts = cell_counts(piece, records.delimiter)
    n_columns = len(records.first)
    is_blank = (starts == ends) & (n_columns > 1)
    is_short = (counts < n_columns) & ~is_blank
    is_odd = (counts > n_columns) | (is_short & (options.short_rows == "error"))
    _note_odd(records, lines[is_odd], counts[is_odd])
    records.lines.append(lines[~is_blank])
    records.n_rows += int((~is_blank).sum())
    records.longest = max(records.longest, int((ends - starts).max(initial=0)) + n_columns)
    lacks = np.where(is_blank | is_odd, 0, records.width - counts)
    if not is_blank.any() and not lacks.any():
        return piece.text
    signs = np.frombuffer(piece.text, np.uint8)
    signs = np.delete(signs, ends[is_blank])
    kept = ends[~is_blank] - np.cumsum(is_blank)[~is_blank]
    padding = np.repeat(kept, lacks[~is_blank])
    return np.insert(signs, padding, ord(records.delimiter)).tobytes()


def _note_odd(records: Records, lines: NDArray[np.int32], counts: Positions) -> None:
    """Remember the first row of a wrong length, how many there are, and whether all are alike."""
    if not len(lines):
        return
    if records.n_odd == 0:
        records.first_odd = (int(lines[0]), int(counts[0]))
    records.n_odd += len(lines)
    records.odd_lengths |= set(np.unique(counts).tolist())


def _check_lengths(records: Records, options: Options, name: str) -> None:
    """Refuse rows that have more cells than the header has, or fewer."""
    if records.n_odd == 0:
        return
    first = "header" if options.header is not False else "first row"
    line, length = records.first_odd
    width, sign = len(records.first), delimiter_word(records.delimiter)
    if records.n_odd == records.n_rows > 1 and records.odd_lengths == {width + 1}:
        raise DataError(
            f"every row of {name} has {_cells(width + 1)}, but the {first} has {width:,}. Is there a "
            f"{sign} at the end of each row, or a name missing in the header?"
        )
    more = records.n_odd - 1
    others = (
        f" ({more:,} more {'line is' if more == 1 else 'lines are'} wrong, too)" if more else ""
    )
    found = f"line {line} of {name} has {_cells(length)}{others}, but the {first} has {width:,}. "
    if length > width:
        raise DataError(found, f"Quote cells that contain a {sign}.")
    raise DataError(
        found, "Complete it, or treat absent cells as missing: ", Argument("short_rows", "missing"),
        ".",
    )  # fmt: skip


def _cells(count: int) -> str:
    """Return how many cells there are, in words."""
    return f"{count:,} {'cell' if count == 1 else 'cells'}"
