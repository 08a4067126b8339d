"""What a user can want a node to ask."""

from datetime import date

import numpy as np
import pytest

import bough
from bough import DecisionTreeClassifier, DecisionTreeRegressor, ParameterError
from bough.query_kinds import Below, EachValue, IsMissing, OneOf

NAN = np.nan
PLANTS = {
    "height": [1.0, 2.0, 3.0, 4.0, NAN, 6.0],
    "color": ["red", "green", "blue", "red", None, "blue"],
    "size": ["S", "M", "L", "L", "S", "M"],
    "day": np.array(["2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01"] * 2, "M8[D]")[:6],
    "count": np.array([2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3, 2**60 + 4, 2**60 + 5]),
}
KINDS = {"types": {"size": ["S", "M", "L"]}}
LABELS = [1.0, 2.0, 4.0, 8.0, 28.0, 32.0]


def asked(column, **wanted):
    tree = DecisionTreeRegressor(**KINDS).fit(PLANTS, LABELS)
    return tree.force(0, column, PLANTS, LABELS, **wanted).grown_tree_[0].query


def test_a_number_is_compared_with_the_pivot_that_is_named():
    query = asked("height", below=3)
    assert isinstance(query, Below)
    assert query.pivot == 3.0


def test_missing_rows_go_where_they_gain_more():
    # The label of the missing row is 28: nearest to that of the tallest plant.
    assert asked("height", below=5).missing == 1
    labels = [30.0, 2.0, 4.0, 8.0, 29.0, 31.0]
    tree = DecisionTreeRegressor(**KINDS).fit(PLANTS, labels)
    forced = tree.force(0, "height", PLANTS, labels, below=1.5)
    assert forced.grown_tree_[0].query.missing == 0


def test_missing_rows_go_where_a_query_sends_them():
    tree = DecisionTreeRegressor(**KINDS).fit(PLANTS, LABELS)
    feature = tree.grown_tree_.schema.features[0]
    for side in (0, 1):
        forced = tree.force(0, Below(feature, 3.5, side), PLANTS, LABELS)
        assert forced.grown_tree_[0].query.missing == side


def test_whole_numbers_beyond_floats_are_compared_as_they_are():
    assert asked("count", below=2**60 + 3).pivot == 2**60 + 3


def test_a_date_is_compared_with_a_date():
    assert asked("day", below="2024-02-15").answers[0] == "before 2024-02-15"
    assert asked("day", below=date(2024, 2, 15)).answers[0] == "before 2024-02-15"


def test_a_part_of_a_date_has_a_name_of_its_own():
    assert asked("day month", below="March").feature.name == "day month"


def test_a_part_of_a_date_is_asked_about_by_its_own_best_query():
    days = np.arange("2024-01-01", "2024-04-01", dtype="M8[D]")
    is_sunday = (days.astype(int) + 4) % 7 == 0
    tree = DecisionTreeClassifier().fit({"day": days}, is_sunday)
    forced = [tree.force(0, name, {"day": days}, is_sunday) for name in ("day month", "day")]
    asked = [each.grown_tree_[0].query.feature.name for each in forced]
    assert asked == ["day month", "day weekday"]


def test_an_ordered_value_is_compared_with_one():
    assert asked("size", below="L").answers == ("before L", "L or after")


def test_values_are_one_answer_and_all_others_the_other():
    query = asked(
        "color",
        one_of=["green", "red"],
    )
    assert isinstance(query, OneOf)
    names = [[query.feature.choices[code] for code in side] for side in (query.codes, query.others)]
    assert names == [["blue"], ["green", "red"]]


def test_a_single_value_need_not_be_in_a_list():
    assert len(asked("color", one_of="red").others) == 1


def test_missing_rows_of_a_category_stay_with_the_group_they_were_sent_to():
    tree = DecisionTreeRegressor(**KINDS).fit(PLANTS, LABELS)
    feature = tree.grown_tree_.schema.features[1]
    red = (feature.choices.index("red"),)
    forced = tree.force(0, OneOf(feature, red, (), 0), PLANTS, LABELS)
    query = forced.grown_tree_[0].query
    assert query.others == red  # the first value, blue, is always among the first group
    assert query.missing == 1


def test_whether_a_value_is_missing_can_be_asked():
    assert isinstance(asked("color", is_missing=True), IsMissing)


def test_each_value_of_the_rows_at_hand_is_an_answer():
    tree = DecisionTreeRegressor(**KINDS, categorical="group").fit(PLANTS, LABELS)
    feature = tree.grown_tree_.schema.features[1]
    query = tree.force(0, EachValue(feature, ()), PLANTS, LABELS).grown_tree_[0].query
    assert query.answers == ("= blue", "= green", "= red", "is missing")


def test_rows_of_no_weight_have_no_say():
    X, y, weights = {"n": [1, 2, 3, 9]}, [0, 1, 0, 1], [1, 1, 1, 0]
    tree = DecisionTreeClassifier().fit(X, y, weights)
    with pytest.raises(ParameterError, match="one answer would get none of the 3 rows there"):
        tree.force(0, "n", X, y, weights, below=5)


def test_columns_without_names_are_given_by_number():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 0, 1]
    tree = DecisionTreeClassifier().fit(X, y)
    assert tree.force(0, 0, X, y).grown_tree_[0].query.feature.name == "x0"


def test_true_is_no_number_of_a_column():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 0, 1]
    with pytest.raises(ParameterError, match="True is not a feature of the tree"):
        DecisionTreeClassifier().fit(X, y).force(0, query=True, X=X, y=y)


def test_a_whole_query_says_all_that_is_asked():
    tree = DecisionTreeRegressor(**KINDS).fit(PLANTS, LABELS)
    with pytest.raises(ParameterError) as error:
        tree.force(0, tree.grown_tree_[0].query, PLANTS, LABELS, below=3.0)
    assert str(error.value) == (
        "below, one_of and is_missing need the name of a column, but a query is given. "
        "Leave them out, or name the column."
    )


WRONG = [
    (
        ("color", {"one_of": 5}),
        "color=5 is not a value that the tree knows. Known: 'blue', 'green' and 'red'.",
    ),
    (
        ("hight", {}),
        (
            "'hight' is not a feature of the tree. Did you mean 'height'? It has 'height', "
            "'color', 'size', 'day', 'day weekday' and 2 more."
        ),
    ),
    (
        ("height", {"below": "tall"}),
        "height='tall' is not a number. Type one such as 31 or 2.5.",
    ),
    (
        ("height", {"below": 0}),
        (
            "node 0 cannot ask this about 'height': one answer would get none of the 6 rows "
            "there. Choose another pivot or other values."
        ),
    ),
    (
        ("size", {"below": "S"}),
        (
            "node 0 cannot ask this about 'size': one answer would get none of the 6 rows "
            "there. Choose another pivot or other values."
        ),
    ),
    (
        ("color", {"below": "red"}),
        "'color' is a category without an order. Use one_of=[…], not below=…",
    ),
    (
        ("height", {"one_of": [1, 2]}),
        "'height' is compared with a pivot. Use below=…, not one_of=[…].",
    ),
    (
        ("color", {"one_of": ["rot"]}),
        "color='rot' is not a value that the tree knows. Known: 'blue', 'green' and 'red'.",
    ),
    (
        ("color", {"one_of": ["red", "green", "blue"]}),
        (
            "node 0 cannot ask this about 'color': one answer would get none of the 6 rows "
            "there. Choose another pivot or other values."
        ),
    ),
    (
        ("size", {"is_missing": True}),
        (
            "node 0 cannot ask this about 'size': one answer would get none of the 6 rows "
            "there. Choose another pivot or other values."
        ),
    ),
    (
        ("height", {"below": 3, "is_missing": True}),
        "below, one_of and is_missing cannot be combined. Give one of them.",
    ),
]


@pytest.mark.parametrize(("wanted", "message"), WRONG)
def test_what_cannot_be_asked_is_refused(wanted, message):
    column, which = wanted
    with pytest.raises(ParameterError) as error:
        asked(column, **which)
    assert str(error.value) == message


def test_a_column_that_tells_no_rows_apart_is_refused():
    X, y = {"same": [1, 1, 1], "n": [1, 2, 3]}, [0, 1, 0]
    with pytest.raises(ParameterError) as error:
        DecisionTreeClassifier().fit(X, y).force(0, "same", X, y)
    assert str(error.value) == (
        "node 0 cannot ask about 'same': no query about it splits the 3 rows there and "
        "respects min_samples_leaf and min_weight_fraction_leaf. Ask about another "
        "column."
    )


def test_a_forbidden_column_cannot_be_forced():
    X, y = {"a": [1, 2, 3], "n": [1, 2, 3]}, [0, 1, 0]
    tree = bough.DecisionTreeClassifier(forbid=["a"]).fit(X, y)
    with pytest.raises(ParameterError) as error:
        tree.force(0, "a", X, y)
    assert str(error.value) == "'a' is forbidden: forbid=['a']. Ask about another column."
