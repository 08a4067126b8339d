"""`DecisionTreeRanker`: a tree that ranks the rows of groups."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Bunch, Tags

from bough.constraints import MonotonicCst
from bough.encode import Labels
from bough.errors import DataError
from bough.estimators.fit_arguments import read_group, read_weights
from bough.estimators.labels import read_numbers
from bough.estimators.mixins import Editable, Losses, weighed_by_depth
from bough.predict import Missing, all_guesses, guesses
from bough.pruning.ways import series_by_depth
from bough.ranking import Groups, check_relevance
from bough.schema import Task
from bough.settings import Categorical, MaxFeatures, Pivots, Splitter
from bough.table import TableLike
from bough.table.source import Types


class DecisionTreeRanker(Editable):
    """A decision tree that ranks the rows of groups by their relevance.

    Each row gets a score, and the rows of a group are shown in descending order of score. The goal
    is a high NDCG: a row of relevance r at place p gains (2^r - 1) / log2(p + 1), and the sum over
    the group is divided by that of the best possible order.

    Parameters
    ----------
    criterion : {"ndcg"}, default="ndcg"
        Squared error of the gains 2^relevance - 1, minus their mean in the group. Each row is
        weighted by 1 / the greatest sum that its group allows. It is the first step of LambdaRank.
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
        How to score a row with a missing value. "stop": follow the answer that missing values
        took in training; if there were none, score at that node. "weigh": follow every answer and
        average, weighted by the training rows of each.
    first : list of column names, default=None
        Columns to ask about before all others, in this order, wherever they can split the rows. Use
        column numbers if the columns have no names.
    forbid : list of column names, default=None
        Columns that the tree must not use.
    pivots : {"midpoint", "round"}, default="midpoint"
        Where to put a pivot between two neighbouring values of the node's rows: halfway, or at the
        shortest number in the middle half of the gap. Both split these rows alike. For a midpoint,
        drawings and rules print the shortest number between the two values.
    monotonic_cst : array of -1, 0 and 1, or dict, default=None
        Direction of each column, or of those that a dict names: 1 if scores must not fall as the
        value grows and all others stay the same, -1 if they must not rise, 0 if they are free.
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
    >>> from bough import DecisionTreeRanker
    >>> X, relevance = [[1], [5], [2], [1], [9]], [0, 2, 1, 0, 1]
    >>> tree = DecisionTreeRanker(max_depth=1).fit(X, relevance, group=["a", "a", "a", "b", "b"])
    >>> tree.rank([[1], [7], [3]], group=["c", "c", "c"])
    array([1, 0, 2])
    """

    task = Task.RANKING
    criterion: Literal["ndcg"]

    def __init__(
        self,
        *,
        criterion: Literal["ndcg"] = "ndcg",
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

    def fit(
        self,
        X: TableLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        check_input: bool = True,  # noqa: ARG002, FBT001, FBT002
        *,
        group: ArrayLike | None = None,
    ) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            The table. Text, categories, dates and missing values are taken as they are.
        y : array of shape (n_rows,)
            The relevance of each row: a number from 0 (not relevant) to 31.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each row; None: all the same. Rows of weight 0 are left out.
        group : array of shape (n_rows,), default=None
            The group of each row, as a number or text. None: all rows are one group.
        check_input : bool, default=True
            Changes nothing; scikit-learn's trees have it.
        """
        return self._fit(X, partial(self._labels, y, sample_weight, group=group))

    def predict(self, X: TableLike, check_input: bool = True) -> NDArray[np.float64]:  # noqa: ARG002, FBT001, FBT002
        """Return the score of each row. Compare scores within a group only."""
        return self._look_up(X, lambda guessing: all_guesses(guessing)[:, 0])

    def rank(self, X: TableLike, group: ArrayLike | None = None) -> NDArray[np.intp]:
        """Return the numbers of the rows in the order in which to show them.

        Groups are in the order of their first rows, None: all rows are one; within a group, higher
        scores come first and rows of equal score keep their order.

        Examples
        --------
        >>> from bough import DecisionTreeRanker
        >>> tree = DecisionTreeRanker().fit([[1], [2], [3]], [0, 1, 2])
        >>> tree.rank([[2], [1], [3], [3]], group=["b", "a", "b", "a"])
        array([2, 0, 3, 1])
        """
        scores = self.predict(X)
        codes = read_group(group, len(scores))
        if codes is None:
            return np.argsort(-scores, kind="stable")
        _, first, unit = np.unique(codes, return_index=True, return_inverse=True)
        return np.lexsort((-scores, first[unit]))

    def score(
        self,
        X: TableLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        group: ArrayLike | None = None,
    ) -> float:
        """Return the mean NDCG@10 of the groups.

        Rows of equal score count as if shown in random order. Groups without a relevant row are left
        out, since every order of their rows is equally good. The weight of a group is the mean
        weight of its rows.

        Examples
        --------
        >>> from bough import DecisionTreeRanker
        >>> tree = DecisionTreeRanker().fit([[1], [2], [3]], [0, 1, 2])
        >>> tree.score([[1], [2], [3], [4]], [0, 1, 1, 0], group=["a", "a", "b", "b"])
        0.9077324383928644
        """
        scores = self.predict(X)
        groups = self._groups(y, sample_weight, group, len(scores))
        return groups.mean(groups.ndcg(scores))

    def depths_path(
        self,
        X: TableLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        group: ArrayLike | None = None,
    ) -> NDArray[np.float64]:
        """Return the loss (1 - NDCG@10) on these rows when the tree is cut at depth 0, 1, 2, …

        Examples
        --------
        >>> from bough import DecisionTreeRanker
        >>> X, relevance = [[0], [1], [2], [3]], [0, 1, 2, 2]
        >>> DecisionTreeRanker().fit(X, relevance).depths_path(X, relevance).round(3)
        array([0.169, 0.006, 0.   ])
        """
        if self.missing == "weigh":
            table = self._read(X)
            groups = self._groups(y, sample_weight, group, table.n_rows)
            cut = weighed_by_depth(self._tree, table)
            return np.array([groups.mean(1 - groups.ndcg(guesses(*each)[:, 0])) for each in cut])
        nodes, series = self.apply(X), series_by_depth(self._tree)
        groups = self._groups(y, sample_weight, group, len(nodes))
        scores = all_guesses(self._tree)[:, 0]
        by_size = groups.losses_in_series(scores, series.moves(nodes), len(series))
        return np.array([groups.mean(losses) for losses in by_size])[::-1]

    def cost_complexity_pruning_path(
        self,
        X: TableLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        group: ArrayLike | None = None,
    ) -> Bunch:
        return self._pruning_path(X, partial(self._labels, y, sample_weight, group=group))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.positive_only = True
        tags.target_tags.multi_output = False
        return tags

    def _labels(
        self,
        y: ArrayLike,
        sample_weight: ArrayLike | None,
        n_rows: int,
        *,
        group: ArrayLike | None = None,
    ) -> Labels:
        labels, numbers = read_numbers(y, n_rows, does="A ranker ranks by numbers")
        if len(labels) > 1:
            raise DataError(f"y has {len(labels)} columns. Give one: the relevance of each row.")
        check_relevance(numbers[0], labels[0].name, lambda row: f"row {row}")
        weights = read_weights(sample_weight, n_rows)
        return Labels(
            labels=(replace(labels[0], ranks=True),),
            codes=None,
            values=numbers,
            weights=weights,
            group=read_group(group, n_rows, weights),
        )

    def _losses_on(
        self,
        X: TableLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        group: ArrayLike | None = None,
    ) -> Losses:
        scores = self.predict(X)
        groups = self._groups(y, sample_weight, group, len(scores))
        return 1 - groups.ndcg(scores), groups.weights

    def _groups(
        self, y: ArrayLike, sample_weight: ArrayLike | None, group: ArrayLike | None, n_rows: int
    ) -> Groups:
        labels = self._labels(y, sample_weight, n_rows, group=group)
        assert labels.values is not None  # noqa: S101 - they are numbers
        return Groups(labels.values[0], labels.group, labels.weights)
