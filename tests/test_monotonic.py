"""What `monotonic_cst` may say, and what becomes of it in settings and model files."""

import json
from datetime import datetime, timedelta

import numpy as np
import pytest

import bough
from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.errors import ParameterError

X = {"age": [1.0, 2.0, 3.0, 4.0], "color": list("abcd"), "flag": [True, False, True, False]}
NUMBERS = [[1.0, 5.0], [2.0, 6.0], [3.0, 1.0], [4.0, 2.0]]
Y = [1.0, 3.0, 2.0, 4.0]


@pytest.mark.parametrize(
    "given",
    [[1, -1], (1, -1), np.array([1, -1]), np.array([1.0, -1.0]), {0: 1, 1: -1}, {"x0": 1, 1: -1}],
    ids=repr,
)
def test_directions_are_given_in_the_order_of_columns_or_by_name(given):
    tree = DecisionTreeRegressor(monotonic_cst=given).fit(NUMBERS, Y)
    assert tree.settings_.monotonic_cst == (1, -1)


def test_a_column_that_is_not_named_may_go_both_ways():
    assert DecisionTreeRegressor(monotonic_cst={"age": 1}).fit(X, Y).settings_.monotonic_cst == (
        1,
        0,
        0,
    )


def test_directions_that_are_all_0_grow_the_usual_tree():
    usual = DecisionTreeRegressor().fit(NUMBERS, Y)
    tree = DecisionTreeRegressor(monotonic_cst=[0, 0]).fit(NUMBERS, Y)
    assert tree.tree_.threshold.tolist() == usual.tree_.threshold.tolist()


MESSAGES = [
    (
        [1],
        "monotonic_cst has shape 1 but the input data X has 3 features. Give -1, 0 or 1 for each, "
        "or name those that matter: monotonic_cst={'age': 1}.",
    ),
    (
        [1, 0.5, 2],
        "monotonic_cst must be None or an array-like of -1, 0 or 1, but got [0.5, 2].",
    ),
    (
        [1, True, 0],
        "monotonic_cst must be None or an array-like of -1, 0 or 1, but got [True].",
    ),
    (1, "monotonic_cst must be None or an array-like of -1, 0 or 1, but got [1]."),
    (
        np.array(1),
        "monotonic_cst must be None or an array-like of -1, 0 or 1, but got [1].",
    ),
    (
        ["up", "down", 0],
        "monotonic_cst must be None or an array-like of -1, 0 or 1, but got [up, down].",
    ),
    (
        {"agee": 1},
        "monotonic_cst has the column 'agee', but X does not. Did you mean 'age'? Columns of X: "
        "'age', 'color' and 'flag'.",
    ),
    (
        {"age": 2},
        "monotonic_cst has 2 for the column 'age'. Give 1 if predictions must not fall as it grows, "
        "-1 if they must not rise, or 0.",
    ),
    (
        {"color": 1},
        "monotonic_cst has the column 'color', which is a category: its values have no order. Say "
        "what it is, as in types={'color': ['a', 'b', 'c', '…']}, or give it no direction.",
    ),
    (
        {"flag": 1},
        "monotonic_cst has the column 'flag', which is a category: its values have no order. Say "
        "what it is, as in types={'flag': [False, True]}, or give it no direction.",
    ),
]


@pytest.mark.parametrize(("given", "message"), MESSAGES, ids=[str(given) for given, _ in MESSAGES])
def test_directions_that_make_no_sense_are_refused(given, message):
    with pytest.raises(ParameterError) as error:
        DecisionTreeRegressor(monotonic_cst=given).fit(X, Y)
    assert str(error.value) == message


def test_a_column_that_is_ignored_cannot_be_constrained():
    with pytest.raises(ParameterError) as error:
        DecisionTreeRegressor(types={"age": "ignore"}, monotonic_cst={"age": 1}).fit(X, Y)
    assert str(error.value) == (
        "monotonic_cst has the column 'age', which types says to ignore. Give it no direction."
    )


def test_more_than_two_classes_are_refused():
    with pytest.raises(ParameterError) as error:
        DecisionTreeClassifier(monotonic_cst={"age": 1}).fit(X, list("xyzx"))
    assert str(error.value) == (
        "Monotonicity constraints are not supported with multiclass classification: there are 3 "
        "classes. Guess one class against all others, or leave monotonic_cst out."
    )


def test_several_outputs_are_refused():
    with pytest.raises(ParameterError) as error:
        DecisionTreeRegressor(monotonic_cst={"age": 1}).fit(X, [[1, 2], [3, 4], [5, 6], [7, 8]])
    assert str(error.value) == (
        "Monotonicity constraints are not supported with multiple outputs. Grow a tree for each "
        "output, or leave monotonic_cst out."
    )


@pytest.mark.parametrize("kind", [[False, True], "number"], ids=str)
def test_a_category_to_which_types_gives_an_order_can_be_constrained(kind):
    flags = {"flag": [False, False, True, True]}
    tree = DecisionTreeRegressor(types={"flag": kind}, monotonic_cst={"flag": -1})
    assert tree.fit(flags, [1, 1, 2, 2]).get_n_leaves() == 1
    assert tree.fit(flags, [2, 2, 1, 1]).get_n_leaves() == 2


def test_the_direction_of_a_date_is_not_that_of_its_weekday():
    start = datetime(2024, 1, 1)  # a Monday
    days = [start + timedelta(days=day) for day in range(70)]
    falls_in_each_week = [float(-day.weekday()) for day in days]
    tree = DecisionTreeRegressor(monotonic_cst={"day": 1}).fit({"day": days}, falls_in_each_week)
    asked = {node.query.feature.name for node in tree.grown_tree_ if node.query is not None}
    assert asked == {"day weekday"}
    assert tree.predict({"day": days}).tolist() == falls_in_each_week


def test_a_model_file_keeps_directions_and_gives_them_back(tmp_path):
    tree = DecisionTreeRegressor(monotonic_cst=np.array([1, -1])).fit(NUMBERS, Y)
    tree.save(tmp_path / "tree.bough.json")
    again = bough.load(tmp_path / "tree.bough.json")
    assert again.settings_.monotonic_cst == (1, -1)
    assert again.get_params()["monotonic_cst"] == [1, -1]


def test_a_column_has_one_direction():
    with pytest.raises(ParameterError) as error:
        DecisionTreeRegressor(monotonic_cst={0: 1, "x0": -1}).fit(NUMBERS, Y)
    assert str(error.value) == (
        "monotonic_cst has the column 'x0' twice, by name and by number. Leave one of them out."
    )


@pytest.mark.parametrize("given", [{}, [0, 0], np.zeros(2)], ids=repr)
def test_no_direction_goes_with_smoothed_shares(given):
    tree = DecisionTreeClassifier(monotonic_cst=given, probability="laplace")
    assert tree.fit(NUMBERS, [0, 1, 0, 1]).predict(NUMBERS).tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"monotonic_cst": [0]}, "monotonic_cst has 1 entries, but there are 2 columns."),
        ({"first": "x0"}, "settings.first must be a list, not text."),
    ],
)
def test_a_model_file_says_something_of_each_column(tmp_path, settings, message):
    document = json.loads(bough.export(DecisionTreeRegressor().fit(NUMBERS, Y), "json"))
    document["settings"] |= settings
    path = tmp_path / "tree.bough.json"
    path.write_text(json.dumps(document))
    with pytest.raises(bough.ModelFormatError) as error:
        bough.load(path)
    assert str(error.value).endswith(message)


def test_a_model_file_keeps_names_of_columns(tmp_path):
    DecisionTreeRegressor(monotonic_cst={"age": 1}).fit(X, Y).save(tmp_path / "tree.bough.json")
    assert bough.load(tmp_path / "tree.bough.json").monotonic_cst == {"age": 1}


def test_a_grid_search_may_set_directions():
    from sklearn.base import clone

    tree = clone(DecisionTreeRegressor(monotonic_cst=[1, 0])).set_params(monotonic_cst=[0, 1])
    assert tree.fit(NUMBERS, Y).settings_.monotonic_cst == (0, 1)
