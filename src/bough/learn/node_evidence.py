"""Adds to evidence what the rows of nodes look like, of the chosen tree and of the simpler one."""

from dataclasses import replace

from bough.evidence import Evidence
from bough.learn.request import Request
from bough.learn.rivals import rivals_of
from bough.learn.row_plan import Plan
from bough.learn.rows import LabelledRows
from bough.learn.rows_in_bins import rows_in_bins
from bough.learn.tune import Tuning
from bough.rows_counted import NodeRows
from bough.tree import Tree


def with_nodes(
    evidence: Evidence,
    plan: Plan,
    request: Request,
    tuning: Tuning,
    trees: tuple[Tree, Tree | None],
) -> Evidence:
    """Return evidence that also tells of the rows from which nodes have their counts."""
    tree, smaller = trees
    if request.is_honest:
        rows = plan.rows.take(plan.pairs[0][1])
    elif request.refits(is_folded=plan.is_folded):
        rows = plan.rows
    else:
        rows = plan.rows.take(plan.train)
    evidence = replace(evidence, nodes=_nodes(tree, rows, tuning, request.n_jobs))
    if smaller is None or tuning.simpler is None or evidence.simpler is None:
        return evidence
    nodes = _nodes(smaller, rows, tuning.simpler, request.n_jobs)
    return replace(evidence, simpler=replace(evidence.simpler, nodes=nodes))


def _nodes(tree: Tree, rows: LabelledRows, tuning: Tuning, n_jobs: int) -> NodeRows:
    rivals = rivals_of(tree, rows, tuning.setting, n_jobs)
    return replace(rows_in_bins(tree, rows, n_jobs), rivals=rivals)
