"""`DecisionTreeRegressor`: guesses of numbers."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor as SklearnRegressor

from bough import DecisionTreeRegressor
from bough.errors import DataError

X = [[0.0], [1.0], [2.0], [3.0]]


def test_a_leaf_guesses_the_mean():
    assert DecisionTreeRegressor(max_depth=0).fit(X, [1, 2, 3, 6]).predict([[9]]).tolist() == [3.0]


def test_equal_labels_are_guessed_exactly():
    y = np.array([0.1, 0.1, 1e15, 1e15])
    assert DecisionTreeRegressor().fit(X, y).predict(X).tolist() == y.tolist()


def test_several_outputs_give_a_column_each():
    y = [[1, 10], [2, 20], [3, 30], [4, 40]]
    assert DecisionTreeRegressor().fit(X, y).predict(X).tolist() == y


def test_a_column_of_labels_is_one_output():
    assert DecisionTreeRegressor().fit(X, [[1], [2], [3], [4]]).predict(X).tolist() == [1, 2, 3, 4]


def test_weights_move_the_mean():
    tree = DecisionTreeRegressor(max_depth=0).fit(X, [0, 0, 0, 8], [1, 1, 1, 5])
    assert tree.predict([[0]]).tolist() == [5.0]


def test_the_score_is_the_share_of_variance_explained():
    assert DecisionTreeRegressor(max_depth=1).fit(X, [0, 2, 4, 6]).score(X, [0, 2, 4, 6]) == 0.8


def test_the_old_name_of_squared_error_warns():
    with pytest.warns(FutureWarning) as warned:
        DecisionTreeRegressor(criterion="friedman_mse").fit(X, [1, 2, 3, 4])
    assert str(warned[0].message) == (
        "criterion='friedman_mse' is a name that scikit-learn has deprecated. Use "
        "criterion='squared_error', which grows the same tree."
    )
    assert warned[0].filename == __file__


@pytest.mark.filterwarnings("ignore:criterion='friedman_mse':FutureWarning")
def test_the_old_name_of_squared_error_grows_the_same_tree():
    old = DecisionTreeRegressor(criterion="friedman_mse").fit(X, [1, 5, 2, 4])
    new = DecisionTreeRegressor().fit(X, [1, 5, 2, 4])
    assert old.tree_.threshold.tolist() == new.tree_.threshold.tolist()


def leaf_guess(y, weights=None, **settings):
    """Return the guess of a single leaf."""
    X = np.zeros((len(y), 1))
    return DecisionTreeRegressor(max_depth=0, **settings).fit(X, y, weights).predict([[0]]).item()


@pytest.mark.parametrize(
    ("y", "weights", "median"),
    [
        ([3, 1, 9], None, 3),
        ([3, 1, 9, 4], None, 3.5),
        ([3, 1, 9], [1, 3, 1], 1),
        ([3, 1, 9], [1, 2, 1], 2),
        ([1, 2, 3], [0.1, 0.2, 0.3], 2.5),  # 0.1 + 0.2 is a little more than 0.3
        ([7, 7, 7], None, 7),
    ],
)
def test_the_guess_of_least_absolute_error_is_the_middle_of_the_medians(y, weights, median):
    assert leaf_guess(y, weights, criterion="absolute_error") == median


@pytest.mark.parametrize(
    ("quantile", "guess"), [(0.1, 1.5), (0.3, 3.5), (0.25, 3), (0.9, 9.5), (0.99, 10), (1e-9, 1)]
)
def test_the_guess_of_least_pinball_loss_is_the_middle_of_the_quantiles(quantile, guess):
    assert leaf_guess(range(1, 11), criterion="quantile", quantile=quantile) == guess


def test_the_middle_of_the_largest_labels_is_no_infinity():
    largest = np.finfo(float).max
    assert leaf_guess([largest, largest / 2], criterion="absolute_error") == 0.75 * largest


def test_the_poisson_guess_is_the_mean():
    assert leaf_guess([0, 1, 5], criterion="poisson") == 2


def test_no_leaf_guesses_that_nothing_ever_happens():
    y = [0, 0, 0, 6]
    assert DecisionTreeRegressor().fit(X, y).predict(X).tolist() == y
    tree = DecisionTreeRegressor(criterion="poisson").fit(X, y)
    assert tree.predict(X).tolist() == [1.5] * 4


@pytest.mark.parametrize("criterion", ["absolute_error", "quantile"])
def test_several_outputs_have_a_quantile_each(criterion):
    y = [[1, 10], [2, 30], [6, 20], [9, 90]]
    quantile = {"quantile": 0.5} if criterion == "quantile" else {}
    tree = DecisionTreeRegressor(criterion=criterion, max_depth=0, **quantile).fit(X, y)
    assert tree.predict([[0]]).tolist() == [[4.0, 25.0]]


def test_negative_labels_are_refused_by_poisson():
    with pytest.raises(DataError) as error:
        DecisionTreeRegressor(criterion="poisson").fit(X, [1, 2, -0.5, 3])
    assert str(error.value) == (
        "Some values of y are negative, which is not allowed for Poisson regression: the least is "
        "-0.5. Use criterion='squared_error' or 'absolute_error', or leave these rows out."
    )


@pytest.mark.parametrize(("y", "weights"), [([0, 0, 0, 0], None), ([0, 0, 0, 9], [1, 1, 1, 0])])
def test_labels_that_are_all_0_are_refused_by_poisson(y, weights):
    with pytest.raises(DataError) as error:
        DecisionTreeRegressor(criterion="poisson").fit(X, y, weights)
    assert str(error.value) == (
        "The sum of y is not positive, which is necessary for Poisson regression: it is "
        "0 in every row. Use criterion='squared_error' or 'absolute_error'."
    )


def nodes_of(tree, node=0):
    """Yield impurity, gain and rows of scikit-learn's or bough's nodes, parents first."""
    left, right = tree.children_left[node], tree.children_right[node]
    weights = tree.weighted_n_node_samples
    if left < 0:
        yield tree.n_node_samples[node], tree.impurity[node], 0.0
        return
    below = sum(weights[child] * tree.impurity[child] for child in (left, right))
    yield (
        tree.n_node_samples[node],
        tree.impurity[node],
        tree.impurity[node] - below / weights[node],
    )
    yield from nodes_of(tree, left)
    yield from nodes_of(tree, right)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_gains_at_every_node_are_those_of_scikit_learn(criterion, seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(400, 4)).astype(np.float32)  # scikit-learn rounds to these
    y = np.exp(values[:, 0] * values[:, 1] + 0.3 * rng.normal(size=400))
    weights = rng.uniform(0.5, 2, 400)  # without which absolute errors are often tied
    settings = {"criterion": criterion, "max_depth": 6, "min_samples_leaf": 5}
    ours = DecisionTreeRegressor(**settings).fit(values, y, weights)
    theirs = SklearnRegressor(**settings, random_state=0).fit(values, y, weights)
    found, expected = (np.array(list(nodes_of(each.tree_))) for each in (ours, theirs))
    assert found[:, 0].tolist() == expected[:, 0].tolist()
    assert np.abs(found - expected).max() < 1e-9
    assert ours.grown_tree_.gain[0] == pytest.approx(expected[0, 2], abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_unit_weights_gain_in_absolute_error_what_scikit_learn_gains(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(300, 4)).astype(np.float32)
    y = np.round(values[:, 0] * values[:, 1] + 0.3 * rng.normal(size=300), 1)
    settings = {"criterion": "absolute_error", "max_depth": 1}
    ours = DecisionTreeRegressor(**settings).fit(values, y).tree_
    theirs = SklearnRegressor(**settings, random_state=0).fit(values, y).tree_
    (_, _, gain), *_ = nodes_of(ours)
    assert gain == pytest.approx(next(nodes_of(theirs))[2], abs=1e-9)
