"""`walkthrough`: grows a small table's tree node by node, and keeps all that was worked out on the way."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import NamedTuple, overload

import numpy as np

from bough.checks.note_words import gathered
from bough.errors import Argument, BudgetError, ParameterError, refuse_unknown
from bough.evidence import Note
from bough.exports.model_file import Model
from bough.grow import grow
from bough.learn.look_at_columns import look
from bough.learn.pivot_gains import LabelSums
from bough.learn.request import Roles, carried_roles
from bough.learn.score_result import ALL
from bough.learn.target import read_target
from bough.reference import Query
from bough.schema import Task
from bough.settings import Settings, one_of, whole
from bough.table import TableLike, open_source
from bough.table.source import Types
from bough.teach.arithmetic import ExactTable
from bough.teach.node_questions import Manner, NodeQuestions, criteria_of, tie_of
from bough.teach.page import page_of
from bough.teach.steps import GrowthStep, OtherChoice, TaughtColumn, Walkthrough
from bough.tree import Tree

MOST_NODES = 5_000

EQUAL = "all labels are equal"
ALIKE = "no question tells these rows apart"
NOTHING_LEFT = "every question has been asked"
EMPTY = "no row gives this answer; the node above predicts"
MOST_ROWS = 2_000


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
        leaf_reason=_stops(here, manner),
    )
    tied = [] if step.leaf_reason else questions.best(criterion, all_ties=True)
    if not tied:
        return replace(
            step, leaf_reason=step.leaf_reason or (NOTHING_LEFT if manner.asks_all else ALIKE)
        ), None
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


def _empty(number: int, here: Waiting, n_classes: int) -> GrowthStep:
    return GrowthStep(
        number, here.parent, len(here.trail), here.trail, (), (0,) * n_classes, here.guess,  # type: ignore[arg-type]
        0 if n_classes else None, 0.0, (), leaf_reason=f"{EMPTY} {here.guess}",
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


def walkthrough(
    table: TableLike,
    target: str | None = None,
    *,
    task: str = "auto",
    types: Types | None = None,
    ignore: str | Sequence[str] = (),
    criterion: str | None = None,
    categorical: str = "each",
    max_depth: int | None = None,
    ask_all: bool = False,
) -> Walkthrough:
    """Grow a tree from all rows of a small table, and keep every number on the way.

    Parameters
    ----------
    table, target, task, types, ignore
        As for `bough.fit`. A teaching table knows its target.
    criterion
        'entropy' (the default), 'gini', 'error' or 'gain_ratio'; for numbers 'squared_error' (the
        default) or 'absolute_error'; 'all' grows by the default and lays all of them side by side.
    categorical
        'each': one branch for each value of a category; 'group': two groups of values.
    max_depth
        How many questions may be asked one after the other.
    ask_all
        Ask on where labels are equal, and give every value of a category a branch, as some books
        do. A branch without rows predicts what the node above does.

    Returns
    -------
    Walkthrough
        Every node with the questions that it may ask, and the figures of the finished tree.

    Examples
    --------
    >>> import bough
    >>> grown = walkthrough(bough.datasets.load("play_tennis"))
    >>> [(step.condition, step.asks.words) for step in grown.steps if step.asks]
    [('all rows', 'outlook'), ('outlook = Rain', 'wind'), ('outlook = Sunny', 'humidity')]
    >>> [(each.feature, round(each.best.gain, 3)) for each in grown.steps[0].features]
    [('outlook', 0.247), ('temperature', 0.029), ('humidity', 0.152), ('wind', 0.048)]
    """
    read = read_taught(table, target, task=task, types=types, ignore=ignore)
    return read.walkthrough(read.manner(criterion, categorical, max_depth, asks_all=ask_all))


@dataclass(frozen=True, eq=False)
class TaughtTable:
    """A small table with its labels, from which trees are grown to be shown."""

    exact: ExactTable
    target: str
    task: Task
    notes: tuple[Note, ...]

    def manner(
        self,
        criterion: str | None = None,
        categorical: str = "each",
        max_depth: int | None = None,
        *,
        asks_all: bool = False,
    ) -> Manner:
        """Return how to grow, checked."""
        known = criteria_of(self.task)
        if criterion != "log_loss" or not self.exact.classes:
            refuse_unknown("criterion", criterion or ALL, (*known, ALL), f" to teach {self.task}")
        one_of("each", "group")("categorical", categorical)
        whole(0, none=True)("max_depth", max_depth)
        if asks_all and categorical == "group":
            raise ParameterError("ask_all gives every value a branch: leave out the groups.")
        return Manner(criterion or known[0], categorical, max_depth, asks_all)

    def walkthrough(self, manner: Manner) -> Walkthrough:
        """Return a growth, node by node."""
        steps: Sequence[GrowthStep]
        found = grow_steps(self.exact, self.task, manner)
        # The core grows the same tree at once, and so knows how many steps there will be.
        steps = tuple(found) if manner.asks_all else LazySteps(found, len(self._tree(manner)))
        classes, known = self.exact.classes, self.exact.exact.labels
        return Walkthrough(
            target=self.target,
            task=self.task,
            criterion=manner.grows_by(self.task),
            classes=classes,
            columns=tuple(
                TaughtColumn(name, tuple(self.exact.value_words(name, cell) for cell in cells))
                for name, cells in self.exact.cells.items()
            ),
            labels=tuple(classes[label] if classes else label for label in known),
            steps=steps,
            asks_all=manner.asks_all,
            notes=self.notes,
            to_page=partial(page_of, self.exact, self.target, self.task, manner),
        )

    def model(self, manner: Manner, steps: Sequence[GrowthStep]) -> Model:
        """Return the tree as an estimator's model file has it; it says what the steps say."""
        if manner.asks_all:
            raise ParameterError(
                "A tree that asks every question has branches without rows, which a model file "
                "cannot hold. Save the tree without it: leave out ask_all."
            )
        # Words give pivots as the steps do.
        said = [np.nan if s.asks is None or s.asks.said is None else s.asks.said for s in steps]
        shown = np.array(said, dtype=np.float64)
        tree = replace(self._tree(manner), shown=None if np.isnan(shown).all() else shown)
        is_class = self.task is Task.CLASSIFICATION
        name = "DecisionTreeClassifier" if is_class else "DecisionTreeRegressor"
        settings = asdict(self._settings(manner)).items()
        saved = {key: [*each] if isinstance(each, tuple) else each for key, each in settings}
        return Model(tree, saved, {"class": name, "parameters": {}})

    def _settings(self, manner: Manner) -> Settings:
        return Settings(
            criterion=manner.grows_by(self.task),
            categorical=manner.categorical,
            max_depth=manner.max_depth,
        )

    def _tree(self, manner: Manner) -> Tree:
        settings = self._settings(manner)
        return grow(self.exact.table, self.exact.labels, settings, match_by_name=True)


def read_taught(
    table: TableLike,
    target: str | None = None,
    *,
    task: str = "auto",
    types: Types | None = None,
    ignore: str | Sequence[str] = (),
    group: str | None = None,
    most_rows: int = MOST_ROWS,
) -> TaughtTable:
    """Return a table to teach with; all its rows that have a label are learnt from."""
    target, ignore = carried_roles(table, target, ignore)
    if target is None:
        raise ParameterError("target=None: name the column to predict.")
    source = open_source(table)
    roles = Roles(target=target, task=task, types=types, ignore=ignore, group=group)
    roles = replace(roles, ignore=(*roles.ignore, "B102"))  # a constant is listed
    roles = roles.checked(source)
    if source.n_rows > most_rows:
        why = "teach works out every number of a growth"
        raise BudgetError(
            f"{why if most_rows == MOST_ROWS else 'A lesson repeats its growth'}, for at most "
            f"{most_rows:,} rows; this table has {source.n_rows:,}. Take fewer rows, or score the first "
            "question only: bough score."
        )
    seen = look([source], roles)
    labelled = read_target(seen.columns[target], target, roles.task, source.where)
    if labelled.task.ranks:
        raise ParameterError("teach grows trees for classes and numbers, not for rankings.")
    rows = seen.table.rows(labelled.rows).dense()
    notes = gathered([*seen.notes, *labelled.notes])
    # A teaching table is meant as it is.
    passed_over = roles.ignored_codes | ({"B110"} if source.teaching is not None else set())
    kept = tuple(note for note in notes if note.code not in passed_over)
    return TaughtTable(ExactTable(rows, labelled.labels), target, labelled.task, kept)
