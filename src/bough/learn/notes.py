"""Makes the checks of a result: what they see before the seal is opened, and after."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bough.checks.columns import file_notes, left_out
from bough.checks.copies_and_imbalance import equal_rows, imbalance
from bough.checks.estimate import few_test_rows, no_better
from bough.checks.leaks import leaks
from bough.checks.structure import drift, repeated_entities
from bough.checks.too_good import too_good
from bough.checks.tree import FirstQuestion, first_question, tiny_leaves
from bough.costs import altered_priors
from bough.evidence import Estimate, Note
from bough.learn.fingerprint import hashes_of
from bough.learn.plan import Problem
from bough.learn.request import Request
from bough.learn.rows import LabelledRows
from bough.learn.tried_sizes import Setting
from bough.learn.tune import Tuning
from bough.predict import stops
from bough.pruning import at_depth
from bough.table import Table
from bough.tree import Tree


def notes_on_rows(problem: Problem, forbidden: Collection[str] = ()) -> list[Note]:
    """Return what is seen of the file, of the columns and of the training rows.

    A forbidden column cannot give the answer away.
    """
    plan = problem.plan
    train = plan.rows.take(plan.train)
    asked = train.without(forbidden).table
    given_away = leaks(asked, train.labels)
    named = {name for note in given_away for name in note.columns}
    notes = [
        *given_away,
        *too_good(asked, train.labels, named),
        *file_notes(problem.source.remarks),
        *problem.look.notes,
        *plan.target.notes,
        *imbalance(train.labels),
        *_structure(problem, train),
    ]
    return _made(problem, notes)


def notes_before_the_seal(
    problem: Problem, request: Request, tuning: Tuning, tree: Tree
) -> list[Note]:
    """Return what is seen of the rows and of the tree."""
    plan = problem.plan
    grown_from = (
        plan.rows if request.refits(is_folded=plan.is_folded) else plan.rows.take(plan.train)
    )
    second = _first_question(tree, grown_from, tuning.setting, request.n_jobs)
    notes = [*_left_out(problem, tuning), *tiny_leaves(tree), *second]
    seen = [
        note
        for note in notes_on_rows(problem, tuning.setting.forbid)
        if note.code != "B104"
        or not (_tries_groups(tuning) or note.columns[0] in tuning.setting.without)
    ]
    return [_without_advice_taken(note, tuning) for note in seen + _made(problem, notes)]


def notes_after_the_seal(
    problem: Problem,
    loss: str,
    estimates: Mapping[str, Mapping[str, Estimate]],
    against: Estimate,
    sealed: LabelledRows,
) -> list[Note]:
    """Return what is seen of the estimate."""
    test, baseline = estimates["test"][loss], estimates["baseline"][loss]
    notes = [
        *equal_rows(hashes_of(problem.plan.rows), hashes_of(sealed)),
        *few_test_rows(loss, test),
        *no_better(loss, test, baseline, against),
    ]
    return _made(problem, notes)


def _tries_groups(tuning: Tuning) -> bool:
    return any(each.categorical == "group" for each in tuning.candidates)


def _left_out(problem: Problem, tuning: Tuning) -> list[Note]:
    """Return notes on the columns of many values that the chosen tree does without."""
    found = {name: problem.look.columns[name] for name in tuning.setting.without}
    return [left_out(name, each.n_distinct(), len(each.known())) for name, each in found.items()]


def _without_advice_taken(note: Note, tuning: Tuning) -> Note:
    """Return a note that does not advise what has been done."""
    return replace(note, fix={}) if note.fix == {"choose": tuning.choose} else note


def _made(problem: Problem, notes: list[Note]) -> list[Note]:
    return [note for note in notes if note.code not in problem.roles.ignored_codes]


def _structure(problem: Problem, train: LabelledRows) -> list[Note]:
    """Return what speaks against rows that are independent, unless the user has said so."""
    roles, plan = problem.roles, problem.plan
    notes = [] if roles.time is not None else drift(train.table, train.labels)
    if roles.group is not None:
        return notes
    columns = {
        name: column
        for name, column in problem.look.columns.items()
        if name not in roles.not_features
    }
    rows = plan.numbers[plan.train]
    return notes + repeated_entities(columns, rows, train.labels)


def _first_question(tree: Tree, rows: LabelledRows, setting: Setting, n_jobs: int) -> list[Note]:
    """Return a note if the best query about another column may well be as good as the first."""
    if len(tree) == 1 or setting.first:  # the user has decided
        return []
    asked = tree.schema.features[tree.feature[0]]
    name = tree.schema.columns[asked.column]
    others = rows.without({name, *setting.forbid})
    if not others.table.features:
        return []
    second = replace(setting, forbid=()).grown(others, n_jobs, 1)
    if len(second) == 1:
        return []
    runner_up = second.schema.features[second.feature[0]]
    return first_question(
        FirstQuestion(asked.name, _answers(tree, rows.table)),
        FirstQuestion(runner_up.name, _answers(second, others.table)),
        altered_priors(rows.labels),
        setting.criterion,
        setting.quantile,
    )


def _answers(tree: Tree, table: Table) -> NDArray[np.int32]:
    """Return which answer each row gives to the first question."""
    return stops(at_depth(tree, 1), table)
