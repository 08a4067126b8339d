"""SHAP values beside their definition: the mean over all orders in which columns become known."""

from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest

import bough
from bough.predict import EVERY, next_nodes

RANDOM = np.random.default_rng(3)
N_ROWS = 120
TABLE = pd.DataFrame(
    {
        "age": RANDOM.normal(size=N_ROWS),
        "color": RANDOM.choice(["red", "green", "blue"], N_ROWS),
        "size": RANDOM.integers(0, 9, N_ROWS).astype(float),
        "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(RANDOM.integers(0, 400, N_ROWS), "D"),
    }
)
TABLE.loc[RANDOM.random(N_ROWS) < 0.1, "age"] = np.nan
TABLE.loc[RANDOM.random(N_ROWS) < 0.1, "color"] = None
LABELS = RANDOM.integers(0, 3, N_ROWS)
ROWS = TABLE.head(12).copy()
ROWS.loc[0, "color"] = "never seen"
ROWS.loc[1, "size"] = np.nan


def worth(tree, said, goes_to, known, node=0):
    """Return what is predicted if only some columns are known, straight from the definition."""
    if tree.feature[node] < 0:
        return said[node]
    if tree.schema.features[tree.feature[node]].column in known:
        if goes_to[node] == -1:
            return said[node]
        if goes_to[node] != EVERY:
            return worth(tree, said, goes_to, known, goes_to[node])
    return sum(tree.flow[n] * worth(tree, said, goes_to, known, n) for n in tree[node].children)


def by_definition(tree, said, goes_to):
    columns = range(len(tree.schema.columns))
    found = np.zeros((len(columns), said.shape[1]))
    for column in columns:
        others = [each for each in columns if each != column]
        for size in range(len(columns)):
            for known in map(set, combinations(others, size)):
                added = worth(tree, said, goes_to, known | {column}) - worth(
                    tree, said, goes_to, known
                )
                found[column] += added / (len(columns) * comb(len(others), size))
    return found


@pytest.mark.parametrize(
    "estimator",
    [
        bough.DecisionTreeClassifier(n_jobs=1),
        bough.DecisionTreeClassifier(categorical="group", probability="laplace", max_depth=4),
        bough.DecisionTreeRegressor(max_depth=5),
        bough.DecisionTreeRegressor(missing="weigh", max_depth=5),
    ],
)
def test_they_are_what_their_definition_says(estimator):
    tree = estimator.fit(TABLE, LABELS).grown_tree_
    found, table = estimator.shap_values(ROWS), estimator._read(ROWS)
    said = tree.guess if tree.schema.task.value == "regression" else tree.probabilities[:, 0]
    for row in range(len(ROWS)):
        goes_to = next_nodes(tree, table, row, missing=estimator.missing)
        values = found.values[row].reshape(4, -1)
        assert np.allclose(values, by_definition(tree, said, goes_to), rtol=0, atol=1e-13)
        base = worth(tree, said, goes_to, set())
        assert np.allclose(found.base_values[row], base.squeeze(), rtol=0, atol=1e-13)


@pytest.mark.parametrize("labels", [LABELS, np.stack([LABELS, LABELS % 2], axis=1)])
@pytest.mark.parametrize("kind", [bough.DecisionTreeClassifier, bough.DecisionTreeRegressor])
def test_they_add_up_to_the_prediction(kind, labels):
    tree = kind(n_jobs=1).fit(TABLE, labels)
    found = tree.shap_values(ROWS)
    total = found.base_values + found.values.sum(axis=1)
    predicted = tree.predict_proba(ROWS) if hasattr(tree, "predict_proba") else tree.predict(ROWS)
    if isinstance(predicted, list):
        predicted = np.concatenate(predicted, axis=1)
    assert np.allclose(total, predicted, rtol=0, atol=1e-12)
    assert len(found.output_names) == (1 if total.ndim == 1 else total.shape[1]) * (total.ndim > 1)


def test_the_values_of_the_rows_are_kept_for_drawings():
    found = bough.DecisionTreeClassifier().fit(TABLE, LABELS).shap_values(ROWS)
    assert found.data.shape == (12, 4)
    assert np.isnan(found.data[0, 1])  # it is not a known category
    assert found.display_data[2, 1] == ROWS["color"][2]
    assert found.data[2, 2] == ROWS["size"][2]


def test_a_single_leaf_leaves_nothing_to_explain():
    found = bough.DecisionTreeRegressor(max_depth=0).fit([[1], [2]], [1, 3]).shap_values([[1]])
    assert (found.values.tolist(), found.base_values.tolist()) == ([[0.0]], [2.0])


def test_an_infinite_number_is_refused():
    tree = bough.DecisionTreeRegressor().fit([[1], [2]], [1, 3])
    with pytest.raises(bough.DataError, match="infin"):
        tree.shap_values([[np.inf]])


def test_shap_gives_the_same():
    shap = pytest.importorskip("shap")
    X = RANDOM.normal(size=(200, 4))
    for tree in (
        bough.DecisionTreeClassifier(max_depth=6).fit(X, X[:, 0] * X[:, 1] > 0),
        bough.DecisionTreeRegressor().fit(X, X[:, 0] ** 2),
    ):
        explainer = shap.TreeExplainer(tree.to_sklearn())
        found, theirs = tree.shap_values(X.astype(np.float32)), explainer.shap_values(X)
        assert np.allclose(found.values, theirs, rtol=0, atol=1e-12)
        assert np.allclose(found.base_values[0], explainer.expected_value)
