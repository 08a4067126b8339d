"""`explain`, `rules` and `ask` of the estimators."""

import pickle

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.datasets import load
from bough.errors import SchemaError

PENGUINS = load("penguins")


@pytest.fixture(scope="module")
def model():
    return DecisionTreeClassifier(max_depth=3).fit(PENGUINS.features, PENGUINS.labels)


def test_every_row_is_explained_with_the_guess_of_predict(model):
    found = model.explain(PENGUINS.features)
    assert [each.guess for each in found] == model.predict(PENGUINS.features).tolist()


def test_the_share_is_that_of_predict_proba(model):
    found = [each.value for each in model.explain(PENGUINS.features)]
    assert found == model.predict_proba(PENGUINS.features).max(axis=1).tolist()


def test_there_is_a_rule_for_each_leaf(model):
    assert len(model.rules()) == model.get_n_leaves()


def test_a_loaded_estimator_explains_alike(model):
    loaded = pickle.loads(pickle.dumps(model))
    one, other = (str(each.explain(PENGUINS.features)[7]) for each in (model, loaded))
    assert one == other


def test_a_regressor_is_asked():
    interview = DecisionTreeRegressor().fit([[1.0], [3.0]], [10.0, 20.0]).ask()
    interview.answer(2)
    assert interview.result.guess == 20.0


def test_an_array_of_float32_is_explained():
    X = np.array([[0.1], [0.2], [0.7]], np.float32)
    model = DecisionTreeClassifier().fit(X, ["a", "a", "b"])
    assert [each.guess for each in model.explain(X)] == ["a", "a", "b"]


def test_other_columns_are_refused(model):
    with pytest.raises(SchemaError, match="Feature names"):
        model.explain({"age": [3]})


@pytest.mark.parametrize(
    "act", [lambda m: m.explain([[1]]), lambda m: m.rules(), lambda m: m.ask()]
)
def test_an_estimator_without_a_tree_is_refused(act):
    with pytest.raises(NotFittedError, match="This DecisionTreeClassifier instance is not fitted"):
        act(DecisionTreeClassifier())
