"""The protocol: look, split, seal, grow, choose, test."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from bough.costs import Costs
from bough.datasets import Teaching
from bough.errors import DataError
from bough.evidence import Evidence, Repeat
from bough.exports.model_file import Model
from bough.holdout import SHARES
from bough.learn.command import options_of
from bough.learn.gather_evidence import evidence_of, repeat_of, tested
from bough.learn.look_at_columns import look
from bough.learn.measured_edits import Made
from bough.learn.nested_trees import prunings_for
from bough.learn.node_evidence import with_nodes
from bough.learn.request import Progress, Request, carried_roles
from bough.learn.result import A_PIPE, NO_NAME, Result
from bough.learn.row_plan import (
    Plan,
    Problem,
    Split,
    make_plan,
    refuse_too_many_classes,
    target_of,
    with_label,
)
from bough.learn.tune import Tuning, settings_to_try, tune, with_honest_leaves
from bough.reading import FileOptions
from bough.table import TableLike, Types, open_source
from bough.table.lazy_table import Source
from bough.table.memory import memory_budget, refuse_too_many_rows
from bough.tree import Tree


def problem_of(request: Request) -> tuple[Problem, Request]:
    """Return what is to be learnt from which rows, and how, once everything has been checked."""
    split = Split.of(request)
    given = request
    tables = [request.table, *(each for each in (request.dev, request.test) if each is not None)]
    sources: list[Source] = []
    for each in tables:  # further files are written as the first one is
        like = sources[0].reading if sources else None
        sources.append(open_source(each, like=like, **request.reading))
    refuse_too_many_rows(sum(source.n_rows for source in sources))
    request = request.checked(sources[0])
    looked = look(sources, request)
    target = target_of(looked, request)
    roles = {column.name: column.role for column in looked.seen}
    request = request.resolved(roles, looked.table, target.labels, target.task)
    plan = with_label(make_plan(looked, request, split, target), request)
    refuse_too_many_classes(plan)
    name = _name(request.table)
    return Problem(name, sources[0], looked, request, plan, options_of(given)), request


def _name(table: object) -> str:
    if isinstance(table, str | Path):
        return A_PIPE if str(table) == "-" else Path(table).name
    return table.name if isinstance(table, Teaching) else NO_NAME


def fit(
    table: TableLike,
    target: str | None = None,
    *,
    task: str = "auto",
    types: Types | None = None,
    ignore: str | Sequence[str] = (),
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
    probability: str | None = None,
    monotonic_cst: Mapping[str, int] | None = None,
    first: str | Sequence[str] = (),
    forbid: str | Sequence[str] = (),
    pivots: str = "round",
    exact: bool = True,
    choose: str = "best",
    prune: str | Sequence[str] | None = None,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_rows_per_leaf: int = 1,
    refit: bool = True,
    seed: int = 0,
    repeats: int = 1,
    n_jobs: int | None = None,
    max_memory: int | str | None = None,
    progress: Progress | None = None,
    **reading: Unpack[FileOptions],
) -> Result:
    """Learn a tree from a table, and measure honestly how well it will do on new rows.

    Rows are split into training, development and test rows. Trees are grown from the training
    rows, one is chosen by the development rows, grown again from both, and measured once on the
    test rows, which nothing has looked at before.

    Parameters
    ----------
    table
        The path of a file (CSV, TSV, Excel, Parquet, JSON lines, gzip of these; '-' is the standard
        input), a data frame of any make, an array, or a dict of lists.
    target
        The column to predict; a table of `bough.datasets` knows it.
    task
        'classification', 'regression', 'ranking' (or 'rank': the rows of each `group` are ranked by
        the target), or 'auto': text, and whole numbers with at most 20 values, are classes; other
        numbers are amounts.
    types
        The kind of a column that bough should not infer: 'category', 'number', 'date', 'ignore', or
        its values in order.
    ignore
        Columns to leave out, and codes of checks to skip.
    group
        A column, such as a customer, whose rows must stay together in the split; in a ranking, the
        query, whose rows are ranked against each other.
    time
        A date or number column to split by: the newest rows become the test rows.
    weight
        The column of row weights.
    dev, test
        Tables of development and test rows, instead of a share of `table`.
    split
        The shares of training, development and test rows.
    criterion, categorical
        How splits are scored, and how categories are split; None tries the usual ways, a list tries
        these.
    loss
        The loss to minimise: 'error', 'log_loss', 'brier' or 'cost' for classes; 'squared_error',
        'absolute_error', 'poisson' or 'pinball' for numbers; 'ndcg_loss' for rankings. None: the
        cost where there are costs, else the one that goes with the criterion.
    quantile
        For `criterion="quantile"` and `loss="pinball"`: which quantile to predict, as in 0.9.
    missing
        How missing values are predicted. 'stop': follow the branch they took in training, else
        predict at that node. 'weigh': follow every branch, and average the predictions by the share
        of the training rows that went there.
    costs
        What mistakes cost if not all cost the same, as in `{("ill", "well"): 20}`: predicting 'well'
        for someone who is ill costs 20, any other mistake 1, a right prediction 0. Or a list for each
        class, in sorted order, of what each prediction costs. Splits are scored by it, and the
        prediction is the one with the lowest expected cost.
    probability
        Where probabilities come from: 'raw' takes the shares of the rows that the tree was grown
        from, 'laplace' adds one row of each class to every leaf, 'prior' adds two rows mixed as all
        rows are, 'honest' takes the shares of the development rows, which took no part in choosing
        splits. The tree is then not grown again from them (`refit`), small tables are not
        cross-validated, and branches that no development row reaches are left out of the tree.
        None: 'laplace', but 'raw' with `monotonic_cst`.
    monotonic_cst
        Columns along which predictions go one way only, as in `{"age": 1, "price": -1}`: with all else
        equal, they never fall as age grows and never rise as price grows. For numbers, and for two
        classes, where it is about the share of the second.
    first
        Columns to ask about before any other, in this order, on every path where they can split
        rows.
    forbid
        Columns never to ask about. They stay in the table, unlike those to `ignore`.
    pivots
        Where a split point lies between the two values next to it. 'round': at the number with the
        fewest digits in the middle half between them, so the printed tree is exact; 'midpoint':
        halfway, as the estimators do.
    exact
        Whether every value of a number may be split at. False: numbers with more than 255 values are
        cut into 255 intervals, between which the tree splits. It is rarely worth it: exact trees grow
        faster in memory.
    choose
        'best' takes the tree with the lowest loss, 'simple' the smallest one within one standard
        error of it.
    prune
        How trees are pruned: 'depth', 'cost_complexity', 'pessimistic', 'reduced_error', 'merge', or
        a list of these. None tries the first two: every depth, and every pruned size.
    max_depth, max_leaves
        The most questions in a row, and the most leaves, that the tree may have; None: no limit.
    min_rows_per_leaf
        The fewest training rows that a leaf may have. Above 1, categories are split into two groups
        unless `categorical` says otherwise: of one branch per value, only two must have so many.
    refit
        Whether the chosen tree is grown again from training and development rows. False: small
        tables are not cross-validated, unless they have no development rows.
    seed
        Seed of the random split.
    repeats
        With how many seeds, from `seed` on, to split, learn and measure. The tree and its estimate are
        those of the first; `result.spread` says how much figures and size vary. Nothing is chosen by it.
        A further seed whose split cannot be learnt from is left out.
    n_jobs
        Number of threads; None: all cores. It never changes the result.
    max_memory
        How much memory the process may use, as in '2GB' or a number of bytes; None: three quarters
        of what is free. What does not fit lies in temporary files, which takes longer. It never
        changes the result.
    progress
        Called with the stage and the share of it that is done.
    reading
        How a file is read, where that is not to be inferred: the options of `bough.read_file`. Of
        these, `missing_marks` is for other tables, too: cells that count as missing, as in "NA" or
        ("NA", "?"). The empty cell of a file always does.

    Returns
    -------
    Result
        The tree, its estimates on training, development and test rows, and notes on the table, the
        estimate and the tree.

    Examples
    --------
    >>> import bough
    >>> result = bough.fit(bough.datasets.load("penguins"), target="species")
    >>> result.test["accuracy"].value > 0.9
    True
    """
    target, ignore = carried_roles(table, target, ignore)
    request = Request(**locals())
    with memory_budget(request.max_memory):
        return learn(*problem_of(request))


def learn(problem: Problem, request: Request) -> Result:
    """Return the result for rows that have been shared out; the seal is opened in here, once."""
    plan, loss = problem.plan, request.loss or problem.plan.task.loss
    progress = request.progress or _silent
    tuning = _tuned(plan, request, loss, progress)
    progress("measuring", 0.0)
    tree = _final_tree(plan, tuning, request)
    smaller = None if tuning.simpler is None else _final_tree(plan, tuning.simpler, request)
    evidence, notes = evidence_of(problem, request, tuning, (tree, smaller), loss)
    evidence = with_nodes(evidence, plan, request, tuning, (tree, smaller))
    evidence = replace(evidence, repeats=_repeats(problem, request, evidence, tree.n_leaves))
    saved = replace(_saved(tree, tuning, plan, request), evidence=evidence.as_dict())
    made = _made(plan, tuning, request, loss)
    result = Result(
        saved, evidence, notes, tuning.candidates, problem.name, problem.look.seen, made,
        _options=problem.options,
    )  # fmt: skip
    if tuning.simpler is None or smaller is None:
        return result
    return replace(result, _simpler=_saved(smaller, tuning.simpler, plan, request))


def _tuned(plan: Plan, request: Request, loss: str, progress: Progress) -> Tuning:
    return tune(
        plan, settings_to_try(plan, request), prunings_for(plan, request, loss),
        loss=loss, choose=request.choose, n_jobs=request.n_jobs, progress=progress,
    )  # fmt: skip


def _repeats(
    problem: Problem, request: Request, evidence: Evidence, n_leaves: int
) -> tuple[Repeat, ...]:
    """Return what other seeds give, after that of the tree; nothing if none is wanted.

    A seed whose split cannot be learnt from, as where all training rows are alike, is left out.
    """
    if request.repeats == 1:
        return ()
    progress = request.progress or _silent
    found = [repeat_of(request.seed, n_leaves, evidence.test)]
    for number in range(1, request.repeats):
        progress("repeating", number / request.repeats)
        again = replace(request, seed=request.seed + number)
        with suppress(DataError):
            found.append(_repeat(problem, again, evidence.loss))
    return tuple(found) if len(found) > 1 else ()


def _repeat(problem: Problem, again: Request, loss: str) -> Repeat:
    plan = make_plan(problem.look, again, Split.of(again), problem.plan.target)
    plan = with_label(plan, again)
    tuning = _tuned(plan, again, loss, _silent)
    tree = _final_tree(plan, tuning, again)
    return repeat_of(again.seed, tree.n_leaves, tested(plan, tree, tuning.setting, loss))


def _final_tree(plan: Plan, tuning: Tuning, request: Request) -> Tree:
    if request.is_honest:
        dev = plan.rows.take(plan.pairs[0][1])
        settings = tuning.setting.settings(tuning.size.depth, dev)
        return with_honest_leaves(tuning.whole, dev, settings, request.n_jobs)
    return (
        tuning.grown(plan.rows, request.n_jobs)
        if request.refits(is_folded=plan.is_folded)
        else tuning.whole
    )


def _made(plan: Plan, tuning: Tuning, request: Request, loss: str) -> Made:
    is_refitted = request.refits(is_folded=plan.is_folded)
    return Made(
        plan.rows,
        np.arange(len(plan.rows)) if is_refitted else plan.train,
        plan.pairs,
        tuning.setting,
        tuning.size,
        tuning.prunings,
        loss,
        request.n_jobs,
        request.is_honest,
    )


def _saved(tree: Tree, tuning: Tuning, plan: Plan, request: Request) -> Model:
    """Return the tree as a model file holds it, without evidence."""
    chosen = tuning.chosen
    weight = float((tuning.whole if request.is_honest else tree).weight[0])
    settings = tuning.setting.settings(chosen.depth, plan.learnt_from(request))
    # What prunes by impurity is a parameter of the estimators, too.
    alpha = chosen.price / weight if chosen.pruned_by == "impurity" else 0.0
    label = tree.schema.labels[0]
    parameters: dict[str, Any] = {"ccp_alpha": alpha, "missing": tuning.setting.missing}
    if label.costs:
        parameters["costs"] = [[*each] for each in label.costs]
    if label.probability != "raw":
        parameters["probability"] = label.probability
    estimator = {"class": plan.task.estimator, "parameters": parameters}
    return Model(tree, asdict(settings), estimator)


def _silent(stage: str, share: float) -> None:
    """Report nothing."""
