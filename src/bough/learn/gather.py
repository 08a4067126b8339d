"""Gathers what is known about the chosen tree; the seal is opened in here."""

from typing import Any

from bough.checks.codes import NAME_ROWS
from bough.evidence import Evidence, Note
from bough.learn.calibrate import calibration_of
from bough.learn.choose import thinned
from bough.learn.diagnose import learning_curve, unavoidable
from bough.learn.measure import baseline, measured, stops_of
from bough.learn.memory import ranges_of, sketches_of
from bough.learn.notes import notes_after_the_seal, notes_before_the_seal
from bough.learn.plan import Plan, Problem
from bough.learn.rows import LabelledRows
from bough.learn.tune import Tuning
from bough.learn.wishes import Wishes
from bough.tree import Tree


def evidence_of(
    problem: Problem, wishes: Wishes, tuning: Tuning, tree: Tree, loss: str
) -> tuple[Evidence, tuple[Note, ...]]:
    """Return what is known about the final tree, and all notes.

    The test rows are looked at when everything else has been done.
    """
    plan = problem.plan
    learning = learning_curve(plan, tuning, loss, wishes.n_jobs)
    least = unavoidable(plan.rows.take(plan.train).without(tuning.setting.forbid), loss)
    notes = notes_before_the_seal(problem, wishes, tuning, tree)
    sealed = plan.sealed.open()
    estimates = _estimates(plan, tuning, tree, sealed, loss)
    notes += notes_after_the_seal(problem, loss, estimates, sealed)
    evidence = Evidence(
        task=plan.task,
        target=plan.target.name,
        loss=loss,
        n_train=len(plan.train),
        n_dev=len(plan.rows) - len(plan.train),
        n_test=len(sealed),
        folds=len(plan.pairs) if plan.is_folded else 0,
        seed=wishes.seed,
        group=problem.roles.group,
        time=problem.roles.time,
        weight=problem.roles.weight,
        choose=wishes.choose,
        prune=wishes.prune,
        refit=wishes.refits(plan),
        chosen=tuning.chosen,
        curve=tuple(thinned(tuning.candidates, tuning.chosen)),
        **estimates,
        learning=learning.points,
        learning_step=learning.last_step,
        unavoidable=least,
        notes=tuple(note for note in notes if note.code not in NAME_ROWS),
        sketches=sketches_of(plan, sealed),
        ranges=ranges_of(plan.rows.table),
        quantile=tuning.setting.quantile,
        calibration=calibration_of(tree, sealed, tuning.setting.missing),
        stops=stops_of(tree, sealed, tuning.setting.missing),
    )
    return evidence, tuple(notes)


def _estimates(
    plan: Plan, tuning: Tuning, tree: Tree, sealed: LabelledRows, loss: str
) -> dict[str, Any]:
    """Return every loss and score on the rows of each part, and of always guessing the same."""
    wanted = plan.task, loss, tuning.setting.quantile
    missing = tuning.setting.missing
    return {
        "train": measured(_learnt_from(plan, tuning), *wanted, missing),
        "dev": measured(_tried(plan, tuning), *wanted, missing),
        "test": measured([(tree, sealed)], *wanted, missing),
        "baseline": baseline(tree, sealed, *wanted),
    }


def _learnt_from(plan: Plan, tuning: Tuning) -> list[tuple[Tree, LabelledRows]]:
    return [(tuning.whole, plan.rows.take(plan.train))]


def _tried(plan: Plan, tuning: Tuning) -> list[tuple[Tree, LabelledRows]]:
    pairs = zip(tuning.trees, plan.pairs, strict=True)
    return [(tree, plan.rows.take(tried)) for tree, (_, tried) in pairs]
