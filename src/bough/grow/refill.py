"""What the nodes of a tree say, worked out from other rows."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.encode import Labels, core_labels
from bough.settings import Settings
from bough.tree import Tree


def refilled(
    tree: Tree, stops: NDArray[np.int32], labels: Labels, settings: Settings, *, n_jobs: int = 1
) -> Tree:
    """Return the tree with the same queries, whose nodes say what other rows tell.

    Tallies, numbers of rows, guesses, impurities and gains are worked out anew, as growing does.

    Parameters
    ----------
    stops
        The node where each of the rows stops. Those that stop at a branch take no part, so that it
        stays the sum of its children. Every leaf needs a row that has weight.
    labels
        The labels and the weights of the rows.
    settings
        How the tree was grown; the criterion tells how mixed labels are.
    """
    says = _core.refill(
        tree.first_child,
        tree.n_children,
        stops,
        **core_labels(labels),
        criterion=settings.criterion,
        quantile=settings.level,
        n_threads=n_jobs,
    )
    return replace(tree, **says)
