"""One growth for each setting, and the choice among all their trees."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bough.checks.columns import has_many_values
from bough.evidence import Candidate
from bough.grow import refilled
from bough.learn.growth import Growth, Prunings, Size
from bough.learn.plan import Plan
from bough.learn.request import CATEGORICAL, Progress, Request, listed_once
from bough.learn.rows import LabelledRows
from bough.learn.tried_sizes import Setting, Trial, candidates
from bough.predict import stops
from bough.schema import Kind
from bough.settings import Settings
from bough.table import Table
from bough.table.column import Rows
from bough.tree import Tree, spliced

SMALLEST_LEAVES = (1, 5, 20)  # rows
SLACK = 1e-9  # of the loss: candidates that differ by no more are equally good


def chosen(candidates: Sequence[Candidate], choose: str) -> Candidate:
    """Return the candidate of least loss, or the simplest one that is hardly worse.

    Of equally good ones it is that with fewest leaves, and of these the first. "simple" takes
    the one with fewest leaves within a standard error of the least loss, as CART does.
    """
    best = min(candidate.dev for candidate in candidates)
    good = [each for each in candidates if each.dev <= best + SLACK * abs(best)]
    first = min(good, key=lambda each: each.n_leaves)
    if choose == "best":
        return first
    within = [each for each in candidates if each.dev <= first.dev + first.dev_error]
    smallest = min(each.n_leaves for each in within)
    return min((each for each in within if each.n_leaves == smallest), key=lambda each: each.dev)


def simpler(candidates: Sequence[Candidate], chosen_one: Candidate) -> Candidate | None:
    """Return the smallest tree within a standard error, if it has at most half the leaves."""
    found = chosen(candidates, "simple")
    return found if 2 * found.n_leaves <= chosen_one.n_leaves else None


def thinned(
    candidates: Sequence[Candidate], always: Sequence[Candidate], most: int = 40
) -> list[Candidate]:
    """Return every depth, and of the pruned trees of each setting at most so many, well spread.

    The sizes that stay are about evenly spread on a scale of powers; some stay always.
    """
    pruned: dict[tuple[object, ...], list[Candidate]] = {}
    for each in candidates:
        pruned.setdefault((each.pruned_by, *each.setting), []).append(each)
    kept = [*always]
    for (pruned_by, *_), group in pruned.items():
        kept += _spread(group, most) if pruned_by else group
    keep = set(map(id, kept))
    return [each for each in candidates if id(each) in keep]


def _spread(pruned: Sequence[Candidate], most: int) -> list[Candidate]:
    if len(pruned) <= most:
        return list(pruned)
    kept, last = [], 0.0
    largest = max(each.n_leaves for each in pruned)
    step = largest ** (1 / most)
    for each in sorted(pruned, key=lambda each: each.n_leaves):
        if each.n_leaves >= last * step or each.n_leaves == largest:
            kept.append(each)
            last = each.n_leaves
    return kept


def with_honest_leaves(tree: Tree, rows: LabelledRows, settings: Settings, n_jobs: int) -> Tree:
    """Return the tree with the tallies of other rows than it was grown from.

    Answers that none of these rows gives are taken out of it, since nothing honest is known there.
    """
    tree = spliced(tree, stops(tree, rows.table, n_jobs=n_jobs))
    nodes = stops(tree, rows.table, n_jobs=n_jobs)
    return refilled(tree, nodes, rows.labels, settings, n_jobs=n_jobs)


@dataclass(frozen=True, eq=False)
class Tuning:
    """All trees that were tried, and the one that was chosen."""

    candidates: tuple[Candidate, ...]
    chosen: Candidate
    choose: str
    setting: Setting
    size: Size
    prunings: Prunings
    trees: list[Tree]
    """The chosen tree as grown from the training rows of each pair of the plan."""
    whole: Tree
    """The same as grown from all rows where there are folds, else the first of `trees`."""
    simpler: "Tuning | None" = None
    """The same for a much smaller tree that does about as well; None: there is none."""

    def grown(self, rows: LabelledRows, n_jobs: int) -> Tree:
        """Return the chosen tree as grown from other rows."""
        tree = self.setting.grown(rows, n_jobs, self.size.depth)
        return Growth(tree, self.prunings).of(self.size)


def settings_to_try(plan: Plan, request: Request) -> list[Setting]:
    """Return the settings to grow with: those the user names, or the usual ones.

    Columns of many values may mislead a tree, so growths without them are tried, too.
    """
    many = _many_values(plan, request)
    return [
        Setting(
            criterion, mode, request.quantile, request.missing, request.directions,
            first=tuple(request.first or ()), forbid=tuple(request.forbid or ()), pivots=request.pivots,
            smallest_leaf=request.min_rows_per_leaf, without=without,
            max_depth=request.max_depth, min_rows=request.min_rows_per_leaf,
        )
        for without in dict.fromkeys(((), many))
        for criterion in request.criterion or plan.task.criteria
        for mode in _modes(plan.rows.without(without).table, request)
    ]  # fmt: skip


def smallest_leaves(request: Request) -> list[int]:
    """Return how many rows a leaf is to have at least, in growths one after the other."""
    return sorted({max(each, request.min_rows_per_leaf) for each in SMALLEST_LEAVES})


def tune(
    plan: Plan,
    settings: Sequence[Setting],
    leaves: Sequence[int],
    prunings: Prunings,
    *,
    loss: str,
    choose: str,
    n_jobs: int,
    progress: Progress,
) -> Tuning:
    """Return every tree of every growth, measured on rows that took no part in it.

    All settings grow with the smallest leaf, and the best one with larger ones: on eleven real tables
    that found trees as good as all settings with all leaves, at half the cost.
    """
    found: list[Candidate] = []
    growths: dict[Setting, tuple[Growth, list[Growth]]] = {}
    n_growths = len(settings) + len(leaves) - 1

    def measure(setting: Setting) -> None:
        progress("growing", len(growths) / n_growths)
        whole, trials = _growths(plan, setting, prunings, n_jobs)
        growths[setting] = whole, [trial.growth for trial in trials]
        found.extend(candidates(setting, whole, plan.rows.take(plan.train), trials, loss))

    def tuned(best: Candidate) -> Tuning:
        setting, size = _setting_of(best, settings[0]), Size(best.depth, best.pruned_by, best.price)
        whole, parts = growths[setting]
        return Tuning(
            candidates=tuple(found),
            chosen=best,
            choose=choose,
            setting=setting,
            size=size,
            prunings=prunings,
            trees=[growth.of(size) for growth in parts],
            whole=whole.of(size),
        )

    for setting in settings:
        measure(setting)
    first = _setting_of(chosen(found, "best"), settings[0])
    for leaf in leaves[1:]:
        measure(replace(first, smallest_leaf=leaf))
    best = chosen(found, choose)
    smaller = simpler(found, best)
    return replace(tuned(best), simpler=None if smaller is None else tuned(smaller))


def _setting_of(candidate: Candidate, like: Setting) -> Setting:
    """Return the setting that a tree was grown with."""
    criterion, categorical, smallest_leaf, without = candidate.setting
    return replace(
        like,
        criterion=criterion,
        categorical=categorical,
        smallest_leaf=smallest_leaf,
        without=without,
    )


def _growths(
    plan: Plan, setting: Setting, prunings: Prunings, n_jobs: int
) -> tuple[Growth, list[Trial]]:
    """Return the growth to choose from, and growths with rows that took no part in them."""

    def growth(rows: Rows) -> Growth:
        return Growth(setting.grown(plan.rows.take(rows), n_jobs), prunings)

    trials = [Trial(growth(train), plan.rows.take(tried)) for train, tried in plan.pairs]
    return growth(plan.train) if plan.is_folded else trials[0].growth, trials


def _modes(table: Table, request: Request) -> Sequence[str]:
    """Return the ways to ask about categories: both, where some feature has more than two values."""
    if request.categorical is not None:
        return listed_once("categorical", request.categorical)
    numbers = [len(each.choices) for each in table.features if each.kind is Kind.CHOICE]
    if numbers and request.min_rows_per_leaf > 1:
        return ["group"]  # an answer of its own for each value may have fewer rows
    return CATEGORICAL if max(numbers, default=0) > 2 else CATEGORICAL[:1]


def _many_values(plan: Plan, request: Request) -> tuple[str, ...]:
    """Return the columns of many values that a tree can do without."""
    table = plan.rows.take(plan.train).table
    named = {*(request.first or ()), *(request.forbid or ())}
    found = {
        table.columns[feature.column]
        for feature, codes in zip(table.features, table.values, strict=True)
        if feature.kind is Kind.CHOICE
        and has_many_values(len(feature.choices), int(np.count_nonzero(codes >= 0)))
    }
    asked = {table.columns[feature.column] for feature in table.features} - named
    return tuple(sorted(found - named)) if asked - found else ()
