"""`walkthrough`: a small table becomes a growth that can be gone through step by step."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

import numpy as np

from bough.checks.notes import gathered
from bough.errors import BudgetError, ParameterError, refuse_unknown
from bough.evidence import Note
from bough.exports.model_file import Model
from bough.grow import grow
from bough.learn.look_at_columns import look
from bough.learn.request import Roles, carried_roles
from bough.learn.score_result import ALL
from bough.learn.target import read_target
from bough.settings import Settings, one_of, whole
from bough.table import TableLike, Types, open_source
from bough.teach.exact_table import ExactTable
from bough.teach.grow_steps import LazySteps, Manner, grow_steps
from bough.teach.node_questions import criteria_of
from bough.teach.page import page_of
from bough.teach.steps import GrowthStep, TaughtColumn, Walkthrough
from bough.tree import Tree
from bough.tree_task import Task

MOST_ROWS = 2_000


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
        tree = _said_alike(self._tree(manner), steps)
        is_class = self.task is Task.CLASSIFICATION
        name = "DecisionTreeClassifier" if is_class else "DecisionTreeRegressor"
        saved = {key: _plain(value) for key, value in asdict(self._settings(manner)).items()}
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


def _said_alike(tree: Tree, steps: Sequence[GrowthStep]) -> Tree:
    """Return a tree whose words give pivots as the steps do."""
    said = [np.nan if s.asks is None or s.asks.said is None else s.asks.said for s in steps]
    shown = np.array(said, dtype=np.float64)
    return replace(tree, shown=None if np.isnan(shown).all() else shown)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
