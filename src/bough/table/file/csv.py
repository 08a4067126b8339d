"""Reads CSV files, and TSV and the like: finds the delimiter and the header, and writes the rows for DuckDB.

Each row is written with as many cells as the header has.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, DataError, listed
from bough.file_options import FileReading
from bough.table.file.cells import Cells, cells_of
from bough.table.file.columns import TextTable, names_of, numbered_names
from bough.table.file.duckdb_engine import Dialect, database, load_rows, quoted
from bough.table.file.guess_types import guess
from bough.table.file.number_and_date_forms import is_value
from bough.table.file.open_file import SIGNS, OpenFile, Piece, Positions, check_quotes, pieces
from bough.table.source import Remark

SNIFFED = 1000  # records
MOST_ABOVE = 30  # records above the header
LONGEST_SHOWN = 40  # signs of such a record
SAYS_DELIMITER = re.compile(rb'"?sep=([^"])"?', re.IGNORECASE)  # as spreadsheets write it


def cell_counts(piece: Piece, delimiter: str) -> NDArray[np.intp]:
    """Return how many cells each record has."""
    signs = np.frombuffer(piece.text, np.uint8)
    separators = piece.outside(np.flatnonzero(signs == ord(delimiter)))
    return np.diff(np.searchsorted(separators, piece.ends), prepend=0) + 1


def sniffed(piece: Piece, name: str) -> str:
    """Return the delimiter of a table: the one by which its records agree best on their cells."""
    agreements = {sign: _agreement(cell_counts(_head(piece), sign)) for sign in SIGNS}
    best = max(SIGNS, key=agreements.__getitem__)
    if agreements[best][-1] > 0:
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


def _agreement(counts: NDArray[np.intp]) -> tuple[bool, int, float, int]:
    """Return how well a delimiter parts records: as in the header, in most records, into many.

    A title above the header is no record; the fewer there seem to be, the better.
    """
    n_above = int(np.argmax(counts > 1))
    if n_above:
        agrees, _, share, usual = _agreement(counts[n_above:])
        return (agrees, -n_above, share, usual)
    values, times = np.unique(counts[1:] if len(counts) > 1 else counts, return_counts=True)
    usual = int(values[times.argmax()])
    if max(usual, counts[0]) < 2:
        return (False, 0, 0.0, 0)
    return (usual == counts[0], 0, times.max() / times.sum(), usual)


@dataclass(eq=False)
class Records:
    """What was found on the way."""

    delimiter: str
    first: list[str]
    """The cells of the first record, which are names if `has_header`."""
    first_line: int
    is_sniffed: bool = False
    """Whether the delimiter was found out."""
    above: list[str] = field(default_factory=list)
    """The lines above the header, as far as they are shown."""
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
    pieces: Iterable[Piece],
    target: Path,
    options: FileReading,
    name: str,
    likely: str | None = None,
    *,
    has_header: bool,
) -> Records:
    """Write the rows of a CSV file without its header, and return what was found.

    `likely` is the delimiter of a file before, which is taken if it parts the first record.
    """
    records: Records | None = None
    with target.open("wb") as file:
        for piece in pieces:
            rows = piece
            if records is None:
                rows = _without_leading_blanks(piece)
                if not len(rows.ends):
                    continue
                rows, records = _begun(rows, options, name, likely, has_header=has_header)
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


def _begun(
    piece: Piece, options: FileReading, name: str, likely: str | None, *, has_header: bool
) -> tuple[Piece, Records]:
    """Return the rest of a piece from the first record of the table on, and this record."""
    n_above, said = 0, SAYS_DELIMITER.fullmatch(piece.text[: piece.ends[0]])
    if said:
        n_above, likely = 1, said[1].decode()
    rest = _without_leading_blanks(_after(piece, int(piece.ends[0]) + 1)) if said else piece
    if not len(rest.ends):
        raise DataError(f"{name} is empty.")
    delimiter = options.delimiter or _delimiter(rest, likely, name)
    if not said and options.delimiter is not None:
        check_given(rest, delimiter, name)
    if has_header and not options.skip and (n_titles := _n_above(rest, delimiter, options)):
        n_above += n_titles
        rest = _after(rest, int(rest.ends[n_titles - 1]) + 1)
    check_quotes(rest, delimiter, name)
    try:
        first = _cells_of(rest, 0, delimiter, options)
    except csv.Error as error:
        raise DataError(
            f"line {rest.first_line} of {name} is not a header ({error}). Is it a table?"
        ) from error
    bounds = zip(piece.starts[:n_above], piece.ends[:n_above], strict=True)
    above = [piece.text[start:end].decode()[:LONGEST_SHOWN] for start, end in bounds]
    is_sniffed = options.delimiter is None and not said
    return rest, Records(delimiter, first, rest.first_line, is_sniffed, above)


def _delimiter(piece: Piece, likely: str | None, name: str) -> str:
    """Return the delimiter: the likely one, if it parts the first record."""
    if likely is not None and cell_counts(_head(piece), likely)[0] > 1:
        return likely
    return sniffed(piece, name)


def _cells_of(piece: Piece, record: int, delimiter: str, options: FileReading) -> list[str]:
    text = piece.text[piece.starts[record] : piece.ends[record]].decode()
    quote = options.quote_sign
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
    )
    return next(reader)


def _n_above(piece: Piece, delimiter: str, options: FileReading) -> int:
    """Return how many records are no part of the table: titles and comments above its header."""
    head = _head(piece)
    counts = cell_counts(head, delimiter)
    if not (counts > 1).any():
        return 0
    usual = int(np.bincount(counts[counts > 1]).argmax())
    for record in range(min(MOST_ABOVE, len(counts))):
        text = head.text[head.starts[record] : head.ends[record]]
        try:
            cells = _cells_of(head, record, delimiter, options) if text else []
        except csv.Error:
            return 0
        is_comment = text.startswith((b"# ", b"##")) or (text[:1] == b"#" and len(cells) != usual)
        is_title = len(cells) < 2 or (usual > 2 and sum(map(bool, cells)) < 2)
        if not is_comment and not is_title:
            is_header = len(cells) == usual and not any(map(is_value, cells))
            return record if is_header else 0
    return 0


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


def _rows(piece: Piece, records: Records, options: FileReading) -> bytes:
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


def _check_lengths(records: Records, options: FileReading, name: str) -> None:
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


def check_is_header(first: Sequence[str], cells: Cells, line: str, name: str) -> None:
    """Refuse a first line that may as well be a row as hold names."""
    asks = (
        "If it is the header, use ",
        Argument("header", value=True),
        "; if it is a row, use ",
        Argument("header", value=False),
        ".",
    )
    values = [text for text in first if is_value(text)]
    if _names_a_number(first, cells):
        return
    if values:
        raise DataError(f"{line} of {name} has {values[0]!r} where a name should be. ", *asks)
    if _recurs(first, cells):
        raise DataError(
            f"{line} of {name} has {listed(first, most=3)}, and each also occurs further down in its column. ",
            *asks,
        )


def _names_a_number(first: Sequence[str], cells: Cells) -> bool:
    """Return whether some column of numbers has a word on top."""
    return any(
        look.is_number and text and not is_value(text)
        for text, look in zip(first, cells.looks, strict=True)
    )


def _recurs(first: Sequence[str], cells: Cells) -> bool:
    """Return whether every cell of the first line is found again below itself."""
    found = [f"bool_or(c{number} = {quoted(text)})" for number, text in enumerate(first)]
    return all(cells.row(", ".join(found)))


def read_csv(
    given: OpenFile, said: FileReading, folder: Path, before: FileReading | None = None
) -> TextTable:
    """Return the table in a CSV file."""
    target = folder / "rows.csv"
    likely = None if before is None else before.delimiter
    said = _of_file(said, before)
    has_header = said.header is not False
    parts = pieces(given, said, is_sure=before is None)
    records = write_records(parts, target, said, given.name, likely, has_header=has_header)
    loaded = database(given.name, target)
    dialect = Dialect(
        records.delimiter, said.quote_sign, empty_is_missing=True, longest=records.longest
    )
    load_rows(loaded, target, "cells", records.width, dialect)
    n_columns = len(records.first)
    cells = cells_of(Cells(loaded, n_columns, said.missing_marks))
    if cells.n_rows != records.n_rows:
        raise DataError(
            f"{given.name} cannot be read reliably: it has {records.n_rows:,} rows, but DuckDB finds "
            f"{cells.n_rows:,}. Check its quotes."
        )
    if has_header:
        hint = "; if the first line is not a header, use ", Argument("header", value=False)
        names, remarks = names_of(records.first, given.name, hint)
        if said.header == "auto":
            check_is_header(records.first, cells, f"line {records.first_line}", given.name)
    else:
        names, remarks = numbered_names(n_columns), []
    lines = np.concatenate(records.lines)
    said = replace(said, delimiter=records.delimiter, header=has_header)
    return TextTable(
        cells, names, lambda row: f"line {lines[row]}", said, guess, [*remarks, *_found(records)]
    )


def _of_file(said: FileReading, before: FileReading | None) -> FileReading:
    """Return what is said, and what is remembered about a file as a whole, but for its delimiter."""
    told = said.like(before)
    return replace(
        said,
        missing_marks=told.missing_marks,
        quote=told.quote,
        encoding=told.encoding,
        header=told.header,
        short_rows=told.short_rows,
        skip=told.skip,
    )


def _found(records: Records) -> list[Remark]:
    """Return what was found out about the file as a whole."""
    found = []
    if records.above:
        lines = "1 line" if len(records.above) == 1 else f"{len(records.above):,} lines"
        found.append(f"{lines} above the header left out: {listed(records.above, most=2)}")
    if records.is_sniffed and records.delimiter not in ",\t":
        found.append(f"the delimiter is a {delimiter_word(records.delimiter)}")
    return [Remark("B111", "", text) for text in found]
