"""Finds out which sign parts the cells of a table."""

import numpy as np
from numpy.typing import NDArray

from bough.errors import DataError
from bough.table.file.options import saying
from bough.table.file.piece import Piece

SIGNS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
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
        f"{name} has only one column: its lines have no comma, semicolon, tab or bar to part their "
        f"cells. Say what does, for example {saying('delimiter', ':')}; if it has just one column, "
        f"{saying('delimiter', ',')}."
    )


def check_given(piece: Piece, delimiter: str, name: str) -> None:
    """Refuse a delimiter that gives one column where another gives more."""
    if cell_counts(_head(piece), delimiter)[0] > 1:
        return
    others = [sign for sign in SIGNS if cell_counts(_head(piece), sign)[0] > 1]
    if others:
        raise DataError(
            f"{name} has only one column with {delimiter!r}. Did you mean "
            f"{saying('delimiter', others[0])}?"
        )


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
