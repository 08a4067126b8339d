"""Refuses quotes that neither begin nor end a cell nor are doubled inside one."""

import numpy as np
from numpy.typing import NDArray

from bough.errors import DataError
from bough.table.file.delimiter import SIGNS
from bough.table.file.options import saying
from bough.table.file.piece import FEED, RETURN, Piece


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
            f"line {line} of {name} has a quote inside a cell that does not begin with one. Put the "
            "cell into quotes and double those inside, or read quotes as any other sign: "
            f"{saying('quote', '')}."
        )
    begun = np.flatnonzero((is_opening & ~is_doubled)[: wrong[0]])[-1]
    raise DataError(
        f"line {line} of {name} has text after the quote that closes the cell begun in line "
        f"{piece.line(int(quotes[begun]))}. Is a quote missing there?"
    )


def unclosed(piece: Piece, delimiter: str | None, name: str) -> DataError:
    """Return the error for a quote that is not closed, if no quote before it is to blame."""
    check_quotes(piece, delimiter or "".join(SIGNS), name)
    opening = piece.quotes[::2][~_doubled(piece)[::2]]
    return DataError(
        f"the quote that opens in line {piece.line(int(opening[-1]))} of {name} is not closed. Close "
        f"it, or read quotes as any other sign: {saying('quote', '')}."
    )


def _doubled(piece: Piece) -> NDArray[np.bool_]:
    """Return which quotes are halves of a doubled one: it closes the cell and opens it again."""
    found = np.zeros(len(piece.quotes), np.bool_)
    beside = np.flatnonzero(np.diff(piece.quotes) == 1)
    first_halves = beside[beside % 2 == 1]
    found[first_halves], found[first_halves + 1] = True, True
    return found
