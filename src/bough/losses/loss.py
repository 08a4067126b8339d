"""The losses by name: what a guess costs in a row."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import DataError, ParameterError, did_you_mean, listed
from bough.tasks import Task
from bough.tree import Guessing, Tree

Floats = NDArray[np.float64]

_LARGEST = np.finfo(np.float64).max
_LEAST_SHARE = np.finfo(np.float64).eps  # as in scikit-learn, so that figures can be compared


def row_losses(
    tree: Guessing,
    loss: str,
    nodes: NDArray[Any],
    labels: NDArray[Any],
    *,
    quantile: float | None = None,
) -> Floats:
    """Return the loss of rows that stop at these nodes.

    Parameters
    ----------
    tree
        The tree that guesses, or mixtures of its nodes.
    loss
        - 'error': 1 for a wrong guess, else 0;
        - 'log_loss': minus the natural logarithm of the probability that the row's class has at
          the node. One below 2^-52, as of a class that the node never saw, counts as 2^-52, so that
          a single such row costs 36;
        - 'brier': the squared distance of the probabilities from 1 for the row's class and 0 for
          the others, summed over the classes; half of it where there are two, as is usual;
        - 'cost': what the costs of the label say of the guess; without costs the same as 'error';
        - 'squared_error', 'absolute_error': of the guess;
        - 'poisson': half the Poisson deviance. A guess below 2^-52, as of 0, counts as 2^-52;
        - 'pinball': the distance from the guess, times `quantile` where the label lies above it and
          times 1 - `quantile` where it lies below.
    nodes
        The node where each row stops.
    labels
        The class of each row, by number, -1 where the tree does not know it (its loss is then the
        greatest that the guess can have); or its number.
    quantile
        For 'pinball': the share of the labels that a guess is to exceed.

    Examples
    --------
    >>> row_losses(play_tennis_tree, "error", np.array([0, 0, 1]), np.array([0, 1, 1])).tolist()
    [1.0, 0.0, 0.0]
    """
    if loss in _OF_CLASSES:
        return np.asarray(_OF_CLASSES[loss](tree)[nodes, labels])
    if tree.guess is None:
        raise ValueError(f"{loss!r} needs number labels")
    with np.errstate(over="ignore"):
        losses = _OF_NUMBERS[loss](tree.guess[nodes, 0], labels, quantile)
        return np.minimum(losses, _LARGEST)


def node_losses(tree: Tree, loss: str) -> Floats | None:
    """Return the mean training loss of the rows of each node, had they all stopped there.

    It comes from the tallies alone; None where these do not tell, as for 'absolute_error'.

    Examples
    --------
    >>> node_losses(play_tennis_tree, "error")[:2].round(3).tolist()
    [0.357, 0.0]
    """
    if loss in _OF_CLASSES:
        known = _OF_CLASSES[loss](tree)[:, :-1]
        return np.asarray((tree.row_shares[:, 0] * known).sum(axis=1))
    if loss != "squared_error" or tree.guess is None:
        return None
    weight, total, squares = tree.tally[:, 0].T
    guess = tree.guess[:, 0]
    with np.errstate(over="ignore", invalid="ignore"):
        found = squares / weight - guess * (2 * (total / weight) - guess)
    return np.asarray(np.clip(np.nan_to_num(found, nan=_LARGEST), 0.0, _LARGEST))


def check_loss(
    loss: str, task: Task, quantile: float | None = None, *, has_costs: bool = True
) -> None:
    """Refuse a loss that is not known, or not for this task, or that lacks its quantile or costs."""
    known = [name for name, of_task in LOSSES.items() if of_task == task]
    if loss not in known:
        hint = did_you_mean(str(loss), known)
        raise ParameterError(
            f"loss={loss!r} is not known for {task}.{hint} Known: {listed(known)}."
        )
    if loss == "pinball" and quantile is None:
        raise ParameterError(
            "loss='pinball' needs a quantile, a number between 0 and 1: quantile=0.9 is for guesses "
            "that nine of ten labels do not exceed."
        )
    if loss == "cost" and not has_costs:
        raise ParameterError(
            "loss='cost' needs to know what guesses cost. Say what is to be other than usual, as in "
            "costs={('ill', 'well'): 20}, the true class first, then the guess."
        )


# For classes: the loss of a row of each class at each node, (nodes, classes + 1). The last column
# is that of classes which the tree does not know; they have the number -1.


def _errors(tree: Guessing) -> Floats:
    numbers = np.arange(tree.shares.shape[2] + 1)
    return np.asarray(numbers != tree.class_guess[:, :1], np.float64)


def _log_losses(tree: Guessing) -> Floats:
    probabilities = np.pad(tree.probabilities[:, 0], ((0, 0), (0, 1)))
    return np.asarray(-np.log(np.maximum(probabilities, _LEAST_SHARE)))


def _brier(tree: Guessing) -> Floats:
    probabilities = np.pad(tree.probabilities[:, 0], ((0, 0), (0, 1)))
    squares = np.square(probabilities).sum(axis=1, keepdims=True)
    distances = np.maximum(squares - 2 * probabilities + 1, 0.0)
    return np.asarray(distances / 2 if tree.probabilities.shape[2] == 2 else distances)


def _costs(tree: Guessing) -> Floats:
    costs = tree.schema.labels[0].costs
    if not costs:
        return _errors(tree)
    of_guess = np.array(costs)[:, tree.class_guess[:, 0]].T
    return np.hstack([of_guess, of_guess.max(axis=1, keepdims=True)])


_OF_CLASSES: dict[str, Callable[[Guessing], Floats]] = {
    "error": _errors,
    "log_loss": _log_losses,
    "brier": _brier,
    "cost": _costs,
}


# For numbers: the loss of guesses where these are the labels.


def _squares(guesses: Floats, labels: Floats, _: float | None) -> Floats:
    return np.square(labels - guesses)


def _distances(guesses: Floats, labels: Floats, _: float | None) -> Floats:
    return np.abs(labels - guesses)


def _half_deviances(guesses: Floats, labels: Floats, _: float | None) -> Floats:
    if np.any(labels < 0):
        raise DataError(
            "loss='poisson' is for numbers that are 0 or more, but some labels are negative. "
            "Use loss='squared_error' or 'absolute_error', or leave these rows out."
        )
    guesses = np.maximum(guesses, _LEAST_SHARE)
    ratios = np.where(labels > 0, labels, guesses) / guesses  # 0 times its logarithm is 0
    return np.maximum(labels * np.log(ratios) - labels + guesses, 0.0)


def _pinball(guesses: Floats, labels: Floats, quantile: float | None) -> Floats:
    assert quantile is not None  # noqa: S101 - `check_loss` has refused it
    above = labels - guesses
    return np.maximum(quantile * above, (quantile - 1) * above)


_OF_NUMBERS: dict[str, Callable[[Floats, Floats, float | None], Floats]] = {
    "squared_error": _squares,
    "absolute_error": _distances,
    "poisson": _half_deviances,
    "pinball": _pinball,
}
LOSSES: dict[str, Task] = {
    **dict.fromkeys(_OF_CLASSES, Task.CLASSIFICATION),
    **dict.fromkeys(_OF_NUMBERS, Task.REGRESSION),
    "ndcg_loss": Task.RANKING,  # of queries and not of rows: see `bough.losses.ndcg`
}
"""The task of each loss; the first of a task is the usual one."""
