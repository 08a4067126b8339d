"""Prediction intervals: between which numbers 95 of 100 labels of new rows are expected.

The interval reaches from the prediction as far, in spreads of the leaf, as the labels of the test
rows did. Nothing was learnt from these: so it holds the label of a new row of the same kind with a
chance of 95 % or a little more, whatever the tree and the labels are like (split conformal
prediction). The chance is one over all rows, not within each leaf.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import ModelFormatError, ParameterError
from bough.evidence import Evidence, Residuals
from bough.predict import guesses, said_of
from bough.table import Table
from bough.tree import Guessing, Tree

COVERAGE = 0.95
OUTSIDE = (1 - COVERAGE) / 2  # on either side
FEWEST = round(1 / OUTSIDE) - 1  # test rows, so that one of them may lie outside on either side
PRIOR = 10  # rows with the spread of all leaves that a leaf is taken to have beside its own
_SLACK = 1e-9  # of a sum of weights


def residuals_of(
    tree: Tree,
    said: tuple[Guessing, NDArray[np.integer]],
    labels: NDArray[Any],
    weights: NDArray[np.float64] | None,
) -> Residuals | None:
    """Return how far labels lie from predictions; None if too few rows have nearly all the weight."""
    if len(labels) < FEWEST or tree.guess is None or tree.schema.task.ranks:
        return None
    predicted, spreads = _predicted(tree, *said)
    with np.errstate(over="ignore", invalid="ignore"):
        off = (labels - predicted) / np.where(spreads > 0, spreads, 1.0)
    if not np.isfinite(off).all():
        return None
    order = np.argsort(off, kind="stable")
    weights = np.ones(len(labels)) if weights is None else weights
    # The new row counts as one more, of which nobody knows where it lies.
    below = np.cumsum(weights[order]) / (weights.sum() + weights.mean())
    low, high = np.searchsorted(below, [OUTSIDE + _SLACK, 1 - OUTSIDE - _SLACK])
    if low == 0 or high == len(off):
        return None
    return Residuals(float(off[order][low - 1]), float(off[order][high]), len(off))


def interval_of(
    tree: Tree, evidence: Evidence | None, table: Table, *, missing: str
) -> NDArray[np.float64]:
    """Return the lower and the upper end of each row's interval, (rows, 2), or say why there is none."""
    residuals = _known(tree, evidence)
    predicted, spreads = _predicted(tree, *said_of(tree, table, missing=missing))
    spreads = np.where(spreads > 0, spreads, 1.0)
    ends = [predicted + spreads * each for each in (residuals.low, residuals.high)]
    return np.column_stack([np.minimum(predicted, ends[0]), np.maximum(predicted, ends[1])])


def _known(tree: Tree, evidence: Evidence | None) -> Residuals:
    if tree.schema.has_classes:
        raise ParameterError("Prediction intervals are for numbers; classes have probabilities.")
    if tree.schema.task.ranks:
        raise ParameterError("Prediction intervals are for numbers; a ranking predicts an order.")
    if evidence is None:
        raise ParameterError(
            "Prediction intervals come from test rows, and the model has none. Learn it with bough.fit."
        )
    if evidence.edits:
        raise ParameterError(
            "The tree was changed by hand after its test rows were looked at, so it has no "
            "prediction intervals. Use the tree before the change."
        )
    if evidence.residuals is not None:
        return evidence.residuals
    if evidence.n_test < FEWEST:
        raise ParameterError(
            f"A prediction interval of 95 % needs at least {FEWEST} test rows, and the model has "
            f"{evidence.n_test:,}. Learn it from more rows."
        )
    if evidence.weight is not None:
        raise ParameterError(
            f"A few test rows carry most of the weight in {evidence.weight!r}, so the others do not "
            "tell how far labels lie from predictions. Give weights that differ less, or none."
        )
    raise ModelFormatError(
        "The model does not say how far its test rows were off. Fit it again for intervals."
    )


def _predicted(
    tree: Tree, guessing: Guessing, places: NDArray[np.integer]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the prediction of each row, and the spread of the labels where it stops."""
    squares = _squares(tree)
    if guessing is not tree:  # a mean of several nodes: of those, the root's is never too small
        n_means = len(guessing.means)  # type: ignore[union-attr]
        squares = np.append(squares, np.full(n_means, squares[0]))
    return guesses(guessing, places)[:, 0], np.sqrt(squares[places])


def _squares(tree: Tree) -> NDArray[np.float64]:
    """Return the mean square of the labels around the prediction, at each node.

    A leaf of few rows hardly knows its own: it is taken together with that of all leaves.
    """
    assert tree.guess is not None  # noqa: S101 - it predicts numbers
    weight, total, squared = tree.tally[:, 0].T
    guess = tree.guess[:, 0]
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        own = (squared - 2 * guess * total) / weight + guess * guess
    own = np.clip(np.nan_to_num(own), 0.0, None)
    is_leaf = tree.feature < 0
    all_leaves = np.average(own[is_leaf], weights=tree.n_rows[is_leaf])
    return np.asarray((tree.n_rows * own + PRIOR * all_leaves) / (tree.n_rows + PRIOR))
