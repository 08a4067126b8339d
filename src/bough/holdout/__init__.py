"""Which rows are training, development and test rows, and how they are known again."""

from bough.holdout.parts import SHARES, SplitRows, check_shares, folds, folds_in_time, split_rows
from bough.holdout.row_hashes import copy_numbers, hashes_but_one, row_hashes
from bough.holdout.sketch import is_chance, merged, n_equal, sketch

__all__ = [
    "SHARES",
    "SplitRows",
    "check_shares",
    "copy_numbers",
    "folds",
    "folds_in_time",
    "hashes_but_one",
    "is_chance",
    "merged",
    "n_equal",
    "row_hashes",
    "sketch",
    "split_rows",
]
