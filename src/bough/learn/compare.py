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
from bough.learn.measure import Losses, followed, known_loss, losses_of, measured
from bough.learn.rows import LabelledRows
from bough.losses import difference
from bough.predict import guesses
from bough.ranking import places_of
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
    """The share of the rows for which they guess differently, or which they give another place."""
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
    tasks = {model.tree.schema.task for model in (first, second)}
    if labels[0].name != labels[1].name or len(tasks) > 1:
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
        n_rows=len(one.rows),
        first=one.estimates,
        second=two.estimates,
        difference=difference(
            two.losses.each,
            one.losses.each,
            loss,
            weights=one.losses.weights,
            groups=one.losses.groups,
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
    losses: Losses
    estimates: dict[str, Estimate]
    guesses: NDArray[Any]

    @classmethod
    def of(cls, model: Model, source: Source, used: Mapping[str, str | None]) -> "_Side":
        tree = model.tree
        task = tree.schema.task
        loss = known_loss(None, task)
        rows, notes = read_labelled(tree, source, **used)
        ((_, nodes, _),) = stopped = followed([(tree, rows)])
        losses = losses_of(stopped, loss)
        estimates = measured([(tree, rows)], task)
        return cls(loss, rows, notes, losses, estimates, _values(tree, nodes, rows))


def _of_one(name: str, notes: Iterable[Note]) -> list[Note]:
    """Return notes that say which of the trees they are about."""
    return [replace(note, text=f"the {name} tree: {note.text}") for note in notes]


def _values(tree: Tree, nodes: NDArray[np.integer], rows: LabelledRows) -> NDArray[Any]:
    """Return the guess of each row as a value, since models may number classes otherwise.

    Scores of two rankings cannot be compared, but the places that they give the rows can.
    """
    guessed = np.asarray(guesses(tree, nodes)[:, 0])
    if tree.schema.task == "ranking":
        assert rows.group is not None  # noqa: S101 - a ranking has queries
        return places_of(guessed, rows.group)
    classes = tree.schema.labels[0].classes
    return np.array(classes, object)[guessed] if classes else guessed
