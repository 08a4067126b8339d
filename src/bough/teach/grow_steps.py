"""Grows a tree node by node, and keeps all that was worked out on the way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, overload

from bough.errors import Argument, BudgetError
from bough.learn.pivot_gains import LabelSums
from bough.learn.score_result import ALL
from bough.reference import Query
from bough.teach.exact_table import ExactTable
from bough.teach.node_questions import NodeQuestions, criteria_of, tie_of
from bough.teach.steps import GrowthStep, OtherChoice
from bough.tree_task import Task

MOST_NODES = 5_000

EQUAL = "all labels are equal"
ALIKE = "no question tells these rows apart"
NOTHING_LEFT = "every question has been asked"
EMPTY = "no row gives this answer; the node above predicts"


@dataclass(frozen=True)
class Manner:
    """How a tree is grown to be shown."""

    criterion: str
    """'all' grows by the usual one and lays all of them side by side."""
    categorical: str = "each"
    max_depth: int | None = None
    asks_all: bool = False

    def grows_by(self, task: Task) -> str:
        """Return the criterion that decides."""
        if self.criterion == ALL:
            return criteria_of(task)[0]
        return "entropy" if self.criterion == "log_loss" else self.criterion


class Waiting(NamedTuple):
    """A node that has yet to be looked at."""

    questions: NodeQuestions
    parent: int | None
    trail: tuple[str, ...]
    guess: object
    """What the node above predicts, of which an empty leaf makes use."""


class LazySteps(Sequence[GrowthStep]):
    """The steps of a growth that has so many nodes. Each is worked out when it is asked for."""

    def __init__(self, steps: Iterator[GrowthStep], n_steps: int) -> None:
        self._waiting, self._n_steps = steps, n_steps
        self._known: list[GrowthStep] = []

    def __len__(self) -> int:
        return self._n_steps

    @overload
    def __getitem__(self, place: int) -> GrowthStep: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[GrowthStep]: ...
    def __getitem__(self, place: int | slice) -> GrowthStep | Sequence[GrowthStep]:
        """Return a step, after all before it have been worked out."""
        if isinstance(place, slice) or place < 0:
            return tuple(self)[place]
        while len(self._known) <= place < self._n_steps:
            self._known.append(next(self._waiting))
        return self._known[place]


def grow_steps(table: ExactTable, task: Task, manner: Manner) -> Iterator[GrowthStep]:
    """Give every node in breadth-first order."""
    sums = {each: LabelSums.of(table.labels, each) for each in criteria_of(task)}
    rows = list(table.exact.rows)
    root = NodeQuestions(table, sums, rows, manner.categorical, manner.asks_all)
    waiting = [Waiting(root, None, (), None)]
    for number, here in enumerate(waiting):  # the list grows while it is read
        step, asked = _step(number, here, task, manner)
        below = list(_below(here, step, asked))
        leads_to = tuple(range(len(waiting), len(waiting) + len(below)))
        waiting += below
        if len(waiting) > MOST_NODES:
            raise BudgetError(
                f"This tree has more than {MOST_NODES:,} nodes, too many to go through. Limit its "
                "depth: ", Argument("max_depth", 3), ".",
            )  # fmt: skip
        yield replace(step, leads_to=leads_to)


def _step(
    number: int, here: Waiting, task: Task, manner: Manner
) -> tuple[GrowthStep, Query | None]:
    criterion, questions = manner.grows_by(task), here.questions
    if not questions.rows:
        return _empty(number, here, len(questions.table.classes)), None
    answer = questions.answer("", questions.rows, criterion)
    step = GrowthStep(
        id=number,
        parent=here.parent,
        depth=len(here.trail),
        trail=here.trail,
        rows=tuple(questions.rows),
        counts=answer.counts,
        guess=answer.guess,
        n_right=answer.n_right,
        impurity=answer.impurity,
        distances=_distances(questions, criterion),
        features=(),
        asks=None,
        tie=None,
        others=(),
        leaf_reason=_stops(here, manner),
        leads_to=(),
    )
    tied = [] if step.leaf_reason else questions.best(criterion, all_ties=True)
    if not tied:
        return replace(step, leaf_reason=step.leaf_reason or _nothing(manner)), None
    step = replace(
        step,
        features=questions.features(criterion),
        asks=questions.question(tied[0], criterion),
        tie=tie_of(questions, tied, criterion),
        others=_others(questions, task, criterion),
        by_criterion=tuple((each, questions.features(each)) for each in criteria_of(task))
        if manner.criterion == ALL
        else (),
    )
    return step, tied[0].query


def _stops(here: Waiting, manner: Manner) -> str:
    """Return why a node asks nothing, whatever there is to ask."""
    if len(here.questions.tally) == 1 and not manner.asks_all:
        return EQUAL
    if len(here.trail) == manner.max_depth:
        return f"depth {manner.max_depth} is reached"
    return ""


def _nothing(manner: Manner) -> str:
    return NOTHING_LEFT if manner.asks_all else ALIKE


def _empty(number: int, here: Waiting, n_classes: int) -> GrowthStep:
    return GrowthStep(
        number, here.parent, len(here.trail), here.trail, (), (0,) * n_classes, here.guess,  # type: ignore[arg-type]
        0 if n_classes else None, 0.0, (), (), None, None, (), f"{EMPTY} {here.guess}", (),
    )  # fmt: skip


def _distances(questions: NodeQuestions, criterion: str) -> tuple[tuple[int, float], ...]:
    """Return how many rows are how far from the prediction, for labels that are numbers."""
    if questions.table.classes:
        return ()
    guess = questions.node(criterion).guess
    return tuple((int(n), float(label - guess)) for label, n in questions.tally.items())


def _others(questions: NodeQuestions, task: Task, criterion: str) -> tuple[OtherChoice, ...]:
    found = []
    for other in criteria_of(task):
        if other != criterion and (tied := questions.best(other)):
            asks = questions.question(tied[0], other)
            gain = asks.gain_ratio if other == "gain_ratio" else asks.gain
            found.append(OtherChoice(other, asks.words, asks.feature, gain))
    return tuple(found)


def _below(here: Waiting, step: GrowthStep, asked: Query | None) -> Iterator[Waiting]:
    """Give the children of a node."""
    if step.asks is None or asked is None:
        return
    questions = here.questions
    used_up = {asked.column} if asked.kind == "EachValue" else set()
    for answer, rows in zip(step.asks.answers, questions.parts(asked), strict=True):
        below = replace(questions, rows=rows, asked=questions.asked | used_up)
        yield Waiting(below, step.id, (*step.trail, f"{asked.column} {answer.words}"), step.guess)
