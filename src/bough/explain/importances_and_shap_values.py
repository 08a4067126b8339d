"""Which columns matter: what each has gained in the tree; what each adds to each prediction (SHAP values).

For SHAP values, a coalition of columns is worth what the tree predicts if only these are known: a query
about another column is answered by all of its answers, each as often as in training. At a leaf, that is
a product with one factor for each column on its trail, so the Shapley value of a column is an
integral of products over the share of the others that are known, which few points give exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.explain.rules_and_conditions import is_known
from bough.predict import EVERY, next_nodes, stops
from bough.remembered import once
from bough.schema import Part
from bough.table import Table
from bough.tree import Tree
from bough.walk import trails

CELLS = 2**22  # of rows and nodes that are looked at together
STOPS = -1  # in place of a child
Floats = NDArray[np.float64]


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


@dataclass(frozen=True, eq=False)
class ShapValues:
    """How much each column adds to each prediction, beside what all rows have in common."""

    values: Floats
    """(rows, columns), or (rows, columns, classes)."""
    base_values: Floats
    """(rows,) or (rows, classes), the same in each row."""
    data: Floats
    """The numbers in the columns, codes of categories; nan where they are missing."""
    display_data: NDArray[Any]
    """The same in words: categories by name."""
    feature_names: list[str]
    output_names: list[str]
    """What the last axis of `values` is about; empty where there is none."""

    def explanation(self) -> Any:  # noqa: ANN401 - shap's class
        """Return a `shap.Explanation`, which `shap.plots` draws. It needs the package shap."""
        import shap

        return shap.Explanation(
            self.values,
            base_values=self.base_values,
            data=self.data,
            display_data=self.display_data,
            feature_names=self.feature_names,
            output_names=self.output_names or None,
        )


def shap_values(tree: Tree, table: Table, *, missing: str = "stop") -> ShapValues:
    """Return the SHAP values of the predictions for some rows.

    Examples
    --------
    >>> from bough.table import typed_row
    >>> row = {"outlook": "Sunny", "temperature": "Hot", "humidity": "High", "wind": "Weak"}
    >>> found = shap_values(play_tennis_tree, typed_row(row, play_tennis_tree.schema))
    >>> bool(np.isclose(found.base_values[0] + found.values[0].sum(axis=0), [1, 0]).all())
    True
    """
    table = table.dense()
    stops(tree, table)  # which refuses infinite numbers
    said, names = _said(tree)
    values = np.zeros((table.n_rows, len(tree.schema.columns), said.shape[1]))
    ends = [_end(tree, leaf) for leaf in np.flatnonzero(tree.feature < 0).tolist()]
    size = max(1, CELLS // len(tree))
    for begin in range(0, table.n_rows, size):
        rows = range(begin, min(begin + size, table.n_rows))
        taken = np.array([next_nodes(tree, table, row, missing=missing) for row in rows])
        for end in (*ends, *_early_ends(tree, taken)):
            which, added = _added(tree, end, taken)
            if len(which):
                place = np.ix_(begin + which, end.columns)
                values[place] += added[:, :, np.newaxis] * said[end.node]
    base = sum(end.known_by_none * said[end.node] for end in ends)
    is_one = not names
    return ShapValues(
        values[:, :, 0] if is_one else values,
        np.full(table.n_rows, base[0]) if is_one else np.tile(base, (table.n_rows, 1)),
        *_data(tree, table),
        list(tree.schema.columns),
        names,
    )


def _said(tree: Tree) -> tuple[Floats, list[str]]:
    """Return what each node predicts, (nodes, outputs), and the names of the outputs if there are several."""
    labels = tree.schema.labels
    if tree.guess is not None:
        return tree.guess, [label.name for label in labels] if len(labels) > 1 else []
    parts = [tree.probabilities[:, n, : len(label.classes)] for n, label in enumerate(labels)]
    names = [
        str(each) if len(labels) == 1 else f"{label.name} = {each}"
        for label in labels
        for each in label.classes
    ]
    return np.concatenate(parts, axis=1), names


class _End(NamedTuple):
    """A node where rows stop, and the columns that are asked about on the way to it."""

    node: int
    columns: NDArray[np.intp]
    shares: Floats
    """For each column, how many of the rows that do not know it come through."""
    asked: NDArray[np.int32]
    """The nodes on the way that ask."""
    chosen: NDArray[np.int32]
    """The child of each of these that leads here; `STOPS` where it is to stop."""
    owner: NDArray[np.intp]
    """The place in `columns` of what each of these asks about."""
    is_early: bool

    @property
    def known_by_none(self) -> float:
        return float(self.shares.prod())


def _end(tree: Tree, node: int, *, is_early: bool = False) -> _End:
    _, way = trails(tree, [node])
    asked, chosen = (way, [*way[1:], STOPS]) if is_early else (way[:-1], way[1:])
    of_feature = np.array([feature.column for feature in tree.schema.features], dtype=np.intp)
    columns, owner = np.unique(of_feature[tree.feature[asked]], return_inverse=True)
    shares = np.ones(len(columns))
    np.multiply.at(shares, owner[: len(way) - 1], tree.flow[way[1:]])
    if is_early:  # only who knows the value stops at it
        shares[owner[-1]] = 0.0
    return _End(node, columns, shares, asked, np.asarray(chosen, np.int32), owner, is_early)


def _early_ends(tree: Tree, taken: NDArray[np.int32]) -> Iterator[_End]:
    """Give the branches that have no answer for the value of some row."""
    for node in np.flatnonzero((tree.feature >= 0) & (taken == STOPS).any(axis=0)).tolist():
        yield _end(tree, node, is_early=True)


def _added(tree: Tree, end: _End, taken: NDArray[np.int32]) -> tuple[NDArray[np.intp], Floats]:
    """Return the rows that an end counts for, and which part of what it says is due to each column."""
    which = np.arange(len(taken))
    if end.is_early:
        which = np.flatnonzero(taken[:, end.node] == STOPS)
    if not len(end.columns):
        return which[:0], np.zeros((0, 0))
    there = taken[np.ix_(which, end.asked)]
    passes = (there == end.chosen).astype(np.float64)
    if (there == EVERY).any():
        passes = np.where(there == EVERY, tree.flow[np.maximum(end.chosen, 0)], passes)
    known = np.ones((len(which), len(end.columns)))
    for step, place in enumerate(end.owner.tolist()):
        known[:, place] *= passes[:, step]
    ways, of_row = np.unique(known, axis=0, return_inverse=True)
    return which, _shapley(ways, end.shares)[of_row.reshape(-1)]


def _shapley(known: Floats, unknown: Floats) -> Floats:
    """Return the Shapley values of players whose coalitions are worth the product of their factors.

    These are `known`, (games, players), of those who take part, and `unknown`, (players,), of the
    others.
    """
    n_players = len(unknown)
    points, weights = np.polynomial.legendre.leggauss(n_players // 2 + 1)
    points, weights = (points + 1) / 2, weights / 2
    factors = (
        unknown[:, np.newaxis, np.newaxis] * (1 - points)
        + known.T[:, :, np.newaxis] * points
    )  # fmt: skip
    before, after = np.ones_like(factors), np.ones_like(factors)
    np.cumprod(factors[:-1], axis=0, out=before[1:])
    after[:-1] = np.cumprod(factors[:0:-1], axis=0)[::-1]
    return np.asarray((known - unknown) * ((before * after) @ weights).T)


def _data(tree: Tree, table: Table) -> tuple[Floats, NDArray[Any]]:
    data = np.full((table.n_rows, len(tree.schema.columns)), np.nan)
    words = data.astype(object)
    for feature, values in zip(table.features, table.values, strict=True):
        if feature.part is not Part.ITSELF or not len(values):
            continue
        known = is_known(feature, values)
        data[known, feature.column] = values[known]
        words[known, feature.column] = (
            np.array(feature.choices, object)[values[known]] if feature.choices else values[known]
        )
    return data, words
