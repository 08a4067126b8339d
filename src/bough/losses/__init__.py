"""Losses of predictions, and the intervals that their means lie in.

What users need of it, for the predictions of any model:

- `ndcg(scores, relevance, group, k=10)`: the mean NDCG of groups, with tied rows averaged;
- `estimate(losses, loss)`: the mean of some rows' losses with its 95 % interval;
- `difference(losses, other_losses, loss)`: by how much one model loses more than another on the
  same rows, with its interval;
- `LOSSES`: the losses that `bough.fit` knows, each with its task.
"""

from bough.loss_kinds import LOSSES
from bough.loss_kinds import known_loss as known_loss
from bough.loss_kinds import node_losses as node_losses
from bough.loss_kinds import row_losses as row_losses
from bough.losses.figures import class_figures as class_figures
from bough.losses.figures import number_figures as number_figures
from bough.losses.intervals import difference, estimate
from bough.losses.intervals import score as score
from bough.ranking import Groups as Groups
from bough.ranking import Moves as Moves
from bough.ranking import ndcg
from bough.ranking import no_relevant_row as no_relevant_row

__all__ = ["LOSSES", "difference", "estimate", "ndcg"]  # for users
