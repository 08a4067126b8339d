"""One growth for each setting that is tried, and the choice among all their trees."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from bough.checks.columns import SOME_VALUES
from bough.evidence import Candidate
from bough.grow import refilled
from bough.holdout import SHARES
from bough.learn.labelled_rows import LabelledRows
from bough.learn.nested_trees import Growth, Prunings, Size
from bough.learn.request import CATEGORICAL, Progress, Request
from bough.learn.row_plan import SMALL, Plan, Sample
from bough.learn.tried_sizes import SLACK, Setting, Trial, candidates
from bough.predict import stops
from bough.pruning.ways import spliced
from bough.schema import Kind
from bough.settings import Settings
from bough.table import Table
from bough.table.column import Rows
from bough.tree import Tree

SMALLEST_LEAVES = (1, 5, 20)  # rows
# On ten splits of a real table of rankings, leaves of 80 rows were chosen five times, each time rightly:
# 1 - NDCG of 0.246 in place of 0.256 on new rows. Other tables gained nothing.
OF_RANKINGS = (*SMALLEST_LEAVES, 80)
LARGE = round(SHARES[0] * SMALL)  # training rows


@dataclass(frozen=True)
class SettingsTried:
    """The settings that are tried, round by round: each goes on with the best one so far.

    Over four splits of eleven real tables this chose as well as all combinations, at half the cost.
    """

    criteria: Sequence[str]
    modes: dict[tuple[str, ...], Sequence[str]]
    """The ways to ask about categories, with all columns and without some of them."""
    leaves: Sequence[int]
    first: Setting

    def __len__(self) -> int:
        """How many settings are tried, or a few more."""
        n_first = len(self.criteria) * len(self.modes[()])
        return n_first + sum(map(len, self.modes.values())) + len(self.leaves)

    def one_by_one(self, best: Callable[[], Setting]) -> Iterator[Setting]:
        """Give the settings one after the other; `best` tells which one did best so far."""
        for criterion, mode in product(self.criteria, self.modes[()]):
            yield replace(self.first, criterion=criterion, categorical=mode)
        chosen = best()
        without = [(each, mode) for each, modes in self.modes.items() for mode in modes if each]
        for columns, mode in without:
            yield replace(chosen, without=columns, categorical=mode)
        chosen = best()
        others = [each for each in self.criteria if chosen.without and each != chosen.criterion]
        for criterion in others:
            yield replace(chosen, criterion=criterion)
        chosen = best()
        for leaf in self.leaves[1:]:
            yield replace(chosen, smallest_leaf=leaf)


def settings_to_try(plan: Plan, request: Request) -> SettingsTried:
    """Return the settings to grow with: those the user names, or the usual ones.

    Columns of many values may mislead a tree, so growths without them are tried, too.
    """
    least = request.min_rows_per_leaf
    modes = {
        columns: _modes(plan.rows.without(columns).table, request)
        for columns in [(), *_left_out(_many_values(plan, request))]
    }
    criteria = request.criterion or plan.task.criteria
    usual = OF_RANKINGS if plan.task.ranks else SMALLEST_LEAVES
    leaves = _smallest_leaves(usual, len(plan.train), least)
    first = Setting(
        criteria[0], modes[()][0], request.quantile, request.missing, request.directions,
        first=tuple(request.first or ()), forbid=tuple(request.forbid or ()), pivots=request.pivots,
        exact=request.exact, smallest_leaf=leaves[0], max_depth=request.max_depth, min_rows=least,
    )  # fmt: skip
    return SettingsTried(criteria, modes, leaves, first)


def _smallest_leaves(usual: Sequence[int], n_rows: int, least: int) -> list[int]:
    """Return the smallest leaves to try; all settings have the first, and the best one the others.

    Growing to the last row takes longest. Where there are many rows, that is left to the best one.

    Examples
    --------
    >>> [_smallest_leaves((1, 5, 20), *each) for each in [(1000, 1), (50_000, 1), (1000, 8)]]
    [[1, 5, 20], [5, 1, 20], [8, 20]]
    """
    leaves = sorted({max(each, least) for each in usual})
    is_large = n_rows >= LARGE and len(leaves) == len(usual)
    return [leaves[1], leaves[0], *leaves[2:]] if is_large else leaves


def _modes(table: Table, request: Request) -> Sequence[str]:
    """Return the ways to ask about categories: both, where some feature has more than two values."""
    if request.categorical is not None:
        return request.categorical
    numbers = [len(each.choices) for each in table.features if each.kind is Kind.CHOICE]
    if numbers and request.min_rows_per_leaf > 1:
        return ["group"]  # an answer of its own for each value may have fewer rows
    return CATEGORICAL if max(numbers, default=0) > 2 else CATEGORICAL[:1]


def _many_values(plan: Plan, request: Request) -> list[str]:
    """Return the columns of many values that a tree can do without, those of most values first.

    By chance alone, some grouping of so many values looks good.
    """
    table = plan.rows.take(plan.train).table
    named = {*(request.first or ()), *(request.forbid or ())}
    n_values = {
        table.columns[feature.column]: len(np.unique(codes[codes >= 0]))
        for feature, codes in zip(table.features, table.values, strict=True)
        if feature.kind is Kind.CHOICE
    }
    many = {name: n for name, n in n_values.items() if n > SOME_VALUES and name not in named}
    others = {table.columns[feature.column] for feature in table.features} - named - many.keys()
    found = sorted(many, key=lambda name: (-many[name], name))
    return found if others else found[:-1]


def _left_out(columns: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the columns to do without: the first, the first two, the first four, …, and all.

    Examples
    --------
    >>> _left_out(["tail", "place", "street"])
    [('tail',), ('tail', 'place'), ('tail', 'place', 'street')]
    """
    numbers = [2**power for power in range(len(columns)) if 2**power < len(columns)]
    return [tuple(columns[:number]) for number in [*numbers, len(columns)] if number]


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

    def chosen_again(self, sample: Sample, loss: str, n_jobs: int) -> list[Tree]:
        """Return the trees that other rows grow in the same way, of the size that is best for these."""
        growth, trials = _growths(sample, self.setting, self.prunings, n_jobs)
        learnt = sample[0].take(sample[1])
        best = chosen([*candidates(self.setting, growth, learnt, trials, loss)], self.choose)
        return [trial.growth.of(_size_of(best)) for trial in trials]


def tune(
    plan: Plan,
    tried: SettingsTried,
    prunings: Prunings,
    *,
    loss: str,
    choose: str,
    n_jobs: int,
    progress: Progress,
) -> Tuning:
    """Return every tree of every growth, measured on rows that took no part in it.

    Only growths that a tree would be taken from so far are kept: with many classes, each is large.
    """
    found: list[Candidate] = []
    growths: dict[Setting, tuple[Growth, list[Trial]]] = {}

    def grown(setting: Setting) -> tuple[Growth, list[Trial]]:
        if setting not in growths:
            growths[setting] = _growths(plan.sample, setting, prunings, n_jobs)
        return growths[setting]

    def best_so_far() -> Setting:
        return _setting_of(chosen(found, "best"), tried.first)

    def taken() -> list[Candidate]:
        best = chosen(found, choose)
        smaller = simpler(found, best)
        return [best] if smaller is None else [best, smaller]

    def tuned(best: Candidate) -> Tuning:
        setting, size = _setting_of(best, tried.first), _size_of(best)
        whole, trials = grown(setting)
        return Tuning(
            candidates=tuple(found),
            chosen=best,
            choose=choose,
            setting=setting,
            size=size,
            prunings=prunings,
            trees=[trial.growth.of(size) for trial in trials],
            whole=whole.of(size),
        )

    for number, setting in enumerate(tried.one_by_one(best_so_far)):
        progress("growing", min(number / len(tried), 1.0))
        whole, trials = grown(setting)
        found += candidates(setting, whole, plan.rows.take(plan.train), trials, loss)
        kept = {_setting_of(each, tried.first) for each in taken()}
        growths = {each: growth for each, growth in growths.items() if each in kept}
    best, *smaller = map(tuned, taken())
    return replace(best, simpler=smaller[0] if smaller else None)


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


def _size_of(candidate: Candidate) -> Size:
    return Size(candidate.depth, candidate.pruned_by, candidate.price)


def _growths(
    sample: Sample, setting: Setting, prunings: Prunings, n_jobs: int
) -> tuple[Growth, list[Trial]]:
    """Return the growth to choose from, and growths with rows that took no part in them."""
    rows, train, pairs = sample

    def growth(some: Rows) -> Growth:
        return Growth(setting.grown(rows.take(some), n_jobs), prunings)

    trials = [Trial(growth(learnt), rows.take(tried)) for learnt, tried in pairs]
    is_folded = len(pairs) > 1 or len(train) > len(pairs[0][0])
    return growth(train) if is_folded else trials[0].growth, trials
