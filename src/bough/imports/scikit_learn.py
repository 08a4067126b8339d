"""A tree of scikit-learn, alone or behind the encoders and scalers of a pipeline."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.estimators import DecisionTreeClassifier, DecisionTreeRegressor
from bough.imports import Asked, Floats, Nodes, built, least_going_right
from bough.schema import Feature, Kind, Label, Schema, Value
from bough.settings import CRITERIA, Settings
from bough.tree import Tree

Foreign = Any  # of scikit-learn, which says little of its types
Scaling = Callable[[Floats], Floats]
Estimator = DecisionTreeClassifier | DecisionTreeRegressor


@dataclass(frozen=True)
class Encoded:
    """A column that a step gives, and the one that it was before all steps."""

    column: int
    scalings: tuple[Scaling, ...] = ()
    choices: tuple[Value, ...] = ()
    """The categories, by code; none: it is a number."""
    numbers: tuple[float, ...] = ()
    """What each category became."""
    fill: Any = None
    """What a missing value is replaced by; None: it is not."""
    of_missing: float = nan
    """What a missing value became where categories became numbers; nan: it stays missing."""

    def encoded(self, numbers: Floats) -> Floats:
        for scaling in self.scalings:
            numbers = scaling(numbers)
        return numbers

    def asked(
        self, feature: int, threshold: float, pivot: float, node: int, *, missing_left: bool
    ) -> Asked:
        """Return what a node asks that wants to know whether this column is at most a threshold."""
        if self.choices:
            of_missing = float(self.encoded(np.array([self.of_missing]))[0])
            is_left = self.encoded(np.array(self.numbers)).astype(np.float32) <= threshold
            left = frozenset(np.flatnonzero(is_left).tolist())
            to_left = (
                missing_left if isnan(of_missing) else bool(np.float32(of_missing) <= threshold)
            )
            if not 0 < len(left) < len(self.choices):
                return self._asked_missing(feature, node, to_left=to_left, all_left=bool(left))
            return Asked(feature, left=left, n_codes=len(self.choices), missing_left=to_left)
        if not np.isfinite(threshold):  # only what is missing goes right
            return Asked(feature, asks_missing=True, missing_left=False)
        if self.fill is not None:
            missing_left = bool(float(self.fill) < pivot)
        return Asked(feature, pivot, missing_left=missing_left)

    def _asked_missing(self, feature: int, node: int, *, to_left: bool, all_left: bool) -> Asked:
        if all_left != to_left:
            return Asked(feature, asks_missing=True, missing_left=to_left)
        raise ParameterError(
            f"Node {node} sends all categories one way, which bough cannot express."
        )


def columns_before(
    steps: Sequence[tuple[str, Any]], n_columns: int, names: list[Any] | None
) -> list[Encoded]:
    """Return the columns that come out of some steps, by those that went in."""
    columns = [Encoded(number) for number in range(n_columns)]
    for name, step in steps:
        columns = _after(step, name, columns, names)
        names = None  # they are those of the table, and of no step after the first
    return columns


def _after(
    step: Foreign, name: str, columns: list[Encoded], names: list[Any] | None
) -> list[Encoded]:
    kind = type(step).__name__
    if _does_nothing(step):
        return columns
    if kind == "Pipeline":
        for inner_name, inner in step.steps:
            columns, names = _after(inner, inner_name, columns, names), None
        return columns
    if kind == "ColumnTransformer":
        return _side_by_side(step, columns, names)
    if kind in _STEPS:
        return _STEPS[kind](step, name, columns)
    raise ParameterError(
        f"The step {name!r} is a {kind}, whose columns bough cannot trace back to those of the table. It "
        f"can for {', '.join(_STEPS)}, ColumnTransformer and Pipeline."
    )


def _does_nothing(step: Foreign) -> bool:
    if type(step).__name__ == "FunctionTransformer":  # what "passthrough" becomes
        return step.func is None
    return step is None or (isinstance(step, str) and step == "passthrough")


def _side_by_side(step: Foreign, columns: list[Encoded], names: list[Any] | None) -> list[Encoded]:
    found = []
    for part, inner, chosen in step.transformers_:
        if not (isinstance(inner, str) and inner == "drop"):
            given = [columns[number] for number in _numbers(chosen, names, len(columns))]
            found += _after(inner, part, given, None)
    return found


def _numbers(chosen: Foreign, names: list[Any] | None, n_columns: int) -> list[int]:
    if isinstance(chosen, slice) or (np.ndim(chosen) == 1 and np.asarray(chosen).dtype == bool):
        if isinstance(chosen, slice) and any(
            isinstance(end, str) for end in (chosen.start, chosen.stop)
        ):
            raise ParameterError(
                "A ColumnTransformer names its columns by a range of names, not by a list."
            )
        return [int(n) for n in np.arange(n_columns)[chosen]]
    listed = [chosen] if isinstance(chosen, str | int) else list(chosen)
    if listed and isinstance(listed[0], str):
        if names is None:
            raise ParameterError(
                "A ColumnTransformer after the first step names columns by name, not by number."
            )
        return [names.index(each) for each in listed]
    return [int(each) % n_columns for each in listed]


def _scaled(step: Foreign, place: int, column: Encoded) -> Encoded:
    n_columns = step.n_features_in_

    def scale(numbers: Floats) -> Floats:
        rows = np.zeros((len(numbers), n_columns))
        rows[:, place] = numbers
        return np.asarray(_unnamed(step).transform(rows)[:, place])

    return replace(column, scalings=(*column.scalings, scale))


def _unnamed(step: Foreign) -> Foreign:
    """Return a scaler that takes arrays although it was fitted with names of columns."""
    from copy import copy

    bare = copy(step)
    vars(bare).pop("feature_names_in_", None)
    return bare.set_output(transform="default") if hasattr(bare, "set_output") else bare


def _imputed(step: Foreign, name: str, columns: list[Encoded]) -> list[Encoded]:
    marks = step.missing_values
    is_usual = marks is None or (isinstance(marks, float) and isnan(marks)) or str(marks) == "<NA>"
    kept = [not (isinstance(each, float) and isnan(each)) for each in step.statistics_]
    if not is_usual or step.add_indicator or not all(kept):
        raise ParameterError(
            f"The step {name!r} replaces {marks!r}, adds columns or drops some, which bough cannot trace."
        )
    if any(column.scalings or column.choices for column in columns):
        raise ParameterError(
            f"The step {name!r} fills in columns that were scaled or encoded before."
        )
    return [
        column if column.fill is not None else replace(column, fill=fill)
        for column, fill in zip(columns, step.statistics_, strict=True)
    ]


def _check_encoder(step: Foreign, name: str, columns: list[Encoded]) -> None:
    if getattr(step, "_infrequent_enabled", False):
        raise ParameterError(
            f"The step {name!r} puts rare categories together, which bough cannot trace."
        )
    if any(column.scalings or column.choices for column in columns):
        raise ParameterError(
            f"The step {name!r} encodes columns that were scaled or encoded before."
        )


def _known(categories: Foreign) -> tuple[tuple[Value, ...], list[int], int | None]:
    """Return the categories that are values, their places, and that of the missing one if there is."""
    listed = categories.tolist()
    is_value = [each is not None and each == each for each in listed]  # noqa: PLR0124
    places = [place for place, value in enumerate(is_value) if value]
    missing = next((place for place, value in enumerate(is_value) if not value), None)
    return tuple(listed[place] for place in places), places, missing


def _of_missing(
    column: Encoded, choices: tuple[Value, ...], numbers: list[float], absent: float
) -> float:
    if column.fill is None:
        return absent
    fill = column.fill.item() if isinstance(column.fill, np.generic) else column.fill
    return numbers[choices.index(fill)] if fill in choices else absent


def _one_hot(step: Foreign, name: str, columns: list[Encoded]) -> list[Encoded]:
    _check_encoder(step, name, columns)
    dropped = [None] * len(columns) if step.drop_idx_ is None else step.drop_idx_.tolist()
    found = []
    for column, categories, drop in zip(columns, step.categories_, dropped, strict=True):
        choices, places, missing = _known(categories)
        for place in range(len(categories)):
            if place == drop:
                continue
            numbers = [float(each == place) for each in places]
            absent = _of_missing(column, choices, numbers, float(place == missing))
            found.append(
                replace(
                    column, choices=choices, numbers=tuple(numbers), of_missing=absent, fill=None
                )
            )
    return found


def _ordinal(step: Foreign, name: str, columns: list[Encoded]) -> list[Encoded]:
    _check_encoder(step, name, columns)
    found = []
    for column, categories in zip(columns, step.categories_, strict=True):
        choices, places, _ = _known(categories)
        numbers = [float(place) for place in places]
        absent = _of_missing(column, choices, numbers, float(step.encoded_missing_value))
        found.append(
            replace(column, choices=choices, numbers=tuple(numbers), of_missing=absent, fill=None)
        )
    return found


def _rescaled(step: Foreign, name: str, columns: list[Encoded]) -> list[Encoded]:  # noqa: ARG001
    return [_scaled(step, place, column) for place, column in enumerate(columns)]


_STEPS: dict[str, Callable[[Any, str, list[Encoded]], list[Encoded]]] = {
    **dict.fromkeys(("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler"), _rescaled),
    "OneHotEncoder": _one_hot,
    "OrdinalEncoder": _ordinal,
    "SimpleImputer": _imputed,
}


def from_sklearn(tree: Foreign) -> Estimator:
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


def _labels(last: Foreign) -> tuple[Label, ...]:
    names = [f"y{n}" for n in range(last.n_outputs_)] if last.n_outputs_ > 1 else ["y"]
    if not hasattr(last, "classes_"):
        return tuple(Label(name) for name in names)
    classes = last.classes_ if last.n_outputs_ > 1 else [last.classes_]
    return tuple(
        Label(name, tuple(each.tolist()), str(each.dtype).replace(">", "<"))
        for name, each in zip(names, classes, strict=True)
    )


def _tree(schema: Schema, last: Foreign, columns: list[Encoded]) -> Tree:
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


def _pivots(arrays: Foreign, columns: list[Encoded]) -> Floats:
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


def _check_guesses(tree: Tree, last: Foreign) -> None:
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
