"""`DecisionTreeRegressor`: a tree that predicts numbers."""

import warnings
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from bough.constraints import MonotonicCst
from bough.encode import Labels
from bough.estimators.fit_arguments import read_weights
from bough.estimators.labels import read_numbers
from bough.estimators.mixins import Forceable, MeasuredByRows
from bough.estimators.saving import model_of
from bough.exports.model_file_evidence import evidence_about
from bough.grow import refuse_other_than_counts
from bough.losses.intervals import interval_of
from bough.predict import Guessing, Missing, all_guesses, guesses
from bough.pruning.ways import RowLosses
from bough.schema import Task
from bough.settings import Categorical, MaxFeatures, Pivots, Splitter
from bough.table import TableLike
from bough.table.source import Types

Criterion = Literal["squared_error", "absolute_error", "poisson", "quantile", "friedman_mse"]


class DecisionTreeRegressor(RegressorMixin, MeasuredByRows, Forceable):  # type: ignore[misc]
    """A decision tree that predicts numbers.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson", "quantile"}, default="squared_error"
        The impurity that queries reduce, and what a leaf predicts:

        - "squared_error": the variance; the mean;
        - "absolute_error": the mean distance from the median; the median;
        - "poisson": half the mean Poisson deviance, for counts and other numbers that are never
          negative; the mean;
        - "quantile": the mean pinball loss; the quantile.

        "friedman_mse", scikit-learn's old name for "squared_error", works with a warning.
    quantile : float, default=None
        For `criterion="quantile"`: the share of labels that lie below the prediction, as in 0.9.
    splitter : {"best", "random"}, default="best"
        "random" draws one query for each feature and takes the best of these.
    max_depth : int, default=None
        Maximum depth of the tree; 0 is a single leaf, None is no limit.
    min_samples_split : int or float, default=2
        A node with fewer rows, or with a smaller share of all rows, stays a leaf.
    min_samples_leaf : int or float, default=1
        Both answers of a query get at least this many rows, or this share of all rows. Of a query
        with one answer per category, at least two do.
    min_weight_fraction_leaf : float, default=0.0
        The same for the share of the total weight.
    max_features : int, float, "sqrt" or "log2", default=None
        Number or share of the features to try at each node, drawn at random; None: all. A date
        column has several features: the date, weekday, month and, if it has times, the hour.
    random_state : int or RandomState, default=None
        Seed for `max_features` and `splitter="random"`; None draws another one each time.
    max_leaf_nodes : int, default=None
        Grow the query with the greatest gain first, until there are this many leaves.
    min_impurity_decrease : float, default=0.0
        Least gain of a query, multiplied by the node's share of the weight.
    ccp_alpha : float, default=0.0
        Price of a leaf in cost-complexity pruning, after growing. Larger values prune more.
    categorical : {"auto", "each", "group"}, default="auto"
        "each": one answer per category. "group": two answers, some categories and the others.
        "auto": "each" for columns of at most five categories, "group" for others.
    types : dict, default=None
        Kinds of columns, where bough should not infer them, as in
        `{"zip": "category", "size": ["S", "M", "L"], "id": "ignore"}`.
    missing : {"stop", "weigh"}, default="stop"
        How to predict a row with a missing value. "stop": follow the answer that missing values
        took in training; if there were none, predict at that node. "weigh": follow every answer and
        average, weighted by the training rows of each.
    monotonic_cst : array of -1, 0 and 1, or dict, default=None
        Direction of each column, or of those that a dict names: 1 if predictions must not fall as
        the value grows and all others stay the same, -1 if they must not rise, 0 if they are free.
    first : list of column names, default=None
        Columns to ask about before all others, in this order, wherever they can split the rows. Use
        column numbers if the columns have no names.
    forbid : list of column names, default=None
        Columns that the tree must not use.
    pivots : {"midpoint", "round"}, default="midpoint"
        Where to put a pivot between two neighbouring values of the node's rows: halfway, or at the
        shortest number in the middle half of the gap. Both split these rows alike. For a midpoint,
        drawings and rules print the shortest number between the two values.
    exact : bool, default=True
        Whether every value of a number may be split at. False: numbers with more than 255 values are
        cut into 255 intervals, between which the tree splits. Meant for `bough.dask` and
        `bough.spark`, where it saves passes over the rows; in memory, exact trees are faster.
    n_jobs : int, default=None
        Number of threads; None: all cores, but 1 inside a joblib worker. It never changes the tree.

    Attributes
    ----------
    grown_tree_ : bough.tree.Tree
        The tree itself.
    tree_ : TreeView
        The tree as scikit-learn's arrays, if every branch has two children.
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
    criterion: Criterion
    quantile: float | None

    def __init__(
        self,
        *,
        criterion: Criterion = "squared_error",
        quantile: float | None = None,
        splitter: Splitter = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: MaxFeatures = None,
        random_state: int | np.random.RandomState | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        categorical: Categorical = "auto",
        types: Types | None = None,
        missing: Missing = "stop",
        monotonic_cst: MonotonicCst = None,
        first: Sequence[str | int] | None = None,
        forbid: Sequence[str | int] | None = None,
        pivots: Pivots = "midpoint",
        exact: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self._keep(locals())

    def predict(self, X: TableLike, check_input: bool = True) -> NDArray[np.float64]:  # noqa: ARG002, FBT001, FBT002
        """Return the predicted number of each row."""
        found = self._look_up(X, all_guesses)
        return found[:, 0] if self.n_outputs_ == 1 else found

    def predict_interval(self, X: TableLike) -> NDArray[np.float64]:
        """Return for each row two numbers between which its label lies, with a chance of 95 %.

        Only a model from `bough.fit` has them: they are made of how far its test rows were off.
        The chance is one over all new rows of the same kind, not within each leaf.
        """
        tree, saved = self._tree, model_of(self)
        evidence = None if saved.evidence is None else evidence_about(tree, saved.evidence)
        return interval_of(tree, evidence, self._read(X), missing=self.missing)

    def _criterion(self) -> str:
        if not isinstance(self.criterion, str) or self.criterion != "friedman_mse":
            return super()._criterion()
        warnings.warn(
            "criterion='friedman_mse' is a name that scikit-learn has deprecated. "
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
