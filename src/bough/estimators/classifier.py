"""`DecisionTreeClassifier`: a tree that predicts classes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags

from bough.constraints import MonotonicCst, refuse_other_shares
from bough.costs import Costs, read_costs
from bough.encode import Labels
from bough.errors import ParameterError
from bough.estimators.fit_arguments import ClassWeight, read_class_weights, read_weights
from bough.estimators.labels import class_array, code_classes, read_classes
from bough.estimators.mixins import Forceable, MeasuredByRows
from bough.loss_kinds import row_losses
from bough.predict import Guessing, Missing, all_guesses, guesses
from bough.pruning.ways import RowLosses
from bough.remembered import once
from bough.schema import Label, Probability, Task
from bough.settings import Categorical, MaxFeatures, Pivots, Splitter, one_of
from bough.table import TableLike
from bough.table.source import Types
from bough.tree import Tree

Criterion = Literal["gini", "entropy", "log_loss", "gain_ratio", "error"]


class DecisionTreeClassifier(ClassifierMixin, MeasuredByRows, Forceable):  # type: ignore[misc]
    """A decision tree that predicts classes.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "gain_ratio", "error"}, default="gini"
        The impurity that queries reduce. "log_loss" is another name for "entropy".
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
    class_weight : dict, list of dict or "balanced", default=None
        Weight of each class; a list has one dict per output.
    costs : dict or array of shape (n_classes, n_classes), default=None
        What wrong predictions cost, as in `{("ill", "well"): 20}`: predicting "well" when "ill" is
        true costs 20, any other wrong prediction 1, a right one 0. An array has one row per true
        class and one column per predicted class, in the order of `classes_`. The tree is grown for
        these costs and predicts the class of least expected cost.
    probability : {"raw", "laplace", "prior"}, default="raw"
        What `predict_proba` returns: the shares of the classes among the training rows of a leaf,
        these shares with one row added to each class, or with two rows that are mixed as all
        training rows are. It never changes a prediction.
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
        Direction of each column, or of those that a dict names: 1 if the probability of the second
        class must not fall as the value grows and all others stay the same, -1 if it must not rise,
        0 if it is free. For two classes only.
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
    classes_ : array, or a list of arrays for several outputs
    n_classes_ : int, or an array of int for several outputs
    grown_tree_ : bough.tree.Tree
        The tree itself.
    tree_ : TreeView
        The tree as scikit-learn's arrays, if every branch has two children.
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
    criterion: Criterion
    class_weight: ClassWeight
    costs: Costs
    probability: Probability
    classes_: NDArray[Any]
    n_classes_: int

    def __init__(
        self,
        *,
        criterion: Criterion = "gini",
        splitter: Splitter = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: MaxFeatures = None,
        random_state: int | np.random.RandomState | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: ClassWeight = None,
        costs: Costs = None,
        probability: Probability = "raw",
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

    def predict(self, X: TableLike, check_input: bool = True) -> NDArray[Any]:  # noqa: ARG002, FBT001, FBT002
        """Return the predicted class of each row."""
        if len(self._tree.schema.labels) == 1:
            return self._look_up(X, self._classes_of)
        codes = self._look_up(X, all_guesses)
        columns = [classes[codes[:, output]] for output, classes in enumerate(self.classes_)]
        kinds = {column.dtype.kind for column in columns}
        return np.stack(columns, axis=1, dtype=None if len(kinds) == 1 else object)

    def predict_proba(self, X: TableLike, check_input: bool = True) -> NDArray[np.float64]:  # noqa: ARG002, FBT001, FBT002
        """Return the probability of each class for each row.

        It is an array of shape (n_rows, n_classes), or a list of them for several outputs. With
        `missing="weigh"` it is the weighted mean over the nodes that the parts of a row reach.
        """
        shares = self._look_up(X, lambda guessing: guessing.probabilities)
        each = [shares[:, output, :n] for output, n in enumerate(np.atleast_1d(self.n_classes_))]
        # Types name what nearly everybody gets: with several outputs it is a list of arrays.
        return each[0] if self.n_outputs_ == 1 else each  # type: ignore[return-value]

    def predict_log_proba(self, X: TableLike) -> NDArray[np.float64]:
        """Return the logarithms of `predict_proba`; minus infinity for a probability of 0."""
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            if self.n_outputs_ == 1:
                return np.asarray(np.log(shares))
            return [np.log(each) for each in shares]  # type: ignore[return-value]

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
                f"costs work with one output, but y has {len(labels)}. Fit one tree for each."
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
        # Types name what nearly everybody gets: one output.
        self.classes_ = classes if several else classes[0]  # type: ignore[assignment]
        numbers = np.array([len(each) for each in classes])
        self.n_classes_ = numbers if several else len(classes[0])  # type: ignore[assignment]

    def _classes_of(self, guessing: Guessing) -> NDArray[Any]:
        if guessing is self._tree:
            return _classes_of_nodes(self._tree)  # so that each row is looked up once
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


@once
def _classes_of_nodes(tree: Tree) -> NDArray[Any]:
    return np.asarray(class_array(tree.schema.labels[0])[tree.class_guess[:, 0]])
