"""Parameters that mean what they mean in scikit-learn, and defaults that suit small and large columns."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kstest
from threadpoolctl import threadpool_limits

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.machine_limits import threads

X = np.random.default_rng(0).normal(size=(80, 9))
Y = (X.sum(axis=1) > 0).astype(int)


@pytest.mark.parametrize("option", [{"max_features": "sqrt"}, {"splitter": "random"}])
def test_no_seed_is_a_fresh_draw_where_chance_is_asked_for(option):
    seeds = {DecisionTreeClassifier(**option).fit(X, Y).settings_.random_state for _ in range(5)}
    assert len(seeds) == 5


def test_no_seed_follows_that_of_numpy_as_in_scikit_learn():
    trees = []
    for _ in range(2):
        np.random.seed(3)
        trees.append(DecisionTreeClassifier(max_features=2).fit(X, Y))
    assert trees[0].settings_.random_state == trees[1].settings_.random_state


@pytest.mark.parametrize("option", [{}, {"max_features": 1.0}])
def test_nothing_is_drawn_where_no_chance_is_asked_for(option):
    before = np.random.get_state()[2]
    assert DecisionTreeClassifier(**option).fit(X, Y).settings_.random_state == 0
    assert np.random.get_state()[2] == before


def test_pivots_are_drawn_evenly_over_the_range():
    values = np.append(np.geomspace(1, 1000, 300), 0.0)  # most of them are small
    drawn = [
        DecisionTreeRegressor(splitter="random", max_depth=1, random_state=seed, n_jobs=1)
        .fit(values.reshape(-1, 1), values)
        .grown_tree_.pivot[0]
        for seed in range(200)
    ]
    assert kstest(np.array(drawn) / 1000, "uniform").pvalue > 0.01


@pytest.mark.parametrize(("n_values", "n_leaves"), [(5, 5), (6, 2)])
def test_a_column_of_more_than_five_categories_is_split_into_two_groups(n_values, n_leaves):
    letters = list("abcdefghij"[:n_values]) * 4
    tree = DecisionTreeClassifier(max_depth=1).fit(
        pd.DataFrame({"letter": letters}), [each < "c" for each in letters]
    )
    assert tree.get_n_leaves() == n_leaves


def test_a_small_column_beside_a_large_one_keeps_a_branch_per_category():
    letters = list("abcdefgh") * 3
    table = pd.DataFrame({"size": [each for each in "SML" for _ in range(8)], "letter": letters})
    tree = DecisionTreeClassifier(max_depth=1).fit(table, table["size"])
    assert tree.get_n_leaves() == 3


def test_numbers_as_text_are_said_in_one_warning():
    table = pd.DataFrame({"a": ["1", "2.5", "-3"], "b": ["4", "5", "6e3"], "c": ["x", "y", "z"]})
    with pytest.warns(UserWarning) as found:  # noqa: PT030 - the words follow
        DecisionTreeClassifier().fit(table, [0, 1, 1])
    assert [str(each.message) for each in found] == [
        "2 columns hold numbers as text, read as categories: 'a' and 'b'. To compare them as "
        "numbers, use types={'a': 'number'}; to keep them and hide this warning, "
        "types={'a': 'category'}."
    ]
    assert found[0].filename == __file__


@pytest.mark.parametrize("cells", [["007", "010", "012"], ["1", "2", "2"], ["1", "2", "n/a"]])
def test_codes_and_two_values_are_no_numbers_as_text(cells):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DecisionTreeClassifier().fit(pd.DataFrame({"a": cells}), [0, 1, 1])
        DecisionTreeClassifier(types={"a": "category"}).fit({"a": ["1", "2", "3"]}, [0, 1, 1])
        DecisionTreeClassifier(types={0: "category"}).fit([["1"], ["2"], ["3"]], [0, 1, 1])
        for name in ("a", 0):
            declared = pd.DataFrame({name: pd.Categorical(["1", "2", "3"])})
            DecisionTreeClassifier().fit(declared, [0, 1, 1])


def test_check_input_is_accepted():
    tree = DecisionTreeClassifier().fit(X, Y, check_input=False)
    assert (tree.predict(X, check_input=False) == Y).all()
    assert len(tree.predict_proba(X, check_input=False)) == len(tree.apply(X, check_input=False))
    assert tree.decision_path(X, check_input=False).shape[0] == len(X)


def test_all_cores_are_no_more_than_threadpoolctl_allows():
    with threadpool_limits(1):
        assert threads(None) == 1
    assert threads(3) == 3
