"""A growth as data: every node with its questions, what each would gain, and why one is asked."""

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, overload

from bough.errors import ParameterError
from bough.evidence import Note
from bough.files import write_file
from bough.learn.pivot_gains import PivotTried
from bough.schema import Task, Value

ASKED = "asked already"


@dataclass(frozen=True)
class AnswerRows:
    """The rows that give one answer to a question."""

    words: str
    """The answer, to be read after the name of the feature."""
    n_rows: int
    counts: tuple[int, ...]
    """The rows of each class, in the order of the classes; empty for numbers."""
    guess: Value
    """What these rows alone would predict."""
    n_right: int | None
    """How many of them that gets right; None for numbers."""
    impurity: float


@dataclass(frozen=True)
class CandidateQuestion:
    """A question that a node may ask."""

    feature: str
    words: str
    """The question: the feature and, if there is one, the pivot or the values."""
    answers: tuple[AnswerRows, ...]
    n_right: int | None
    remainder: float
    gain: float
    split_entropy: float
    """The entropy of the answers themselves, in bits."""
    pivot: float | int | None = None
    said: float | int | None = None
    """What words give for the pivot, the same to these rows; None: the pivot itself."""
    missing: int | None = None
    """The answer that missing values go with; None: there are none, or they are an answer."""

    @property
    def gain_ratio(self) -> float:
        """The gain for each bit of the answers, as C4.5 has it."""
        return self.gain / self.split_entropy if self.split_entropy else 0.0


@dataclass(frozen=True)
class FeatureQuestions:
    """The best question about one feature, and the pivots that were tried."""

    feature: str
    best: CandidateQuestion | None
    """None: there is nothing to ask."""
    reason: str = ""
    """Why there is nothing to ask: 'asked already', or the one value that is left."""
    pivots: tuple[PivotTried, ...] = ()
    is_number: bool = False

    @property
    def tells_nothing(self) -> bool:
        """Whether all rows have one value, so that asking would gain 0."""
        return self.best is None and self.reason != ASKED


@dataclass(frozen=True)
class TieBreak:
    """Questions that are equally good, and why the first of them is asked."""

    questions: tuple[str, ...]
    gain: float
    reason: str
    """As in 'raining is the earlier column'."""
    gini_gains: tuple[float, ...] = ()
    """By error rate, where they decide: those of the questions."""


@dataclass(frozen=True)
class OtherChoice:
    """What another criterion would ask here."""

    criterion: str
    question: str
    feature: str
    gain: float
    """For gain_ratio, the ratio."""


@dataclass(frozen=True)
class GrowthStep:
    """One node: its rows, the questions it may ask, and the one it asks, or why it asks none."""

    id: int
    parent: int | None
    depth: int
    trail: tuple[str, ...]
    """The answers that lead here, as in 'outlook = Sunny'."""
    rows: tuple[int, ...]
    """The numbers of its rows in the table, from 0 on."""
    counts: tuple[int, ...]
    guess: Value
    n_right: int | None
    impurity: float
    distances: tuple[tuple[int, float], ...]
    """For numbers, how many rows are how far from the prediction."""
    features: tuple[FeatureQuestions, ...] = ()
    """All features in column order; none at a leaf."""
    asks: CandidateQuestion | None = None
    tie: TieBreak | None = None
    others: tuple[OtherChoice, ...] = ()
    """What the other criteria would ask."""
    leaf_reason: str = ""
    """Why it is a leaf; empty if it is none."""
    leads_to: tuple[int, ...] = ()
    """The nodes of its answers."""
    by_criterion: tuple[tuple[str, tuple[FeatureQuestions, ...]], ...] = ()
    """The features by each criterion, where all are laid side by side."""

    @property
    def n_rows(self) -> int:
        return len(self.rows)

    @property
    def is_leaf(self) -> bool:
        return self.asks is None

    @property
    def condition(self) -> str:
        """The trail in words; 'all rows' at the root."""
        return " and ".join(self.trail) or "all rows"


@dataclass(frozen=True)
class TaughtColumn:
    """A feature of all rows."""

    name: str
    values: tuple[str, ...]
    """In words; a missing value is empty."""


@dataclass(frozen=True)
class Walkthrough:
    """A whole growth, node by node in breadth-first order, and what the tree does at the end."""

    target: str
    task: Task
    criterion: str
    classes: tuple[Value, ...]
    columns: tuple[TaughtColumn, ...]
    """The features of the rows that were grown from."""
    labels: tuple[Value, ...]
    steps: Sequence[GrowthStep]
    """The nodes in breadth-first order. Those of a large table are worked out when they are asked for."""
    asks_all: bool
    """Whether every question is asked, and every value has a branch."""
    notes: tuple[Note, ...] = ()
    to_page: Callable[[int], str] | None = field(default=None, repr=False, compare=False)
    """Returns the page of this growth, given the digits of its numbers."""

    @property
    def n_rows(self) -> int:
        return len(self.labels)

    @cached_property
    def n_leaves(self) -> int:
        return sum(step.is_leaf for step in self.steps)

    @cached_property
    def depth(self) -> int:
        return max(step.depth for step in self.steps)

    @cached_property
    def mean_questions(self) -> float:
        """How many questions it takes on average to reach a leaf."""
        asked = sum(step.n_rows * step.depth for step in self.steps if step.is_leaf)
        return asked / self.n_rows

    @cached_property
    def losses(self) -> tuple[float, ...]:
        """The training loss at each depth: rows that are wrong or, for numbers, the mean loss."""
        found = []
        for depth in range(self.depth + 1):
            cut = [s for s in self.steps if s.depth == depth or (s.is_leaf and s.depth < depth)]
            if self.classes:
                found.append(float(sum(step.n_rows - (step.n_right or 0) for step in cut)))
            else:
                found.append(sum(step.n_rows * step.impurity for step in cut) / self.n_rows)
        return tuple(found)

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        ends = ("n_rows", "n_leaves", "depth", "mean_questions", "losses")
        plain = {name: getattr(self, name) for name in ends}
        known = asdict(replace(self, steps=tuple(self.steps), to_page=None))
        del known["to_page"]
        return {**known, **plain}

    @overload
    def html(self, path: None = None, *, digits: int = 3) -> str: ...
    @overload
    def html(self, path: str | os.PathLike[str], *, digits: int = 3) -> Path: ...
    def html(self, path: str | os.PathLike[str] | None = None, *, digits: int = 3) -> str | Path:
        """Write a page to step through the growth in a browser, and return its path.

        The page needs no network. It holds the rows of the table, from which it grows the tree.

        Parameters
        ----------
        path
            The file. None: nothing is written, and the page itself is returned.
        digits
            How many digits numbers have.
        """
        if self.to_page is None:
            raise ParameterError("Only a growth of bough.teach.walkthrough has a page.")
        found = self.to_page(digits)
        if path is None:
            return found
        write_file(path, found.encode())
        return Path(path)

    def __str__(self) -> str:
        from bough.teach.growth_as_text import text  # which knows this file

        return text(self)
