"""One tree from each library: how it is grown with the same limits, asked, and counted.

A peer is timed from what a user has, a NumPy array or a pandas data frame, to a fitted model, in
the form of call that is fastest for it. Boosting libraries grow one round with a learning rate of
1 and no regularization; with three classes a round is three trees, one for each class.
"""

import re
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

MOST_LEAVES = 131_072  # LightGBM allows no more
MANY_LEAVES = 1_000
POOL = 256  # megabytes of histograms that LightGBM keeps when it grows many leaves; more is slower


@dataclass(frozen=True)
class Peer:
    """A library that grows a tree within the limits of a workload."""

    workload: Any
    threads: int

    package: ClassVar[str] = "scikit-learn"
    is_exact: ClassVar[bool] = False
    reads_categories: ClassVar[bool] = True

    @property
    def is_regression(self):
        return self.workload.task == "regression"

    def fit(self, X, y):
        return self.make().fit(X, y)

    def make(self):
        raise NotImplementedError

    def predict(self, model, X):
        return model.predict(X)

    def guesses(self, predicted):
        """Return the labels that were predicted; not timed."""
        return predicted

    def n_leaves(self, model):
        """Return the number of leaves of each tree."""
        return [model.get_n_leaves()]


class Bough(Peer):
    package = "bough"
    is_exact = True
    categorical: ClassVar[str] = "each"

    def make(self):
        import bough

        kind = bough.DecisionTreeRegressor if self.is_regression else bough.DecisionTreeClassifier
        return kind(
            max_depth=self.workload.max_depth,
            min_samples_leaf=self.workload.min_samples_leaf,
            categorical=self.categorical,
            n_jobs=self.threads,
        )


class BoughGroup(Bough):
    categorical = "group"


class ScikitLearn(Peer):
    is_exact = True
    reads_categories = False

    def make(self):
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        kind = DecisionTreeRegressor if self.is_regression else DecisionTreeClassifier
        return kind(
            max_depth=self.workload.max_depth,
            min_samples_leaf=self.workload.min_samples_leaf,
            random_state=0,
        )


class HistGradientBoosting(Peer):
    """Its threads are those that `OMP_NUM_THREADS` allows."""

    def make(self):
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

        kind = (
            HistGradientBoostingRegressor if self.is_regression else HistGradientBoostingClassifier
        )
        return kind(
            max_iter=1,
            learning_rate=1.0,
            max_leaf_nodes=None,
            max_depth=self.workload.max_depth,
            min_samples_leaf=self.workload.min_samples_leaf,
            categorical_features="from_dtype",
            early_stopping=False,
        )

    def n_leaves(self, model):
        return [tree.get_n_leaf_nodes() for tree in model._predictors[0]]  # noqa: SLF001


class LightGBM(Peer):
    package = "lightgbm"

    def fit(self, X, y):
        import lightgbm

        return lightgbm.train(self._settings, lightgbm.Dataset(X, y), num_boost_round=1)

    @property
    def _settings(self):
        depth, least = self.workload.max_depth, self.workload.min_samples_leaf
        n_leaves = min(MOST_LEAVES, self.workload.n_rows // least if depth is None else 2**depth)
        settings = {
            "objective": "regression" if self.is_regression else "binary",
            "num_leaves": max(2, n_leaves),
            "max_depth": -1 if depth is None else depth,
            "min_data_in_leaf": least,
            "min_sum_hessian_in_leaf": 0.0,
            "learning_rate": 1.0,
            "force_col_wise": True,  # else it tries two ways first, which takes longer
            "num_threads": self.threads,
            "verbosity": -1,
        }
        if n_leaves > MANY_LEAVES:
            settings["histogram_pool_size"] = POOL  # else it fills one set for each leaf
        if not self.is_regression and self.workload.n_classes > 2:
            settings |= {"objective": "multiclass", "num_class": self.workload.n_classes}
        return settings

    def predict(self, model, X):
        return model.predict(X, num_threads=self.threads)

    def guesses(self, predicted):
        return predicted if self.is_regression else likeliest(predicted)

    def n_leaves(self, model):
        return [int(n) for n in re.findall(r"^num_leaves=(\d+)$", model.model_to_string(), re.M)]


class XGBoost(Peer):
    package = "xgboost"
    tree_method: ClassVar[str] = "hist"

    def make(self):
        import xgboost

        kind = xgboost.XGBRegressor if self.is_regression else xgboost.XGBClassifier
        return kind(
            n_estimators=1,
            learning_rate=1.0,
            reg_lambda=0.0,
            max_depth=self.workload.max_depth or self.any_depth,
            min_child_weight=self.workload.min_samples_leaf * self._weight_of_a_row,
            base_score=None if self.is_regression else 0.5,
            tree_method=self.tree_method,
            enable_categorical=self.workload.has_categories,
            n_jobs=self.threads,
        )

    any_depth: ClassVar[int] = 0

    @property
    def _weight_of_a_row(self):
        # The second derivative of the loss where all classes are equally likely.
        if self.is_regression:
            return 1.0
        share = 1 / self.workload.n_classes
        return share * (1 - share) * (1 if self.workload.n_classes == 2 else 2)

    def n_leaves(self, model):
        return [tree.count("leaf=") for tree in model.get_booster().get_dump()]


class XGBoostExact(XGBoost):
    is_exact = True
    reads_categories = False
    tree_method = "exact"
    any_depth = 1_000  # the exact method wants a number


class YDF(Peer):
    """Its depth counts the root, too."""

    package = "ydf"
    is_exact = True
    label: ClassVar[str] = "label"

    def fit(self, X, y):
        import ydf

        depth = self.workload.max_depth
        learner = ydf.CartLearner(
            label=self.label,
            task=ydf.Task.REGRESSION if self.is_regression else ydf.Task.CLASSIFICATION,
            max_depth=-1 if depth is None else depth + 1,
            min_examples=self.workload.min_samples_leaf,
            validation_ratio=0.0,  # no rows are kept back for pruning
            num_threads=self.threads,
        )
        return learner.train(self._table(X, y), verbose=0)

    def predict(self, model, X):
        return model.predict(self._table(X), num_threads=self.threads)

    def _table(self, X, y=None):
        columns = {"x": X} if isinstance(X, np.ndarray) else texts(X)
        return columns if y is None else columns | {self.label: y}

    def guesses(self, predicted):
        return predicted if self.is_regression else likeliest(predicted)

    def n_leaves(self, model):
        return [(model.num_nodes() + 1) // 2]


def texts(frame):
    """Return the columns of a data frame with categories as bytes, which YDF reads fastest."""
    columns = {}
    for name, column in frame.items():
        if column.dtype.name == "category":
            values = np.array([*column.cat.categories, ""], "S")  # code -1, missing, is the last
            columns[name] = values[column.cat.codes]
        else:
            columns[name] = column.to_numpy()
    return columns


def likeliest(shares):
    return (shares > 0.5).astype(int) if shares.ndim == 1 else shares.argmax(axis=1)


PEERS = {
    "bough": Bough,
    "bough-group": BoughGroup,
    "sklearn": ScikitLearn,
    "histgb": HistGradientBoosting,
    "lightgbm": LightGBM,
    "xgb-hist": XGBoost,
    "xgb-exact": XGBoostExact,
    "ydf": YDF,
}
TITLES = {
    "bough": "bough",
    "bough-group": "bough in groups",
    "sklearn": "scikit-learn's tree",
    "histgb": "HistGradientBoosting",
    "lightgbm": "LightGBM",
    "xgb-hist": "XGBoost hist",
    "xgb-exact": "XGBoost exact",
    "ydf": "YDF CART",
}
OURS = ("bough", "bough-group")


def peers_for(workload, wanted, *, with_slow):
    """Return the names of the peers that can grow a workload, ours first."""
    names = [name for name in PEERS if name in wanted]
    if not workload.has_categories:
        names = [name for name in names if name != "bough-group"]
    else:
        names = [name for name in names if PEERS[name].reads_categories]
    if not workload.is_for_all:
        names = [name for name in names if name in OURS]
    return [name for name in names if with_slow or name not in workload.slow]
