"""Edits by hand: a branch becomes a leaf, or asks something else and grows again below."""

from bough.edit.edit import (
    check_node,
    cut_nodes,
    cut_words,
    force_query,
    force_words,
    forced_branch,
    listed_nodes,
    refuse_other_rows,
    rows_at,
)
from bough.edit.wanted_query import Wanted, read_wanted

__all__ = [
    "Wanted",
    "check_node",
    "cut_nodes",
    "cut_words",
    "force_query",
    "force_words",
    "forced_branch",
    "listed_nodes",
    "read_wanted",
    "refuse_other_rows",
    "rows_at",
]
