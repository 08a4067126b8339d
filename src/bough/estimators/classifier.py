"""`DecisionTreeClassifier`: a tree that guesses classes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags

from bough.costs import Costs, read_costs
from bough.encode import Labels
from bough.errors import ParameterError
from bough.estimators.decision_tree import DecisionTree
from bough.estimators.depths_path import MeasuredByRows
from bough.estimators.editing_methods import Forceable
from bough.estimators.labels import class_array, code_classes, read_classes
from bough.estimators.weights import ClassWeight, read_class_weights, read_weights
from bough.losses import row_losses
from bough.monotonic import MonotonicCst, refuse_other_shares
from bough.predict import all_guesses, guesses
from bough.pruning import RowLosses
from bough.schema import Label, Probability
from bough.settings import one_of
from bough.table import TableLike, Types
from bough.tasks import Task
from bough.tree import Guessing, Tree

Shares = NDArray[np.float64] | list[NDArray[np.float64]]


class DecisionTreeClassifier(ClassifierMixin, DecisionTree, MeasuredByRows, Forceable):  # type: ignore[misc]
    """A decision tree that guesses classes.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "gain_ratio", "error"}, default="gini"
        How mixed the labels of some rows are. "log_loss" is another name of "entropy".
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
    class_weight : dict, list of dict or "balanced", default=None
        How much the rows of each class count; a list has one dict for each output.
    costs : dict or array of shape (n_classes, n_classes), default=None
        What wrong guesses cost where that is not the same for all, as in `{("ill", "well"): 20}`:
        guessing "well" where "ill" is true costs 20, any other wrong guess 1, a right one 0. An
        array has a list for each class, in the order of `classes_`, of what each guess costs.
        Queries are chosen by it, and the guess is the class of least expected cost.
    probability : {"raw", "laplace"}, default="raw"
        What `predict_proba` gives: the shares of the classes, or the shares if each class had one
        row more. It never changes a guess.
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
        Which way guesses go along each column, or along those that a dict names, for two classes:
        1 where the share of the second may not fall as the value grows and all others stay, -1
        where it may not rise.
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
    classes_ : array, or a list of arrays for several outputs
    n_classes_ : int, or an array of int for several outputs
    grown_tree_ : bough.tree.Tree
        The tree itself.
    tree_ : TreeView
        The same as scikit-learn's arrays, for trees in which every branch has two children.
    feature_importances_, feature_names_in_, max_features_, n_features_in_, n_outputs_
        As in scikit-learn.

    Examples
    --------
    >>> from bough import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([["red"], ["green"], ["blue"]], [1, 1, 0])
    >>> tree.predict([["green"], ["blue"]])
    array([1, 0])
    """

    task = Task.CLASSIFICATION

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        random_state: int | np.random.RandomState | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: ClassWeight = None,
        costs: Costs = None,
        probability: Probability = "raw",
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
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.costs = costs
        self.probability = probability
        self.ccp_alpha = ccp_alpha
        self.categorical = categorical
        self.types = types
        self.missing = missing
        self.monotonic_cst = monotonic_cst
        self.first = first
        self.forbid = forbid
        self.pivots = pivots
        self.n_jobs = n_jobs

    def predict(self, X: TableLike) -> NDArray[Any]:
        """Return the class that the tree guesses for each row."""
        if len(self._tree.schema.labels) == 1:
            return self._look_up(X, self._classes_of)
        codes = self._look_up(X, all_guesses)
        columns = [classes[codes[:, output]] for output, classes in enumerate(self.classes_)]
        kinds = {column.dtype.kind for column in columns}
        return np.stack(columns, axis=1, dtype=None if len(kinds) == 1 else object)

    def predict_proba(self, X: TableLike) -> Shares:
        """Return how probable each class is at the node where each row stops.

        Where parts of a row stop at several nodes, it is the mean over these.

        Returns
        -------
        array of shape (n_rows, n_classes), or a list of them for several outputs
        """
        shares = self._look_up(X, lambda guessing: guessing.probabilities)
        each = [shares[:, output, :n] for output, n in enumerate(np.atleast_1d(self.n_classes_))]
        return each[0] if self.n_outputs_ == 1 else each

    def predict_log_proba(self, X: TableLike) -> Shares:
        """Return the logarithms of `predict_proba`; minus infinity for a probability of 0."""
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(shares) if self.n_outputs_ == 1 else [np.log(each) for each in shares]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def _labels(self, y: ArrayLike, sample_weight: ArrayLike | None, n_rows: int) -> Labels:
        labels, codes, cells = read_classes(y, n_rows)
        of_classes = read_class_weights(self.class_weight, cells)
        weights = read_weights(sample_weight, n_rows, of_classes)
        labels = self._said_of(labels)
        return Labels(labels=labels, codes=codes, values=None, weights=weights)

    def _said_of(self, labels: tuple[Label, ...]) -> tuple[Label, ...]:
        """Return labels with what is said of them: what guesses cost, how probable classes are."""
        one_of(*get_args(Probability))("probability", self.probability)
        refuse_other_shares(self.monotonic_cst, self.probability)
        if self.costs is not None and len(labels) > 1:
            raise ParameterError(
                f"costs are for one label, but y has {len(labels)}. Fit one tree for each."
            )
        return tuple(
            replace(
                label,
                costs=read_costs(self.costs, label.classes),
                probability=self.probability,
            )
            for label in labels
        )

    def _take(self, tree: Tree, *others: Any, **more: Any) -> None:  # noqa: ANN401
        super()._take(tree, *others, **more)
        classes = [class_array(label) for label in tree.schema.labels]
        several = len(classes) > 1
        self.classes_ = classes if several else classes[0]
        self.n_classes_ = np.array([len(each) for each in classes]) if several else len(classes[0])
        if not several:  # a prediction then looks each row up once
            self._classes_of_nodes = classes[0][tree.class_guess[:, 0]]

    def _classes_of(self, guessing: Guessing) -> NDArray[Any]:
        if guessing is self._tree:
            return self._classes_of_nodes
        return np.asarray(self.classes_[guessing.class_guess[:, 0]])

    def _row_losses(self, y: ArrayLike, n_rows: int, guessing: Guessing | None = None) -> RowLosses:
        said = self._tree if guessing is None else guessing
        codes = code_classes(y, n_rows, said.schema.labels)
        if said.schema.labels[0].costs:
            return lambda rows, nodes: row_losses(said, "cost", nodes, codes[rows, 0])

        def share_wrong(rows: NDArray[np.intp], nodes: NDArray[np.intp]) -> NDArray[np.float64]:
            is_wrong = guesses(said, nodes) != codes[rows]
            return np.asarray(is_wrong.mean(axis=1))

        return share_wrong
