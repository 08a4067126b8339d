"""Two models on the same rows: by how much one does better, and for which rows they differ."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError
from bough.evidence import Estimate, Note, Task
from bough.export.json import Model
from bough.learn.evaluate import notes_on_used_rows
from bough.learn.labelled import read_labelled
from bough.learn.measure import known_loss, measured
from bough.losses import difference, row_losses
from bough.predict import all_guesses, stops
from bough.table import open_source
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
    notes: tuple[Note, ...]
    """Rows that one of them has seen before, and rows without a label."""

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
    source = open_source(table)
    losses, measures, guessed, notes = [], [], [], []
    for name, model in (("first", first), ("second", second)):
        tree = model.tree
        rows, unlabelled = read_labelled(tree, source)
        nodes = stops(tree, rows.table)
        losses.append(row_losses(tree, loss, nodes, rows.answers))
        measures.append(measured([(tree, rows)], task))
        guessed.append(_values(tree, nodes))
        notes += [
            replace(note, text=f"the {name} tree: {note.text}")
            for note in notes_on_used_rows(model, rows)
        ]
    return Comparison(
        loss=loss,
        n_rows=len(losses[0]),
        first=measures[0],
        second=measures[1],
        difference=difference(losses[1], losses[0], loss),
        share_other_guess=float(np.mean(guessed[0] != guessed[1])),
        n_leaves=(_n_leaves(first.tree), _n_leaves(second.tree)),
        notes=(*unlabelled, *notes),
    )


def _values(tree: Tree, nodes: NDArray[np.int32]) -> NDArray[Any]:
    """Return the guess of each row as a value, since models may number classes otherwise."""
    guessed = all_guesses(tree)[:, 0]
    classes = tree.schema.labels[0].classes
    return np.array([classes[code] for code in guessed])[nodes] if classes else guessed[nodes]


def _n_leaves(tree: Tree) -> int:
    return int(np.count_nonzero(tree.feature < 0))
