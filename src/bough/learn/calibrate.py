"""Whether probabilities come true."""

import numpy as np
from numpy.typing import NDArray

from bough.evidence import Calibration, CalibrationBin
from bough.learn.rows import LabelledRows
from bough.losses import estimate
from bough.predict import said_of
from bough.tree import Tree

MOST_BINS = 10


def calibration_of(tree: Tree, rows: LabelledRows, missing: str = "stop") -> Calibration | None:
    """Return how often what was given some probability came true; None for numbers.

    Of two classes it is the second one that has the probability, of more the guessed one. A tree
    gives few probabilities; rows with the same one stay together, and so do neighbouring ones until
    there are at most ten bins of about the same weight.
    """
    label = tree.schema.labels[0]
    if not label.classes:
        return None
    said, places = said_of(tree, rows.table, missing=missing)
    is_binary = len(label.classes) == 2
    asked = np.ones(len(places), np.intp) if is_binary else said.class_guess[places, 0]
    given = said.probabilities[places, 0, asked]
    came_true = np.asarray(rows.answers == asked, np.float64)
    weights = np.ones(len(places)) if rows.weights is None else rows.weights
    bin_of = _bins(given, weights)
    bins, off = [], 0.0
    for number in range(int(bin_of.max()) + 1):
        here = bin_of == number
        found = CalibrationBin(
            least=float(given[here].min()),
            most=float(given[here].max()),
            predicted=float(np.average(given[here], weights=weights[here])),
            observed=estimate(
                came_true[here],
                "error",
                weights=None if rows.weights is None else weights[here],
                groups=None if rows.group is None else rows.group[here],
            ),
        )
        off += abs(found.predicted - found.observed.value) * float(weights[here].sum())
        bins.append(found)
    return Calibration(1 if is_binary else None, tuple(bins), off / float(weights.sum()))


def _bins(given: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the bin of each row: equal probabilities share one, and bins weigh about the same."""
    distinct, which = np.unique(given, return_inverse=True)
    weight = np.bincount(which, weights, minlength=len(distinct))
    middle = (np.cumsum(weight) - weight / 2) / weight.sum()
    of_distinct = np.unique(np.floor(MOST_BINS * middle), return_inverse=True)[1]
    return np.asarray(of_distinct[which], np.intp)
