"""How well a model does on a table, and whether the table is one to judge it by."""

from dataclasses import dataclass
from os import PathLike
from typing import Unpack

from bough.checks.new_rows import SeenBefore, used_rows
from bough.checks.note_words import note_lines
from bough.errors import ModelFormatError
from bough.evidence import Estimate, Evidence, Note
from bough.exports.model_file import Model, load, model_of
from bough.exports.model_file_evidence import evidence_about
from bough.figure_words import MOST_CLASSES, class_table, estimate_table, without_classes
from bough.file_options import FileOptions
from bough.holdout import is_chance, merged, n_equal
from bough.learn.check_table import OF_NEW_ROWS, made
from bough.learn.labelled_rows import LabelledRows, hashes_of
from bough.learn.measure import Confusion, all_measured, baseline, confusion_of, followed
from bough.learn.target import read_labelled
from bough.loss_kinds import known_loss
from bough.predict import features_asked, stops, unseen
from bough.schema import Task
from bough.table import Table, TableLike, open_source
from bough.tree import Tree, TreeLike
from bough.words import row_count


@dataclass(frozen=True)
class Evaluation:
    """Losses and scores of a model on rows of a table."""

    task: Task
    n_rows: int
    estimates: dict[str, Estimate]
    """By name; those of one class have its name, as in 'recall:yes'."""
    baseline: dict[str, Estimate]
    """The same for the baseline, which always predicts the same; but for single classes."""
    notes: tuple[Note, ...]
    confusion: Confusion | None = None
    """Which classes were predicted as which; None for numbers."""

    def lines(
        self, digits: int = 3, more: str = "estimates", width: int | None = None
    ) -> list[str]:
        """Return the figures as a terminal of a width shows them."""
        classes = self.confusion.classes if self.confusion is not None else ()
        headings = {
            row_count(self.n_rows): without_classes(self.estimates, classes),
            self.task.baseline if self.task.ranks else "baseline": self.baseline,
        }
        found = estimate_table(headings, digits, width)
        if table := class_table(self.estimates, classes, more, digits, width):
            found += ["", *table]
        if self.confusion is not None and len(classes) <= MOST_CLASSES:
            found += ["", *self.confusion.lines(digits, width)]
        return found

    def __str__(self) -> str:
        notes = note_lines(self.notes)
        return "\n".join([*notes, *self.lines()])


def evaluate(
    model: TreeLike | str | PathLike[str],
    table: TableLike,
    *,
    missing: str | None = None,
    **reading: Unpack[FileOptions],
) -> Evaluation:
    """Measure a model on the rows of a table that have a label; the model stays as it is.

    Parameters
    ----------
    model
        A fitted estimator, the result of `bough.fit`, a tree, or the name of a model file.
    table
        Rows with the column that is predicted: a file, or a table of any make.
    missing
        How missing values are predicted, 'stop' or 'weigh'; None: as the model was tuned.
    reading
        How a file is read, where it is not written as the one that the model was learnt from: the
        options of `bough.read_file`.

    Returns
    -------
    Evaluation
        The usual figures of the task and the loss that the tree was tuned for, each beside that of
        the baseline; for classes the confusion table; and notes, such as that the model has seen
        some of these rows before. `print` shows it as the terminal does.

    Examples
    --------
    >>> import bough
    >>> tree = bough.DecisionTreeClassifier().fit(
    ...     {"age": [4, 9, 34, 40]}, ["no", "no", "yes", "yes"]
    ... )
    >>> found = bough.evaluate(tree, {"age": [5, 20, 50], "y": ["no", "yes", "yes"]})
    >>> round(found.estimates["error"].value, 3), found.n_rows
    (0.333, 3)
    """
    learnt = read_model(model)
    tree, evidence = learnt.tree, evidence_in(learnt)
    source = open_source(table, like=tree.schema.reading, **reading)
    rows, notes = read_labelled(tree, source, **columns_used(evidence))
    task = tree.schema.task
    wanted = wanted_loss(learnt, evidence)
    missing = missing or learnt.missing
    (stopped,) = followed([(tree, rows)], missing)
    classes = tree.schema.labels[0].classes
    return Evaluation(
        task,
        len(rows),
        all_measured(stopped, *wanted),
        baseline(stopped, *wanted),
        (
            *notes,
            *notes_on_used_rows(evidence, rows),
            *notes_on_new_rows(tree, evidence, rows.table),
        ),
        Confusion(classes, confusion_of(stopped)) if classes else None,
    )


def read_model(given: TreeLike | str | PathLike[str]) -> Model:
    """Return a model, or read it from its file."""
    model = load(given) if isinstance(given, str | PathLike) else model_of(given)
    return model.by_name()


def evidence_in(model: Model) -> Evidence | None:
    """Return what is known about a model beside its tree; None if that is nothing."""
    return None if model.evidence is None else evidence_about(model.tree, model.evidence)


def wanted_loss(model: Model, evidence: Evidence | None) -> tuple[str, float | None]:
    """Return the loss that was to be small, and its quantile."""
    quantile = model.settings.get("quantile")
    if evidence is not None:
        quantile = evidence.quantile if quantile is None else quantile
        if evidence.loss == "pinball" and quantile is None:
            raise ModelFormatError("evidence.loss is 'pinball', but evidence has no quantile.")
        return evidence.loss, quantile
    schema = model.tree.schema
    criterion = [each for each in [model.settings.get("criterion")] if each is not None]
    has_costs = bool(schema.labels[0].costs)
    return known_loss(None, schema.task, criterion, quantile, has_costs=has_costs), quantile


def columns_used(evidence: Evidence | None) -> dict[str, str | None]:
    """Return the columns by which the model was measured: the weight of rows, and their group."""
    return {} if evidence is None else {"weight": evidence.weight, "group": evidence.group}


def notes_on_new_rows(tree: Tree, evidence: Evidence | None, table: Table) -> list[Note]:
    """Return in what rows differ from those that the tree was grown from."""
    return made(
        OF_NEW_ROWS,
        # A ranking is grown from groups with a relevant row only, and new rows do not say which.
        {"B208"} if tree.schema.task.ranks else (),
        tree=tree,
        nodes=stops(tree, table),
        n_unseen=unseen(tree, table),
        n_rows=table.n_rows,
        table=table.only(features_asked(tree)),
        ranges={} if evidence is None else evidence.ranges,
    )


def notes_on_used_rows(evidence: Evidence | None, rows: LabelledRows) -> list[Note]:
    """Return how many of the rows the model has seen before."""
    return used_rows(len(rows), _seen_before(evidence, rows))


def n_used(evidence: Evidence | None, rows: LabelledRows) -> int:
    """Return about how many of the rows a model was made from; 0 if that may be chance."""
    found = _seen_before(evidence, rows)
    return 0 if found.is_chance else found.n_learnt


def _seen_before(evidence: Evidence | None, rows: LabelledRows) -> SeenBefore:
    """Return about how many rows equal one that the model learnt from, and how many others a test row."""
    if evidence is None:
        return SeenBefore(0, 0)
    hashes, sketches = hashes_of(rows), evidence.sketches
    learnt = merged(sketches["train"], sketches["dev"])
    n_learnt = n_equal(hashes, learnt, evidence.n_train + evidence.n_dev)
    n_test = 0
    if not is_chance(hashes, sketches["test"]):
        n_test = n_equal(hashes, sketches["test"], evidence.n_test, but=learnt)
    # Both are estimates, of rows that are counted once.
    n_test = min(n_test, len(hashes) - n_learnt)
    return SeenBefore(n_learnt, n_test, is_chance=is_chance(hashes, learnt))
