"""Losses of guesses, and the intervals that their means lie in."""

from bough.losses.interval import complement, difference, estimate, mean_and_error, root
from bough.losses.loss import LOSSES, check_loss, node_losses, row_losses
from bough.losses.ndcg import Moves, Queries, ndcg, no_relevant_row

__all__ = [
    "LOSSES",
    "Moves",
    "Queries",
    "check_loss",
    "complement",
    "difference",
    "estimate",
    "mean_and_error",
    "ndcg",
    "no_relevant_row",
    "node_losses",
    "root",
    "row_losses",
]
