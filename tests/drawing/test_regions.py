"""What a tree guesses where, on the plane of two numbers."""

import handmade
import numpy as np
import pandas as pd
import pytest
from pictures import SVG, parsed

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.drawing import draw
from bough.drawing.leaf_rectangles import named_features, region_features
from bough.drawing.leaf_rectangles import partition as regions_of
from bough.drawing.regions import regions
from bough.errors import ParameterError
from bough.query_kinds import Below, EachValue, IsMissing
from bough.schema import Feature, Kind, Label, Schema


def two_numbers(seed=0, n_rows=300):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_rows, 2)), columns=["wide", "high"])
    y = np.where(X["wide"] ** 2 + X["high"] ** 2 < 1, "in", "out")
    return X, y


def mixed():
    """Make a tree that asks about two numbers, a category, and whether a number is missing."""
    a, b = Feature("a", Kind.NUMBER, 0), Feature("b", Kind.DATE, 1)
    c = handmade.choice("c", "few", "many", column=2)
    schema = Schema(("a", "b", "c"), (a, b, c), (Label("y", ("n", "p"), "<U1"),))
    root = handmade.branch(
        IsMissing(a),
        handmade.leaf(0, 1),
        handmade.branch(
            EachValue(c, (0, 1)),
            handmade.branch(Below(a, 5.0), handmade.leaf(1), handmade.leaf(0)),
            handmade.branch(
                Below(b, 0.0),
                handmade.leaf(1, 1, 1),
                handmade.branch(Below(a, 2.0), handmade.leaf(0, 0), handmade.leaf(1, 0, 0)),
            ),
        ),
    )
    return handmade.make_tree(schema, root)


def holds(region, point):
    return all(low <= value < high for value, (low, high) in zip(point, region.spans, strict=True))


@pytest.mark.parametrize("model", [DecisionTreeClassifier(), DecisionTreeRegressor(max_depth=4)])
def test_each_point_lies_in_the_rectangle_of_its_leaf(model):
    X, y = two_numbers()
    labels = y if isinstance(model, DecisionTreeClassifier) else X["wide"] * X["high"]
    tree = model.fit(X, labels).grown_tree_
    found = regions_of(tree, named_features(tree, ("wide", "high")))
    points, _ = two_numbers(seed=1)
    for point, leaf in zip(points.to_numpy(), model.apply(points), strict=True):
        assert [region.node.id for region in found if holds(region, point)] == [leaf]


def test_the_numbers_of_most_gain_are_taken():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 3)), columns=["none", "some", "most"])
    y = np.where(X["most"] > 0, "a", np.where(X["some"] > 1, "b", "c"))
    tree = DecisionTreeClassifier(max_depth=4).fit(X, y).grown_tree_
    assert region_features(tree) == ("most", "some")


def test_other_questions_are_answered_as_by_most_rows():
    tree = mixed()
    found = regions_of(tree, named_features(tree, ("a", "b")))
    assert [(region.spans, region.node.n_rows, region.others) for region in found] == [
        (((-np.inf, np.inf), (-np.inf, 0)), 3, ("c = many",)),
        (((-np.inf, 2), (0, np.inf)), 2, ("c = many",)),
        (((2, np.inf), (0, np.inf)), 3, ("c = many",)),
    ]


def test_the_picture_says_that_other_questions_were_answered():
    assert "other questions: answered as most rows do" in regions(mixed())


def test_the_picture_does_not_say_so_where_there_are_none():
    X, y = two_numbers()
    tree = DecisionTreeClassifier(max_depth=3).fit(X, y)
    assert "other questions" not in draw(tree, "regions")


def test_each_rectangle_says_what_is_guessed():
    ranges = {"a": (0, 4), "b": (-1e12, 1e12)}
    root = parsed(regions(mixed(), features=("a", "b"), ranges=ranges))
    found = [each for each in root.iter() if each.get("data-node")]
    assert [each[0].text for each in found] == [
        "p 100 % (3 rows)\nc = many",
        "n 100 % (2 rows)\nc = many",
        "n 67 % (3 rows)\nc = many",
    ]
    sides = [[each[1].get(side) for side in ("x", "y", "width", "height")] for each in found]
    assert sides == [
        ["0", "200", "560", "200"],
        ["0", "0", "280", "200"],
        ["280", "0", "280", "200"],
    ]


def test_pivots_stand_at_the_axes():
    root = parsed(regions(mixed(), features=("a", "b")))
    (axes,) = [each for each in root.iter() if each.get("class") == "axes"]
    assert [each.text for each in axes.iter(f"{SVG}text")] == ["2", "1970-01-01", "a", "b"]


def test_pivots_have_the_digits_that_tell_them_apart():
    X = pd.DataFrame({"a": [1.0, 1.0001, 1.0002, 2.0] * 2, "b": [0.0] * 4 + [1.0] * 4})
    tree = DecisionTreeClassifier().fit(X, [0, 1, 0, 1, 1, 0, 1, 0]).grown_tree_
    picture = regions(tree, ranges={"a": (1, 1.0003)})
    assert ">1.00005</text>" in picture
    assert ">1.00015</text>" in picture


def test_rectangles_outside_the_ranges_are_left_out():
    picture = regions(mixed(), ranges={"a": (0, 1)})
    assert picture.count("data-node") == 2


def test_hostile_names_stay_words():
    X, y = two_numbers()
    X.columns = ["</svg><script>", "שם\x1b\n\ufffe"]
    root = parsed(draw(DecisionTreeClassifier(max_depth=3).fit(X, y), "regions"))
    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags == {"svg", "title", "desc", "g", "rect", "path", "text"}


@pytest.mark.parametrize(
    ("tree", "options", "says"),
    [
        (
            handmade.play_tennis(),
            {},
            "Regions need two numeric columns, and this tree uses fewer. Draw format='svg' "
            "instead.",
        ),
        (
            handmade.two_outputs(),
            {},
            "Regions show one label, and this tree predicts several.",
        ),
        (mixed(), {"features": "ab"}, "features='ab' must name two different numeric columns."),
        (mixed(), {"features": ("a",)}, "features=('a',) must name two different numeric columns."),
        (
            mixed(),
            {"features": ["a", "a"]},
            "features=['a', 'a'] must name two different numeric columns.",
        ),
        (
            mixed(),
            {"features": ("a", "d")},
            "features: 'd' is not known. Known: 'a', 'b' and 'c'.",
        ),
        (
            mixed(),
            {"features": ("a", "c")},
            "features: 'c' is not a number or date, as regions need.",
        ),
        (
            mixed(),
            {"ranges": {"a": (2, 1)}},
            "ranges: (2, 1) of 'a' must be two numbers, the smaller one first.",
        ),
        (mixed(), {"theme": 1}, "theme=1 is not known. Known: 'light' and 'dark'."),
        (mixed(), {"digits": 0}, "digits=0 must be a whole number, 1 or more."),
    ],
)
def test_what_cannot_be_drawn_is_refused(tree, options, says):
    with pytest.raises(ParameterError) as error:
        regions(tree, **options)
    assert str(error.value) == says


def test_a_number_that_the_tree_does_not_ask_about_needs_a_range():
    X, _ = two_numbers()
    X["else"] = 0.0
    tree = DecisionTreeClassifier().fit(X, X["wide"] > 0).grown_tree_
    with pytest.raises(ParameterError) as error:
        regions(tree, features=("wide", "else"))
    assert str(error.value) == (
        "The tree does not ask about 'else' here, so it does not know the range to draw. "
        "Give it in Python: bough.draw(tree, 'regions', ranges={'else': (0, 1)})."
    )
    assert regions(tree, features=("wide", "else"), ranges={"else": (0, 1)})


def test_a_narrow_rectangle_says_the_guess_alone():
    a, b = Feature("a", Kind.NUMBER, 0), Feature("b", Kind.NUMBER, 1)
    schema = Schema(("a", "b"), (a, b), (Label("y"),))
    right = handmade.branch(Below(b, 1.0), handmade.leaf(2000.5, 3000.25), handmade.leaf(1.0, 2.0))
    tree = handmade.make_tree(
        schema, handmade.branch(Below(a, 1.0), handmade.leaf(7.0, 8.0), right)
    )
    drawn = regions(tree, features=("a", "b"), ranges={"a": (0, 8), "b": (0, 2)})
    texts = [each.text for each in parsed(drawn).iter(f"{SVG}text")]
    assert "7.5 ± 0.5" in texts
    narrow = regions(tree, features=("a", "b"), ranges={"a": (0, 14), "b": (0, 2)})
    texts = [each.text for each in parsed(narrow).iter(f"{SVG}text")]
    assert "7.5" in texts
    assert "7.5 ± 0.5" not in texts


def test_the_legend_of_numbers_says_from_where_to_where_they_go():
    X, _ = two_numbers()
    tree = DecisionTreeRegressor(max_depth=3).fit(X, np.round(X["wide"] * X["high"]))
    assert "stronger colour: higher prediction, from " in draw(tree, "regions")


def test_a_class_with_a_long_name_is_told_by_its_colour_and_share():
    X, y = two_numbers()
    tree = DecisionTreeClassifier(max_depth=3).fit(X, np.char.multiply(y.astype("<U90"), 30))
    texts = [each.text for each in parsed(draw(tree, "regions")).iter(f"{SVG}text")]
    assert "100 %" in texts
