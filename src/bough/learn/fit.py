"""The protocol: look, split, seal, grow, choose, test."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from bough.arguments import Argument
from bough.costs import Costs
from bough.errors import ParameterError
from bough.evidence import Evidence
from bough.exports.model_file import Model
from bough.learn.constraints import asked_columns, directions_of
from bough.learn.edits import Made
from bough.learn.gather_evidence import evidence_of
from bough.learn.growth import prunings_for
from bough.learn.look import look
from bough.learn.plan import Plan, Problem, Split, make_plan, with_label
from bough.learn.request import Roles, Wishes, ways_of
from bough.learn.result import Result
from bough.learn.trial import Setting
from bough.learn.tune import Progress, Tuning, settings_to_try, tune, with_honest_leaves
from bough.losses import known_loss
from bough.split import SHARES
from bough.table import TableLike, Types, open_source
from bough.threads import threads
from bough.tree import Tree


@dataclass(frozen=True, kw_only=True)
class Given:
    """The tables that a user gives, and how their rows are to be shared out."""

    table: TableLike
    dev: TableLike | None
    test: TableLike | None
    missing_marks: str | Sequence[str]
    split: Sequence[float]

    def problem(self, roles: Roles, wishes: Wishes) -> Problem:
        """Return what is to be learnt from which rows."""
        given = [self.table, *(each for each in (self.dev, self.test) if each is not None)]
        marks = self.missing_marks
        marks = [marks] if isinstance(marks, str) else marks
        sources = [open_source(each, missing_marks=marks) for each in given]
        looked = look(sources, roles.checked(sources[0]))
        split = Split(
            shares=self.split,
            seed=wishes.seed,
            has_dev=self.dev is not None,
            has_test=self.test is not None,
            needs_dev=wishes.needs_dev,
        )
        plan = with_label(make_plan(looked, roles, split), wishes.costs, wishes.probability)
        return Problem(_name(self.table), sources[0], looked, roles, plan)


def _name(table: object) -> str:
    if isinstance(table, str | Path):
        return "the standard input" if str(table) == "-" else Path(table).name
    return "table"


def fit(
    table: TableLike,
    target: str,
    *,
    task: str = "auto",
    types: Types | None = None,
    ignore: str | Sequence[str] = (),
    missing_marks: str | Sequence[str] = ("",),
    group: str | None = None,
    time: str | None = None,
    weight: str | None = None,
    dev: TableLike | None = None,
    test: TableLike | None = None,
    split: Sequence[float] = SHARES,
    criterion: str | Sequence[str] | None = None,
    categorical: str | Sequence[str] | None = None,
    loss: str | None = None,
    quantile: float | None = None,
    missing: str = "stop",
    costs: Costs = None,
    probability: str = "raw",
    monotonic_cst: Mapping[str, int] | None = None,
    first: str | Sequence[str] = (),
    forbid: str | Sequence[str] = (),
    choose: str = "best",
    prune: str | Sequence[str] | None = None,
    refit: bool = True,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Learn a tree from a table, and measure honestly how well it will do on new rows.

    Rows are split into training, development and test rows. Trees are grown from the training
    rows, one is chosen by the development rows, grown again from both, and measured once on the
    test rows, which nothing has looked at before.

    Parameters
    ----------
    table
        The path of a file (CSV, TSV, Parquet, JSON lines, gzip of these; '-' is the standard
        input), a data frame of any make, an array, or a dict of lists.
    target
        The column to be guessed.
    task
        'classification', 'regression', 'ranking' (or 'rank': rows are ranked by the target, each
        `group` for itself), or 'auto': words, and whole numbers with at most 20 values, are classes;
        other numbers are numbers.
    types
        The kind of a column where it is not to be inferred: 'category', 'number', 'date',
        'ignore', or its values in order.
    ignore
        Columns to leave out, and codes of checks not to make.
    missing_marks
        Cells of a file that count as missing.
    group
        The column that says what a row is about, in a ranking its query. Rows with the same value
        stay together.
    time
        The column by which the oldest rows are learnt from and the newest are the test rows.
    weight
        The column that says how much each row counts.
    dev, test
        Tables of development and test rows of your own, in place of a share of `table`.
    split
        The shares of training, development and test rows.
    criterion, categorical
        How queries are chosen; None tries the usual ones, a list tries these.
    loss
        What is to be small: 'error', 'log_loss', 'brier' or 'cost' for classes; 'squared_error',
        'absolute_error', 'poisson' or 'pinball' for numbers; 'ndcg_loss' for rankings. None: the
        cost where there are costs, else what the criterion makes small.
    quantile
        For `criterion="quantile"` and `loss="pinball"`: the share of the labels that a guess is to
        exceed, as in 0.9.
    missing
        Where a missing value goes when rows are guessed. 'stop': where such values went when the tree
        was grown; if there were none it stops at that query, whose own guess is the answer. 'weigh':
        to every answer of the query, each getting a part of the row as large as its share of the
        rows; guesses are then means.
    costs
        What wrong guesses cost where that is not the same for all, as in `{("ill", "well"): 20}`:
        guessing 'well' for someone who is ill costs 20, any other wrong guess 1, a right one 0. Or
        a list for each class, in sorted order, of what each guess costs. Queries are chosen by it,
        and the guess is the one of least expected cost.
    probability
        Where probabilities come from: 'raw' takes the shares of the rows that the tree was grown
        from, 'laplace' adds one row of each class to every leaf, 'honest' takes the shares of the
        development rows, which had no part in choosing queries. The tree is then not grown again
        from them (`refit`), small tables are not cross-validated, and answers that no development
        row gives are left out of the tree.
    monotonic_cst
        Columns along which guesses may go one way only, as in `{"age": 1, "price": -1}`: where the
        age grows and all else stays, they may not fall, and where the price grows, they may not
        rise. For numbers and for two classes, of which the share of the second is meant.
    first
        Columns to ask about before any other, on every trail in this order, as far as they can be
        asked about.
    forbid
        Columns never to ask about. They stay in the table, unlike those to `ignore`.
    choose
        'best' takes the tree of least loss, 'simple' the smallest one within a standard error.
    prune
        How trees are made smaller: 'depth', 'cost_complexity', 'pessimistic', 'reduced_error',
        'merge', or a list of these. None tries every depth and every price of a leaf.
    refit
        Whether the chosen tree is grown again from training and development rows.
    seed
        Another seed splits the rows otherwise.
    n_jobs
        The number of threads; None: all cores. It never changes the result.
    progress
        Called with the stage and the share of it that is done.

    Examples
    --------
    >>> import bough
    >>> penguins = bough.datasets.load("penguins")
    >>> table = {**penguins.features, "species": penguins.labels}
    >>> result = bough.fit(table, target="species")
    >>> result.test["accuracy"].value > 0.9
    True
    """
    wishes = Wishes(
        criterion=criterion, categorical=categorical, loss=loss, quantile=quantile, costs=costs,
        probability=probability, missing=missing, monotonic_cst=monotonic_cst, first=first,
        forbid=forbid, choose=choose, prune=ways_of(prune), refit=refit, seed=seed,
        n_jobs=threads(n_jobs),
    )  # fmt: skip
    roles = Roles(
        target=target, task=task, types=types, ignore=ignore, group=group, time=time, weight=weight
    )
    given = Given(table=table, dev=dev, test=test, missing_marks=missing_marks, split=split)
    return learn(given.problem(roles, wishes), wishes, progress or _silent)


def learn(problem: Problem, wishes: Wishes, progress: Progress) -> Result:
    """Return the result for rows that have been shared out; the seal is opened in here, once."""
    plan = problem.plan
    settings = _settings(problem, wishes)
    loss = _loss(plan, wishes, [setting.criterion for setting in settings])
    prunings = prunings_for(plan, wishes.prune, loss, wishes.quantile)
    tuning = tune(
        plan, settings, prunings,
        loss=loss, choose=wishes.choose, n_jobs=wishes.n_jobs, progress=progress,
    )  # fmt: skip
    progress("measuring", 0.0)
    tree = _final_tree(plan, tuning, wishes)
    evidence, notes = evidence_of(problem, wishes, tuning, tree, loss)
    grown = tuning.whole if wishes.is_honest else tree
    saved = _saved(tree, tuning, evidence, float(grown.weight[0]))
    made = _made(plan, tuning, wishes, loss)
    return Result(saved, evidence, notes, tuning.candidates, problem.name, problem.look.seen, made)


def _settings(problem: Problem, wishes: Wishes) -> list[Setting]:
    """Return how trees are to be grown: by each criterion, under what the user asks for."""
    first, forbid = asked_columns(problem, wishes)
    tried = settings_to_try(problem.plan, wishes.criterion, wishes.categorical, wishes.quantile)
    under: dict[str, Any] = {
        "missing": wishes.missing,
        "monotonic_cst": directions_of(wishes.monotonic_cst, problem),
        "first": first,
        "forbid": forbid,
    }
    return [replace(setting, **under) for setting in tried]


def _loss(plan: Plan, wishes: Wishes, criteria: Sequence[str]) -> str:
    """Return what is to be small."""
    has_costs = bool(plan.rows.labels.labels[0].costs)
    loss = known_loss(wishes.loss, plan.task, criteria, wishes.quantile, has_costs=has_costs)
    if wishes.quantile is not None and loss != "pinball" and "quantile" not in criteria:
        raise ParameterError(
            Argument("quantile", wishes.quantile),
            " is for ",
            Argument("criterion", "quantile"),
            " and ",
            Argument("loss", "pinball"),
            ". Use one of them, or leave the quantile out.",
        )
    return loss


def _final_tree(plan: Plan, tuning: Tuning, wishes: Wishes) -> Tree:
    if wishes.is_honest:
        settings = tuning.setting.settings(tuning.size.depth)
        dev = plan.rows.take(plan.pairs[0][1])
        return with_honest_leaves(tuning.whole, dev, settings, wishes.n_jobs)
    return (
        tuning.grown(plan.rows, wishes.n_jobs)
        if wishes.refits(is_folded=plan.is_folded)
        else tuning.whole
    )


def _made(plan: Plan, tuning: Tuning, wishes: Wishes, loss: str) -> Made:
    learnt = np.arange(len(plan.rows)) if wishes.refits(is_folded=plan.is_folded) else plan.train
    return Made(
        plan.rows,
        learnt,
        plan.pairs,
        tuning.setting,
        tuning.size,
        tuning.prunings,
        loss,
        wishes.n_jobs,
        wishes.is_honest,
    )


def _saved(tree: Tree, tuning: Tuning, evidence: Evidence, weight: float) -> Model:
    """Return the tree as a model file holds it; the rows that grew it have this weight."""
    chosen = tuning.chosen
    settings = tuning.setting.settings(chosen.depth)
    # What prunes by impurity is a parameter of the estimators, too.
    alpha = chosen.price / weight if chosen.pruned_by == "impurity" else 0.0
    label = tree.schema.labels[0]
    parameters: dict[str, Any] = {"ccp_alpha": alpha, "missing": tuning.setting.missing}
    if label.costs:
        parameters["costs"] = [[*each] for each in label.costs]
    if label.probability != "raw":
        parameters["probability"] = label.probability
    estimator = {"class": evidence.task.estimator, "parameters": parameters}
    return Model(tree, asdict(settings), estimator, evidence.as_dict())


def _silent(stage: str, share: float) -> None:
    """Report nothing."""
