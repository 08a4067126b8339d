"""Two models on the same rows: by how much one does better, and for which rows they differ."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError
from bough.evidence import Estimate, Task
from bough.export.json import Model
from bough.learn.labelled import read_labelled
from bough.learn.measure import known_loss, measured
from bough.losses import difference, row_losses
from bough.predict import all_guesses, stops
from bough.tree import Tree


@dataclass(frozen=True)
class Comparison:
    """What two models do on the same rows."""

    loss: str
    n_rows: int
    first: dict[str, Estimate]
    second: dict[str, Estimate]
    difference: Estimate
    """The loss of the second minus that of the first, row by row."""
    share_other_guess: float
    """The share of the rows for which they guess differently."""
    n_leaves: tuple[int, int]

    @property
    def better(self) -> str | None:
        """'first' or 'second', or None where the difference may be chance."""
        if self.difference.high < 0:
            return "second"
        return "first" if self.difference.low > 0 else None


def compare(first: Model, second: Model, table: object) -> Comparison:
    """Measure two models on the same rows of a table."""
    labels = [model.tree.schema.labels[0] for model in (first, second)]
    if labels[0].name != labels[1].name or bool(labels[0].classes) != bool(labels[1].classes):
        raise ParameterError(
            f"the first model guesses {labels[0].name!r} and the second {labels[1].name!r}. "
            "Compare models that guess the same column, as classes or as numbers."
        )
    task: Task = "classification" if labels[0].classes else "regression"
    loss = known_loss(None, task)
    losses, measures, guessed = [], [], []
    for tree in (first.tree, second.tree):
        rows, _ = read_labelled(tree, table)
        nodes = stops(tree, rows.table)
        losses.append(row_losses(tree, loss, nodes, rows.answers))
        measures.append(measured([(tree, rows)], task))
        guessed.append(_values(tree, nodes))
    return Comparison(
        loss=loss,
        n_rows=len(losses[0]),
        first=measures[0],
        second=measures[1],
        difference=difference(losses[1], losses[0], loss),
        share_other_guess=float(np.mean(guessed[0] != guessed[1])),
        n_leaves=(_n_leaves(first.tree), _n_leaves(second.tree)),
    )


def _values(tree: Tree, nodes: NDArray[np.int32]) -> NDArray[Any]:
    """Return the guess of each row as a value, since models may number classes otherwise."""
    guessed = all_guesses(tree)[:, 0]
    classes = tree.schema.labels[0].classes
    return np.array([classes[code] for code in guessed])[nodes] if classes else guessed[nodes]


def _n_leaves(tree: Tree) -> int:
    return int(np.count_nonzero(tree.feature < 0))
