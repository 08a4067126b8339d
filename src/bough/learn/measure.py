"""Losses and scores of a tree on some rows, with their intervals."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError, did_you_mean, listed
from bough.evidence import Estimate, Stop, Task
from bough.learn.rows import LabelledRows
from bough.losses import accuracy_of, check_loss, estimate, root, row_losses
from bough.predict import stops
from bough.tree import Tree

MEASURED: dict[Task, tuple[str, ...]] = {
    "classification": ("error", "log_loss"),
    "regression": ("squared_error", "absolute_error"),
}


WHERE_WANTED: dict[Task, tuple[str, ...]] = {
    "classification": (),
    "regression": ("poisson", "pinball"),
}
_LARGEST = np.finfo(np.float64).max
OWN_LOSS = {"absolute_error": "absolute_error", "poisson": "poisson", "quantile": "pinball"}


def task_of(tree: Tree) -> Task:
    """Return the task that a tree was grown for."""
    return "classification" if tree.schema.has_classes else "regression"


def known_loss(
    loss: str | None, task: Task, criteria: Sequence[str] = (), quantile: float | None = None
) -> str:
    """Return the loss that is to be small.

    None is the usual one: what the criteria themselves make small, where they agree on it.
    """
    known = MEASURED[task] + WHERE_WANTED[task]
    if loss is None:
        own = {OWN_LOSS.get(criterion) for criterion in criteria}
        loss = (own.pop() if len(own) == 1 else None) or known[0]
    if loss not in known:
        raise ParameterError(
            f"loss={loss!r} is not known for {task}.{did_you_mean(str(loss), known)} "
            f"Known: {listed(known)}."
        )
    check_loss(loss, task, quantile)
    return loss


def losses_of(
    tree: Tree, rows: LabelledRows, loss: str, quantile: float | None = None
) -> NDArray[np.float64]:
    """Return the loss of each row."""
    nodes = stops(tree, rows.table)
    return row_losses(tree, loss, nodes, rows.answers, quantile=quantile)


def measured(
    trees: Sequence[tuple[Tree, LabelledRows]],
    task: Task,
    loss: str | None = None,
    quantile: float | None = None,
) -> dict[str, Estimate]:
    """Return every loss and score of some trees, each on rows of its own, taken together.

    These are the usual ones of the task, and the `loss` that was to be small.
    """
    stopped = [(tree, stops(tree, rows.table), rows) for tree, rows in trees]
    return _measured(stopped, task, loss, quantile)


def baseline(
    tree: Tree,
    rows: LabelledRows,
    task: Task,
    loss: str | None = None,
    quantile: float | None = None,
) -> dict[str, Estimate]:
    """Return the same for the root alone, which always guesses the same."""
    return _measured([(tree, np.zeros(len(rows), np.intp), rows)], task, loss, quantile)


def stops_of(tree: Tree, rows: LabelledRows) -> tuple[Stop, ...]:
    """Return where the rows stop, with the labels of those that stop at each node."""
    nodes, labels = stops(tree, rows.table), rows.answers
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    order = np.lexsort((weights, labels, nodes))  # so that no sum depends on the order of rows
    nodes, labels, weights = nodes[order], labels[order], weights[order]
    if tree.schema.has_classes:
        sums = [weights * (labels == code) for code in range(tree.tally.shape[2])]
    else:
        with np.errstate(over="ignore"):
            sums = [weights, weights * labels, weights * np.square(labels)]
    n_rows = np.bincount(nodes)
    with np.errstate(over="ignore"):
        tally = [
            np.bincount(nodes, weights=each).clip(-_LARGEST, _LARGEST).tolist() for each in sums
        ]
    return tuple(
        Stop(node, int(n_rows[node]), tuple(each[node] for each in tally))
        for node in np.flatnonzero(n_rows).tolist()
    )


def _measured(
    stopped: Sequence[tuple[Tree, NDArray[np.integer], LabelledRows]],
    task: Task,
    wanted: str | None,
    quantile: float | None,
) -> dict[str, Estimate]:
    weights = _together([rows.weights for _, _, rows in stopped])
    groups = _together([rows.group for _, _, rows in stopped])
    found = {}
    for loss in dict.fromkeys([*MEASURED[task], *([wanted] if wanted else [])]):
        losses = np.concatenate(
            [
                row_losses(tree, loss, nodes, rows.answers, quantile=quantile)
                for tree, nodes, rows in stopped
            ]
        )
        found[loss] = estimate(losses, loss, weights=weights, groups=groups)
        if loss == "error":
            found["accuracy"] = accuracy_of(found[loss])
        if loss == "squared_error":
            found["rmse"] = root(found[loss])
    return found


def _together(arrays: Sequence[NDArray[Any] | None]) -> NDArray[Any] | None:
    given = [array for array in arrays if array is not None]
    return np.concatenate(given) if given else None
