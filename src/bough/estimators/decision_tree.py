"""What the classifier, the regressor and the ranker share: growing, following rows, pruning, saving."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import fields, replace
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from sklearn import get_config
from sklearn.base import BaseEstimator, MultiOutputMixin, clone
from sklearn.utils import Bunch, Tags, check_random_state
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.validation import check_is_fitted

from bough.constraints import MonotonicCst, constraints_of, read_directions
from bough.drawing import draw
from bough.encode import Labels
from bough.errors import DataError, ParameterError
from bough.estimators.fit_arguments import counted, warn_of_numbers
from bough.estimators.saving import (
    edits_of,
    grown_model_of,
    model_of,
    read_settings,
    refuse_other_task,
)
from bough.estimators.tree_view import TreeView, trail_matrix
from bough.evidence import Edit
from bough.explain.importances_and_shap_values import column_importances
from bough.exports import model_file
from bough.exports.model_file import Model
from bough.grow import ground_of, grow
from bough.grow.grow_branch import Ground
from bough.machine_limits import memory_budget, threads
from bough.predict import Guessing, Missing, check_missing, look_up, read_asked, said_of, unseen
from bough.pruning.ways import by_cost_complexity, check_alpha, cost_complexity_path
from bough.schema import Task
from bough.settings import (
    Categorical,
    MaxFeatures,
    Pivots,
    Settings,
    Splitter,
    check_criterion,
    columns_drawn,
    is_whole,
)
from bough.table import Table, TableLike, read
from bough.table.array import check_shape, is_sparse
from bough.table.source import Types
from bough.tree import Tree
from bough.walk import depths

LabelReader = Callable[[int], Labels]  # for a table of so many rows

FEW_ROWS = 1000  # fewer rows than this are followed before a second thread has started
PICKLED = "bough model"  # no attribute can have a name with a space in it
FITTED = {
    "grown_tree_", "n_features_in_", "feature_names_in_", "n_outputs_", "max_features_",
    "classes_", "n_classes_", "tree_", "settings_", "evidence_", "edits_", "edit_",
    "_measured_with",
}  # fmt: skip


class DecisionTree(MultiOutputMixin, BaseEstimator, metaclass=ABCMeta):  # type: ignore[misc]
    """One decision tree, grown from a table and its labels."""

    task: Task
    splitter: Splitter
    max_depth: int | None
    min_samples_split: int | float
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    max_features: MaxFeatures
    random_state: int | np.random.RandomState | None
    max_leaf_nodes: int | None
    min_impurity_decrease: float
    ccp_alpha: float
    categorical: Categorical
    types: Types | None
    missing: Missing
    monotonic_cst: MonotonicCst
    first: Sequence[str | int] | None
    forbid: Sequence[str | int] | None
    pivots: Pivots
    exact: bool
    n_jobs: int | None
    _param_names: ClassVar[list[str]]

    # `check_input` is scikit-learn's, for tables that were checked before. Checking costs little
    # here, so that it changes nothing.
    __metadata_request__fit: ClassVar = {"check_input": UNUSED}
    __metadata_request__predict: ClassVar = {"check_input": UNUSED}
    __metadata_request__predict_proba: ClassVar = {"check_input": UNUSED}

    def fit(
        self,
        X: TableLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        check_input: bool = True,  # noqa: ARG002, FBT001, FBT002
    ) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            The table. Text, categories, dates and missing values are taken as they are.
        y : array of shape (n_rows,) or (n_rows, n_outputs)
            The labels.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each row; None: all the same. Rows of weight 0 are left out.
        check_input : bool, default=True
            Changes nothing; scikit-learn has it.
        """
        return self._fit(X, partial(self._labels, y, sample_weight))

    def apply(self, X: TableLike, check_input: bool = True) -> NDArray[np.intp]:  # noqa: ARG002, FBT001, FBT002
        """Return the node where each row stops.

        It is a leaf, or a branch that has no answer for a missing or unseen value. Rows are followed
        as with `missing="stop"`, even if `missing="weigh"`.
        """
        tree, table = self._tree, self._read(X)
        return look_up(tree, table, np.arange(len(tree)), n_jobs=self._threads(table))

    def unseen_counts(self, X: TableLike) -> dict[str, int]:
        """Return, by feature, how many rows stop at a value that their node never saw in training.

        Features where no row stops are left out.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> tree = DecisionTreeClassifier().fit({"color": ["red", "blue"]}, ["cherry", "plum"])
        >>> tree.unseen_counts({"color": ["red", "green", "black"]})
        {'color': 2}
        """
        return unseen(self._tree, self._read(X))

    def decision_path(self, X: TableLike, check_input: bool = True) -> csr_matrix:  # noqa: ARG002, FBT001, FBT002
        """Return a sparse matrix (rows, nodes) with a 1 for each node that a row passes."""
        return trail_matrix(self._tree, self.apply(X))

    def cost_complexity_pruning_path(
        self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Bunch:
        """Grow a tree from these rows and return the values of `ccp_alpha` at which it changes.

        `ccp_alphas` rise from 0; each has in `impurities` the mean impurity of the leaves of the
        pruned tree, weighted by their rows.
        """
        return self._pruning_path(X, partial(self._labels, y, sample_weight))

    def get_depth(self) -> int:
        """Return the depth of the tree: how many queries its longest trail has."""
        return int(depths(self._tree).max())

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return self._tree.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the total gain of the tree."""
        return column_importances(self._tree)

    @cached_property
    def tree_(self) -> TreeView:
        """The tree as scikit-learn's arrays, read-only, if every branch has two children."""
        return TreeView(self._tree)

    def save(self, path: str | Path) -> None:
        """Write a model file, which `bough.load` reads."""
        model_file.save(self.__bough_model__(), path)

    def __bough_model__(self) -> Model:
        check_is_fitted(self)
        return model_of(self)

    def __bough_pruned__(self, tree: Tree) -> Self:
        """Return this estimator with another tree, of which nothing has been measured."""
        pruned: Self = clone(self)
        pruned._take(tree, self.settings_, edits=self.edits_)
        return pruned

    def __sklearn_is_fitted__(self) -> bool:
        return "grown_tree_" in self.__dict__

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        return tags

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:  # noqa: ANN401
        """Return what a notebook shows: the picture of a tree; before it is grown, the parameters."""
        # `sklearn.set_config(display="text")` wants no picture.
        if get_config()["display"] == "diagram" and self.__sklearn_is_fitted__():
            return {"text/plain": repr(self), "image/svg+xml": draw(self._tree, "svg")}
        shown: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        return shown

    def __getstate__(self) -> dict[str, Any]:
        # A pickle is read as strictly as a model file, so that it cannot bring a broken tree.
        state = {name: value for name, value in self.__dict__.items() if name not in FITTED}
        if self.__sklearn_is_fitted__():
            state[PICKLED] = model_file.packed(grown_model_of(self))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: value for name, value in state.items() if name != PICKLED})
        if PICKLED in state:
            model = model_file.unpacked(state[PICKLED], "the pickle")
            refuse_other_task(model, type(self), "the pickle")
            settings = read_settings(model, type(self), "the pickle")
            self._take(model.tree, settings, model.evidence, edits_of(model))

    @classmethod
    def _get_param_names(cls) -> list[str]:
        """Return the names of the parameters, which scikit-learn reads anew for each of many clones."""
        if "_param_names" not in cls.__dict__:
            cls._param_names = super()._get_param_names()
        return list(cls._param_names)

    def _keep(self, given: dict[str, Any]) -> None:
        """Set the parameters that `__init__` was given: all that is local to it."""
        del given["self"]
        self.__dict__.update(given)

    @abstractmethod
    def _labels(self, y: ArrayLike, sample_weight: ArrayLike | None, n_rows: int) -> Labels:
        """Read the labels and the weights of the rows."""

    @property
    def _tree(self) -> Tree:
        if not self.__sklearn_is_fitted__():
            check_is_fitted(self)
        tree: Tree = self.grown_tree_
        return tree

    def _fit(self, X: TableLike, read_labels: LabelReader) -> Self:
        tree, settings = self._grown(X, read_labels)
        self._take(by_cost_complexity(tree, float(self.ccp_alpha)), settings)
        return self

    def _pruning_path(self, X: TableLike, read_labels: LabelReader) -> Bunch:
        tree, _ = self._grown(X, read_labels)
        alphas, impurities = cost_complexity_path(tree)
        return Bunch(ccp_alphas=alphas, impurities=impurities)

    def _grown(self, X: TableLike, read_labels: LabelReader) -> tuple[Tree, Settings]:
        settings, n_jobs = self._settings(), threads(self.n_jobs)
        _check_given(X)
        with memory_budget() if hasattr(X, "__arrow_c_stream__") else nullcontext():
            table = read(X, types=self.types)
            warn_of_numbers(X, table, self.types)
            labels = read_labels(table.n_rows)
            directions = read_directions(self.monotonic_cst, table, labels)
            if directions is not None:
                settings = replace(settings, monotonic_cst=directions)
            return grow(table, labels, counted(settings, labels), n_jobs=n_jobs), settings

    def _ground(self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None) -> Ground:
        schema, table = self._tree.schema, self._read(X)
        labels = self._labels(y, sample_weight, table.n_rows)
        if [each.classes for each in labels.labels] != [each.classes for each in schema.labels]:
            raise DataError(
                "the classes of y are not those that the tree was grown from. Give the rows that it "
                "was grown from, with the same labels and weights."
            )
        labels = replace(labels, labels=schema.labels)
        return ground_of(
            table,
            labels,
            counted(self.settings_, labels),
            n_jobs=threads(self.n_jobs),
            match_by_name=schema.match_by_name,
        )

    def _settings(self) -> Settings:
        check_alpha(self.ccp_alpha)
        check_missing(self.missing)
        chosen = {
            field.name: _plain(getattr(self, field.name, field.default))
            for field in fields(Settings)
        }
        chosen |= {"criterion": self._criterion(), "random_state": self._seed()}
        chosen["monotonic_cst"] = None  # until the columns are known
        return Settings(**chosen)

    def _seed(self) -> int:
        takes_all = self.max_features is None or repr(self.max_features) == "1.0"
        return _seed(self.random_state, draws=self.splitter != "best" or not takes_all)

    def _criterion(self) -> str:
        check_criterion(self.criterion, self.task)
        criterion: str = self.criterion
        return criterion

    def _take(
        self,
        tree: Tree,
        settings: Settings,
        evidence: dict[str, Any] | None = None,
        edits: tuple[Edit, ...] = (),
    ) -> None:
        for name in FITTED:
            self.__dict__.pop(name, None)
        schema = tree.schema
        self.grown_tree_ = tree
        self.settings_ = settings
        self.evidence_ = evidence
        self.edits_ = edits
        if edits:
            self.edit_ = edits[-1]
        self._measured_with = self.missing  # the rule of missing values that the evidence is for
        self.n_features_in_ = len(schema.columns)
        self.n_outputs_ = len(schema.labels)
        n_allowed = len(constraints_of(settings, schema).allowed)
        self.max_features_ = columns_drawn(settings.max_features, n_allowed)
        if schema.named:
            self.feature_names_in_ = np.array(schema.columns, dtype=object)

    def _look_up(self, X: TableLike, entries: Callable[[Guessing], NDArray[Any]]) -> NDArray[Any]:
        """Return for each row the entry of the node where it stops, or of a mixture of nodes."""
        check_missing(self.missing)
        tree, table = self._tree, self._read(X)
        n_jobs = self._threads(table)
        if self.missing == "stop":
            return look_up(tree, table, entries(tree), n_jobs=n_jobs)
        guessing, places = said_of(tree, table, missing=self.missing, n_jobs=n_jobs)
        return np.asarray(entries(guessing)[places])

    def _threads(self, table: Table) -> int:
        return threads(self.n_jobs) if table.n_rows > FEW_ROWS else 1

    def _read(self, X: TableLike) -> Table:
        _check_given(X)
        return read_asked(self._tree, X, estimator=type(self).__name__)


def _seed(random_state: object, *, draws: bool) -> int:
    """Return the seed of a growth: where nothing is drawn and none is given, always the same."""
    if random_state is None and not draws:
        return 0
    if is_whole(random_state) and 0 <= int(random_state) < 2**32:  # type: ignore[call-overload]
        return int(random_state)  # type: ignore[call-overload, no-any-return]
    is_source = random_state is None or random_state is np.random
    if is_source or isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(2**31 - 1))
    raise ParameterError(
        f"random_state={random_state!r} must be None, a whole number from 0 to 2**32 - 1, "
        "or a numpy.random.RandomState."
    )


def _plain(value: object) -> Any:  # noqa: ANN401 - any setting
    """Return a NumPy number as Python's, so that model files read the same."""
    return value.item() if isinstance(value, np.generic) else value


def _check_given(X: TableLike) -> None:
    """Refuse what other readers of tables take: names of files, and sparse tables with nan."""
    if isinstance(X, str | PathLike):
        check_shape((), X)
    if not is_sparse(X):
        return
    # A sparse matrix that holds a nan may be a mistake: scikit-learn's trees refuse it, too.
    stored = (X if X.format in ("csr", "csc", "coo") else X.tocsc()).data
    if stored.dtype.kind == "f" and np.isnan(stored).any():
        raise DataError(
            "Input X contains NaN. X is sparse, where that is often a mistake. "
            "Pass X.toarray() to have these values read as missing."
        )
