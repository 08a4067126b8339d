"""Losses of predictions, and the intervals that their means lie in.

What users need of it, for the predictions of any model:

- `ndcg(scores, relevance, group, k=10)`: the mean NDCG of groups, with tied rows averaged;
- `estimate(losses, loss)`: the mean of some rows' losses with its 95 % interval;
- `difference(losses, other_losses, loss)`: by how much one model loses more than another on the
  same rows, with its interval;
- `LOSSES`: the losses that `bough.fit` knows, each with its task.
"""

from bough.loss_kinds import LOSSES
from bough.losses.intervals import difference, estimate
from bough.ranking import ndcg

__all__ = ["LOSSES", "difference", "estimate", "ndcg"]
