"""The protocol: look, split, seal, grow, choose, test."""

import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, asdict, fields, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from bough.costs import Costs
from bough.datasets import Teaching
from bough.errors import DataError, as_option
from bough.evidence import Evidence, Repeat
from bough.exports.model_file import Model
from bough.file_options import FileOptions
from bough.holdout import SHARES
from bough.learn.gather_evidence import evidence_of, repeat_of, tested
from bough.learn.look_at_columns import look
from bough.learn.measured_edits import Made
from bough.learn.nested_trees import prunings_for
from bough.learn.node_histograms import with_nodes
from bough.learn.request import Progress, Request, carried_roles
from bough.learn.result import A_PIPE, NO_NAME, Result
from bough.learn.row_plan import Problem, make_plan, refuse_too_many_classes, target_of, with_label
from bough.learn.tuning import Tuning, settings_to_try, tune, with_honest_leaves
from bough.machine_limits import memory_budget, refuse_too_many_rows
from bough.table import TableLike, open_source
from bough.table.source import Source, Types
from bough.tree import Tree

# Said elsewhere, or of no effect.
NOT_SAID = {"table", "target", "progress", "n_jobs", "max_memory", "reading"}


def problem_of(request: Request) -> Problem:
    """Return what is to be learnt from which rows, and how, once everything has been checked."""
    given, sources = request, list[Source]()
    for each in request.tables.values():  # further files are written as the first one is
        like = sources[0].reading if sources else None
        sources.append(open_source(each, like=like, **request.reading))
    refuse_too_many_rows(sum(source.n_rows for source in sources))
    request = request.checked(sources[0])
    looked = look(sources, request)
    target = target_of(looked, request)
    roles = {column.name: column.role for column in looked.seen}
    request = request.resolved(roles, looked.table, target.labels, target.task)
    plan = with_label(make_plan(looked, request, target), request)
    refuse_too_many_classes(plan)
    return Problem(_name(request.table), sources[0], looked, request, plan, options_of(given))


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
        A column, such as a customer, whose rows must stay together in the split; in a ranking,
        such as a search, whose rows are ranked against each other.
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
        return learn(problem_of(request))


def learn(problem: Problem) -> Result:
    """Return the result for rows that have been shared out; the seal is opened in here, once."""
    progress = problem.request.progress or _silent
    tuning = _tuned(problem, progress)
    progress("measuring", 0.0)
    tree = _final_tree(problem, tuning)
    smaller = None if tuning.simpler is None else _final_tree(problem, tuning.simpler)
    evidence, notes = evidence_of(problem, tuning, (tree, smaller))
    evidence = with_nodes(evidence, problem, tuning, (tree, smaller))
    evidence = replace(evidence, repeats=_repeats(problem, evidence, tree.n_leaves))
    saved = replace(_saved(tree, tuning, problem), evidence=evidence.as_dict())
    result = Result(
        saved, evidence, notes, tuning.candidates, problem.name, problem.look.seen,
        _made(problem, tuning), _options=problem.options,
    )  # fmt: skip
    if tuning.simpler is None or smaller is None:
        return result
    return replace(result, _simpler=_saved(smaller, tuning.simpler, problem))


def _tuned(problem: Problem, progress: Progress) -> Tuning:
    plan, request = problem.plan, problem.request
    return tune(
        plan, settings_to_try(plan, request), prunings_for(problem),
        loss=problem.loss, choose=request.choose, n_jobs=request.n_jobs, progress=progress,
    )  # fmt: skip


def _repeats(problem: Problem, evidence: Evidence, n_leaves: int) -> tuple[Repeat, ...]:
    """Return what other seeds give, after that of the tree; nothing if none is wanted.

    A seed whose split cannot be learnt from, as where all training rows are alike, is left out.
    """
    request = problem.request
    if request.repeats == 1:
        return ()
    progress = request.progress or _silent
    found = [repeat_of(request.seed, n_leaves, evidence.test)]
    for number in range(1, request.repeats):
        progress("repeating", number / request.repeats)
        with suppress(DataError):
            found.append(_repeat(problem, replace(request, seed=request.seed + number)))
    return tuple(found) if len(found) > 1 else ()


def _repeat(problem: Problem, request: Request) -> Repeat:
    plan = make_plan(problem.look, request, problem.plan.target)
    again = replace(problem, request=request, plan=with_label(plan, request))
    tuning = _tuned(again, _silent)
    tree = _final_tree(again, tuning)
    return repeat_of(request.seed, tree.n_leaves, tested(again, tree, tuning.setting))


def _final_tree(problem: Problem, tuning: Tuning) -> Tree:
    plan, n_jobs = problem.plan, problem.request.n_jobs
    if problem.request.is_honest:
        dev = plan.rows.take(plan.pairs[0][1])
        settings = tuning.setting.settings(tuning.size.depth, dev)
        return with_honest_leaves(tuning.whole, dev, settings, n_jobs)
    return tuning.grown(plan.rows, n_jobs) if problem.is_refitted else tuning.whole


def _made(problem: Problem, tuning: Tuning) -> Made:
    plan, request = problem.plan, problem.request
    return Made(
        plan.rows,
        np.arange(len(plan.rows)) if problem.is_refitted else plan.train,
        plan.pairs,
        tuning.setting,
        tuning.size,
        tuning.prunings,
        problem.loss,
        request.n_jobs,
        request.is_honest,
    )


def _saved(tree: Tree, tuning: Tuning, problem: Problem) -> Model:
    """Return the tree as a model file holds it, without evidence."""
    chosen = tuning.chosen
    weight = float((tuning.whole if problem.request.is_honest else tree).weight[0])
    settings = tuning.setting.settings(chosen.depth, problem.learnt)
    # What prunes by impurity is a parameter of the estimators, too.
    alpha = chosen.price / weight if chosen.pruned_by == "impurity" else 0.0
    label = tree.schema.labels[0]
    parameters: dict[str, Any] = {"ccp_alpha": alpha, "missing": tuning.setting.missing}
    if label.costs:
        parameters["costs"] = [[*each] for each in label.costs]
    if label.probability != "raw":
        parameters["probability"] = label.probability
    estimator = {"class": problem.plan.task.estimator, "parameters": parameters}
    return Model(tree, asdict(settings), estimator)


def _silent(stage: str, share: float) -> None:
    """Report nothing."""


def options_of(request: Request) -> str:
    """Return the options to type for every argument that is not as usual, before any is filled in."""
    words = [] if request.target is None else [f"-t {shlex.quote(request.target)}"]
    for each in fields(Request):
        value = getattr(request, each.name)
        if each.name in ("dev", "test"):
            value = _path(value)
        elif hasattr(value, "tolist"):  # an array of columns
            value = value.tolist()
        default = each.default if each.default is not MISSING else None
        if each.name in NOT_SAID or value is None or value == default:
            continue
        words.append(as_option({each.name: value}))
    words += [as_option({option: each}) for option, each in dict(request.reading).items()]
    return " ".join(filter(None, words))


def _path(table: object) -> str | None:
    """Return the name of a file; another table has none."""
    return None if table is None else Path(table).name if isinstance(table, str | Path) else "…"
