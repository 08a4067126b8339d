"""Worked examples from books and slides, through the public API."""

import numpy as np
import pytest
from worked_facts import EXAMPLES, GAINS, SCORES, frame, grown, table_of, to_digits

import bough
from bough import datasets


@pytest.mark.parametrize("example", EXAMPLES, ids=table_of)
def test_the_impurity_of_the_labels_agrees_with_the_text(example):
    root = grown(example.table, criterion="entropy").grown_tree_[0]
    assert to_digits(root.impurity, like=example.impurity) == example.impurity


@pytest.mark.parametrize(("table", "feature", "gain"), GAINS)
def test_the_gain_of_a_feature_agrees_with_the_text(table, feature, gain):
    stump = grown(table, [feature], criterion="entropy", max_depth=1)
    assert to_digits(stump.grown_tree_[0].gain, like=gain) == gain


@pytest.mark.parametrize("example", EXAMPLES, ids=table_of)
def test_the_first_query_is_that_of_the_text(example):
    root = grown(example.table, criterion="entropy").grown_tree_[0]
    assert root.query.feature.name == example.first_query


@pytest.mark.parametrize(("table", "feature", "score"), SCORES)
def test_the_majority_score_of_a_feature_agrees_with_the_text(table, feature, score):
    X, y = frame(table, [feature])
    stump = bough.DecisionTreeClassifier(criterion="error", max_depth=1).fit(X, y)
    assert np.sum(stump.predict(X) == y) == score


# --- whole trees ---------------------------------------------------------------------------------


def shape(estimator, node_id=0):
    """Write a tree as {feature: {value: subtree}}; a leaf as its guess."""
    node = estimator.grown_tree_[node_id]
    if node.query is None:
        return node.guess
    feature = node.query.feature
    answers = [feature.choices[code] for code in node.query.codes]
    below = [shape(estimator, child) for child in node.children]
    return {feature.name: dict(zip(answers, below, strict=True))}


def test_play_tennis_has_nine_yes_and_five_no():
    root = grown("play_tennis").grown_tree_[0]
    assert root.tally.tolist() == [[5, 9]]  # No, Yes


def test_play_tennis_grows_the_tree_of_the_book():
    assert shape(grown("play_tennis", criterion="entropy")) == {
        "outlook": {
            "Overcast": "Yes",
            "Rain": {"wind": {"Strong": "No", "Weak": "Yes"}},
            "Sunny": {"humidity": {"High": "No", "Normal": "Yes"}},
        }
    }


def test_one_wrong_day_makes_sunny_days_ask_for_the_temperature():
    tree = grown("play_tennis_d15", criterion="entropy")
    assert list(shape(tree)["outlook"]["Sunny"]) == ["temperature"]


def test_faculty_rooms_ask_for_the_floor_where_floor_and_department_are_tied():
    status = shape(grown("office_rooms", criterion="entropy"))["status"]
    assert list(status["faculty"]) == ["floor"]


def test_faculty_rooms_ask_for_the_department_where_it_comes_first():
    columns = ["status", "department", "floor", "size"]
    status = shape(grown("office_rooms", columns, criterion="entropy"))["status"]
    assert list(status["faculty"]) == ["department"]


BELOW_TIRED = {"raining": "0.3244", "leaving": "0.2516", "bringing": "0.9183"}


@pytest.mark.parametrize("feature", BELOW_TIRED)
def test_the_gain_among_tired_commuters_agrees_with_the_slides(feature):
    tired = [
        row for row, it in enumerate(datasets.load("commute").columns["tired"]) if it == "Tired"
    ]
    stump = grown("commute", [feature], tired, criterion="entropy", max_depth=1)
    assert to_digits(stump.grown_tree_[0].gain, like="0.0000") == BELOW_TIRED[feature]


def test_commuters_make_9_4_2_1_0_training_errors_at_depth_0_to_4():
    X, y = frame("commute")
    tree = grown("commute", criterion="entropy")
    assert (16 * tree.depths_path(X, y)).tolist() == pytest.approx([9, 4, 2, 1, 0])


def test_commuters_make_one_training_error_with_the_not_tired_branch_cut_to_a_leaf():
    X, y = frame("commute")
    tree = grown("commute", criterion="entropy")
    not_tired = tree.grown_tree_[1]  # the first answer of the first query
    assert tree.grown_tree_[0].query.feature.choices[0] == "Not Tired"
    on_the_branch = tree.decision_path(X).toarray()[:, not_tired.id] == 1
    guesses = np.where(on_the_branch, not_tired.guess, tree.predict(X))
    assert np.sum(guesses != y) == 1


# --- the average number of questions -------------------------------------------------------------


def questions(estimator, X):
    """Return how many queries each row is asked."""
    return np.asarray(estimator.decision_path(X).sum(axis=1)).ravel() - 1


@pytest.mark.parametrize("columns", [["status", "floor"], ["status", "department"]])
def test_office_rooms_take_1_375_questions_on_average(columns):
    X, _ = frame("office_rooms", columns)
    tree = grown("office_rooms", columns, criterion="entropy")
    assert np.mean(questions(tree, X)) == 1.375


def test_office_rooms_with_all_features_take_1_375_questions_on_average():
    X, _ = frame("office_rooms")
    assert np.mean(questions(grown("office_rooms", criterion="entropy"), X)) == 1.375


ALWAYS, UNTIL_EQUAL, WHERE_USEFUL = "always", "until labels are equal", "where it tells rows apart"


def questions_in_order(order, rows, asked):
    """Count the questions of office rooms when features are asked in a given order.

    Each feature is asked by a tree of one query, which is a leaf where the query tells no rows
    apart or all labels are equal.
    """
    if not order:
        return 0
    X, y = frame("office_rooms", order[:1], rows)
    stump = bough.DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(X, y)
    is_asked = {
        ALWAYS: True,
        UNTIL_EQUAL: len(set(y)) > 1,
        WHERE_USEFUL: stump.get_depth() == 1,
    }
    nodes = stump.apply(X)
    parts = [np.array(rows)[nodes == node].tolist() for node in set(nodes)]
    below = sum(questions_in_order(order[1:], part, asked) for part in parts)
    return below + is_asked[asked] * len(rows)


@pytest.mark.parametrize(
    ("third", "asked", "average"),
    [
        ("floor", ALWAYS, 3),
        ("status", ALWAYS, 3),
        ("floor", UNTIL_EQUAL, 2.875),
        ("status", UNTIL_EQUAL, 2.875),
        ("floor", WHERE_USEFUL, 2),
        ("status", WHERE_USEFUL, 2.25),
    ],
)
def test_size_and_department_first_take_more_questions(third, asked, average):
    order = ["size", "department", third]
    assert questions_in_order(order, list(range(8)), asked) / 8 == average


# --- courses, numbers, gates ---------------------------------------------------------------------


def test_the_empty_tree_is_wrong_about_8_of_20_courses():
    X, y = frame("course_ratings")
    assert grown("course_ratings", max_depth=0).score(X, y) == 12 / 20


@pytest.mark.parametrize("criterion", ["error", "gini", "entropy", "gain_ratio"])
def test_every_criterion_asks_about_systems_first(criterion):
    root = grown("course_ratings", criterion=criterion).grown_tree_[0]
    assert root.query.feature.name == "systems"


def test_courses_without_systems_are_liked_and_most_others_hated():
    tree = grown("course_ratings", ["systems"]).grown_tree_
    assert [node.tally.tolist() for node in tree][1:] == [
        [[0, 10]],
        [[8, 2]],
    ]  # no, yes: hate, like


def test_pivots_lie_halfway_between_neighbouring_numbers():
    tree = grown("seven_numbers").grown_tree_  # tells all numbers apart, so it needs every pivot
    pivots = sorted(node.query.pivot for node in tree if node.query is not None)
    assert pivots == [1, 5.5, 8, 12.15, 20.15]


@pytest.mark.parametrize("gate", ["and", "or", "xor"])
def test_a_gate_is_learnt_without_error(gate):
    X, y = frame(gate)
    assert grown(gate).score(X, y) == 1


def test_xor_needs_two_queries_of_every_row():
    X, _ = frame("xor")
    assert questions(grown("xor"), X).tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize("criterion", ["error", "gini", "entropy", "gain_ratio"])
def test_xor_asks_first_for_nothing_gained(criterion):
    assert grown("xor", criterion=criterion).grown_tree_[0].gain == 0
