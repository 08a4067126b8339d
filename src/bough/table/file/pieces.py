"""Cuts a text into pieces of whole records, which may have line ends inside quotes."""

import codecs
from collections.abc import Iterator

import numpy as np

from bough.errors import DataError
from bough.table.file.opened import Given, Stream
from bough.table.file.options import Options, saying
from bough.table.file.piece import FEED, RETURN, Piece, marked
from bough.table.file.quotes import unclosed

BLOCK = 1 << 22
LONGEST_CELL = 1 << 20
LONGEST_RECORD = 1 << 26


def pieces(given: Given, options: Options) -> Iterator[Piece]:
    """Yield a text file piece by piece, checked to be text; in UTF-8, whatever it was."""
    stream, line, rest = _as_utf8(given, options.encoding), 1, b""
    while block := stream.read(BLOCK):
        rest += block
        if (
            piece := _whole_records(marked(rest, line, options.quote), options, given.name)
        ) is not None:
            yield _checked(piece, given.name)
            line, rest = line + len(piece.breaks), rest[len(piece.text) :]
    if rest:
        ended = rest if rest.endswith((b"\n", b"\r")) else rest + b"\n"
        piece = _checked(marked(ended, line, options.quote), given.name)
        if len(piece.quotes) % 2:
            raise unclosed(piece, options.delimiter, given.name)
        yield piece


def _whole_records(piece: Piece, options: Options, name: str) -> Piece | None:
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
            f"{name} is not UTF-8 ({where}). Say what it is, for example "
            f"{saying('encoding', 'latin-1')}."
        ) from error


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
