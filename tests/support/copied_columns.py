"""Tables in which a column comes twice, in one form or another."""

import numpy as np

SETTINGS = {
    "gini": {"criterion": "gini"},
    "entropy": {"criterion": "entropy"},
    "squared error": {"criterion": "squared_error"},
}
COPIES = {
    "twin": lambda column: column.copy(),
    "monotone": np.exp,
    "falling": np.negative,
    "miles": lambda column: column * 1.609344,
    "one-hot": lambda column: 1.0 - column,  # of the column of 0 and 1
}


def with_copy(kind, n_rows, seed=0):
    """Return a table without and with a copy as its last column, classes, numbers and weights."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 5))
    X[:, 1] = X[:, 1] > 0
    lean = X[:, 0] + 2 * X[:, 1] * X[:, 2] + rng.normal(size=n_rows)
    copied = X[:, 1] if kind == "one-hot" else X[:, 0]
    return (
        (X, np.column_stack([X, COPIES[kind](copied)])),
        {"classes": np.digitize(lean, [-1, 1]), "numbers": lean},
        rng.uniform(0.1, 2.0, n_rows),
    )
