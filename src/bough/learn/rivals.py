"""Which questions of a tree might well be others, on another sample of the rows."""

from collections.abc import Iterator

import numpy as np

from bough.checks.tree import UNSTABLE, chance_of
from bough.costs import altered_priors
from bough.learn.rows import LabelledRows
from bough.learn.rows_in_bins import RowsOfNodes
from bough.learn.tried_sizes import Setting
from bough.predict import stops
from bough.rows_counted import Rival
from bough.tree import Tree
from bough.walk import steps_below

MOST_NODES = 60  # that are looked at: those with the most rows,
MOST_ROWS = 3  # and as long as they have no more rows together than so many tables
FEWEST_ROWS = 20  # from which a chance can be told


def rivals_of(
    tree: Tree, rows: LabelledRows, setting: Setting, n_jobs: int = 1
) -> tuple[Rival, ...]:
    """Return the best question about another column where it would often win, but for the first.

    `bough.checks.tree.chance_of` says how that is known.
    """
    if setting.first or tree.schema.task.ranks:  # the user has decided; groups do not end in a node
        return ()
    return tuple(_rivals(tree, rows, setting, n_jobs))


def _rivals(tree: Tree, rows: LabelledRows, setting: Setting, n_jobs: int) -> Iterator[Rival]:
    ordered, columns = RowsOfNodes(tree, rows, n_jobs), tree.schema.columns
    room = MOST_ROWS * len(rows)
    for node in ordered.largest(MOST_NODES):
        here = ordered.of(node)
        if node == 0 or len(here) > room:  # the check B301 is about the first question
            continue
        answers = [len(ordered.of(step.node.id)) for step in steps_below(tree, node)]
        if len(here) < FEWEST_ROWS or sum(answers) < len(here):  # a leaf has no answers
            continue
        room -= len(here)
        asked = columns[tree.schema.features[tree.feature[node]].column]
        there = rows.take(here)
        if (found := setting.runner_up(asked, there, n_jobs)) is None:
            continue
        second, others = found
        chance = chance_of(
            stops(second, others.table, n_jobs=n_jobs),
            np.repeat(np.arange(len(answers)), answers),
            altered_priors(there.labels),
            setting.criterion,
            setting.quantile,
        )
        if chance is not None and chance >= UNSTABLE:
            rival = second.schema.features[second.feature[0]]
            yield Rival(node, columns[rival.column], round(chance, 3))
