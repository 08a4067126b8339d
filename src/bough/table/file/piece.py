"""`Piece`: some records of a text, and where their lines and quotes are."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
