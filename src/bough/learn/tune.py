"""One growth for each setting, and the choice among all their trees."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bough.evidence import Candidate
from bough.grow import refilled
from bough.learn.nested_trees import Growth, Prunings, Size
from bough.learn.request import Progress
from bough.learn.row_plan import Plan, Sample
from bough.learn.rows import LabelledRows
from bough.learn.settings_tried import SettingsTried
from bough.learn.tried_sizes import SLACK, Setting, Trial, candidates
from bough.predict import stops
from bough.settings import Settings
from bough.table.column import Rows
from bough.tree import Tree, spliced


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
