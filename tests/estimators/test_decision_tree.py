"""What both estimators share: parameters, trails, importances, pruning."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csc_array, csr_array, csr_matrix
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris

from bough import DataError, DecisionTreeClassifier, DecisionTreeRegressor, ParameterError

IRIS = load_iris(return_X_y=True)
BOTH = [DecisionTreeClassifier, DecisionTreeRegressor]


def bough_model(tree):
    """Return what a pickle holds of a tree, to the last bit."""
    return pickle.dumps(tree.__getstate__()["bough model"])


def drawn(random_state, n_columns=8):
    """Grow a tree that depends on the seed."""
    X = np.random.RandomState(0).rand(60, n_columns)
    y = X.sum(axis=1) > n_columns / 2
    tree = DecisionTreeClassifier(max_features=1, random_state=random_state).fit(X, y)
    return tree.tree_.feature.tolist(), tree.tree_.threshold.tolist()


def test_another_seed_draws_other_columns():
    assert drawn(1) != drawn(0)


def test_a_random_state_gives_a_seed():
    assert drawn(np.random.RandomState(5)) == drawn(np.random.RandomState(5))


def test_a_random_state_gives_another_seed_the_next_time():
    state = np.random.RandomState(5)
    assert drawn(state) != drawn(state)


@pytest.mark.parametrize("random_state", [-1, 2**32, 1.5, "seed", True])
def test_a_seed_that_is_none_is_refused(random_state):
    with pytest.raises(ParameterError) as error:
        DecisionTreeClassifier(random_state=random_state).fit(*IRIS)
    assert str(error.value) == (
        f"random_state={random_state!r} must be None, a whole number from 0 to 2**32 - 1, "
        "or a numpy.random.RandomState."
    )


@pytest.mark.parametrize("alpha", [-0.1, "much", np.nan, np.inf, True, None])
def test_a_cost_of_leaves_that_is_none_is_refused(alpha):
    with pytest.raises(ParameterError) as error:
        DecisionTreeClassifier(ccp_alpha=alpha).fit(*IRIS)
    assert str(error.value) == f"ccp_alpha={alpha!r} must be a number, 0 or more."


def test_a_criterion_of_the_other_task_is_refused():
    with pytest.raises(ParameterError) as error:
        DecisionTreeRegressor(criterion="gini").fit(*IRIS)
    assert str(error.value) == (
        "criterion='gini' is not known for regression. "
        "Known: 'squared_error', 'absolute_error', 'poisson' and 'quantile'."
    )


def test_a_criterion_that_is_misspelt_is_refused_with_a_hint():
    with pytest.raises(ParameterError) as error:
        DecisionTreeClassifier(criterion="entropie").fit(*IRIS)
    assert str(error.value) == (
        "criterion='entropie' is not known for classification. Did you mean 'entropy'? "
        "Known: 'error', 'gini', 'entropy', 'log_loss' and 'gain_ratio'."
    )


def test_a_criterion_that_is_no_word_is_refused():
    with pytest.raises(ParameterError) as error:
        DecisionTreeRegressor(criterion=np.array(["gini", "error"])).fit(*IRIS)
    assert str(error.value) == (
        "criterion=array(['gini', 'error'], dtype='<U5') is not known for regression. "
        "Known: 'squared_error', 'absolute_error', 'poisson' and 'quantile'."
    )


@pytest.mark.parametrize(("max_features", "drawn"), [(None, 5), ("sqrt", 2), (0.5, 2), (4, 4)])
def test_the_parts_of_a_date_count_as_features_to_draw_from(max_features, drawn):
    times = np.array(["2024-01-01T06", "2024-02-03T18"], dtype="datetime64[h]")
    table = pd.DataFrame({"age": [1, 2], "when": times})  # and weekday, month and hour
    tree = DecisionTreeClassifier(max_features=max_features).fit(table, [0, 1])
    assert (tree.n_features_in_, tree.max_features_) == (2, drawn)


def test_rows_that_stop_at_an_unseen_value_are_counted_by_feature():
    table = {"color": ["red", "red", "blue"], "size": ["S", "L", "S"], "age": [1, 2, 3]}
    tree = DecisionTreeClassifier().fit(table, ["a", "b", "c"])
    new = {"color": ["red", "red", "green"], "size": ["S", "M", "M"], "age": [1, 1, 1]}
    assert tree.unseen_counts(new) == {"color": 1, "size": 1}


def test_no_row_stops_at_an_unseen_value_where_all_were_seen():
    X = [["a"], ["b"]]
    assert DecisionTreeClassifier().fit(X, [0, 1]).unseen_counts(X) == {}


def test_parameters_are_checked_before_the_table_is_read():
    with pytest.raises(ParameterError):
        DecisionTreeClassifier(criterion="entropie").fit("no table", None)


@pytest.mark.parametrize("Tree", BOTH)
def test_parameters_are_not_changed_by_fitting(Tree):
    tree = Tree(max_depth=np.int64(2), min_samples_leaf=0.1)
    before = tree.get_params()
    assert tree.fit(*IRIS).get_params() == before


@pytest.mark.parametrize("Tree", BOTH)
def test_a_subclass_has_parameters_of_its_own(Tree):
    class Stump(Tree):
        def __init__(self, criterion="no", seed=0):
            super().__init__(max_depth=1)
            self.criterion, self.seed = criterion, seed

    names = sorted(Tree().get_params())
    assert sorted(clone(Stump(seed=3)).get_params()) == ["criterion", "seed"]
    assert sorted(clone(Tree(max_depth=2)).get_params()) == names
    assert clone(Tree(max_depth=2)).max_depth == 2


def test_a_row_stops_at_a_leaf():
    X, y = IRIS
    tree = DecisionTreeClassifier().fit(X, y)
    assert set(tree.apply(X)) == set(np.flatnonzero(tree.grown_tree_.feature < 0))


def test_a_row_with_an_unseen_value_stops_at_the_branch():
    tree = DecisionTreeClassifier().fit([["a"], ["b"]], [0, 1])
    assert tree.apply([["c"]]).tolist() == [0]


def test_the_decision_path_has_the_nodes_of_each_trail():
    tree = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0]], ["a", "b", "c"])
    path = tree.decision_path([[0.0], [2.0]])
    assert path.toarray().tolist() == [[1, 1, 0, 0, 0], [1, 0, 1, 0, 1]]


def test_the_decision_path_ends_where_a_row_stops():
    X, y = IRIS
    tree = DecisionTreeClassifier().fit(X, y)
    path = tree.decision_path(X)
    assert path.indices[path.indptr[1:] - 1].tolist() == tree.apply(X).tolist()


def test_depth_and_leaves_are_counted():
    tree = DecisionTreeClassifier().fit([["a"], ["b"], ["c"]], [0, 1, 2])
    assert (tree.get_depth(), tree.get_n_leaves()) == (1, 3)


def test_importances_of_a_single_leaf_are_0():
    tree = DecisionTreeClassifier().fit([[0, 1], [0, 1]], [0, 1])
    assert tree.feature_importances_.tolist() == [0, 0]


def test_importances_share_the_gain_among_columns():
    X = [["x", 0], ["x", 1], ["y", 0], ["y", 1], ["z", 0], ["z", 1]]
    tree = DecisionTreeClassifier().fit(X, ["a", "b", "c", "c", "d", "d"])
    first, second = 13 / 18 - 1 / 6, 1 / 6  # the gain of the root; a third of the rows gain 1/2
    expected = [first / (first + second), second / (first + second)]
    assert tree.feature_importances_.tolist() == pytest.approx(expected)


def test_the_parts_of_a_date_add_up_to_its_column():
    when = pd.date_range("2024-01-01", periods=200, freq="17h")
    X = pd.DataFrame({"when": when, "noise": np.arange(200) % 3})
    y = (when.day_of_week > 3) ^ (when.hour > 11)
    tree = DecisionTreeClassifier().fit(X, y)
    assert len({*tree.grown_tree_.feature} - {-1}) > 1
    assert len(tree.feature_importances_) == 2
    assert tree.feature_importances_.sum() == pytest.approx(1)


def test_importances_of_columns_that_were_left_out_are_0():
    X = pd.DataFrame({"id": [3, 1, 2], "n": [0, 0, 1]})
    tree = DecisionTreeClassifier(types={"id": "ignore"}).fit(X, [0, 0, 1])
    assert tree.feature_importances_.tolist() == [0, 1]


@pytest.mark.parametrize(("max_features", "found"), [(None, 4), ("sqrt", 2), (3, 3), (0.5, 2)])
def test_the_number_of_columns_drawn_is_told(max_features, found):
    assert DecisionTreeClassifier(max_features=max_features).fit(*IRIS).max_features_ == found


def test_named_columns_are_told():
    tree = DecisionTreeClassifier().fit(pd.DataFrame({"a": [0, 1], "b": [1, 0]}), [0, 1])
    assert tree.feature_names_in_.tolist() == ["a", "b"]
    assert tree.n_features_in_ == 2


def test_names_are_forgotten_when_the_next_table_has_none():
    tree = DecisionTreeClassifier().fit(pd.DataFrame({"a": [0, 1]}), [0, 1])
    assert not hasattr(tree.fit([[0], [1]], [0, 1]), "feature_names_in_")


@pytest.mark.parametrize("Tree", BOTH)
def test_every_alpha_of_the_path_prunes_to_the_impurity_told(Tree):
    X, y = IRIS if Tree is DecisionTreeClassifier else load_diabetes(return_X_y=True)
    path = Tree().cost_complexity_pruning_path(X, y)
    for alpha, impurity in list(zip(path.ccp_alphas, path.impurities, strict=True))[::-3]:
        view = Tree(ccp_alpha=alpha).fit(X, y).tree_
        leaves = view.children_left < 0
        share = view.weighted_n_node_samples[leaves] / len(X)
        assert np.dot(share, view.impurity[leaves]) == pytest.approx(impurity, rel=1e-9, abs=1e-12)


def test_the_pruning_path_leaves_the_estimator_as_it_is():
    tree = DecisionTreeClassifier(ccp_alpha=0.5)
    tree.cost_complexity_pruning_path(*IRIS)
    assert not hasattr(tree, "grown_tree_")


@pytest.mark.parametrize("sparse", [csr_array, csr_matrix, csc_array])
def test_a_sparse_table_grows_the_tree_of_the_dense_one(sparse):
    X, y = IRIS
    X = np.where(X > 2, X, 0)
    trees = [DecisionTreeClassifier().fit(table, y) for table in (X, sparse(X))]
    dense, thin = (bough_model(tree) for tree in trees)
    assert dense == thin


@pytest.mark.parametrize("step", ["fit", "predict"])
def test_a_sparse_table_with_a_missing_value_is_refused(step):
    tree = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    X = csr_array([[np.nan], [1.0]])
    with pytest.raises(DataError) as error:
        tree.fit(X, [0, 1]) if step == "fit" else tree.predict(X)
    assert str(error.value) == (
        "Input X contains NaN. X is sparse, where that is often a mistake. "
        "Pass X.toarray() to have these values read as missing."
    )


def test_hasattr_tells_whether_a_tree_is_fitted():
    tree = DecisionTreeClassifier()
    assert not any(hasattr(tree, name) for name in ("tree_", "feature_importances_", "classes_"))


def test_the_number_of_threads_does_not_matter():
    X, y = load_diabetes(return_X_y=True)
    models = [bough_model(DecisionTreeRegressor(n_jobs=n_jobs).fit(X, y)) for n_jobs in (1, 2, 5)]
    assert models[0] == models[1] == models[2]
