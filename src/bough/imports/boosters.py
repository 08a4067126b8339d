"""One tree of LightGBM or XGBoost: a regressor that predicts the tree's own score."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.estimators import DecisionTreeRegressor
from bough.imports import Asked, Floats, Nodes, built, least_going_right
from bough.schema import Feature, Kind, Label, Schema, Value
from bough.settings import Settings
from bough.tree import Tree


def from_lightgbm(model: Any, tree: int = 0) -> DecisionTreeRegressor:  # noqa: ANN401 - either class
    """Return one tree of a LightGBM model.

    It predicts the score of this tree: what `predict(raw_score=True, start_iteration=tree,
    num_iteration=1)` of a model with one score gives, for every row, unless a category was not in the
    training rows. There the tree stops, where LightGBM goes right.

    Parameters
    ----------
    model
        A `Booster`, or a fitted `LGBMClassifier`, `LGBMRegressor` or `LGBMRanker`.
    tree
        The number of the tree, from 0.
    """
    booster = getattr(model, "booster_", model)
    dumped = booster.dump_model()
    found = _one_of(dumped["tree_info"], tree)
    if "leaf_coeff" in json.dumps(found["tree_structure"]):
        raise ParameterError(
            "The leaves of this tree are linear models, which bough does not have."
        )
    names = dumped["feature_names"]
    nodes: list[dict[str, Any]] = [found["tree_structure"]]
    children: list[tuple[int, int]] = []
    for each in nodes:  # which grows
        is_leaf = "leaf_value" in each
        children.append((-1, -1) if is_leaf else (len(nodes), len(nodes) + 1))
        if not is_leaf:
            nodes += [each["left_child"], each["right_child"]]
    categories = _categories(dumped, {n["split_feature"] for n in nodes if "split_feature" in n})
    features = [
        Feature(name, Kind.CHOICE if number in categories else Kind.NUMBER, number,
                choices=categories.get(number, ()))
        for number, name in enumerate(names)
    ]  # fmt: skip
    values = np.array([each.get("leaf_value", 0.0) for each in nodes])
    rows = np.array([max(1, each.get("leaf_count", 1)) for each in nodes], dtype=np.int64)
    built_tree = _scored(
        _schema(features), children, values, rows.astype(np.float64), rows,
        asked=lambda place: _lightgbm_query(nodes[place], place, categories),
    )  # fmt: skip
    return _regressor(built_tree)


def from_xgboost(model: Any, tree: int = 0) -> DecisionTreeRegressor:  # noqa: ANN401 - either class
    """Return one tree of an XGBoost model.

    It predicts the score of this tree, without the base score that XGBoost adds to the sum of all,
    the same for every row of float64; XGBoost rounds the sum to float32. Trees that ask about
    categories are refused.

    Parameters
    ----------
    model
        A `Booster`, or a fitted `XGBClassifier`, `XGBRegressor` or `XGBRanker`.
    tree
        The number of the tree, from 0.
    """
    booster = model.get_booster() if hasattr(model, "get_booster") else model
    learner = json.loads(bytes(booster.save_raw("json")))["learner"]
    if learner["gradient_booster"]["name"] != "gbtree":
        raise ParameterError("Only the trees of XGBoost's booster 'gbtree' can be read.")
    found = _one_of(learner["gradient_booster"]["model"]["trees"], tree)
    if int(found["tree_param"].get("size_leaf_vector", 1)) > 1:
        raise ParameterError("The leaves of this tree hold several numbers each, not one.")
    left, right = found["left_children"], found["right_children"]
    split_type = found.get("split_type", [0] * len(left))
    odd = [node for node, kind in enumerate(split_type) if kind and left[node] >= 0]
    if odd:
        raise ParameterError(
            f"Node {odd[0]} asks about categories, which XGBoost's file does not name."
        )
    n_features = int(learner["learner_model_param"]["num_feature"])
    names = booster.feature_names or [f"x{number}" for number in range(n_features)]
    conditions = np.array(found["split_conditions"], dtype=np.float32)
    pivots = least_going_right(lambda x: x.astype(np.float32) >= conditions, len(conditions))
    rows = np.maximum(1, np.rint(found["sum_hessian"])).astype(np.int64)
    built_tree = _scored(
        _schema([Feature(name, Kind.NUMBER, n) for n, name in enumerate(names)],
                named=booster.feature_names is not None),
        list(zip(left, right, strict=True)),
        conditions.astype(np.float64),  # at a leaf, what it says
        np.maximum(np.array(found["sum_hessian"], float), 1e-12),
        rows,
        asked=lambda node: Asked(found["split_indices"][node], float(pivots[node]),
                           missing_left=bool(found["default_left"][node])),
    )  # fmt: skip
    return _regressor(built_tree)


def _one_of(trees: list[Any], number: int) -> Any:  # noqa: ANN401 - a tree as parsed
    if not 0 <= number < len(trees):
        raise ParameterError(f"tree={number!r}, but the model has {len(trees)} trees, from 0.")
    return trees[number]


def _schema(features: list[Feature], *, named: bool = True) -> Schema:
    return Schema(
        tuple(feature.name for feature in features),
        tuple(features),
        (Label("score"),),
        named=named,
        match_by_name=named,
    )


def _scored(
    schema: Schema,
    children: list[tuple[int, int]],
    values: Floats,
    weights: Floats,
    rows: Any,  # noqa: ANN401 - integers
    *,
    asked: Callable[[int], Asked],
) -> Tree:
    """Return a tree of which the leaves are known; of branches, what follows from the leaves below."""
    tally = np.stack([weights, weights * values, weights * values**2], axis=1)
    order = [0]
    for node in order:  # parents first
        order.extend(child for child in children[node] if child >= 0)
    guess, n_rows = values.copy(), rows.copy()
    for node in reversed(order):
        one, two = children[node]
        if one >= 0:
            tally[node] = tally[one] + tally[two]
            n_rows[node] = n_rows[one] + n_rows[two]
            guess[node] = tally[node, 1] / tally[node, 0]
    is_leaf = np.array([one < 0 for one, _ in children])
    spread = np.maximum(tally[:, 2] / tally[:, 0] - (tally[:, 1] / tally[:, 0]) ** 2, 0.0)
    return built(
        schema,
        Nodes(
            [one for one, _ in children],
            [two for _, two in children],
            asked,
            tally[:, np.newaxis],
            guess[:, np.newaxis],
            n_rows,
            np.where(is_leaf, 0.0, spread),
        ),
    )


def _regressor(tree: Tree) -> DecisionTreeRegressor:
    found = DecisionTreeRegressor()
    found._take(tree, Settings(criterion="squared_error"))  # noqa: SLF001
    return found


def _categories(dumped: dict[str, Any], asked: set[int]) -> dict[int, tuple[Value, ...]]:
    """Return the categories of columns by number: those of pandas, or whole numbers."""
    infos, names = dumped.get("feature_infos", {}), dumped["feature_names"]
    of_pandas = [tuple(each) for each in dumped.get("pandas_categorical") or []]
    found: dict[int, tuple[Value, ...]] = {}
    for number, name in enumerate(names):
        values = (infos.get(name) or {}).get("values") or []
        if values:
            place = len(found)
            codes = tuple(range(int(max(values)) + 1))
            found[number] = of_pandas[place] if place < len(of_pandas) else codes
    return {number: each for number, each in found.items() if number in asked}


def _lightgbm_query(
    node: dict[str, Any], place: int, categories: dict[int, tuple[Value, ...]]
) -> Asked:
    feature = node["split_feature"]
    if node["decision_type"] == "==":
        choices = categories.get(feature, ())
        left = frozenset(int(each) for each in str(node["threshold"]).split("||"))
        if not choices or not left < set(range(len(choices))):
            raise ParameterError(
                f"Node {place} asks about categories that the model does not name."
            )
        return Asked(feature, left=left, n_codes=len(choices), missing_left=False)
    threshold = float(node["threshold"])
    zero_left, default_left = threshold >= 0, bool(node["default_left"])
    if node["missing_type"] == "Zero" and zero_left != default_left:
        raise ParameterError(
            f"Node {place} takes 0 for missing and sends it elsewhere than numbers near it, which bough "
            "cannot express."
        )
    missing_left = default_left if node["missing_type"] == "NaN" else zero_left
    return Asked(feature, float(np.nextafter(threshold, np.inf)), missing_left=missing_left)
