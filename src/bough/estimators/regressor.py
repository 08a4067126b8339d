"""`DecisionTreeRegressor`: a tree that guesses numbers."""

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from bough.encode import Labels
from bough.estimators.decision_tree import DecisionTree
from bough.estimators.depths_path import MeasuredByRows
from bough.estimators.editing_methods import Forceable
from bough.estimators.labels import read_numbers
from bough.estimators.weights import read_weights
from bough.grow import refuse_other_than_counts
from bough.monotonic import MonotonicCst
from bough.predict import all_guesses, guesses
from bough.pruning import RowLosses
from bough.table import TableLike, Types
from bough.tasks import Task
from bough.tree import Guessing


class DecisionTreeRegressor(RegressorMixin, DecisionTree, MeasuredByRows, Forceable):  # type: ignore[misc]
    """A decision tree that guesses numbers.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson", "quantile"}, default="squared_error"
        How mixed the labels of some rows are, and what is guessed for them:

        - "squared_error": the variance; the mean;
        - "absolute_error": the mean distance from the median; the median;
        - "poisson": half the mean Poisson deviance, for counts and other numbers that are never
          negative; the mean;
        - "quantile": the mean pinball loss; the quantile.

        "friedman_mse" is an old name of "squared_error" in scikit-learn, taken with a warning.
    quantile : float, default=None
        For `criterion="quantile"`: the share of the labels that a guess is to exceed, as in 0.9.
    splitter : {"best", "random"}, default="best"
        "random" asks a random query of each column and takes the best of these.
    max_depth : int, default=None
        The most queries that a row may be asked; 0 is a single leaf.
    min_samples_split : int or float, default=2
        A node of fewer rows, or of a smaller share of the rows, is a leaf.
    min_samples_leaf : int or float, default=1
        Both answers of a query get at least this many rows, or this share of the rows.
    min_weight_fraction_leaf : float, default=0.0
        Both answers of a query get at least this share of the weight.
    max_features : int, float, "sqrt" or "log2", default=None
        How many features are drawn at each node to look for a query; None: all. A column is one
        feature, a column of dates several: the date, its weekday, its month and maybe its hour.
    random_state : int or RandomState, default=None
        Where `max_features` and `splitter="random"` draw from; None is 0.
    max_leaf_nodes : int, default=None
        Grow the node with the greatest gain first, until there are this many leaves.
    min_impurity_decrease : float, default=0.0
        A query must gain at least this much, times the node's share of the weight.
    ccp_alpha : float, default=0.0
        What a leaf costs when the tree is pruned after growing.
    categorical : {"each", "group"}, default="each"
        Ask which value a category has, one answer for each, or whether it is in a group.
    types : dict, default=None
        The kind of a column where it is not to be inferred, as in
        `{"zip": "category", "size": ["S", "M", "L"], "id": "ignore"}`.
    missing : {"stop", "weigh"}, default="stop"
        Where a missing value goes when rows are guessed: where such values went when the tree was
        grown, and if there were none it stops at that query; or to every answer of the query, each
        getting a part of the row as large as its share of the node's weight.
    monotonic_cst : array of -1, 0 and 1, or dict, default=None
        Which way guesses go along each column, or along those that a dict names: 1 where they may
        not fall as the value grows and all others stay, -1 where they may not rise.
    first : list of column names, default=None
        Columns to ask about before any other, on every trail in this order, as far as they can be
        asked about; numbers of columns where these have no names.
    forbid : list of column names, default=None
        Columns never to ask about.
    pivots : {"midpoint", "round"}, default="midpoint"
        Where a pivot lies between the two values of the node's rows that are nearest to it: halfway,
        or at the number of fewest digits in the middle half. The rows part alike. Words give a
        midpoint as the number of fewest digits between the two values.
    n_jobs : int, default=None
        The number of threads; None: all cores, but 1 inside a joblib worker. It never changes
        the tree.

    Attributes
    ----------
    grown_tree_ : bough.tree.Tree
        The tree itself.
    tree_ : TreeView
        The same as scikit-learn's arrays, for trees in which every branch has two children.
    feature_importances_, feature_names_in_, max_features_, n_features_in_, n_outputs_
        As in scikit-learn.

    Examples
    --------
    >>> from bough import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor(max_depth=1).fit([[1], [2], [8], [9]], [1, 2, 8, 8])
    >>> tree.predict([[0], [10]])
    array([1.5, 8. ])
    """

    task = Task.REGRESSION

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        quantile: float | None = None,
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        random_state: int | np.random.RandomState | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        categorical: str = "each",
        types: Types | None = None,
        missing: str = "stop",
        monotonic_cst: MonotonicCst = None,
        first: Sequence[str | int] | None = None,
        forbid: Sequence[str | int] | None = None,
        pivots: str = "midpoint",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.quantile = quantile
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.categorical = categorical
        self.types = types
        self.missing = missing
        self.monotonic_cst = monotonic_cst
        self.first = first
        self.forbid = forbid
        self.pivots = pivots
        self.n_jobs = n_jobs

    def predict(self, X: TableLike) -> NDArray[np.float64]:
        """Return the number that the tree guesses for each row."""
        found = self._look_up(X, all_guesses)
        return found[:, 0] if self.n_outputs_ == 1 else found

    def _criterion(self) -> str:
        if not isinstance(self.criterion, str) or self.criterion != "friedman_mse":
            return super()._criterion()
        warnings.warn(
            "criterion='friedman_mse' is an old name that scikit-learn gives up. "
            "Use criterion='squared_error', which grows the same tree.",
            FutureWarning,
            stacklevel=6,
        )
        return "squared_error"

    def _labels(self, y: ArrayLike, sample_weight: ArrayLike | None, n_rows: int) -> Labels:
        if self.criterion == "poisson":  # scikit-learn too looks at y before it counts the rows
            found, values = read_numbers(y)
            refuse_other_than_counts(Labels(found, None, values))
        labels, numbers = read_numbers(y, n_rows)
        weights = read_weights(sample_weight, n_rows)
        return Labels(labels=labels, codes=None, values=numbers, weights=weights)

    def _row_losses(self, y: ArrayLike, n_rows: int, guessing: Guessing | None = None) -> RowLosses:
        said = self._tree if guessing is None else guessing
        _, numbers = read_numbers(y, n_rows)

        def squared_errors(rows: NDArray[np.intp], nodes: NDArray[np.intp]) -> NDArray[np.float64]:
            with np.errstate(over="ignore"):  # beyond the largest number it is infinite
                squares = (guesses(said, nodes) - numbers.T[rows]) ** 2
                return np.asarray(squares.mean(axis=1))

        return squared_errors
