"""Model files and pickles of estimators."""

import copy
import json
import pickle
from collections import Counter
from pathlib import Path

import made_tables
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import bough
from bough import DecisionTreeClassifier, DecisionTreeRegressor, ModelFormatError, ParameterError

TABLE = pd.DataFrame(
    {
        "size": ["S", "M", "L", "M", None, "S"],
        "age": [1.0, 2.5, np.nan, 4.0, 5.0, 2.5],
        "zip": [101, 102, 101, 103, 102, 101],
    }
)
FRUIT = pd.Series(["fig", "kiwi", "fig", "plum", "plum", "kiwi"], name="fruit")
OPTIONS = {
    "types": {"size": ["S", "M", "L"], "zip": "category"},
    "class_weight": {"fig": 1.5, "kiwi": 1, "plum": 2},
    "criterion": "entropy",
    "max_features": 2,
    "random_state": 7,
    "ccp_alpha": 0.001,
    "n_jobs": 1,
}


def saved(estimator, folder):
    path = folder / "model.bough.json"
    estimator.save(path)
    return path


def changed(path, change):
    """Change the document in a model file."""
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document), "utf-8")
    return path


@pytest.fixture
def fitted():
    return DecisionTreeClassifier(**OPTIONS).fit(TABLE, FRUIT)


def test_a_loaded_estimator_guesses_the_same(fitted, tmp_path):
    loaded = bough.load(saved(fitted, tmp_path))
    assert loaded.predict_proba(TABLE).tolist() == fitted.predict_proba(TABLE).tolist()


def test_a_loaded_estimator_has_the_same_parameters_but_the_number_of_threads(fitted, tmp_path):
    loaded = bough.load(saved(fitted, tmp_path))
    assert loaded.get_params() == fitted.get_params() | {"n_jobs": None}


def test_a_loaded_estimator_has_the_same_attributes(fitted, tmp_path):
    loaded = bough.load(saved(fitted, tmp_path))
    assert vars(loaded).keys() == vars(fitted).keys()
    assert loaded.classes_.dtype == fitted.classes_.dtype
    assert loaded.feature_names_in_.tolist() == ["size", "age", "zip"]
    assert loaded.max_features_ == 2


def test_a_loaded_estimator_grows_the_same_tree_again(fitted, tmp_path):
    loaded = bough.load(saved(fitted, tmp_path))
    before = saved(loaded, tmp_path).read_bytes()
    assert saved(loaded.fit(TABLE, FRUIT), tmp_path).read_bytes() == before


def test_the_number_of_threads_is_not_in_the_file(fitted, tmp_path):
    before = saved(fitted, tmp_path).read_bytes()
    assert saved(fitted.set_params(n_jobs=2).fit(TABLE, FRUIT), tmp_path).read_bytes() == before


def test_a_regressor_is_loaded_as_a_regressor(tmp_path):
    tree = DecisionTreeRegressor(max_depth=2).fit([[0], [1], [2]], [0.1, 0.2, 0.4])
    loaded = bough.load(saved(tree, tmp_path))
    assert repr(loaded) == "DecisionTreeRegressor(max_depth=2)"
    assert loaded.predict([[0], [2]]).tolist() == [0.1, 0.4]


def test_numbers_of_numpy_are_saved_as_numbers(tmp_path):
    tree = DecisionTreeClassifier(max_depth=np.int64(3), ccp_alpha=np.float64(0.25))
    loaded = bough.load(saved(tree.fit([[0], [1]], [0, 1]), tmp_path))
    assert repr(loaded) == "DecisionTreeClassifier(ccp_alpha=0.25, max_depth=3)"


def test_a_random_state_is_saved_as_the_seed_that_it_gave(tmp_path):
    tree = DecisionTreeClassifier(random_state=np.random.RandomState(3), max_features=1)
    X = np.arange(40).reshape(-1, 4) % 7
    y = [0, 1] * 5
    loaded = bough.load(saved(tree.fit(X, y), tmp_path))
    assert isinstance(loaded.random_state, int)
    again = saved(loaded.fit(X, y), tmp_path).read_bytes()
    assert again == saved(clone(loaded).fit(X, y), tmp_path).read_bytes()


def test_weights_of_several_outputs_are_saved(tmp_path):
    weights = [{0: 1.0, 1: 2.0}, {"a": 1.0, "b": 3.0}]
    y = np.array([[0, "a"], [1, "b"]], dtype=object)
    tree = DecisionTreeClassifier(class_weight=weights).fit([[0], [1]], y)
    assert bough.load(saved(tree, tmp_path)).class_weight == weights


def test_a_class_of_your_own_is_loaded_as_the_one_it_extends(tmp_path):
    class Mine(DecisionTreeClassifier):
        pass

    tree = Mine(max_depth=1).fit([[0], [1]], [0, 1])
    assert repr(bough.load(saved(tree, tmp_path))) == "DecisionTreeClassifier(max_depth=1)"


def test_a_tree_without_an_estimator_is_loaded_as_one_that_fits(tmp_path):
    path = tmp_path / "tree.bough.json"
    tree = DecisionTreeRegressor().fit([[0], [1]], [0.5, 1.5])
    path.write_text(bough.export(tree.grown_tree_, "json"), "utf-8")
    assert repr(bough.load(path)) == "DecisionTreeRegressor()"


def test_exporting_json_gives_the_model_file(fitted, tmp_path):
    assert bough.export(fitted, "json").encode() == saved(fitted, tmp_path).read_bytes()


def test_a_pickle_of_the_bytes_of_the_model_file_still_loads(fitted, tmp_path):
    before = fitted.__getstate__() | {"bough model": saved(fitted, tmp_path).read_bytes()}
    copied = DecisionTreeClassifier()
    copied.__setstate__(before)
    assert saved(copied, tmp_path).read_bytes() == before["bough model"]


@pytest.mark.parametrize("copied", [lambda each: pickle.loads(pickle.dumps(each)), copy.deepcopy])
def test_a_copy_is_the_same_to_the_last_bit(fitted, copied, tmp_path):
    other, expected = copied(fitted), saved(fitted, tmp_path).read_bytes()
    assert other.get_params() == fitted.get_params()
    assert saved(other, tmp_path).read_bytes() == expected
    assert not other.grown_tree_.pivot.flags.writeable


def test_an_estimator_that_is_not_fitted_can_be_pickled():
    tree = pickle.loads(pickle.dumps(DecisionTreeClassifier(max_depth=3)))
    assert repr(tree) == "DecisionTreeClassifier(max_depth=3)"
    assert not hasattr(tree, "classes_")


class Stump(DecisionTreeClassifier):
    """A class of a user's own, with parameters of its own."""

    def __init__(self, *, model="small", min_samples_leaf=1):
        super().__init__(criterion="entropy", max_depth=1, min_samples_leaf=min_samples_leaf)
        self.model = model


def test_a_class_of_your_own_can_be_pickled():
    stump = Stump(min_samples_leaf=2).fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    copied = pickle.loads(pickle.dumps(stump))
    assert repr(copied) == "Stump(min_samples_leaf=2)"
    assert copied.predict([[1], [4]]).tolist() == [0, 1]
    assert copied.settings_ == stump.settings_


@pytest.mark.parametrize("fit", [lambda stump: stump, lambda stump: stump.fit([[1], [2]], [0, 1])])
def test_a_pickle_keeps_a_parameter_called_model(fit):
    stump = fit(Stump(model="large"))
    assert pickle.loads(pickle.dumps(stump)).model == "large"


def test_a_pickle_keeps_what_a_user_has_added(fitted):
    fitted.note = "for the board"
    assert pickle.loads(pickle.dumps(fitted)).note == "for the board"


def test_a_pickle_with_a_broken_tree_is_refused(fitted):
    state = fitted.__getstate__()
    *rest, arrays = state["bough model"]
    first = np.maximum(arrays["first_child"], 0) - (arrays["first_child"] == -1)
    first[0] = 0
    state["bough model"] = *rest, arrays | {"first_child": first}
    with pytest.raises(ModelFormatError) as error:
        DecisionTreeClassifier().__setstate__(state)
    assert str(error.value) == (
        "'the pickle' is damaged: node 0: child 0 is not after its parent; the tree has a loop."
    )


def test_a_pickle_with_a_tree_of_the_other_task_is_refused(fitted):
    numbers = DecisionTreeRegressor().fit([[0], [1]], [0.5, 1.5]).__getstate__()
    with pytest.raises(ModelFormatError) as error:
        DecisionTreeClassifier().__setstate__(fitted.__getstate__() | numbers)
    assert str(error.value) == (
        "'the pickle' holds a tree that predicts numbers, but says it is a DecisionTreeClassifier."
    )


def test_a_parameter_that_a_file_cannot_hold_is_refused(fitted, tmp_path):
    fitted.set_params(types={1, 2})
    with pytest.raises(ParameterError) as error:
        fitted.save(tmp_path / "model.bough.json")
    assert str(error.value) == "types={1, 2} cannot be written to a model file."


def test_a_parameter_that_nobody_knows_is_refused(fitted, tmp_path):
    def add(document):
        document["estimator"]["parameters"]["max_width"] = 3

    path = changed(saved(fitted, tmp_path), add)
    with pytest.raises(ModelFormatError) as error:
        bough.load(path)
    assert str(error.value) == (
        f"{str(path)!r} has the parameter 'max_width', which DecisionTreeClassifier does not have."
    )


def test_a_file_that_names_the_wrong_estimator_is_refused(fitted, tmp_path):
    def rename(document):
        document["estimator"]["class"] = "DecisionTreeRegressor"

    path = changed(saved(fitted, tmp_path), rename)
    with pytest.raises(ModelFormatError) as error:
        bough.load(path)
    assert str(error.value) == (
        f"{str(path)!r} holds a tree that predicts classes, but says it is a DecisionTreeRegressor."
    )


def test_settings_that_cannot_be_are_refused(fitted, tmp_path):
    def overgrow(document):
        document["settings"]["max_depth"] = -3

    path = changed(saved(fitted, tmp_path), overgrow)
    with pytest.raises(ModelFormatError) as error:
        bough.load(path)
    assert str(error.value) == (
        f"{str(path)!r} has settings that are not valid: "
        "max_depth=-3 must be a whole number, 0 or more, or None."
    )


@pytest.mark.parametrize("pairs", [3, [3], [[1, 2, 3]], [[[1], 2]], {"a": 1}], ids=repr)
def test_pairs_that_are_none_are_refused(fitted, tmp_path, pairs):
    def spoil(document):
        document["estimator"]["parameters"]["class_weight"] = {"pairs": pairs}

    path = changed(saved(fitted, tmp_path), spoil)
    with pytest.raises(ModelFormatError) as error:
        bough.load(path)
    assert str(error.value) == f"{str(path)!r} has a parameter class_weight that is not valid."


def test_a_rule_of_missing_values_that_is_not_known_is_not_saved(tmp_path):
    tree = DecisionTreeClassifier().fit(TABLE, FRUIT).set_params(missing="wiegh")
    says = "missing='wiegh' is not known. Did you mean 'weigh'? Known: 'stop' and 'weigh'."
    for act in (
        lambda: tree.save(tmp_path / "tree.json"),
        lambda: pickle.dumps(tree),
        lambda: tree.explain(TABLE),
        lambda: tree.depths_path(TABLE, FRUIT),
    ):
        with pytest.raises(ParameterError) as error:
            act()
        assert str(error.value) == says


def test_a_file_says_that_missing_values_went_elsewhere_when_the_tree_was_measured(tmp_path):
    result = bough.fit(made_tables.classes(400), "label", missing="weigh")
    result.model.save(tmp_path / "same.json")
    result.model.set_params(missing="stop").save(tmp_path / "other.json")
    assert not bough.load(tmp_path / "same.json").evidence_["edits"]
    (edit,) = bough.load(tmp_path / "other.json").evidence_["edits"]
    assert edit["what"] == "missing values follow the rule 'stop'"


@pytest.mark.parametrize(
    ("estimator", "options"),
    [
        (DecisionTreeClassifier, {"first": pd.Index(["age"])}),
        (DecisionTreeClassifier, {"forbid": pd.Series(["age"])}),
        (DecisionTreeRegressor, {"monotonic_cst": pd.Series([0, 1, 0])}),
        (DecisionTreeRegressor, {"monotonic_cst": np.array([0, 1, 0])}),
        (DecisionTreeClassifier, {"max_depth": np.int64(2), "min_samples_leaf": np.int8(2)}),
    ],
)
def test_lists_and_numbers_of_pandas_and_numpy_are_saved(tmp_path, estimator, options):
    fitted = estimator(**options).fit(TABLE, [0, 1, 0, 1, 1, 0])
    expected = fitted.predict(TABLE).tolist()
    for again in (
        bough.load(saved(fitted, tmp_path)),
        pickle.loads(pickle.dumps(fitted)),
        copy.deepcopy(fitted),
    ):
        assert again.predict(TABLE).tolist() == expected


def test_an_estimator_of_the_first_format_predicts_for_ever():
    # The file is never written again, so that it stays as the first bough wrote it.
    path = Path(__file__).parents[1] / "golden" / "format_1" / "penguins.bough.json"
    tree, penguins = bough.load(path), bough.datasets.load("penguins")
    assert (tree.get_n_leaves(), tree.get_params()["pivots"]) == (11, "midpoint")
    assert Counter(tree.predict(penguins.features).tolist()) == {
        "Adelie": 155,
        "Gentoo": 123,
        "Chinstrap": 66,
    }
    assert "bill_length_mm" in bough.draw(tree)
