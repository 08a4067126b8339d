"""The pruning path of a growth is that of scikit-learn's growth from the same rows."""

import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn import tree as theirs

import bough

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import real_tables

FOLDER = real_tables.find_folder()
needs_real_tables = pytest.mark.skipif(FOLDER is None, reason=real_tables.why_absent())
NEARLY = 1e-9  # of the largest alpha, or of the impurity of all rows


def made(seed):
    """Return a table without ties, in numbers that scikit-learn does not round."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(600, 4)).astype(np.float32).astype(float)
    return X, X[:, 0] * X[:, 1] + rng.normal(size=600)


def real(name):
    """Return the columns of numbers of a real table that miss no value, and the labels."""
    table = real_tables.read(FOLDER, name)
    numbers = table.columns.select_dtypes("number").drop(columns=table.types, errors="ignore")
    return numbers.dropna(axis=1).to_numpy(np.float32).astype(float), table.labels


def without_ties(X, y, seed=0):
    """Move every number a little, so that no two are the same."""
    rng = np.random.default_rng(seed)
    X = X + rng.uniform(-0.5, 0.5, X.shape) * np.std(X, axis=0) / 10
    return X.astype(np.float32).astype(float), y + rng.uniform(-0.5, 0.5, len(y)) * np.std(y) / 10


def path(estimator, *rows):
    """Return the path; of alphas that are equal but for rounding the last one stands for all."""
    found = estimator.cost_complexity_pruning_path(*rows)
    is_last = np.append(np.diff(found.ccp_alphas) > NEARLY * found.ccp_alphas[-1], True)
    return found.ccp_alphas[is_last], found.impurities[is_last]


def assert_same_path(kind, *rows, **settings):
    ours = path(getattr(bough, kind)(**settings), *rows)
    expected = path(getattr(theirs, kind)(random_state=0, **settings), *rows)
    for found, wanted in zip(ours, expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=NEARLY * wanted[-1])


def assert_same_sizes(kind, X, y, **settings):
    alphas, _ = path(getattr(bough, kind)(**settings), X, y)
    some = np.sqrt(alphas[1:-1] * alphas[2:])[:: max(len(alphas) // 6, 1)]
    sizes = [
        [make(ccp_alpha=alpha, **settings).fit(X, y).get_n_leaves() for alpha in some]
        for make in (getattr(bough, kind), getattr(theirs, kind))
    ]
    assert sizes[0] == sizes[1]
    assert len(set(sizes[0])) > 3


@pytest.mark.parametrize("leaf", [1, 5])
@pytest.mark.parametrize("seed", range(5))
def test_numbers_have_scikit_learns_path(seed, leaf):
    assert_same_path("DecisionTreeRegressor", *made(seed), min_samples_leaf=leaf)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", range(5))
def test_classes_have_scikit_learns_path(seed, criterion):
    X, y = made(seed)
    classes = np.digitize(y, [-0.5, 0.5])
    settings = {"criterion": criterion, "min_samples_leaf": 20}
    assert_same_path("DecisionTreeClassifier", X, classes, **settings)


@pytest.mark.parametrize("seed", range(3))
def test_a_tree_of_numbers_has_scikit_learns_size_at_each_alpha(seed):
    assert_same_sizes("DecisionTreeRegressor", *made(seed))


@pytest.mark.parametrize("seed", range(3))
def test_a_tree_of_classes_has_scikit_learns_size_at_each_alpha(seed):
    X, y = made(seed)
    assert_same_sizes("DecisionTreeClassifier", X, np.digitize(y, [0.0]), min_samples_leaf=20)


@needs_real_tables
@pytest.mark.parametrize("name", ["california_housing", "wine_quality"])
@pytest.mark.parametrize("leaf", [1, 20])
def test_real_numbers_without_ties_have_scikit_learns_path(name, leaf):
    X, y = without_ties(*real(name))
    assert_same_path("DecisionTreeRegressor", X, y, min_samples_leaf=leaf)


@needs_real_tables
@pytest.mark.parametrize("name", ["california_housing", "wine_quality"])
def test_real_numbers_with_large_leaves_have_scikit_learns_path(name):
    assert_same_path("DecisionTreeRegressor", *real(name), min_samples_leaf=20)


@needs_real_tables
@pytest.mark.parametrize("name", ["adult", "covtype_sample15k"])
def test_real_classes_have_scikit_learns_path(name):
    X, y = real(name)
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y))  # equal rows would make equal gains
    assert_same_path("DecisionTreeClassifier", X, y, weights, min_samples_leaf=20)


@needs_real_tables
def test_real_trees_have_scikit_learns_size_at_each_alpha():
    X, y = real("california_housing")
    assert_same_sizes("DecisionTreeRegressor", X, y, min_samples_leaf=20)
