"""Cuts a text into pieces of whole records, which may have line ends inside quotes."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bough.errors import DataError
from bough.table.file.opened import Given, Stream
from bough.table.file.options import Options, saying

BLOCK = 1 << 22
LONGEST_CELL = 1 << 20
LONGEST_RECORD = 1 << 26
FEED, RETURN = 10, 13

Positions = NDArray[np.intp]


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
        """The starts of records."""
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
        """Return the line of the file that a place is in."""
        return self.first_line + int(np.searchsorted(self.breaks, place))


def pieces(given: Given, options: Options) -> Iterator[Piece]:
    """Yield a text file piece by piece, checked to be text; in UTF-8, whatever it was."""
    stream, line, rest = _as_utf8(given, options.encoding), 1, b""
    while block := stream.read(BLOCK):
        rest += block
        if (piece := _whole_records(_marked(rest, line, options.quote), given.name)) is not None:
            yield _checked(piece, given.name)
            line, rest = line + len(piece.breaks), rest[len(piece.text) :]
    if rest:
        ended = rest if rest.endswith((b"\n", b"\r")) else rest + b"\n"
        piece = _checked(_marked(ended, line, options.quote), given.name)
        if len(piece.quotes) % 2:
            raise _unclosed(piece, given.name)
        yield piece


def _whole_records(piece: Piece, name: str) -> Piece | None:
    """Return the part of a text that is sure to hold whole records, if there is one."""
    text, breaks, quotes = piece.text, piece.breaks, piece.quotes
    if len(quotes) % 2 and len(text) - quotes[-1] > LONGEST_CELL:
        raise _unclosed(piece, name)
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
    return _marked(np.delete(signs, returns).tobytes(), piece.first_line, quote)


def _marked(text: bytes, line: int, quote: str) -> Piece:
    signs = np.frombuffer(text, np.uint8)
    breaks = np.flatnonzero(signs == FEED)
    if b"\r" in text:
        returns = np.flatnonzero(signs == RETURN)
        alone = returns[np.append(signs, 0)[returns + 1] != FEED]
        breaks = np.sort(np.concatenate([breaks, alone]))
    has_quotes = quote and quote.encode() in text
    quotes = np.flatnonzero(signs == ord(quote)) if has_quotes else np.empty(0, np.intp)
    return Piece(text, line, breaks, quotes)


def _check_utf8(piece: Piece, name: str) -> None:
    try:
        piece.text.decode()
    except UnicodeDecodeError as error:
        where = f"line {piece.line(error.start)}, byte 0x{piece.text[error.start]:02X}"
        raise DataError(
            f"{name} is not UTF-8 ({where}). Say what it is, for example "
            f"{saying('encoding', 'latin-1')}."
        ) from error


def _unclosed(piece: Piece, name: str) -> DataError:
    line = piece.line(int(piece.quotes[-1]))
    return DataError(
        f"the quote that opens in line {line} of {name} is not closed. Close it, or read quotes as "
        f"any other sign: {saying('quote', '')}."
    )


class _Recoded:
    """A stream in another encoding, read as UTF-8."""

    def __init__(self, given: Given, encoding: str) -> None:
        self._given, self._encoding = given, encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()

    def read(self, size: int) -> bytes:
        """Return some bytes; none only at the end."""
        text = ""
        while not text:
            block = self._given.stream.read(size)
            try:
                text = self._decoder.decode(block, final=not block).removeprefix("\ufeff")
                recoded = text.encode()
            except UnicodeError as error:
                raise DataError(
                    f"{self._given.name} is not {self._encoding} ({error}). Say what it is: encoding=."
                ) from error
            if not block:
                break
        return recoded


def _as_utf8(given: Given, encoding: str) -> Stream | _Recoded:
    start = given.stream.peek(4)
    if codecs.lookup(encoding).name != "utf-8":
        return _Recoded(given, encoding)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DataError(
            f"{given.name} is UTF-16, not UTF-8. Say so: {saying('encoding', 'utf-16')}."
        )
    if start.startswith(codecs.BOM_UTF8):
        given.stream.read(len(codecs.BOM_UTF8))
    return given.stream
