"""`tree_`: scikit-learn's arrays of a two-way tree."""

import handmade
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.tree import DecisionTreeClassifier as TheirClassifier
from sklearn.tree import export_graphviz

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.estimators.tree_view import TreeView

ARRAYS = [
    "children_left",
    "children_right",
    "feature",
    "threshold",
    "missing_go_to_left",
    "impurity",
    "n_node_samples",
    "weighted_n_node_samples",
    "value",
    "n_classes",
]
IRIS = load_iris(return_X_y=True)


def small():
    X = [[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [3.0, 6.0]]
    return DecisionTreeClassifier().fit(X, ["a", "a", "b", "c"])


def test_children_are_numbered_as_apply_numbers_them():
    tree = small()
    assert tree.tree_.children_left.tolist() == [1, -1, 3, -1, -1]
    assert tree.tree_.children_right.tolist() == [2, -1, 4, -1, -1]


def test_features_are_columns():
    assert small().tree_.feature.tolist() == [0, -2, 1, -2, -2]


def test_thresholds_are_pivots():
    assert small().tree_.threshold.tolist() == [2.5, -2, 5.5, -2, -2]


def test_values_are_shares_of_classes():
    assert small().tree_.value.tolist() == [
        [[0.5, 0.25, 0.25]],
        [[1, 0, 0]],
        [[0, 0.5, 0.5]],
        [[0, 1, 0]],
        [[0, 0, 1]],
    ]


def test_values_of_a_regressor_are_guesses():
    tree = DecisionTreeRegressor().fit([[0], [1]], [3, 4])
    assert tree.tree_.value.tolist() == [[[3.5]], [[3]], [[4]]]


def test_values_of_several_outputs_are_as_wide_as_the_widest():
    view = TreeView(handmade.two_outputs())
    assert view.value.shape == (3, 2, 3)


def test_a_question_for_missing_values_shows_as_infinity_with_the_missing_at_the_right():
    X = np.array([[np.nan], [np.nan], [1.0], [1.0]])
    tree = DecisionTreeClassifier().fit(X, [1, 1, 0, 0])
    view = tree.tree_
    assert view.threshold[0] == np.inf
    assert tree.apply([[1.0], [np.nan]]).tolist() == [view.children_left[0], view.children_right[0]]


def test_missing_values_go_left_where_the_tree_sends_them_there():
    X = np.array([[np.nan], [1.0], [2.0], [2.0]])
    view = DecisionTreeClassifier(max_depth=1).fit(X, [0, 0, 1, 1]).tree_
    assert view.missing_go_to_left.tolist() == [1, 0, 0]


def test_a_question_about_a_category_has_no_threshold():
    tree = DecisionTreeClassifier().fit([["a"], ["b"]], [0, 1])
    with pytest.raises(AttributeError) as error:
        export_graphviz(tree)
    assert str(error.value) == (
        "tree_ has thresholds for numbers only, but node 0 asks about the category 'x0'. "
        "Use grown_tree_, bough.draw(tree) or bough.export(tree, 'dot')."
    )


def test_scikit_learn_draws_a_tree_of_numbers():
    tree = DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1])
    assert "x[0] <= 1.5" in export_graphviz(tree)


def test_depths_of_nodes_are_counted_as_in_scikit_learn():
    X, y = np.arange(8.0).reshape(-1, 1), [0, 1, 0, 0, 1, 1, 0, 1]
    ours, theirs = DecisionTreeClassifier().fit(X, y), TheirClassifier(random_state=0).fit(X, y)
    assert ours.tree_.compute_node_depths()[0] == 1
    assert sorted(ours.tree_.compute_node_depths()) == sorted(theirs.tree_.compute_node_depths())
    assert type(ours.decision_path(X)) is type(theirs.decision_path(X))


def test_a_pivot_beyond_float_shows_as_the_nearest_float():
    X = np.array([[2**62], [2**62 + 2]])
    tree = DecisionTreeClassifier().fit(X, [0, 1])
    assert tree.tree_.threshold[0] == 2.0**62


def test_the_parts_of_a_date_show_as_its_column():
    when = pd.date_range("2024-01-01", periods=14)
    X = pd.DataFrame({"n": np.zeros(14), "when": when})
    tree = DecisionTreeClassifier().fit(X, when.day_of_week >= 5)
    assert set(tree.tree_.feature) <= {-2, 1}


def test_counts_describe_the_tree():
    view = small().tree_
    counts = (view.node_count, view.capacity, view.n_leaves, view.max_depth)
    assert counts == (5, 5, 3, 2)


def test_shapes_describe_the_table():
    view = small().tree_
    assert (view.n_features, view.n_outputs, view.max_n_classes) == (2, 1, 3)


def test_weights_and_rows_are_counted_apart():
    view = DecisionTreeClassifier().fit([[0], [1], [2]], [0, 1, 1], [0.5, 2, 0]).tree_
    assert view.n_node_samples.tolist() == [2, 1, 1]
    assert view.weighted_n_node_samples.tolist() == [2.5, 0.5, 2]


@pytest.mark.parametrize("name", ARRAYS)
def test_every_array_is_read_only(name):
    array = getattr(small().tree_, name)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = array[0]


@pytest.mark.parametrize("name", ["feature", "threshold", "impurity", "n_node_samples", "value"])
def test_the_arrays_are_those_of_scikit_learn_but_for_the_numbering(name):
    X, y = make_classification(400, 4, flip_y=0.2, random_state=0)  # without ties
    ours = DecisionTreeClassifier(max_depth=3).fit(X, y)
    theirs = TheirClassifier(max_depth=3, random_state=0).fit(X, y)
    same = dict(zip(ours.apply(X).tolist(), theirs.apply(X).tolist(), strict=True))
    same[0] = 0
    mine, other = (getattr(each.tree_, name) for each in (ours, theirs))
    for node, their_node in same.items():
        np.testing.assert_allclose(mine[node], other[their_node], rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("method", ["apply", "predict", "decision_path"])
def test_the_view_follows_rows_of_float32(method):
    X, y = IRIS
    tree = DecisionTreeClassifier().fit(X, y)
    of_view = getattr(tree.tree_, method)(X.astype(np.float32))
    expected = {
        "apply": lambda: tree.apply(X.astype(np.float32)),
        "predict": lambda: tree.predict_proba(X.astype(np.float32)),
        "decision_path": lambda: tree.decision_path(X.astype(np.float32)).toarray(),
    }[method]()
    found = of_view.toarray() if method == "decision_path" else of_view
    np.testing.assert_array_equal(found, expected)


def test_the_view_of_a_tree_with_named_columns_takes_arrays():
    tree = DecisionTreeClassifier().fit(pd.DataFrame({"a": [1.0, 2.0]}), [0, 1])
    assert tree.tree_.apply(np.array([[1.0], [2.0]])).tolist() == [1, 2]


def test_the_view_of_a_tree_with_named_columns_takes_frames_without_a_warning():
    frame = pd.DataFrame({"a": [1.0, 2.0]})
    tree = DecisionTreeClassifier().fit(frame, [0, 1])
    assert tree.tree_.apply(frame).tolist() == [1, 2]


def test_importances_of_the_largest_labels_add_up_to_1():
    tree = DecisionTreeRegressor().fit([[1, 0], [2, 0], [3, 0]], [1e308, -1e308, 1e308])
    assert tree.feature_importances_.tolist() == [1.0, 0.0]


def test_importances_are_gains_weighted_by_rows():
    view = small().tree_
    expected = [0.625 - 0.5 * 0.5, 0.5 * 0.5]
    assert view.compute_feature_importances(normalize=False).tolist() == pytest.approx(expected)


def test_importances_add_up_to_1():
    assert small().tree_.compute_feature_importances().sum() == pytest.approx(1)


def test_the_view_is_made_once():
    tree = small()
    assert tree.tree_ is tree.tree_


def test_a_new_growth_has_a_new_view():
    tree = small()
    assert tree.tree_.node_count == 5
    assert tree.fit([[1.0, 0.0]], ["a"]).tree_.node_count == 1


def test_a_tree_with_three_answers_has_no_view():
    tree = DecisionTreeClassifier().fit([["a"], ["b"], ["c"]], [0, 1, 2])
    with pytest.raises(AttributeError) as error:
        _ = tree.tree_
    assert str(error.value) == (
        "tree_ holds binary trees only, but node 0 has 3 children. Use grown_tree_, or "
        "grow the tree with categorical='group'."
    )


def test_groups_of_values_have_a_view():
    tree = DecisionTreeClassifier(categorical="group").fit([["a"], ["b"], ["c"]], [0, 1, 0])
    assert tree.tree_.n_leaves == 2
