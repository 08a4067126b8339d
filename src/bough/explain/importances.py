"""Which columns matter: what each has gained in the tree."""

import numpy as np
from numpy.typing import NDArray

from bough.remembered import once
from bough.tree import Tree


def importances(tree: Tree) -> dict[str, float]:
    """Return the share of the tree's total gain that each column has earned.

    A gain counts with the weight of the rows that the query was asked about, so a query near the
    root counts for more. The parts of a date add up to its column. Shares add up to 1; all are 0
    when the tree is a single leaf.

    Examples
    --------
    >>> shares = importances(play_tennis_tree)
    >>> {column: round(share, 2) for column, share in shares.items()}
    {'outlook': 0.25, 'temperature': 0.0, 'humidity': 0.37, 'wind': 0.37}
    """
    return dict(zip(tree.schema.columns, column_importances(tree).tolist(), strict=True))


def column_importances(tree: Tree, *, normalize: bool = True) -> NDArray[np.float64]:
    """Return what each column has earned, in column order; as shares unless told otherwise."""
    return _importances(tree, normalize).copy()


@once
def _importances(tree: Tree, normalize: bool) -> NDArray[np.float64]:  # noqa: FBT001
    with np.errstate(over="ignore"):  # a file may say that a node weighs more than the root
        shares = np.minimum(tree.weight / tree.weight[0], 1)
    earned = np.maximum(tree.gain, 0) * shares  # of a query that gains nothing, rounding is left
    most = earned.max() if normalize else 1.0
    n_columns = len(tree.schema.columns)
    if most == 0:
        return np.zeros(n_columns)
    # Scaled first, since gains of the largest labels would add up to infinity.
    found: NDArray[np.float64] = np.bincount(
        columns_asked(tree), earned / most, minlength=n_columns
    ).astype(np.float64)
    return found / found.sum() if normalize else found


def columns_asked(tree: Tree) -> NDArray[np.intp]:
    """Return the column that each node asks about; 0 at a leaf."""
    if tree.schema.is_matrix:
        return np.maximum(tree.feature, 0).astype(np.intp)
    columns = [feature.column for feature in tree.schema.features]
    return np.array([*columns, 0], dtype=np.intp)[tree.feature]  # a leaf has the feature -1
