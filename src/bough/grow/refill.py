"""What the nodes of a tree say, worked out from rows that stop there."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.encode import Labels, core_labels
from bough.ranking import centred_gains
from bough.settings import Settings
from bough.tree import Tree


def refilled(
    tree: Tree, stops: NDArray[np.int32], labels: Labels, settings: Settings, *, n_jobs: int = 1
) -> Tree:
    """Return the tree with the same queries, whose nodes say what other rows tell.

    Tallies, numbers of rows, guesses, impurities and gains are worked out anew, as growing does,
    but without the bounds of `monotonic_cst`, which are those of other rows.

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
    return filled_by(tree, stops, grown_labels(labels, settings.criterion), settings, n_jobs=n_jobs)


def filled_by(
    tree: Tree, stops: NDArray[np.int32], labels: Labels, settings: Settings, *, n_jobs: int = 1
) -> Tree:
    """Return the same for labels that are as the criterion of the core takes them."""
    says = _said(tree, stops, labels, core_criterion(settings.criterion), settings.level, n_jobs)
    if labels.relevance is not None:  # its mean is the guess of a tree that guesses numbers
        counts = None if labels.weights is None else (labels.weights > 0).astype(np.float64)
        plain = replace(labels, values=labels.relevance[np.newaxis], weights=counts)
        guessed = _said(tree, stops, plain, "squared_error", settings.level, n_jobs)["guess"]
        says["relevance"] = guessed[:, 0].copy()
    return replace(tree, share=None, **says)


def filled_by_sums(tree: Tree, leaves: tuple[Any, ...], core_settings: dict[str, Any]) -> Tree:
    """Return the same from what the rows of each leaf add up to, as `_core.sum_nodes` gives it."""
    n_classes = [len(label.classes) for label in tree.schema.labels]
    links = (tree.first_child, tree.n_children)
    return replace(tree, **_core.finish_parts(*links, leaves, n_classes, core_settings))


def _said(  # noqa: PLR0917
    tree: Tree, stops: NDArray[np.int32], labels: Labels, criterion: str, level: float, n_jobs: int
) -> dict[str, Any]:
    return _core.refill(
        tree.first_child,
        tree.n_children,
        stops,
        **core_labels(labels),
        criterion=criterion,
        quantile=level,
        n_threads=n_jobs,
    )


def grown_labels(labels: Labels, criterion: str) -> Labels:
    """Return the labels and weights that the core's criterion is for."""
    return centred_gains(labels) if criterion == "ndcg" else labels


def core_criterion(criterion: str) -> str:
    """Return the criterion by its name in the core."""
    return "squared_error" if criterion == "ndcg" else criterion
