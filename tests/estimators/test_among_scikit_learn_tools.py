"""The estimators among the tools of scikit-learn."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn import config_context
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bough
from bough import DecisionTreeClassifier, DecisionTreeRegressor

IRIS = load_iris(return_X_y=True)
PASSENGERS = {
    "port": ["Cork", "Kiel", None, "Cork", "Kiel", "Riga", "Cork", "Riga"],
    "age": [22.0, None, 4.0, 35.0, 61.0, 18.0, 7.0, 50.0],
    "alone": [True, False, False, True, True, False, False, True],
}
OUTCOME = ["died", "lived", "lived", "died", "died", "lived", "lived", "died"]
FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "dict": dict,
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("categorical", ["each", "group"])
def test_a_frame_is_taken_as_it_is(make, categorical):
    table = make(PASSENGERS)
    tree = DecisionTreeClassifier(categorical=categorical).fit(table, OUTCOME)
    assert tree.predict(table).tolist() == OUTCOME


def test_all_frames_grow_the_same_tree():
    trees = [DecisionTreeClassifier().fit(make(PASSENGERS), OUTCOME) for make in FRAMES.values()]
    assert len({bough.export(tree, "json") for tree in trees}) == 1


def test_a_tree_is_drawn_as_text():
    tree = DecisionTreeClassifier(max_depth=1).fit([[0], [1]], ["no", "yes"])
    assert "x0 < 0.5" in bough.draw(tree)


def test_the_order_of_rows_does_not_matter():
    X, y = load_diabetes(return_X_y=True)
    order = np.random.RandomState(0).permutation(len(y))
    models = [
        bough.export(DecisionTreeRegressor().fit(X[rows], y[rows]), "json")
        for rows in (np.arange(len(y)), order)
    ]
    assert models[0] == models[1]


def test_kinds_of_estimators_are_told_apart():
    assert is_classifier(DecisionTreeClassifier())
    assert is_regressor(DecisionTreeRegressor())


def test_an_estimator_shows_the_parameters_that_were_set():
    assert repr(DecisionTreeClassifier(max_depth=3, categorical="group")) == (
        "DecisionTreeClassifier(categorical='group', max_depth=3)"
    )


def test_a_clone_has_the_parameters_and_no_tree():
    tree = clone(DecisionTreeClassifier(types={0: "category"}).fit([[1], [2]], [0, 1]))
    assert tree.types == {0: "category"}
    assert not hasattr(tree, "grown_tree_")


def test_a_pipeline_ends_with_a_tree():
    X, y = IRIS
    assert make_pipeline(StandardScaler(), DecisionTreeClassifier()).fit(X, y).score(X, y) == 1


def test_a_pipeline_hands_frames_on():
    X = pd.DataFrame(PASSENGERS)
    pick = make_column_transformer(
        ("passthrough", ["port", "alone"]), verbose_feature_names_out=False
    ).set_output(transform="pandas")
    tree = make_pipeline(pick, DecisionTreeClassifier()).fit(X, OUTCOME)[-1]
    assert tree.feature_names_in_.tolist() == ["port", "alone"]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_grid_search_finds_a_depth(n_jobs):
    X, y = IRIS
    search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [0, 1, 3]}, n_jobs=n_jobs)
    assert search.fit(X, y).best_params_ == {"max_depth": 3}


def test_cross_validation_splits_frames():
    X = pd.DataFrame({name: values * 5 for name, values in PASSENGERS.items()})
    scores = cross_val_score(DecisionTreeClassifier(), X, OUTCOME * 5, cv=4)
    assert scores.tolist() == [1, 1, 1, 1]


def test_cross_validation_gives_shares():
    X, y = IRIS
    shares = cross_val_predict(DecisionTreeClassifier(max_depth=2), X, y, method="predict_proba")
    assert shares.shape == (150, 3)


def test_a_bag_of_trees_is_grown():
    X, y = IRIS
    bag = BaggingClassifier(DecisionTreeClassifier(max_features=2), n_estimators=5, random_state=0)
    assert bag.fit(X, y).score(X, y) > 0.95


def test_one_tree_for_each_output_is_grown():
    X, y = IRIS
    several = MultiOutputClassifier(DecisionTreeClassifier()).fit(X, np.stack([y, y == 1], axis=1))
    assert several.score(X, np.stack([y, y == 1], axis=1)) == 1


def test_columns_are_shuffled_to_measure_them():
    X = pd.DataFrame(PASSENGERS)
    tree = DecisionTreeClassifier().fit(X, OUTCOME)
    found = permutation_importance(tree, X, OUTCOME, random_state=0)
    asked = set(tree.feature_importances_.nonzero()[0])
    assert set(found.importances_mean.nonzero()[0]) == asked == {1}


def test_weights_are_routed_where_they_are_asked_for():
    X, y = IRIS
    weights = np.where(y == 0, 0.0, 1.0)
    with config_context(enable_metadata_routing=True):
        tree = DecisionTreeClassifier(max_depth=0).set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipeline = make_pipeline(scaler, tree).fit(X, y, sample_weight=weights)
    assert pipeline.predict_proba(X[:1]).tolist() == [[0, 0.5, 0.5]]


def test_a_request_for_weights_survives_a_pickle():
    with config_context(enable_metadata_routing=True):
        tree = DecisionTreeClassifier().set_fit_request(sample_weight=True)
        copied = pickle.loads(pickle.dumps(tree.fit(*IRIS)))
        assert copied.get_metadata_routing().fit.requests == {"sample_weight": True}


def test_parallel_jobs_grow_the_same_tree():
    X, y = IRIS
    scores = [
        cross_val_score(DecisionTreeClassifier(), X, y, n_jobs=n_jobs).tolist() for n_jobs in (1, 2)
    ]
    assert scores[0] == scores[1]
