"""Losses of guesses, and the intervals that their means lie in."""

from bough.losses.interval import accuracy_of, difference, estimate, mean_and_error, root
from bough.losses.loss import LOSSES, check_loss, node_losses, row_losses
from bough.losses.ndcg import Queries, ndcg, no_relevant_row

__all__ = [
    "LOSSES",
    "Queries",
    "accuracy_of",
    "check_loss",
    "difference",
    "estimate",
    "mean_and_error",
    "ndcg",
    "no_relevant_row",
    "node_losses",
    "root",
    "row_losses",
]
