"""What bough sees in a table: the kind of each column, and what checks say; which are made when, before the seal is opened and after."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from bough.checks.columns import file_notes, left_out
from bough.checks.list_of_checks import is_information
from bough.checks.new_rows import other_shares, outside_ranges, unseen_values
from bough.checks.note_words import gathered, note_lines
from bough.checks.rows import drift, equal_rows, imbalance, repeated_entities
from bough.checks.too_good import leaks_and_too_good
from bough.checks.tree import (
    FirstQuestion,
    few_test_rows,
    first_question,
    no_better,
    no_better_probabilities,
    not_exact,
    tiny_leaves,
)
from bough.costs import altered_priors
from bough.evidence import ColumnLook, Estimate, Note
from bough.file_options import FileOptions
from bough.learn.labelled_rows import LabelledRows, all_hashes_of
from bough.learn.look_at_columns import look
from bough.learn.request import Request, Roles, carried_roles
from bough.learn.row_plan import Problem, make_plan, target_of
from bough.learn.tried_sizes import Setting
from bough.learn.tuning import Tuning
from bough.loss_kinds import LOSSES
from bough.predict import stops
from bough.pruning.ways import at_depth
from bough.schema import Task
from bough.table import Table, TableLike, open_source
from bough.table.source import Types
from bough.text_layout import table_rows
from bough.tree import Tree
from bough.words import plain, row_count

Checks = tuple[Callable[..., list[Note]], ...]

OF_TRAINING_ROWS: Checks = (leaks_and_too_good, imbalance, drift, repeated_entities)
OF_TREE: Checks = (tiny_leaves, first_question, not_exact)
OF_ESTIMATE: Checks = (equal_rows, few_test_rows, no_better, no_better_probabilities)
OF_NEW_ROWS: Checks = (other_shares, unseen_values, outside_ranges)


@dataclass(frozen=True)
class Checked:
    """What was seen of a table."""

    n_rows: int
    task: Task | None
    """The task that the target sets; None without a target."""
    columns: tuple[ColumnLook, ...]
    n_distinct: dict[str, int]
    """How many values each column has."""
    notes: tuple[Note, ...]

    @property
    def is_fine(self) -> bool:
        """Whether no note asks for anything."""
        return all(map(is_information, self.notes))

    def lines(self, width: int | None = None) -> list[list[str]]:
        """Return a heading and the lines of each column, as the terminal shows them."""
        lines = [["column", "kind", "values", "missing", "used as"]]
        for column in self.columns:
            role = f"target: {self.task}" if column.role == "target" else column.role
            missing = f"{column.n_missing:,}" if column.n_missing else ""
            values = f"{self.n_distinct[column.name]:,}"
            lines.append([plain(column.name), column.kind, values, missing, role])
        return table_rows(lines, "<<>><", width)

    def __str__(self) -> str:
        size = f"{row_count(self.n_rows)} × {len(self.columns):,} columns"
        notes = note_lines(self.notes)
        fine = ["", "Nothing looks wrong."] if self.is_fine else [""] if notes else []
        table = [line for lines in self.lines() for line in lines]
        return "\n".join([size, "", *table, *fine, *notes])


def check(
    table: TableLike,
    target: str | None = None,
    *,
    task: str = "auto",
    types: Types | None = None,
    ignore: str | Sequence[str] = (),
    group: str | None = None,
    seed: int = 0,
    **reading: Unpack[FileOptions],
) -> Checked:
    """Look for problems in a table, as `bough.fit` does before it learns.

    The kind and the role of each column, and notes on what looks wrong, come back; `print` shows
    them. Labels are read from training rows only.

    Parameters
    ----------
    table, target, task, types, ignore, group, seed, reading
        As for `bough.fit`. Without a target, only the columns are checked.

    Examples
    --------
    >>> found = check({"id": list(range(100)), "age": [30, 40] * 50})
    >>> [(column.name, column.kind, column.role) for column in found.columns]
    [('id', 'number', 'left out'), ('age', 'number', 'feature')]
    """
    target, ignore = carried_roles(table, target, ignore)
    source = open_source(table, **reading)
    given = {"task": task, "types": types, "ignore": ignore, "group": group, "seed": seed}
    request = Request(target=target, **given).checked(source)  # type: ignore[arg-type]
    looked = look([source], request)
    found: Task | None = None
    if target is None:
        notes = [*file_notes(source.remarks), *looked.notes]
    else:
        plan = make_plan(looked, request, target_of(looked, request))
        notes = notes_on_rows(Problem("", source, looked, request, plan))
        found = plan.task
    kept = [note for note in notes if note.code not in request.ignored_codes]
    n_distinct = {name: each.n_distinct() for name, each in looked.columns.items()}
    return Checked(source.n_rows, found, looked.seen, n_distinct, gathered(kept))


def made(checks: Checks, ignored: Collection[str] = (), /, **known: Any) -> list[Note]:  # noqa: ANN401
    """Return the notes of some checks, but for codes that are ignored.

    Parameters
    ----------
    known
        What these checks may read: each is given what it has parameters for.
    """
    found = (
        note
        for check in checks
        for note in check(**{name: known[name] for name in signature(check).parameters})
    )
    return [note for note in found if note.code not in ignored]


def notes_on_rows(problem: Problem, forbidden: Collection[str] = ()) -> list[Note]:
    """Return what is seen of the file, of the columns and of the training rows.

    A forbidden column cannot give the answer away.
    """
    plan, roles = problem.plan, problem.request
    train = plan.rows.take(plan.train)
    found = made(
        OF_TRAINING_ROWS,
        _answered(roles),
        table=train.without(forbidden).table,
        labels=train.labels,
        columns={
            name: column
            for name, column in problem.look.columns.items()
            if name not in roles.not_features
        },
        rows=plan.numbers[plan.train],
    )
    said = [*file_notes(problem.source.remarks), *problem.look.notes, *plan.target.notes]
    return [*found, *(note for note in said if note.code not in roles.ignored_codes)]


def _answered(roles: Roles) -> set[str]:
    """Return the checks that are not made, as the user wants or has said what they ask for."""
    said = {"B202": roles.time, "B203": roles.group}
    return roles.ignored_codes | {code for code, column in said.items() if column is not None}


def notes_before_the_seal(problem: Problem, tuning: Tuning, tree: Tree) -> list[Note]:
    """Return what is seen of the rows and of the tree."""
    grown_from, n_jobs = problem.learnt, problem.request.n_jobs
    asked, runner_up = _first_questions(tree, grown_from, tuning.setting, n_jobs)
    notes = made(
        OF_TREE,
        problem.request.ignored_codes,
        tree=tree,
        asked=asked,
        runner_up=runner_up,
        labels=altered_priors(grown_from.labels),
        criterion=tuning.setting.criterion,
        quantile=tuning.setting.quantile,
        exact=tuning.setting.exact,
    )
    seen = [
        note
        for note in notes_on_rows(problem, tuning.setting.forbid)
        if note.code != "B104"
        or not (_tries_groups(tuning) or note.columns[0] in tuning.setting.without)
    ]
    return [
        _without_advice_taken(note, tuning)
        for note in [*seen, *_left_out(problem, tuning), *notes]
        if "loss" not in note.fix or not LOSSES[problem.loss].of_shares
    ]


def notes_after_the_seal(
    problem: Problem,
    estimates: Mapping[str, Mapping[str, Estimate]],
    against: Estimate,
    sealed: LabelledRows,
) -> list[Note]:
    """Return what is seen of the estimate."""
    loss = problem.loss
    group = None if problem.plan.task.ranks else sealed.group
    return made(
        OF_ESTIMATE,
        problem.request.ignored_codes,
        learnt=all_hashes_of(problem.plan.rows),
        sealed=all_hashes_of(sealed),
        loss=loss,
        test=estimates["test"][loss],
        baseline=estimates["baseline"][loss],
        against=against,
        n_groups=None if group is None else len(np.unique(group)),
        all_test=estimates["test"],
        all_baseline=estimates["baseline"],
    )


def _tries_groups(tuning: Tuning) -> bool:
    return any(each.categorical == "group" for each in tuning.candidates)


def _left_out(problem: Problem, tuning: Tuning) -> list[Note]:
    """Return notes on the columns of many values that the chosen tree does without."""
    if "B104" in problem.request.ignored_codes:
        return []
    found = {name: problem.look.columns[name] for name in tuning.setting.without}
    return [left_out(name, each.n_distinct(), len(each.known())) for name, each in found.items()]


def _without_advice_taken(note: Note, tuning: Tuning) -> Note:
    """Return a note that does not advise what has been done."""
    return replace(note, fix={}) if note.fix == {"choose": tuning.choose} else note


def _first_questions(
    tree: Tree, rows: LabelledRows, setting: Setting, n_jobs: int
) -> tuple[FirstQuestion | None, FirstQuestion | None]:
    """Return the first question, and the best about another column; none if the user has decided."""
    if len(tree) == 1 or setting.first:
        return None, None
    asked = tree.schema.features[tree.feature[0]]
    found = setting.runner_up(rows, tree.schema.columns[asked.column], n_jobs)
    if found is None:
        return None, None
    second, others = found
    runner_up = second.schema.features[second.feature[0]]
    return (
        FirstQuestion(asked.name, _answers(tree, rows.table)),
        FirstQuestion(runner_up.name, _answers(second, others)),
    )


def _answers(tree: Tree, table: Table) -> NDArray[np.int32]:
    """Return which answer each row gives to the first question."""
    return stops(at_depth(tree, 1), table)
