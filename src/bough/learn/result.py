"""`Result`: a tree and what is known about it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import Any, Protocol, overload

from numpy.typing import ArrayLike, NDArray

from bough.checks.note_words import note_lines
from bough.drawing import draw
from bough.drawing.style import check_options
from bough.edit import Wanted, check_node, cut_words, force_words, read_wanted
from bough.errors import ParameterError
from bough.evidence import (
    Calibration,
    Candidate,
    ColumnLook,
    Edit,
    Estimate,
    Evidence,
    Note,
    Spread,
)
from bough.explain import Explanation
from bough.explain.rules_and_conditions import Rule
from bough.exports import model_file
from bough.exports.model_file import Model
from bough.figure_words import class_table
from bough.files import write_file
from bough.interview import Interview
from bough.learn.measure import Confusion
from bough.learn.measured_edits import CUT, Made, change_of, edited, noted
from bough.query_kinds import Query
from bough.report.mistakes import calibration_sentences
from bough.report.notebook import Frame, card
from bough.report.page import page
from bough.report.subject import Subject
from bough.result_words import rows_text, sentences, target_text, verdict_lines
from bough.schema import Task
from bough.table import TableLike
from bough.tree import Tree

ABOUT_THE_TREE = ("B301", "B302")  # notes that need not hold after an edit
NO_NAME, A_PIPE = "table", "the standard input"  # of tables that are no files


class FittedTree(Protocol):
    """A fitted `DecisionTreeClassifier`, `DecisionTreeRegressor` or `DecisionTreeRanker`.

    Their classes need scikit-learn, which a result needs only when it is asked for its model.
    """

    @property
    def grown_tree_(self) -> Tree: ...
    def predict(self, X: TableLike) -> NDArray[Any]: ...
    def apply(self, X: TableLike) -> NDArray[Any]: ...
    def score(
        self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float: ...
    def explain(self, X: TableLike, *, digits: int = 3) -> list[Explanation]: ...
    def rules(self, *, digits: int | None = 3) -> list[Rule]: ...
    def ask(self, *, digits: int = 3) -> Interview: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    def get_depth(self) -> int: ...
    def get_n_leaves(self) -> int: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...  # noqa: FBT001, FBT002
    def __getattr__(self, name: str) -> Any: ...  # noqa: ANN401 - what only one of them has


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """What `bough.fit` returns: the tree, the estimates, the curve, the notes."""

    saved: Model
    """What the model file holds."""
    evidence: Evidence
    notes: tuple[Note, ...]
    """What the checks saw; those that name rows are not in the model file."""
    curve: tuple[Candidate, ...]
    """Every tree that was tried, with its loss on training and development rows."""
    name: str
    """What the table is called."""
    columns: tuple[ColumnLook, ...]
    """What was seen of each column."""
    _made: Made | None = None
    _simpler: Model | None = None
    _options: str = ""

    @property
    def task(self) -> Task:
        return self.evidence.task

    @property
    def train(self) -> dict[str, Estimate]:
        """Losses and scores on the rows that the chosen tree learnt from."""
        return self.evidence.train

    @property
    def dev(self) -> dict[str, Estimate]:
        """Losses and scores on the development rows, or over the folds."""
        return self.evidence.dev

    @property
    def test(self) -> dict[str, Estimate]:
        """Losses, scores and further figures on the test rows, which nothing else has used.

        Figures of one class have its name, as in `result.test["recall:yes"]`.
        """
        return self.evidence.test

    @property
    def baseline(self) -> dict[str, Estimate]:
        """The same for the baseline, which always predicts the same."""
        return self.evidence.baseline

    @property
    def confusion(self) -> Confusion | None:
        """Which classes of the test rows were predicted as which; None for numbers."""
        classes = self.saved.tree.schema.labels[0].classes
        return Confusion(classes, self.evidence.confusion) if classes else None

    @property
    def calibration(self) -> Calibration | None:
        """Whether the probabilities of classes came true on the test rows; None for numbers."""
        return self.evidence.calibration

    @property
    def spread(self) -> dict[str, Spread]:
        """How figures on test rows and `n_leaves` vary over the seeds of `repeats`; empty for one seed."""
        return self.evidence.spread

    @property
    def grown_tree_(self) -> Tree:
        """The tree itself."""
        return self.saved.tree

    @cached_property
    def model(self) -> FittedTree:
        """The tree as a fitted estimator."""
        from bough.estimators import estimator_of

        return estimator_of(self.saved, self.name)

    @cached_property
    def simpler(self) -> FittedTree | None:
        """A tree of at most half the leaves that does about as well, as a fitted estimator, or None.

        Its loss on the development rows, or over the folds, is within one standard error of the
        chosen tree's. `evidence.simpler` has its figures. After an edit, it stays what it was.
        """
        if self._simpler is None:
            return None
        from bough.estimators import estimator_of

        return estimator_of(self._simpler, self.name)

    @property
    def sentences(self) -> list[str]:
        """The diagnosis, in words, and whether probabilities came true."""
        return [*sentences(self.evidence), *calibration_sentences(self.evidence, self.saved.tree)]

    def cut(self, node: int) -> "Result":
        """Return the result with a leaf in the place of a branch.

        The new result says by how much the loss on development rows changes. Test rows can be
        looked at only once: its other figures stay those of the tree before the edit.

        Parameters
        ----------
        node
            The number of the branch; `bough.draw(result, ids=True)` shows the numbers.

        Examples
        --------
        >>> import bough
        >>> penguins = bough.datasets.load("penguins")
        >>> result = bough.fit({**penguins.features, "species": penguins.labels}, "species")
        >>> print(result.cut(4).edits[-1])
        node 4 is a leaf: error 2.9 % → 4.7 % (+1.8, 95 % interval −0.1 to +4.3, 276 rows)
        """
        return self._edited(node, CUT, cut_words([node]))

    def force(
        self,
        node: int,
        query: str | int | Query,
        *,
        below: object = None,
        one_of: Sequence[object] | None = None,
        is_missing: bool = False,
    ) -> "Result":
        """Return the result in which a node asks something else, and grows again below that.

        All other nodes stay as they are. As after `cut`, only the change on development rows is
        known.

        Parameters
        ----------
        node
            The number of the node; it may be a leaf.
        query
            The column to ask about, by its best query; or a query, as another node has it.
        below
            The pivot to compare with: a number, a date, or a value of an ordered column.
        one_of
            The values that are one answer; all others are the other one.
        is_missing
            Ask whether the value is missing.

        Examples
        --------
        >>> import bough
        >>> penguins = bough.datasets.load("penguins")
        >>> result = bough.fit({**penguins.features, "species": penguins.labels}, "species")
        >>> print(result.force(0, "island").edits[-1].what)
        node 0 asks about island
        """
        schema = self.saved.tree.schema
        wanted = read_wanted(schema, query, below=below, one_of=one_of, is_missing=is_missing)
        return self._edited(node, wanted, force_words(node, wanted))

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What was changed by hand, and what that did to the loss on development rows."""
        return self.evidence.edits

    def _edited(self, node: int, wanted: Wanted | None, what: str) -> "Result":
        if self._made is None:
            raise ParameterError(
                "The rows that this result was learnt from are no longer in memory. Fit again, "
                "or edit the tree without measuring: result.model.cut(node)."
            )
        made, before = self._made, self.saved.tree
        check_node(before, node)
        tree, made = edited(made, before, node, wanted)
        change = change_of(made, before, node, wanted)
        earlier = self.evidence.edits
        loss_before = earlier[-1].after if earlier else self.evidence.dev[made.loss].value
        edit = Edit(what, made.loss, loss_before, change)
        evidence = replace(self.evidence, edits=(*earlier, edit))
        saved = replace(self.saved, tree=tree, evidence=evidence.as_dict())
        made = noted(made, before, node, wanted)
        notes = tuple(note for note in self.notes if note.code not in ABOUT_THE_TREE)
        return replace(self, saved=saved, evidence=evidence, notes=notes, _made=made)

    def __getstate__(self) -> dict[str, Any]:
        # A pickle holds what the model file may hold, and so no rows.
        return {**self.__dict__, "_made": None}

    def __copy__(self) -> "Result":
        return replace(self)  # with the rows: they stay in memory

    def __deepcopy__(self, _: object) -> "Result":
        return replace(self)  # nothing in it ever changes

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file. A kill at any moment leaves the old file or the new one."""
        model_file.save(self.saved, path)

    @overload
    def report(self, path: None = None, *, digits: int = 3) -> str: ...
    @overload
    def report(self, path: str | os.PathLike[str], *, digits: int = 3) -> Path: ...
    def report(self, path: str | os.PathLike[str] | None = None, *, digits: int = 3) -> str | Path:
        """Write the report, one page of HTML that needs no network, and return its path.

        Parameters
        ----------
        path
            The file. A kill at any moment leaves the old one or the new one. None: nothing is
            written, and the page itself is returned.
        digits
            How many significant digits numbers have at least.
        """
        html = page(self.__bough_subject__(digits))
        if path is None:
            return html
        write_file(path, html.encode())
        return Path(path)

    def page(self, height: int = 800) -> Frame:
        """Return the report as a notebook shows it, in a frame of its own."""
        return Frame(self.report(), height)

    def text(self, *, digits: int = 3, width: int | None = None) -> str:
        """Return the result as the terminal shows it."""
        check_options(width=width)
        return "\n".join(
            [
                self.headline(),
                *note_lines(self.notes),
                f"  {rows_text(self.evidence)}",
                "",
                draw(self.saved.tree, "text", digits=digits, width=width),
                "",
                *verdict_lines(self.evidence, self.saved.tree, digits, width),
                *self.class_lines("result.test", digits, width),
            ]
        )

    def class_lines(self, more: str, digits: int = 3, width: int | None = None) -> list[str]:
        """Return the figures of more than two classes on the test rows, and where more are."""
        classes = self.saved.tree.schema.labels[0].classes
        says_nothing = bool(self.edits) or self.saved.tree.n_leaves == 1
        shown = [] if says_nothing else class_table(self.test, classes, more, digits, width)
        return ["", *shown] if shown else []

    def headline(self) -> str:
        """Return what was learnt from what."""
        evidence = self.evidence
        n_rows = evidence.n_train + evidence.n_dev + evidence.n_test
        return (
            f"{self.name} · {n_rows:,} rows × {len(self.columns):,} columns · "
            f"predict {target_text(self.saved.tree)}"
        )

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Result: {verdict_lines(self.evidence, self.saved.tree)[0]}>"

    def __bough_model__(self) -> Model:
        return self.saved

    @property
    def __bough_estimator__(self) -> FittedTree:
        return self.model

    def __bough_subject__(self, digits: int) -> Subject:
        """Return what the report is about: the model, its table, and every note."""
        evidence = replace(self.evidence, notes=self.notes)
        simpler = None if self._simpler is None else self._simpler.tree
        return Subject(
            self.saved.tree, evidence, self.name, self.columns, self.saved.missing, digits, simpler,
            command="" if self.name in (NO_NAME, A_PIPE) else f"bough fit {quote(self.name)} {self._options}",
        )  # fmt: skip

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return what a notebook shows: the verdict, the picture of the tree, the notes; or the text."""
        lines = verdict_lines(self.evidence, self.saved.tree)
        shown = card(self.headline(), lines, note_lines(self.notes), self.__bough_subject__(3))
        return {"text/plain": str(self), "text/html": shown}
