"""Honest leaves: queries from the training rows, shares from rows that had no part in them.

They may have had a part in choosing the size of the tree, which is done with the shares of the
training rows; leaves then still look somewhat purer than they are.
"""

from bough.grow import refilled
from bough.learn.rows import LabelledRows
from bough.predict import stops
from bough.settings import Settings
from bough.tree import Tree, spliced


def with_honest_leaves(tree: Tree, rows: LabelledRows, settings: Settings, n_jobs: int) -> Tree:
    """Return the tree with the tallies of other rows than it was grown from.

    Answers that none of these rows gives are taken out of it, since nothing honest is known there.
    """
    tree = spliced(tree, stops(tree, rows.table, n_jobs=n_jobs))
    nodes = stops(tree, rows.table, n_jobs=n_jobs)
    return refilled(tree, nodes, rows.labels, settings, n_jobs=n_jobs)
