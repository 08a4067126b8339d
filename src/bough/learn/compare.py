"""Two models on the same rows: by how much one does better, and for which rows they differ."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError
from bough.evidence import Estimate, Note
from bough.export.json import Model
from bough.learn.evaluate import columns_used, notes_on_used_rows
from bough.learn.labelled import read_labelled
from bough.learn.measure import known_loss, measured, task_of
from bough.learn.rows import LabelledRows
from bough.losses import difference, row_losses
from bough.predict import all_guesses, stops
from bough.table import open_source
from bough.table.column import Source
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
    source = open_source(table)
    used = dict(columns_used(first).items() & columns_used(second).items())
    one, two = (_Side.of(model, source, used) for model in (first, second))
    loss = one.loss
    return Comparison(
        loss=loss,
        n_rows=len(one.losses),
        first=one.estimates,
        second=two.estimates,
        difference=difference(
            two.losses, one.losses, loss, weights=one.rows.weights, groups=one.rows.group
        ),
        share_other_guess=float(np.average(one.guesses != two.guesses, weights=one.rows.weights)),
        n_leaves=(first.tree.n_leaves, second.tree.n_leaves),
        notes=(
            *one.about_labels,
            *(note for note in two.about_labels if note not in one.about_labels),
            *_of_one("first", notes_on_used_rows(first, one.rows)),
            *_of_one("second", notes_on_used_rows(second, two.rows)),
        ),
    )


class _Side(NamedTuple):
    """What one of the models does."""

    loss: str
    rows: LabelledRows
    about_labels: list[Note]
    losses: NDArray[np.float64]
    estimates: dict[str, Estimate]
    guesses: NDArray[Any]

    @classmethod
    def of(cls, model: Model, source: Source, used: Mapping[str, str | None]) -> "_Side":
        tree = model.tree
        task = task_of(tree)
        loss = known_loss(None, task)
        rows, notes = read_labelled(tree, source, **used)
        nodes = stops(tree, rows.table)
        losses = row_losses(tree, loss, nodes, rows.answers)
        estimates = measured([(tree, rows)], task)
        return cls(loss, rows, notes, losses, estimates, _values(tree, nodes))


def _of_one(name: str, notes: Iterable[Note]) -> list[Note]:
    """Return notes that say which of the trees they are about."""
    return [replace(note, text=f"the {name} tree: {note.text}") for note in notes]


def _values(tree: Tree, nodes: NDArray[np.int32]) -> NDArray[Any]:
    """Return the guess of each row as a value, since models may number classes otherwise."""
    guessed = all_guesses(tree)[:, 0]
    classes = tree.schema.labels[0].classes
    return np.array([classes[code] for code in guessed])[nodes] if classes else guessed[nodes]
