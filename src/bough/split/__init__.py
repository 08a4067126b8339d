"""Which rows are training, development and test rows, and how they are known again."""

from bough.split.hashes import cell_hashes, copy_numbers, row_hashes
from bough.split.parts import SHARES, Parts, check_shares, folds, folds_in_time, split_rows
from bough.split.sketch import n_known, sketch

__all__ = [
    "SHARES",
    "Parts",
    "cell_hashes",
    "check_shares",
    "copy_numbers",
    "folds",
    "folds_in_time",
    "n_known",
    "row_hashes",
    "sketch",
    "split_rows",
]
