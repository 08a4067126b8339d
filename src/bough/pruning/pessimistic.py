"""Pruning by how many errors the training rows of a node let fear (C4.5; Quinlan, 1993)."""

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError
from bough.losses import node_losses
from bough.pruning.series import dear_branches
from bough.settings import is_real
from bough.tree import Tree
from bough.walk import cut

Floats = NDArray[np.float64]

_SLACK = 0.1  # errors that a leaf may have more than the branch in its place, as in C4.5
# C4.5 reads how many standard deviations a limit lies above off this table, by straight lines.
_CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
_DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def pessimistic(tree: Tree, confidence: float = 0.25) -> Tree:
    """Return the tree in which every branch is a leaf that promises no fewer errors than a leaf.

    What a leaf promises is not the share of its training rows that it gets wrong, but the upper
    limit of what that share may truly be, which is higher the fewer rows there are: 1 wrong guess
    in 16 rows counts as 2.5. From the leaves up, a branch becomes a leaf where this costs no more
    than 0.1 errors, as in C4.5. Branches are replaced by leaves only, not by one of their children.

    Parameters
    ----------
    tree
        A tree that guesses a class.
    confidence
        How likely the true share is still above the limit, above 0 and at most 0.5; the smaller,
        the more is pruned.

    Examples
    --------
    >>> pessimistic(play_tennis_tree).n_leaves, pessimistic(play_tennis_tree, 0.05).n_leaves
    (5, 1)
    """
    if not is_real(confidence) or not 0 < confidence <= 0.5:
        raise ParameterError(
            f"confidence={confidence!r} must be a number above 0 and at most 0.5. Smaller values prune "
            "more."
        )
    return cut(tree, fearful_branches(tree, confidence))


def fearful_branches(tree: Tree, confidence: float) -> NDArray[np.bool_]:
    """Return which nodes are to be leaves."""
    if not tree.schema.has_classes or len(tree.schema.labels) > 1:
        raise ParameterError(
            "Pessimistic pruning is for classification with one output. Prune this tree by 'depth' or "
            "'cost_complexity'."
        )
    losses = node_losses(tree, "error")
    assert losses is not None  # noqa: S101 - the tallies of classes tell it
    errors = tree.weight * limits(tree.weight * losses, tree.weight, confidence)
    return dear_branches(tree, errors, np.zeros(len(tree)), _SLACK)


def limits(errors: Floats, weight: Floats, confidence: float) -> Floats:
    """Return the upper limits of shares of errors, as C4.5 works them out.

    Without an error it is exact. From one error on it is that of the normal distribution, with a
    correction since errors are counted; between none and one, as weights may give, it lies on the
    straight line.

    Examples
    --------
    >>> limits(np.array([0.0, 0.0, 0.0, 1.0]), np.array([6.0, 9.0, 1.0, 16.0]), 0.25).round(3)
    array([0.206, 0.143, 0.75 , 0.157])
    """
    of_none = 1 - confidence ** (1 / weight)
    of_some = _limits_of_some(np.maximum(errors, 1.0), weight, confidence)
    return np.asarray(of_none + np.minimum(errors, 1.0) * (of_some - of_none))


def _limits_of_some(errors: Floats, weight: Floats, confidence: float) -> Floats:
    squared = np.interp(confidence, _CONFIDENCES, _DEVIATIONS) ** 2
    more = np.minimum(errors + 0.5, weight)
    spread = np.sqrt(squared * (more * (1 - more / weight) + squared / 4))
    found = (more + squared / 2 + spread) / (weight + squared)
    nearly_all = (errors + 0.67 * (weight - errors)) / weight
    return np.where(errors + 0.5 >= weight, nearly_all, found)
