"""Grows once for each setting, and chooses among all trees that can be read off."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bough.errors import ParameterError
from bough.evidence import Candidate
from bough.learn.choose import chosen
from bough.learn.columns import Rows
from bough.learn.growth import Growth, Size
from bough.learn.plan import Plan
from bough.learn.prunings import Prunings
from bough.learn.rows import LabelledRows
from bough.learn.trial import Setting, Trial, candidates
from bough.schema import Kind, Task
from bough.settings import check_criterion
from bough.table import Table
from bough.tree import Tree

Progress = Callable[[str, float], None]

CRITERIA: dict[Task, tuple[str, ...]] = {  # what is tried where the user names none
    "classification": ("gini", "entropy"),
    "regression": ("squared_error",),
    "ranking": ("ndcg",),
}
CATEGORICAL = ("each", "group")


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

    def grown(self, rows: LabelledRows, n_jobs: int) -> Tree:
        """Return the chosen tree as grown from other rows."""
        tree = self.setting.grown(rows, n_jobs, self.size.depth)
        return Growth(tree, self.prunings).of(self.size)


def settings_to_try(
    plan: Plan,
    criterion: str | Sequence[str] | None,
    categorical: str | Sequence[str] | None,
    quantile: float | None = None,
) -> list[Setting]:
    """Return the settings to grow with: those the user names, or the usual ones."""
    criteria = list(CRITERIA[plan.task]) if criterion is None else _listed(criterion)
    for each in criteria:
        check_criterion(each, plan.task)
    if categorical is not None:
        modes = _listed(categorical)
    else:
        modes = list(CATEGORICAL if _has_categories(plan.rows.table) else CATEGORICAL[:1])
    return [Setting(each, mode, quantile) for each in criteria for mode in modes]


def tune(
    plan: Plan,
    settings: Sequence[Setting],
    prunings: Prunings,
    *,
    loss: str,
    choose: str,
    n_jobs: int,
    progress: Progress,
) -> Tuning:
    """Return every tree of every growth, measured on rows that took no part in it."""
    found: list[Candidate] = []
    growths: dict[Setting, tuple[Growth, list[Growth]]] = {}
    for number, setting in enumerate(settings):
        progress("growing", number / len(settings))
        whole, trials = _growths(plan, setting, prunings, n_jobs)
        growths[setting] = whole, [trial.growth for trial in trials]
        found += candidates(setting, whole, plan.rows.take(plan.train), trials, loss)
    best = chosen(found, choose)
    setting = replace(settings[0], criterion=best.criterion, categorical=best.categorical)
    size = Size(best.depth, best.pruned_by, best.price)
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


def _growths(
    plan: Plan, setting: Setting, prunings: Prunings, n_jobs: int
) -> tuple[Growth, list[Trial]]:
    """Return the growth to choose from, and growths with rows that took no part in them."""

    def growth(rows: Rows) -> Growth:
        return Growth(setting.grown(plan.rows.take(rows), n_jobs), prunings)

    trials = [Trial(growth(train), plan.rows.take(tried)) for train, tried in plan.pairs]
    return growth(plan.train) if plan.is_folded else trials[0].growth, trials


def _has_categories(table: Table) -> bool:
    """Return whether any feature has so many choices that the two modes differ."""
    return any(
        feature.kind is Kind.CHOICE and len(feature.choices) > 2 for feature in table.features
    )


def _listed(names: str | Sequence[str]) -> list[str]:
    given = [names] if isinstance(names, str) else list(dict.fromkeys(names))
    if not given:
        raise ParameterError("criterion and categorical must name at least one way each.")
    return given
