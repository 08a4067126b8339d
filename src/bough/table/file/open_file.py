"""Opens a file, or what is piped in, finds out what it is, and cuts text into pieces of whole records.

A record may have line ends inside quotes.
"""

import codecs
import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, BoughError, DataError
from bough.file_options import FileReading
from bough.files import raise_clearly

STANDARD_INPUT = "-"
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"
ZIP = b"PK\x03\x04"
OLD_EXCEL = b"\xd0\xcf\x11\xe0"
EXCEL = (".xlsx", ".xlsm", ".xlsb")
JSON_LINES = (".jsonl", ".ndjson")
PEEKED = 4096
SIGNS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}  # that may part cells
FEED, RETURN = 10, 13
Positions = NDArray[np.intp]
BLOCK = 1 << 22
LONGEST_CELL = 1 << 20
LONGEST_RECORD = 1 << 26


class Format(StrEnum):
    """What a file holds."""

    CSV = "csv"
    EXCEL = "xlsx"
    JSON_LINES = "jsonl"
    PARQUET = "parquet"


class Stream(Protocol):
    """What is asked of an open file."""

    def peek(self, size: int, /) -> bytes: ...

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class OpenFile:
    """A file that is open: its bytes, out of gzip."""

    name: str
    """What messages call it."""
    stream: Stream
    format: Format
    path: Path | None
    """Where these very bytes lie; None if they come from a pipe or out of gzip."""


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[OpenFile]:
    """Open a file, or the standard input for '-'."""
    name = "standard input" if path == STANDARD_INPUT else repr(os.fspath(path))
    if path != STANDARD_INPUT and ADDRESS.match(str(path)):
        raise DataError(f"{name} is an address, but bough reads only files. Download it first.")
    try:
        with _raw(path) as raw:
            packed = io.BufferedReader(raw, PEEKED)
            if packed.peek(2).startswith(GZIP):
                unpacked = io.BufferedReader(gzip.GzipFile(fileobj=packed), PEEKED)
                yield OpenFile(name, unpacked, _format(unpacked, path, name), None)
            else:
                place = Path(path) if path != STANDARD_INPUT else None
                yield OpenFile(name, packed, _format(packed, path, name), place)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"{name} is damaged: its gzip does not unpack ({error}).") from error
    except ValueError as error:
        if isinstance(error, BoughError):
            raise
        raise DataError(f"{name} is not a valid file name ({error}).") from error
    except OSError as error:
        if error.strerror is None:  # worded already
            raise
        raise_clearly(error, f"cannot read {name}")


def _raw(path: str | os.PathLike[str]) -> AbstractContextManager[io.RawIOBase]:
    if path == STANDARD_INPUT:
        return nullcontext(io.FileIO(sys.stdin.fileno(), closefd=False))
    return io.FileIO(path)


def _format(stream: Stream, path: str | os.PathLike[str], name: str) -> Format:
    start = stream.peek(PEEKED)
    if start.startswith(PARQUET):
        return Format.PARQUET
    suffix = Path(str(path).lower().removesuffix(".gz")).suffix
    if start.startswith(OLD_EXCEL) or (start.startswith(ZIP) and suffix in EXCEL):
        return Format.EXCEL
    if start.startswith(ZIP):
        raise DataError(
            f"{name} is a zip file. Unpack it, and give the table in it; if it is an Excel file, name "
            "it .xlsx."
        )
    text = start.removeprefix(codecs.BOM_UTF8).lstrip()
    if suffix in JSON_LINES or text.startswith(b"{"):
        return Format.JSON_LINES
    if suffix == ".json":
        raise DataError(
            f"{name} is not JSON lines, which have one object {{…}} per line. Convert a list with: "
            "jq -c '.[]'"
        )
    return Format.CSV


@dataclass(frozen=True, eq=False)
class Piece:
    """Whole records; each ends with a line feed, also where the file has other ends of lines."""

    text: bytes
    first_line: int
    breaks: Positions
    """The ends of lines, as an editor shows them."""
    quotes: Positions

    @property
    def ends(self) -> Positions:
        """The ends of records: those ends of lines that are not inside quotes."""
        return self.outside(self.breaks)

    @property
    def starts(self) -> Positions:
        ends = self.ends
        return np.concatenate([np.zeros(1, np.intp), ends[:-1] + 1])[: len(ends)]

    @property
    def lines(self) -> NDArray[np.int32]:
        """The line that each record begins in."""
        return self.first_line + np.searchsorted(self.breaks, self.starts).astype(np.int32)

    def outside(self, places: Positions) -> Positions:
        """Return those of some places that are not inside quotes."""
        if not len(self.quotes):
            return places
        is_outside: NDArray[np.bool_] = np.searchsorted(self.quotes, places) % 2 == 0
        return places[is_outside]

    def line(self, place: int) -> int:
        return self.first_line + int(np.searchsorted(self.breaks, place))


def marked(text: bytes, line: int, quote: str) -> Piece:
    """Return a piece of a text that begins in a line of the file."""
    signs = np.frombuffer(text, np.uint8)
    breaks = np.flatnonzero(signs == FEED)
    if b"\r" in text:
        returns = np.flatnonzero(signs == RETURN)
        alone = returns[np.append(signs, 0)[returns + 1] != FEED]
        breaks = np.sort(np.concatenate([breaks, alone]))
    has_quotes = quote and quote.encode() in text
    quotes = np.flatnonzero(signs == ord(quote)) if has_quotes else np.empty(0, np.intp)
    return Piece(text, line, breaks, quotes)


def pieces(given: OpenFile, options: FileReading, *, is_sure: bool = True) -> Iterator[Piece]:
    """Yield a text file piece by piece, checked to be text; in UTF-8, whatever it was.

    The encoding is that of this very file, if that `is_sure`, or of one before.
    """
    stream = _as_utf8(given, options.encoding or "utf-8", is_sure=is_sure)
    line, rest = _after_lines(stream, options.skip, given.name)
    while block := stream.read(BLOCK):
        rest += block
        if (
            piece := _whole_records(marked(rest, line, options.quote_sign), options, given.name)
        ) is not None:
            yield _checked(piece, given.name)
            line, rest = line + len(piece.breaks), rest[len(piece.text) :]
    if rest:
        ended = rest if rest.endswith((b"\n", b"\r")) else rest + b"\n"
        piece = _checked(marked(ended, line, options.quote_sign), given.name)
        if len(piece.quotes) % 2:
            raise unclosed(piece, options.delimiter, given.name)
        yield piece


def _after_lines(stream: "Stream | _Recoded", skip: int, name: str) -> tuple[int, bytes]:
    """Return the line after those to skip, and what was read of it."""
    text = b""
    while skip:
        block = stream.read(BLOCK)
        text += block
        ends = marked(text, 1, "").breaks
        if block:  # a return at the very end may be half of one end of a line
            ends = ends[ends < len(text) - 1]
        if len(ends) >= skip:
            return skip + 1, text[int(ends[skip - 1]) + 1 :]
        if not block:
            raise DataError(f"{name} has no line after the ", Argument("skip", skip), " to skip.")
    return 1, b""


def _whole_records(piece: Piece, options: FileReading, name: str) -> Piece | None:
    """Return the part of a text that is sure to hold whole records, if there is one."""
    text, breaks, quotes = piece.text, piece.breaks, piece.quotes
    if len(quotes) % 2 and len(text) - quotes[-1] > LONGEST_CELL:
        raise unclosed(piece, options.delimiter, name)
    # A return at the very end may be the first half of one end of a line.
    ends = piece.ends[piece.ends < len(text) - 1]
    if len(ends):
        cut = int(ends[-1]) + 1
        return Piece(text[:cut], piece.first_line, breaks[breaks < cut], quotes[quotes < cut])
    if len(text) > LONGEST_RECORD:
        size = f"{LONGEST_RECORD >> 20} MiB"
        raise DataError(f"line {piece.first_line} of {name} has more than {size}. Is it a table?")
    return None


def _checked(piece: Piece, name: str) -> Piece:
    """Return a piece that is text, with a line feed at the end of each record."""
    if b"\0" in piece.text:
        line = piece.line(piece.text.index(b"\0"))
        raise DataError(f"line {line} of {name} has a NUL byte. Is it a text file?")
    if not piece.text.isascii():
        _check_utf8(piece, name)
    if b"\r" not in piece.text:
        return piece
    signs = np.frombuffer(piece.text, np.uint8).copy()
    signs[piece.ends] = FEED
    returns = piece.outside(np.flatnonzero(signs == RETURN))  # each is before a feed
    quote = chr(signs[piece.quotes[0]]) if len(piece.quotes) else ""
    return marked(np.delete(signs, returns).tobytes(), piece.first_line, quote)


def _check_utf8(piece: Piece, name: str) -> None:
    try:
        piece.text.decode()
    except UnicodeDecodeError as error:
        where = f"line {piece.line(error.start)}, byte 0x{piece.text[error.start]:02X}"
        raise DataError(
            f"{name} is not UTF-8 ({where}). Name its encoding, for example ",
            Argument("encoding", "latin-1"), ".",
        ) from error  # fmt: skip


class _Recoded:
    """A stream in another encoding, read as UTF-8."""

    def __init__(self, given: OpenFile, encoding: str, *, is_sure: bool) -> None:
        self._given, self._encoding = given, encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._may_be_utf8 = not is_sure
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._is_ascii = True

    def read(self, size: int) -> bytes:
        """Return some bytes; none only at the end."""
        text = ""
        while not text:
            block = self._given.stream.read(size)
            if self._may_be_utf8:
                self._refuse_utf8(block)
            try:
                text = self._decoder.decode(block, final=not block).removeprefix("\ufeff")
                recoded = text.encode()
            except UnicodeError as error:
                raise DataError(
                    f"{self._given.name} is not {self._encoding} ({error}). Name another ",
                    Argument("encoding"),
                    ".",
                ) from error
            if not block:
                break
        return recoded

    def _refuse_utf8(self, block: bytes) -> None:
        """Refuse a file that is UTF-8 from its start to its end, where another encoding is expected."""
        self._is_ascii &= block.isascii()
        try:
            self._utf8.decode(block, final=not block)
        except UnicodeDecodeError:
            self._may_be_utf8 = False
        if self._may_be_utf8 and not block and not self._is_ascii:
            raise DataError(
                f"{self._given.name} is UTF-8, but the tree was grown from a file in "
                f"{self._encoding}. Use ", Argument("encoding", "utf-8"), ".",
            )  # fmt: skip


def _as_utf8(given: OpenFile, encoding: str, *, is_sure: bool) -> Stream | _Recoded:
    start = given.stream.peek(4)
    if codecs.lookup(encoding).name != "utf-8":
        return _Recoded(given, encoding, is_sure=is_sure)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DataError(
            f"{given.name} is UTF-16, not UTF-8. Use ", Argument("encoding", "utf-16"), "."
        )
    if start.startswith(codecs.BOM_UTF8):
        given.stream.read(len(codecs.BOM_UTF8))
    return given.stream


def check_quotes(piece: Piece, delimiters: str, name: str) -> None:
    """Refuse a quote from which it is not clear where a cell begins or ends."""
    quotes = piece.quotes
    if not len(quotes):
        return
    signs = np.concatenate([[FEED], np.frombuffer(piece.text, np.uint8), [FEED]])
    is_opening, is_doubled = np.arange(len(quotes)) % 2 == 0, _doubled(piece)
    beside = np.where(is_opening, signs[quotes], signs[quotes + 2])  # `signs` is one ahead
    bounds = (FEED, RETURN, *delimiters.encode())
    wrong = np.flatnonzero(~np.isin(beside, bounds) & ~is_doubled)
    if not len(wrong):
        return
    line = piece.line(int(quotes[wrong[0]]))
    if is_opening[wrong[0]]:
        raise DataError(
            f"line {line} of {name} has a quote inside a cell that does not begin with one. Quote the "
            "cell and double the quotes inside, or treat quotes as ordinary characters: ",
            Argument("quote", ""), ".",
        )  # fmt: skip
    begun = np.flatnonzero((is_opening & ~is_doubled)[: wrong[0]])[-1]
    raise DataError(
        f"line {line} of {name} has text after the closing quote of a cell that begins in line "
        f"{piece.line(int(quotes[begun]))}. Is a quote missing there?"
    )


def unclosed(piece: Piece, delimiter: str | None, name: str) -> DataError:
    """Return the error for a quote that is not closed, if no quote before it is to blame."""
    check_quotes(piece, delimiter or "".join(SIGNS), name)
    opening = piece.quotes[::2][~_doubled(piece)[::2]]
    return DataError(
        f"the quote that opens in line {piece.line(int(opening[-1]))} of {name} is not closed. "
        "Close it, or treat quotes as ordinary characters: ", Argument("quote", ""), ".",
    )  # fmt: skip


def _doubled(piece: Piece) -> NDArray[np.bool_]:
    """Return which quotes are halves of a doubled one: it closes the cell and opens it again."""
    found = np.zeros(len(piece.quotes), np.bool_)
    beside = np.flatnonzero(np.diff(piece.quotes) == 1)
    first_halves = beside[beside % 2 == 1]
    found[first_halves], found[first_halves + 1] = True, True
    return found
