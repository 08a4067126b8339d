"""Losses of guesses, and the intervals that their means lie in."""

from bough.loss import LOSSES, known_loss, node_losses, row_losses
from bough.losses.interval import difference, estimate, mean_and_error, score
from bough.losses.ndcg import Groups, Moves, ndcg, no_relevant_row

__all__ = [
    "LOSSES",
    "Groups",
    "Moves",
    "difference",
    "estimate",
    "known_loss",
    "mean_and_error",
    "ndcg",
    "no_relevant_row",
    "node_losses",
    "row_losses",
    "score",
]
