"""Gathers what is known about the chosen tree; opens the seal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.checks.list_of_checks import CHECKS
from bough.checks.note_words import gathered
from bough.evidence import Candidate, Estimate, Evidence, Note, Repeat, Simpler
from bough.exports.model_file_parts import plain_arrays
from bough.holdout import row_hashes, sketch
from bough.learn.check_table import notes_after_the_seal, notes_before_the_seal
from bough.learn.column_evidence import columns_seen, density_of, labels_seen
from bough.learn.labelled_rows import LabelledRows, hashes_of, ranges_of
from bough.learn.measure import (
    Losses,
    Stopped,
    against_baseline,
    all_measured,
    baseline,
    confusion_of,
    followed,
    losses_of,
    measured,
)
from bough.learn.request import Request
from bough.learn.row_plan import Plan, Problem
from bough.learn.sums_of_test_rows import calibration_of, off_by_prediction, stops_of, thresholds_of
from bough.learn.tried_sizes import Setting
from bough.learn.tuning import Tuning, thinned
from bough.losses.intervals import difference, residuals_of
from bough.node_words import LARGEST
from bough.table.column import Rows
from bough.tree import Tree

PARTS_LEARNT_FROM = (0.25, 0.5)  # of the training rows, for the learning curve


@dataclass(frozen=True)
class Learning:
    """The loss of the chosen tree, and of those that fewer rows grow with the same settings."""

    points: tuple[tuple[int, float], ...]
    last_step: Estimate
    """What the last doubling of the rows has changed the loss by."""


def learning_curve(plan: Plan, tuning: Tuning, loss: str, n_jobs: int) -> Learning:
    """Return how the loss falls with the number of training rows.

    Fewer rows bear fewer leaves: the size is chosen again for each number of rows.
    """
    tried = [plan.rows.take(rows) for _, rows in plan.pairs]
    n_rows, losses = [], []
    for share in PARTS_LEARNT_FROM:
        pairs = [(_some(plan, train, share), rows) for train, rows in plan.pairs]
        sample = plan.rows, _some(plan, plan.train, share), pairs
        trees = tuning.chosen_again(sample, loss, n_jobs)
        n_rows.append(round(np.mean([len(train) for train, _ in pairs])))
        losses.append(_losses(trees, tried, loss, tuning.setting))
    n_rows.append(round(np.mean([len(train) for train, _ in plan.pairs])))
    losses.append(_losses(tuning.trees, tried, loss, tuning.setting))
    before, after = losses[-2:]
    step = difference(after.each, before.each, loss, weights=after.weights, groups=after.groups)
    return Learning(tuple(zip(n_rows, [each.mean for each in losses], strict=True)), step)


def unavoidable(rows: LabelledRows, loss: str) -> float | None:
    """Return the least loss on these rows of any tree: equal rows get equal guesses.

    None for a loss of which the best guess is not known from a sum.
    """
    hashes = row_hashes(rows.table.columns_asked())
    _, twin, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    of_twins = np.bincount(twin, weights)
    if loss == "squared_error":
        with np.errstate(over="ignore", invalid="ignore"):  # of squares of labels of 1e300
            means = np.bincount(twin, weights * rows.answers) / np.where(of_twins, of_twins, 1)
            alone = counts[twin] == 1  # their mean is themselves but for rounding
            off = np.where(alone, 0.0, rows.answers - means[twin])
            least = np.dot(weights, off * off) / weights.sum()
        return float(np.nan_to_num(least, nan=LARGEST, posinf=LARGEST))
    if loss not in ("error", "cost"):
        return None
    label = rows.labels.labels[0]
    n_classes = len(label.classes)
    place = twin * n_classes + rows.answers.astype(np.int64)
    tallies = np.bincount(place, weights, minlength=len(counts) * n_classes)
    tallies = tallies.reshape(-1, n_classes)
    if loss == "cost" and label.costs:
        return float((tallies @ np.array(label.costs)).min(axis=1).sum() / weights.sum())
    right = tallies.max(axis=1).sum()
    return float(max(1 - right / weights.sum(), 0.0))


def _losses(
    trees: Sequence[Tree], rows: Sequence[LabelledRows], loss: str, setting: Setting
) -> Losses:
    stopped = followed(list(zip(trees, rows, strict=True)), setting.missing)
    return losses_of(stopped, loss, setting.quantile)


def _some(plan: Plan, train: Rows, share: float) -> Rows:
    """Return the rows of smallest hashes, so that a smaller share is part of a larger one.

    Copies of a row have hashes of their own here: few different rows would be no sample of all.
    """
    if plan.rows.group is not None:
        some = _is_of_some(plan.rows.take(train), share, ranks=plan.task.ranks)
        return train[some]
    order = np.argsort(_spread(plan.rows.take(train)), kind="stable")
    n_some = max(round(share * len(train)), 1)
    return np.sort(train[order[:n_some]])


def _spread(rows: LabelledRows) -> NDArray[np.uint64]:
    """Return hashes that copies of a row do not share; which copy has which makes no difference."""
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    order = np.lexsort((weights, rows.answers, rows.places))
    places = rows.places[order]
    starts = np.flatnonzero(np.append(True, places[1:] != places[:-1]))
    copy = np.arange(len(places)) - np.repeat(starts, np.diff(np.append(starts, len(places))))
    found = np.empty_like(places)
    found[order] = places + copy.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return found


def _is_of_some(rows: LabelledRows, share: float, *, ranks: bool) -> NDArray[np.bool_]:
    """Return which rows are of the groups of smallest hashes; in a ranking, some row is relevant."""
    assert rows.group is not None  # noqa: S101 - asked only of rows in groups
    groups, least = np.unique(rows.group), 1
    if ranks:
        least += int(np.searchsorted(groups, rows.group[rows.answers > 0].min()))
    n_some = max(round(share * len(groups)), least)
    return np.isin(rows.group, groups[:n_some])


def evidence_of(
    problem: Problem, tuning: Tuning, trees: tuple[Tree, Tree | None]
) -> tuple[Evidence, tuple[Note, ...]]:
    """Return what is known about the final tree (and about the simpler one, if any), and all notes.

    The test rows are looked at when everything else has been done.
    """
    plan, loss, (tree, smaller) = problem.plan, problem.loss, trees
    learning = learning_curve(plan, tuning, loss, problem.request.n_jobs)
    least = unavoidable(plan.rows.take(plan.train).without(tuning.setting.forbid), loss)
    before = notes_before_the_seal(problem, tuning, tree)
    sealed = plan.sealed.open()
    wanted, missing = (loss, tuning.setting.quantile), tuning.setting.missing
    (stopped,) = followed([(tree, sealed)], missing)
    estimates = _estimates(problem, tuning, tree, stopped)
    simpler = _simpler(tuning.simpler, smaller, sealed, wanted)
    against = against_baseline(stopped, *wanted)
    after = notes_after_the_seal(problem, estimates, against, sealed)
    notes = gathered([*before, *after])
    evidence = Evidence(
        task=plan.task,
        target=plan.target.name,
        loss=loss,
        n_test=len(sealed),
        **_asked(problem),
        chosen=tuning.chosen,
        curve=tuple(thinned(tuning.candidates, _kept(tuning))),
        **estimates,
        learning=learning.points,
        learning_step=learning.last_step,
        unavoidable=least,
        notes=tuple(note for note in notes if not CHECKS[note.code].names_rows),
        sketches=sketches_of(plan, sealed),
        ranges=ranges_of(plan.rows.table),
        quantile=tuning.setting.quantile,
        **_of_test_rows(tree, stopped),
        **labels_seen(plan.rows, stopped),
        columns=columns_seen(tree, plan.rows, stopped, missing, wanted),
        density=density_of(tree, plan.rows),
        simpler=simpler,
    )
    return evidence, notes


def _estimates(problem: Problem, tuning: Tuning, tree: Tree, stopped: Stopped) -> dict[str, Any]:
    """Return the estimates of each part, and of the baseline on the test rows."""
    wanted, missing = (problem.loss, tuning.setting.quantile), tuning.setting.missing
    pairs = zip(tuning.trees, problem.plan.pairs, strict=True)
    tried = [(each, problem.plan.rows.take(rows)) for each, (_, rows) in pairs]
    return {
        "train": measured(followed([(tree, problem.learnt)], missing), *wanted),
        "dev": measured(followed(tried, missing), *wanted),
        "test": all_measured(stopped, *wanted),
        "baseline": baseline(stopped, *wanted),
    }


def _of_test_rows(tree: Tree, stopped: Stopped) -> dict[str, Any]:
    """Return what the test rows say beside the estimates."""
    said, places, sealed = stopped
    residuals = None
    if tree.guess is not None:
        residuals = residuals_of(tree, (said, places), sealed.answers, sealed.weights)
    return {
        "calibration": calibration_of(stopped),
        "thresholds": thresholds_of(stopped),
        "off_by_prediction": off_by_prediction(stopped),
        "stops": stops_of(tree, stopped),
        "residuals": residuals,
        "confusion": confusion_of(stopped) if tree.schema.has_classes else (),
    }


def tested(problem: Problem, tree: Tree, setting: Setting) -> dict[str, Estimate]:
    """Return the losses and scores of a tree on the test rows of its plan, and nothing else."""
    (stopped,) = followed([(tree, problem.plan.sealed.open())], setting.missing)
    return all_measured(stopped, problem.loss, setting.quantile)


def repeat_of(seed: int, n_leaves: int, test: Mapping[str, Estimate]) -> Repeat:
    """Return what one seed gives."""
    return Repeat(seed, n_leaves, {name: each.value for name, each in test.items()})


def _asked(problem: Problem) -> dict[str, Any]:
    """Return how rows were shared out and the tree was chosen, as the user asked."""
    plan, request = problem.plan, problem.request
    return {
        "n_train": len(plan.train),
        "n_dev": len(plan.rows) - len(plan.train),
        "folds": len(plan.pairs) if plan.is_folded else 0,
        "seed": request.seed,
        "group": request.group,
        "time": request.time,
        "weight": request.weight,
        "choose": request.choose,
        "prune": request.prune,
        "refit": problem.is_refitted,
        "limits": _limits(request),
    }


def _limits(request: Request) -> dict[str, int]:
    """Return the limits that the user has set to the size of trees."""
    limits = {
        "max_depth": request.max_depth,
        "max_leaves": request.max_leaves,
        "min_rows_per_leaf": request.min_rows_per_leaf if request.min_rows_per_leaf > 1 else None,
    }
    return {name: limit for name, limit in limits.items() if limit is not None}


def _simpler(
    tuning: Tuning | None,
    tree: Tree | None,
    sealed: LabelledRows,
    wanted: tuple[str, float | None],
) -> Simpler | None:
    if tuning is None or tree is None:
        return None
    (stopped,) = followed([(tree, sealed)], tuning.setting.missing)
    test, stops = all_measured(stopped, *wanted), stops_of(tree, stopped)
    return Simpler(tuning.chosen, tree.n_leaves, test, plain_arrays(tree), stops)


def _kept(tuning: Tuning) -> list[Candidate]:
    """Return the candidates that became trees."""
    found = (tuning, tuning.simpler)
    return [each.chosen for each in found if each is not None]


def sketches_of(plan: Plan, sealed: LabelledRows) -> dict[str, tuple[str, ...]]:
    """Return the sketches by which training, development and test rows are known again."""
    is_tried = np.ones(len(plan.rows), np.bool_)
    is_tried[plan.train] = False
    tried = np.flatnonzero(is_tried)
    parts = {"train": plan.rows.take(plan.train), "dev": plan.rows.take(tried), "test": sealed}
    return {name: sketch(hashes_of(rows)) for name, rows in parts.items()}
