"""How well a model does on a table, and whether the table is one to judge it by."""

from dataclasses import dataclass

from bough.checks.rows import other_shares, outside_ranges, unseen_values, used_rows
from bough.evidence import Estimate, Evidence, Note
from bough.export.evidence import read_evidence
from bough.export.json import Model
from bough.learn.labelled import read_labelled
from bough.learn.measure import baseline, measured
from bough.learn.memory import hashes_of
from bough.learn.rows import LabelledRows
from bough.predict import stops, unseen
from bough.schema import Task
from bough.split import n_known
from bough.table import Table


@dataclass(frozen=True)
class Evaluation:
    """Losses and scores of a model on rows of a table."""

    task: Task
    n_rows: int
    estimates: dict[str, Estimate]
    baseline: dict[str, Estimate]
    """The same for guessing always what the root guesses."""
    notes: tuple[Note, ...]


def evaluate(model: Model, table: object) -> Evaluation:
    """Measure a model on the rows of a table that have a label; the model stays as it is."""
    tree = model.tree
    rows, notes = read_labelled(tree, table, **columns_used(model))
    task = tree.schema.task
    return Evaluation(
        task,
        len(rows),
        measured([(tree, rows)], task),
        baseline(tree, rows, task),
        (*notes, *notes_on_used_rows(model, rows), *notes_on_new_rows(model, rows.table)),
    )


def columns_used(model: Model) -> dict[str, str | None]:
    """Return the columns by which the model was measured: the weight of rows, and their group."""
    evidence = _evidence(model)
    return {} if evidence is None else {"weight": evidence.weight, "group": evidence.group}


def notes_on_new_rows(model: Model, table: Table) -> list[Note]:
    """Return in what rows differ from those that the tree was grown from."""
    tree, evidence = model.tree, _evidence(model)
    return [
        *other_shares(tree, stops(tree, table)),
        *unseen_values(unseen(tree, table), table.n_rows),
        *([] if evidence is None else outside_ranges(table, evidence.ranges)),
    ]


def notes_on_used_rows(model: Model, rows: LabelledRows) -> list[Note]:
    """Return how many of the rows the model has seen before."""
    evidence = _evidence(model)
    if evidence is None:
        return []
    hashes, sketches = hashes_of(rows), evidence.sketches
    n_of = {"train": evidence.n_train, "dev": evidence.n_dev, "test": evidence.n_test}
    known = [n_known(hashes, sketches[part], n_of[part]) for part in ("train", "dev", "test")]
    return used_rows(len(rows), *known)


def _evidence(model: Model) -> Evidence | None:
    return None if model.evidence is None else read_evidence(model.evidence)
