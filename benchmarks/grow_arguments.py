"""What `grow` takes, from seeded and from real tables: a table, its labels and settings."""

import numpy as np

from bough.encode import Labels
from bough.schema import Label
from bough.settings import Settings
from bough.table import read

SEED = 7
AWKWARD = (0.0, 1.0, 2.0, 3.0, 0.1, 0.7)  # no sum of the last two is exact in floating point


def parts(workload, *, criterion=None, categorical="each", is_weighted=False):
    """Return what `grow` takes for a seeded table within its limits."""
    made = workload.make()
    weights = awkward_weights(workload.n_rows) if is_weighted else None
    settings = Settings(
        criterion=criterion or default_criterion(workload.task),
        categorical=categorical,
        max_depth=workload.max_depth,
        min_samples_leaf=workload.min_samples_leaf,
    )
    return read(made.X), labels_of(workload.task, made.y, weights), settings


def default_criterion(task):
    return "gini" if task == "classification" else "squared_error"


def labels_of(task, y, weights=None):
    """Return labels as classes, or as numbers where the task is another one."""
    if task != "classification":
        return Labels((Label("label"),), None, y[np.newaxis].astype(float), weights)
    classes, codes = np.unique(y, return_inverse=True)
    label = Label("label", tuple(classes.tolist()), str(classes.dtype))
    return Labels((label,), codes[np.newaxis].astype(np.int32), None, weights)


def awkward_weights(n_rows):
    """Draw a weight for each row: none, whole ones, and broken ones."""
    return np.random.default_rng(SEED).choice(AWKWARD, n_rows)
