"""Losses of predictions, and the intervals that their means lie in.

What users need of it, for the predictions of any model:

- `ndcg(scores, relevance, group, k=10)`: the mean NDCG of groups, with tied rows averaged;
- `estimate(losses, loss)`: the mean of some rows' losses with its 95 % interval;
- `difference(losses, other_losses, loss)`: by how much one model loses more than another on the
  same rows, with its interval;
- `LOSSES`: the losses that `bough.fit` knows, each with its task.
"""

from bough.loss_kinds import LOSSES, known_loss, node_losses, row_losses
from bough.losses.figures import class_figures, number_figures
from bough.losses.interval import difference, estimate, mean_and_error, score
from bough.losses.ndcg import Groups, Moves, ndcg, no_relevant_row

__all__ = [
    "LOSSES",
    "Groups",
    "Moves",
    "class_figures",
    "difference",
    "estimate",
    "known_loss",
    "mean_and_error",
    "ndcg",
    "no_relevant_row",
    "node_losses",
    "number_figures",
    "row_losses",
    "score",
]
