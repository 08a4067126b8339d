"""Losses of predictions, and the intervals that their means lie in.

What users need of it, for the predictions of any model:

- `ndcg(scores, relevance, group, k=10)`: the mean NDCG of queries, with tied rows averaged;
- `estimate(losses, loss)`: the mean of some rows' losses with its 95 % interval;
- `difference(losses, other_losses, loss)`: by how much one model loses more than another on the
  same rows, with its interval;
- `LOSSES`: the losses that `bough.fit` knows, each with its task.
"""

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
