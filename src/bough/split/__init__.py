"""Which rows are training, development and test rows, and how they are known again."""

from bough.split.hashes import copy_numbers, row_hashes
from bough.split.parts import SHARES, SplitRows, check_shares, folds, split_rows
from bough.split.sketch import n_known, sketch

__all__ = [
    "SHARES",
    "SplitRows",
    "check_shares",
    "copy_numbers",
    "folds",
    "n_known",
    "row_hashes",
    "sketch",
    "split_rows",
]
