"""Losses and scores of a tree on some rows, with their intervals."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError, did_you_mean, listed
from bough.evidence import Estimate, Task
from bough.learn.rows import LabelledRows
from bough.losses import accuracy_of, estimate, root, row_losses
from bough.predict import stops
from bough.tree import Tree

MEASURED: dict[Task, tuple[str, ...]] = {
    "classification": ("error", "log_loss"),
    "regression": ("squared_error", "absolute_error"),
}


def known_loss(loss: str | None, task: Task) -> str:
    """Return the loss that is to be small; None is the usual one."""
    known = MEASURED[task]
    if loss is None:
        return known[0]
    if loss not in known:
        raise ParameterError(
            f"loss={loss!r} is not known for {task}.{did_you_mean(str(loss), known)} "
            f"Known: {listed(known)}."
        )
    return loss


def losses_of(tree: Tree, rows: LabelledRows, loss: str) -> NDArray[np.float64]:
    """Return the loss of each row."""
    return row_losses(tree, loss, stops(tree, rows.table), rows.answers)


def measured(trees: Sequence[tuple[Tree, LabelledRows]], task: Task) -> dict[str, Estimate]:
    """Return every loss and score of some trees, each on rows of its own, taken together."""
    stopped = [(tree, stops(tree, rows.table), rows) for tree, rows in trees]
    return _measured(stopped, task)


def baseline(tree: Tree, rows: LabelledRows, task: Task) -> dict[str, Estimate]:
    """Return the same for the root alone, which always guesses the same."""
    return _measured([(tree, np.zeros(len(rows), np.intp), rows)], task)


def _measured(
    stopped: Sequence[tuple[Tree, NDArray[np.integer], LabelledRows]], task: Task
) -> dict[str, Estimate]:
    weights = _together([rows.weights for _, _, rows in stopped])
    groups = _together([rows.group for _, _, rows in stopped])
    found = {}
    for loss in MEASURED[task]:
        losses = np.concatenate(
            [row_losses(tree, loss, nodes, rows.answers) for tree, nodes, rows in stopped]
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
