"""Which rows are training, development and test rows, and how they are known again."""

from bough.holdout.parts import SHARES, SplitRows, check_shares, folds, folds_in_time, split_rows
from bough.holdout.row_hashes import copy_numbers, row_hashes
from bough.holdout.sketch import n_known, share_of_equals, sketch

__all__ = [
    "SHARES",
    "SplitRows",
    "check_shares",
    "copy_numbers",
    "folds",
    "folds_in_time",
    "n_known",
    "row_hashes",
    "share_of_equals",
    "sketch",
    "split_rows",
]
