"""The tree as one of scikit-learn's, for the tools that read those; and from there to treelite."""

import pickle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError
from bough.explain.importances_and_shap_values import columns_asked
from bough.exports.refusals import package
from bough.query_kinds import Below, IsMissing, QueryKind
from bough.schema import Part
from bough.tree import Tree
from bough.walk import depths, two_children
from bough.words import plain

NO_QUERY = -2  # as scikit-learn has it
CRITERIA = ("gini", "entropy", "log_loss", "squared_error", "absolute_error", "poisson")
FEWEST = 1e-300  # instead of no rows, by whose weight tools divide


def sklearn_tree(tree: Tree, criterion: str | None = None) -> Any:
    """Return a fitted `DecisionTreeClassifier` or `DecisionTreeRegressor` of scikit-learn.

    It predicts as the tree does for rows without missing values whose numbers float32 holds, as
    scikit-learn rounds all others; a missing value goes where it goes in the tree, if that says so.
    A tree that asks about anything but numbers is refused, with the first node that is in the way.
    """
    _refuse_what_differs(tree)
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    schema = tree.schema
    kind = DecisionTreeClassifier if schema.has_classes else DecisionTreeRegressor
    found = kind(criterion=criterion) if criterion in CRITERIA else kind()
    found.n_features_in_ = found.max_features_ = len(schema.columns)
    found.n_outputs_ = len(schema.labels)
    if schema.named:
        found.feature_names_in_ = np.array(schema.columns, dtype=object)
    if schema.has_classes:
        classes = [np.array(label.classes, dtype=label.dtype) for label in schema.labels]
        sizes = [len(each) for each in classes]
        is_one = len(classes) == 1
        found.classes_ = classes[0] if is_one else classes
        found.n_classes_ = sizes[0] if is_one else np.array(sizes)
    found.tree_ = _arrays(tree)
    return found


def sklearn_pickle(tree: Tree, criterion: str | None = None) -> bytes:
    """Return the same as a pickle."""
    return pickle.dumps(sklearn_tree(tree, criterion))


def treelite_bytes(tree: Tree) -> bytes:
    """Return the tree as a model of treelite, by way of scikit-learn, in treelite's own bytes."""
    alone = sklearn_tree(tree)
    treelite = package("treelite", "treelite", "The format 'treelite'")
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    forest = (RandomForestClassifier if tree.schema.has_classes else RandomForestRegressor)()
    for name, value in vars(alone).items():
        if name.endswith("_"):
            setattr(forest, name, value)
    forest.n_estimators, forest.estimators_ = 1, [alone]  # treelite reads forests
    try:
        return bytes(treelite.sklearn.import_model(forest).serialize_bytes())
    except treelite.TreeliteError as error:
        raise ParameterError(f"treelite does not take this tree: {plain(str(error))}") from None


def _refuse_what_differs(tree: Tree) -> None:
    for node in tree:
        query = node.query
        if query is None:
            continue
        feature = query.feature
        if not isinstance(query, Below | IsMissing) or feature.choices:
            raise _refused(node.id, f"asks about the categories of {feature.name!r}")
        if feature.is_about_dates or feature.part is not Part.ITSELF:
            raise _refused(node.id, f"asks about the date {feature.name!r}")
    if tree.guess is None:
        likeliest = tree.probabilities.argmax(axis=2)
        odd = np.flatnonzero((tree.feature < 0) & (likeliest != tree.class_guess).any(axis=1))
        if len(odd):
            raise _refused(int(odd[0]), "does not predict its most probable class")


def _refused(node: int, why: str) -> ParameterError:
    return ParameterError(
        f"scikit-learn's trees cannot express node {node}: it {why}. "
        "They ask about numbers, with two answers, and predict the most probable class."
    )


def _arrays(tree: Tree) -> Any:
    from sklearn.tree._tree import Tree as Arrays

    schema = tree.schema
    sizes = np.array([max(1, len(label.classes)) for label in schema.labels], dtype=np.intp)
    found = Arrays(len(schema.columns), sizes, len(sizes))
    is_leaf, (first, second) = tree.feature < 0, two_children(tree)
    asks_missing = ~is_leaf & (tree.query_kind == QueryKind.IS_MISSING)
    entries = {
        # What is missing goes right where that is the question, as every known number is below infinity.
        "left_child": np.where(asks_missing, second, first),
        "right_child": np.where(asks_missing, first, second),
        "feature": np.where(is_leaf, NO_QUERY, columns_asked(tree)),
        "threshold": np.where(is_leaf, NO_QUERY, _thresholds(tree)),
        "impurity": tree.impurity,
        "n_node_samples": tree.n_rows,
        "weighted_n_node_samples": np.maximum(tree.weight, FEWEST),
        "missing_go_to_left": ~asks_missing & ~is_leaf & (tree.missing_child == first),
    }
    nodes = np.zeros(len(tree), dtype=found.__getstate__()["nodes"].dtype)
    for name, values in entries.items():
        if name in (nodes.dtype.names or ()):  # older ones know nothing of missing values
            nodes[name] = values
    values = tree.probabilities if tree.guess is None else tree.guess[:, :, np.newaxis]
    found.__setstate__(
        {
            "max_depth": int(depths(tree).max()),
            "node_count": len(tree),
            "nodes": nodes,
            "values": np.ascontiguousarray(values, dtype=np.float64),
        }
    )
    return found


def _thresholds(tree: Tree) -> NDArray[np.float64]:
    """Return the greatest float below each pivot: scikit-learn's question is whether x <= threshold."""
    below = np.nextafter(tree.pivot, -np.inf)
    for node in np.flatnonzero(tree.has_integer_pivot).tolist():
        query = tree[node].query
        assert isinstance(query, Below)
        near = float(query.pivot)
        below[node] = near if near < query.pivot else np.nextafter(near, -np.inf)
    return np.where(np.isnan(below), np.inf, below)
