"""A tree as one of scikit-learn's: it predicts alike, or the node that is in the way is named."""

import pickle

import handmade
import numpy as np
import pandas as pd
import pytest
from sklearn.tree import export_text

import bough
from bough.errors import ExportError, ParameterError
from bough.exports.replay import check_export

RANDOM = np.random.default_rng(7)


def rows(tree, n=2_000):
    """Return rows of float32 numbers at and around the pivots of a tree, and anywhere."""
    pivots = tree.pivot[~np.isnan(tree.pivot)].astype(np.float32)
    near = np.concatenate([pivots, *(np.nextafter(pivots, np.float32(end)) for end in (-9e9, 9e9))])
    odd = np.array([0.0, -0.0, 1e-38, 1e30, -1e30], np.float32)
    choices = np.concatenate([near, odd, RANDOM.normal(size=50).astype(np.float32)])
    return RANDOM.choice(choices, (n, len(tree.schema.columns))).astype(np.float64)


def table(n=300):
    X = RANDOM.normal(size=(n, 3)).astype(np.float32).astype(np.float64)
    return X, X[:, 0] + X[:, 1] ** 2 > 0.5


MAKES = [
        lambda X, y: bough.DecisionTreeClassifier(n_jobs=1).fit(X, y),
        lambda X, y: bough.DecisionTreeClassifier(probability="laplace").fit(X, y.astype(str)),
        lambda X, y: bough.DecisionTreeClassifier().fit(X, np.stack([y, X[:, 2] > 0], axis=1)),
        lambda X, _: bough.DecisionTreeRegressor(criterion="absolute_error").fit(X, X[:, 0] * 3),
        lambda X, _: bough.DecisionTreeRegressor(max_depth=4).fit(X, X[:, :2]),
]  # fmt: skip


@pytest.mark.parametrize("make", MAKES)
def test_it_predicts_the_same(make):
    tree = make(*table())
    theirs, X = tree.to_sklearn(), rows(tree.grown_tree_)
    assert np.array_equal(theirs.predict(X), tree.predict(X))
    if hasattr(tree, "predict_proba"):
        assert np.array_equal(theirs.predict_proba(X), tree.predict_proba(X))


@pytest.mark.parametrize("make", MAKES)
@pytest.mark.parametrize("name", ["sklearn", "treelite"])
def test_it_can_be_checked(make, name):
    pytest.importorskip(name)
    X, y = table()
    tree = make(X, y)
    assert bough.export(tree, name, check=rows(tree.grown_tree_)) == bough.export(tree, name)


def test_a_row_that_scikit_learn_rounds_is_said_to_differ():
    tree = bough.DecisionTreeClassifier().fit([[0.0], [0.2]], [0, 1])
    with pytest.raises(ExportError) as error:
        bough.export(tree, "sklearn", check=[[np.nextafter(0.1, 0)]])
    assert str(error.value) == (
        "row 0: the export gives 1, but the tree 0 (node 1: x0 < 0.1). This format may round numbers to "
        "float32, and sends a missing value on where bough stops. If such rows matter, choose another format."
    )


def test_what_is_missing_goes_the_same_way():
    X, y = table()
    X[RANDOM.random(X.shape) < 0.3] = np.nan
    tree = bough.DecisionTreeClassifier().fit(X, y)
    assert np.array_equal(tree.to_sklearn().predict(X), tree.predict(X))


def test_whole_numbers_beyond_float64_go_the_same_way():
    X = np.array([[2**60 - 2**40], [2**60], [2**61]])
    tree = bough.DecisionTreeClassifier().fit(X, [0, 1, 2])
    assert tree.to_sklearn().predict(X.astype(float)).tolist() == [0, 1, 2]


def test_names_and_criterion_are_kept():
    tree = bough.DecisionTreeClassifier(criterion="entropy").fit(
        {"age": [1.0, 2, 3], "b": [0, 0, 1]}, ["x", "x", "y"]
    )
    found = tree.to_sklearn()
    assert (found.criterion, list(found.feature_names_in_)) == ("entropy", ["age", "b"])
    words = export_text(found, feature_names=["age", "b"])
    assert words.startswith("|--- age <= 2.50\n|   |--- class: x\n")


def test_the_export_is_a_pickle_of_it():
    X, y = table()
    tree = bough.DecisionTreeClassifier(max_depth=3).fit(X, y)
    found = pickle.loads(bough.export(tree, "sklearn"))
    assert np.array_equal(found.predict(X), tree.predict(X))


SAYS = (
    "scikit-learn's trees cannot express node {}: it {}. They ask about numbers, with two answers, and "
    "predict the most probable class."
)


def test_what_it_cannot_express_is_named():
    with pytest.raises(ParameterError) as error:
        bough.export(handmade.play_tennis(), "sklearn")
    assert str(error.value) == SAYS.format(0, "asks about the categories of 'outlook'")


def test_dates_and_costs_are_refused():
    dates = bough.DecisionTreeClassifier().fit(
        {"day": np.array(["2024-01-01", "2024-02-01"], "M8[D]")}, [0, 1]
    )
    with pytest.raises(ParameterError, match="node 0: it asks about the date 'day'"):
        dates.to_sklearn()
    costs = bough.DecisionTreeClassifier(costs={("ill", "well"): 20}, max_depth=0)
    costs.fit([[1.0], [2.0], [3.0]], ["well", "well", "ill"])
    with pytest.raises(ParameterError, match="node 0: it does not predict its most probable class"):
        costs.to_sklearn()


def test_treelite_predicts_the_same():
    treelite = pytest.importorskip("treelite")
    X, y = table()
    tree = bough.DecisionTreeClassifier().fit(X, y)
    model = treelite.Model.deserialize_bytes(bough.export(tree, "treelite"))
    found = treelite.gtil.predict(model, X).reshape(len(X), -1)
    assert np.array_equal(found, tree.predict_proba(X))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", ["sklearn", "treelite"])
def test_a_tree_of_many_classes_and_named_columns_passes_its_check(kind):
    if kind == "treelite":
        pytest.importorskip("treelite")
    given = pd.DataFrame({"a": range(900)})
    tree = bough.DecisionTreeClassifier(max_depth=5)
    tree.fit(given, [f"c{row // 3}" for row in range(900)])
    assert bough.export(tree, kind, check=given)


def with_another_share(content, n_classes):
    """Return treelite's bytes with the probability of the last class higher in all leaves, by a few bits."""
    import treelite

    model = treelite.Model.deserialize_bytes(content)
    fields = model.get_tree_accessor(0)
    shares = fields.get_field("leaf_vector").reshape(-1, n_classes).copy()
    shares[:, -1] += 1e-14
    fields.set_field("leaf_vector", shares.ravel())
    return bytes(model.serialize_bytes())


@pytest.mark.parametrize("n_classes", [2, 300])
def test_a_treelite_export_with_another_share_is_refused(n_classes):
    pytest.importorskip("treelite")
    given = [[float(row)] for row in range(900)]
    tree = bough.DecisionTreeClassifier(max_depth=3)
    tree.fit(given, [row % n_classes for row in range(900)])
    content = bough.export(tree, "treelite", check=given)
    wrong = with_another_share(content, n_classes)
    with pytest.raises(
        ExportError, match=r"^row 0: the export gives \S+ as the probability of "
    ) as error:
        check_export(wrong, "treelite", tree.grown_tree_, given, {})
    assert len(str(error.value)) < 500
