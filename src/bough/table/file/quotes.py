"""Refuses quotes that neither begin nor end a cell nor are doubled inside one."""

import numpy as np

from bough.errors import DataError
from bough.table.file.options import saying
from bough.table.file.pieces import FEED, Piece


def check_quotes(piece: Piece, delimiter: str, name: str) -> None:
    """Refuse quotes from which it is not clear where a cell ends."""
    if not len(piece.quotes):
        return
    signs = np.concatenate([[FEED], np.frombuffer(piece.text, np.uint8), [FEED]])
    opening, closing = piece.quotes[0::2], piece.quotes[1::2]
    is_doubled = opening[1:] == closing[:-1] + 1
    bounds = (FEED, ord(delimiter))
    wrong_opening = ~np.isin(signs[opening], bounds)  # the sign before: `signs` is one ahead
    wrong_opening[1:] &= ~is_doubled
    wrong_closing = ~np.isin(signs[closing + 2], bounds)
    wrong_closing[:-1] &= ~is_doubled
    wrong = np.flatnonzero(wrong_opening | wrong_closing)
    if not len(wrong):
        return
    first = int(wrong[0])
    if wrong_opening[first]:
        raise DataError(
            f"line {piece.line(int(opening[first]))} of {name} has a quote inside a cell that does not begin "
            "with one. Put the cell into quotes and double those inside, or read quotes as any other "
            f"sign: {saying('quote', '')}."
        )
    begun = first - int(np.argmin(np.append(is_doubled[:first][::-1], False)))
    raise DataError(
        f"line {piece.line(int(closing[first]))} of {name} has text after the quote that closes the cell "
        f"begun in line {piece.line(int(opening[begun]))}. Is a quote missing there?"
    )
