"""`DecisionTreeClassifier` where guesses do not cost the same, and smoothed probabilities."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer

import bough
from bough import DecisionTreeClassifier, ParameterError

X = [[0], [0], [0], [0], [0], [1], [1]]
Y = ["well"] * 4 + ["ill"] * 3
COSTS = {("ill", "well"): 5}


def fitted(**options):
    return DecisionTreeClassifier(**options).fit(X, Y)


def complaint(y=Y, **options):
    with pytest.raises(ParameterError) as error:
        DecisionTreeClassifier(**options).fit(X, y)
    return str(error.value)


def test_the_guess_is_that_of_least_expected_cost():
    # Of those with 0, one in five is ill: guessing well costs 5/5, guessing ill 4/5.
    assert fitted(costs=COSTS).predict([[0]]).tolist() == ["ill"]
    assert fitted().predict([[0]]).tolist() == ["well"]


def test_shares_stay_true():
    assert fitted(costs=COSTS).predict_proba([[0]]).tolist() == [[0.2, 0.8]]


def test_an_array_is_in_the_order_of_the_classes():
    tree = fitted(costs=np.array([[0, 5], [1, 0]]))
    assert tree.predict([[0]]).tolist() == ["ill"]


def test_two_classes_are_asked_about_as_with_class_weights():
    X, y = load_breast_cancer(return_X_y=True)
    priced = DecisionTreeClassifier(costs=[[0, 3], [2, 0]], max_depth=5).fit(X, y)
    weighted = DecisionTreeClassifier(class_weight={0: 3, 1: 2}, max_depth=5).fit(X, y)
    for name in ("feature", "pivot", "first_child"):
        one, other = (getattr(tree.grown_tree_, name) for tree in (priced, weighted))
        assert np.array_equal(one, other, equal_nan=name == "pivot")
    assert priced.predict(X).tolist() == weighted.predict(X).tolist()


def test_weights_of_rows_and_costs_go_together():
    weights = [1, 1, 1, 1, 0.5, 1, 1]
    tree = DecisionTreeClassifier(costs=COSTS).fit(X, Y, sample_weight=weights)
    # Half a row of 4.5 is ill: guessing well costs 2.5 in all, guessing ill 4.
    assert tree.predict([[0]]).tolist() == ["well"]


def test_rules_and_explanations_guess_by_costs():
    tree = fitted(costs=COSTS)
    assert str(tree.rules()[0]) == "x0 < 0.5 → ill 20 % (5 rows)"
    assert tree.explain([[0]])[0].verdict.guess == "ill"


def test_a_flip_is_a_change_to_another_guess():
    tree = DecisionTreeClassifier(costs=COSTS).fit([[0]] * 9 + [[1]] * 3, ["well"] * 9 + Y[2:5])
    assert tree.explain([[0]])[0].flip.verdict.guess == "ill"
    assert fitted(costs=COSTS).explain([[0]])[0].flip is None  # both leaves guess ill


def test_laplace_gives_each_class_one_row_more():
    tree = fitted(probability="laplace")
    assert tree.predict_proba([[0], [1]]).tolist() == [[2 / 7, 5 / 7], [3 / 4, 1 / 4]]


def test_laplace_counts_weights_as_rows():
    tree = DecisionTreeClassifier(probability="laplace").fit(X, Y, sample_weight=[2] * 7)
    assert tree.predict_proba([[0]]).tolist() == [[3 / 12, 9 / 12]]


def test_prior_adds_two_rows_mixed_as_all_rows_are():
    y = np.array(["a"] * 5 + ["b"])
    tree = DecisionTreeClassifier(max_depth=1, probability="prior")
    tree.fit([[0], [0], [0], [0], [1], [1]], y)
    a, b = 2 * 6 / 8, 2 * 2 / 8  # one row more of each class, so that none has the share 0
    assert tree.predict_proba([[0]])[0].tolist() == pytest.approx([(4 + a) / 6, b / 6])
    assert tree.predict_proba([[1]])[0].tolist() == pytest.approx([(1 + a) / 4, (1 + b) / 4])


def test_laplace_changes_no_guess():
    assert fitted(probability="laplace").predict(X).tolist() == fitted().predict(X).tolist()


def test_smoothed_probabilities_have_finite_logarithms():
    assert np.isfinite(fitted(probability="laplace").predict_log_proba(X)).all()


def test_each_of_several_outputs_is_smoothed_by_its_own_classes():
    y = np.array([["a", "x"], ["b", "x"], ["c", "y"]])
    tree = DecisionTreeClassifier(max_depth=0, probability="laplace").fit([[0], [1], [2]], y)
    three, two = tree.predict_proba([[0]])
    assert three.tolist() == [pytest.approx([1 / 3] * 3)]
    assert two.tolist() == [pytest.approx([3 / 5, 2 / 5])]


@pytest.mark.parametrize(
    "costs", [COSTS, {"ill": {"well": 5}}, [[0, 5], [1, 0]], np.array([[0, 5], [1, 0]])]
)
def test_costs_are_saved_and_loaded(costs, tmp_path):
    tree = fitted(costs=costs, probability="laplace")
    tree.save(tmp_path / "m.bough.json")
    loaded = bough.load(tmp_path / "m.bough.json")
    assert loaded.predict_proba(X).tolist() == tree.predict_proba(X).tolist()
    assert loaded.predict(X).tolist() == tree.predict(X).tolist()
    assert clone(loaded).fit(X, Y).predict(X).tolist() == tree.predict(X).tolist()


def test_costs_are_pickled():
    tree = fitted(costs=COSTS, probability="laplace")
    other = pickle.loads(pickle.dumps(tree))
    assert other.costs == COSTS
    assert other.predict([[0]]).tolist() == ["ill"]


def noisy_tree(**options):
    rng = np.random.default_rng(1)
    features = rng.integers(0, 6, (400, 3)).astype(float)
    labels = np.where(features[:, 0] + rng.normal(size=400) * 2 > 3, "ill", "well")
    tree = DecisionTreeClassifier(costs=COSTS, **options).fit(features[:200], labels[:200])
    return tree, features[200:], labels[200:]


def cost_of(tree, features, labels):
    wrong = tree.predict(features) != labels
    return np.where(wrong, np.where(labels == "ill", 5, 1), 0).mean()


def test_every_depth_is_measured_by_cost():
    tree, features, labels = noisy_tree()
    depths = tree.depths_path(features, labels)
    of_depths = [
        cost_of(bough.prune(tree, "depth", depth=depth), features, labels)
        for depth in range(len(depths))
    ]
    assert depths.tolist() == pytest.approx(of_depths)


def test_other_rows_prune_by_cost():
    tree, features, labels = noisy_tree()
    pruned = bough.prune(tree, "reduced_error", X=features, y=labels)
    assert cost_of(pruned, features, labels) <= tree.depths_path(features, labels).min()


def test_an_edit_is_measured_by_cost():
    tree, features, labels = noisy_tree(max_depth=3)
    edit = tree.cut(1, dev=(features, labels)).edit_
    assert edit.loss == "cost"
    assert edit.before == pytest.approx(cost_of(tree, features, labels))


def test_costs_of_another_shape_are_refused():
    assert complaint(costs=np.zeros((3, 3))) == (
        "costs must be 2 lists of 2 numbers: one list for each true class, one number "
        "for each prediction. The classes are 'ill' and 'well'."
    )


def test_several_labels_have_no_costs():
    y = [[label, label] for label in Y]
    assert complaint(y, costs=COSTS) == (
        "costs work with one output, but y has 2. Fit one tree for each."
    )


def test_a_way_to_estimate_probabilities_that_is_not_known_is_refused():
    assert complaint(probability="honest") == (
        "probability='honest' is not known. Known: 'raw', 'laplace' and 'prior'."
    )


def test_probabilities_go_one_way_only_where_they_are_shares():
    assert complaint(probability="laplace", monotonic_cst=[1]) == (
        "probability='laplace' smooths leaf values after growing, which can break the monotonic "
        "constraint. Use probability='raw', or leave monotonic_cst out."
    )
