"""A tree of scikit-learn, alone or behind the encoders and scalers of a pipeline."""

from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.estimators import DecisionTreeClassifier, DecisionTreeRegressor
from bough.imports.build import Asked, Floats, Nodes, built, least_going_right
from bough.imports.pipeline import Encoded, columns_before
from bough.schema import Feature, Kind, Label, Schema
from bough.settings import CRITERIA, Settings
from bough.tree import Tree

Estimator = DecisionTreeClassifier | DecisionTreeRegressor


def from_sklearn(tree: Any) -> Estimator:  # noqa: ANN401 - scikit-learn's classes
    """Return a tree of scikit-learn as one of bough's.

    It gives the same prediction for every row of finite float64 numbers: pivots are where
    scikit-learn, which rounds numbers to float32, goes right. Missing values go where they go there.

    Parameters
    ----------
    tree
        A fitted `DecisionTreeClassifier`, `DecisionTreeRegressor` or `ExtraTree…`; or a fitted `Pipeline`
        that ends in one. What comes before may be a `ColumnTransformer` or a pipeline of
        `OneHotEncoder`, `OrdinalEncoder`, `SimpleImputer`, `StandardScaler`, `MinMaxScaler`, `MaxAbsScaler`
        and `RobustScaler`; the tree then asks about the columns as they were before. A category
        that an encoder has not seen stops at the query. Anything else is refused.

    Examples
    --------
    >>> import bough
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> theirs = DecisionTreeRegressor().fit([[1], [2], [8]], [1, 1, 8])
    >>> print(bough.from_sklearn(theirs).rules()[1])
    x0 ≥ 5.00000023841858 → 8 ± 0 (1 row)
    """
    from sklearn.pipeline import Pipeline
    from sklearn.tree import BaseDecisionTree
    from sklearn.utils.validation import check_is_fitted

    last = tree.steps[-1][1] if isinstance(tree, Pipeline) else tree
    if not isinstance(last, BaseDecisionTree):
        raise ParameterError(
            f"tree is a {type(last).__name__}; it must be a decision tree of scikit-learn, or a Pipeline "
            "that ends in one. Pass one tree of a forest: forest.estimators_[0]."
        )
    check_is_fitted(last)
    steps = tree.steps[:-1] if isinstance(tree, Pipeline) else []
    names = getattr(tree, "feature_names_in_", None)
    n_columns = tree.n_features_in_
    columns = columns_before(steps, n_columns, None if names is None else list(names))
    if len(columns) != last.n_features_in_:
        raise ParameterError(
            "The steps before the tree do not give the columns that it asks about."
        )
    known = [f"x{n}" for n in range(n_columns)] if names is None else [str(name) for name in names]
    schema = Schema(tuple(known), _features(columns, known), _labels(last), named=names is not None)
    found = _tree(schema, last, columns)
    _check_guesses(found, last)
    return _estimator(found, last.criterion)


def _features(columns: list[Encoded], names: list[str]) -> tuple[Feature, ...]:
    kinds: dict[int, tuple[Any, ...]] = {}
    for each in columns:
        if kinds.setdefault(each.column, each.choices) != each.choices:
            raise ParameterError(
                f"{names[each.column]!r} is given to the tree both as a number and as categories."
            )
    return tuple(
        Feature(names[number], Kind.CHOICE if choices else Kind.NUMBER, number, choices=choices)
        for number, choices in sorted(kinds.items())
    )


def _labels(last: Any) -> tuple[Label, ...]:  # noqa: ANN401
    names = [f"y{n}" for n in range(last.n_outputs_)] if last.n_outputs_ > 1 else ["y"]
    if not hasattr(last, "classes_"):
        return tuple(Label(name) for name in names)
    classes = last.classes_ if last.n_outputs_ > 1 else [last.classes_]
    return tuple(
        Label(name, tuple(each.tolist()), str(each.dtype).replace(">", "<"))
        for name, each in zip(names, classes, strict=True)
    )


def _tree(schema: Schema, last: Any, columns: list[Encoded]) -> Tree:  # noqa: ANN401
    arrays = last.tree_
    weight, value = arrays.weighted_n_node_samples, arrays.value
    if schema.has_classes:
        tally, guess = _whole(value * weight[:, np.newaxis, np.newaxis]), None
    else:
        guess = value[:, :, 0]
        squares = guess**2
        if last.criterion == "squared_error" and guess.shape[1] == 1:
            squares = squares + arrays.impurity[:, np.newaxis]
        tally = np.stack([np.ones_like(guess), guess, squares], axis=2) * weight[:, None, None]
    place = {feature.column: number for number, feature in enumerate(schema.features)}
    pivots = _pivots(arrays, columns)

    def asked(node: int) -> Asked:
        column = columns[int(arrays.feature[node])]
        return column.asked(
            place[column.column],
            float(arrays.threshold[node]),
            float(pivots[node]),
            node,
            missing_left=bool(arrays.missing_go_to_left[node]),
        )

    return built(
        schema,
        Nodes(
            arrays.children_left.tolist(),
            arrays.children_right.tolist(),
            asked,
            tally,
            guess,
            arrays.n_node_samples.astype(np.int64),
            np.asarray(arrays.impurity),
        ),
    )


def _whole(tally: Floats) -> Floats:
    """Return a tally with whole numbers where it is so near to them that these were meant."""
    near = np.rint(tally)
    return np.where(np.abs(tally - near) <= 1e-9 * np.maximum(near, 1.0), near, tally)


def _pivots(arrays: Any, columns: list[Encoded]) -> Floats:  # noqa: ANN401
    """Return of each node that asks about a number the least one that goes right."""
    found = np.full(arrays.node_count, np.nan)
    for number, column in enumerate(columns):
        nodes = np.flatnonzero((arrays.feature == number) & np.isfinite(arrays.threshold))
        if len(nodes) and not column.choices:
            threshold = arrays.threshold[nodes]
            found[nodes] = least_going_right(
                lambda x, column=column, threshold=threshold: (  # type: ignore[misc]
                    column.encoded(x).astype(np.float32) > threshold
                ),
                len(nodes),
            )
    return found


def _check_guesses(tree: Tree, last: Any) -> None:  # noqa: ANN401
    """Refuse a tree with classes so nearly as common as others that bough takes them for equal."""
    if tree.guess is None:
        shares = tree.shares
        odd = np.flatnonzero((shares.argmax(axis=2) != tree.class_guess).any(axis=1))
        if len(odd):
            raise ParameterError(
                f"Node {odd[0]} has two classes that differ by less than 1e-12 of its weight, which bough "
                f"counts as equal; {type(last).__name__} predicts the later one."
            )


def _estimator(tree: Tree, criterion: str) -> Estimator:
    kind = DecisionTreeClassifier if tree.schema.has_classes else DecisionTreeRegressor
    usual = "gini" if tree.schema.has_classes else "squared_error"
    known = criterion if CRITERIA.get(criterion) == tree.schema.task else usual
    found: Estimator = kind()
    found.set_params(criterion=known)
    found._take(tree, Settings(criterion=known))  # noqa: SLF001
    return found
