"""What guesses cost: read, grown by, and guessed by."""

from dataclasses import replace

import numpy as np
import pytest
from growths import CLASS_CRITERIA, differences, random_growths
from handmade import costs, leaf, make_tree

from bough import DecisionTreeClassifier
from bough.costs import altered_priors, read_costs
from bough.encode import Labels
from bough.errors import ParameterError
from bough.grow import grow
from bough.schema import Feature, Kind, Label, Schema

CLASSES = ("ill", "unsure", "well")
MATRIX = ((0.0, 1.0, 20.0), (1.0, 0.0, 1.0), (1.0, 2.5, 0.0))


def complaint(given, classes=CLASSES):
    with pytest.raises(ParameterError) as error:
        read_costs(given, classes)
    return str(error.value)


@pytest.mark.parametrize(
    "given",
    [
        [[0, 1, 20], [1, 0, 1], [1, 2.5, 0]],
        np.array(MATRIX),
        {("ill", "well"): 20, ("well", "unsure"): 2.5},
        {"ill": {"well": 20}, "well": {"unsure": np.float64(2.5)}},
        {"ill": {"well": 20}, ("well", "unsure"): 2.5},
    ],
)
def test_costs_are_read_in_every_form(given):
    assert read_costs(given, CLASSES) == MATRIX


def test_no_costs_are_none():
    assert read_costs(None, CLASSES) == ()


@pytest.mark.parametrize(
    ("classes", "names"),
    [
        ((0, 1), ("1", "0")),
        ((0, 1), (1, 0)),
        ((0, 1), (np.int64(1), np.int64(0))),
        ((0.0, 1.0), ("1", "0")),
        ((False, True), ("true", "false")),
        ((False, True), (True, False)),
        (("0", "1"), (1, 0)),
    ],
)
def test_a_class_may_be_named_as_it_is_typed(classes, names):
    assert read_costs({names: 5}, classes) == ((0, 1), (5, 0))


def test_a_right_guess_may_cost_something():
    assert read_costs({("a", "a"): 0.5}, ("a", "b")) == ((0.5, 1), (1, 0))


WRONG = "costs must be 3 lists of 3 numbers: one list for each true class, one number for each "
WRONG += "prediction. The classes are 'ill', 'unsure' and 'well'."


@pytest.mark.parametrize(
    "given", [[[0, 1], [1, 0]], [[0, 1, 2]] * 2, [[0, 1, 2], [0, 1]], 5, "ill", [], [["a"] * 3] * 3]
)
def test_costs_of_another_shape_are_refused(given):
    assert complaint(given) == WRONG


@pytest.mark.parametrize("cost", [-1.0, float("nan"), float("inf")])
def test_costs_are_finite_and_not_negative(cost):
    says = f"costs has {cost} for predicting 'well' when 'ill' is true. "
    says += "A cost must be a finite number, 0 or more."
    assert complaint({("ill", "well"): cost}) == says
    assert complaint([[0, 1, cost], [1, 0, 1], [1, 1, 0]]) == says


def test_a_cost_is_small_enough_to_be_added_up():
    says = "costs has 1e+101 for predicting 'well' when 'ill' is true. "
    says += "A cost is at most 1e+100: divide all costs by the same number."
    assert complaint({("ill", "well"): 1e101}) == says


def test_a_table_of_costs_is_refused_as_its_order_may_be_another():
    pandas = pytest.importorskip("pandas")
    assert complaint(pandas.DataFrame(MATRIX)) == (
        "costs is a data frame, whose order is ambiguous. Pass lists in class order "
        "('ill', 'unsure' and 'well'), or a dict: {('ill', 'well'): 20}."
    )


def test_a_cost_is_a_number():
    assert complaint({("ill", "well"): "20"}) == (
        "costs has '20' for predicting 'well' when 'ill' is true. A cost must be a "
        "finite number, 0 or more."
    )


@pytest.mark.parametrize("given", [np.zeros((3, 3)), np.ones((3, 3)), [[1] * 3, [0] * 3, [2] * 3]])
def test_costs_that_are_the_same_for_all_guesses_are_refused(given):
    assert complaint(given) == (
        "costs are the same for every prediction, so none is better than another. Give "
        "wrong predictions a higher cost than right ones."
    )


def test_a_class_whose_guesses_cost_nothing_is_allowed():
    assert read_costs([[0, 0], [3, 0]], ("a", "b")) == ((0, 0), (3, 0))


def test_a_class_that_is_not_there_is_refused():
    assert complaint({("ill", "wel"): 3}) == (
        "costs names 'wel', which is not a class. Did you mean 'well'? The classes are "
        "'ill', 'unsure' and 'well'."
    )


def test_a_guess_has_one_cost():
    assert complaint({("1", "0"): 3, (1, 0): 4}, (0, 1)) == (
        "costs gives two costs for predicting 0 when 1 is true. Give one."
    )


@pytest.mark.parametrize("key", ["ill", ("ill",), ("ill", "well", "unsure"), 3])
def test_a_cost_is_for_a_class_and_a_guess(key):
    assert complaint({key: 3}) == (
        f"costs has the key {key!r}. Name the true and the predicted class: "
        f"{{('ill', 'well'): 20}} or {{'ill': {{'well': 20}}}}."
    )


# Guesses.


def expected_costs(tally, matrix):
    """Return what each guess costs in all rows of a tally, in plain Python."""
    n = len(tally)
    return [sum(tally[true] * matrix[true][guess] for true in range(n)) for guess in range(n)]


def tree_of(tally, matrix):
    """Make a single leaf with this tally."""
    label = Label("y", tuple("abcdefgh"[: len(tally)]), "<U1", costs=matrix)
    schema = Schema(("x",), (Feature("x", Kind.NUMBER, 0),), (label,))
    tree = make_tree(schema, leaf(*range(len(tally))))
    return replace(tree, tally=np.array([[tally]], float))


@pytest.mark.parametrize("seed", range(50))
def test_a_guess_is_that_of_least_expected_cost(seed):
    rng = np.random.default_rng(seed)
    n_classes = int(rng.integers(2, 6))
    tally = rng.integers(0, 9, n_classes) + (np.arange(n_classes) == 0)
    matrix = tuple(map(tuple, rng.integers(0, 7, (n_classes, n_classes)).astype(float).tolist()))
    expected = expected_costs(tally.tolist(), matrix)
    assert tree_of(tally, matrix).class_guess[0, 0] == expected.index(min(expected))


def test_of_equally_dear_guesses_the_first_is_taken():
    # 0.1 + 0.2 is not 0.3, but near enough.
    assert tree_of([0.1, 0.2, 0.3], ((0, 0, 1), (0, 0, 1), (1, 1, 0))).class_guess[0, 0] == 0


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
def test_the_unit_of_costs_makes_no_difference(size):
    tree = costs()
    matrix = tuple(tuple(size * cost for cost in row) for row in tree.schema.labels[0].costs)
    label = replace(tree.schema.labels[0], costs=matrix)
    other = replace(tree, schema=replace(tree.schema, labels=(label,)))
    assert other.class_guess.tolist() == tree.class_guess.tolist() == [[0], [1], [0], [2], [0]]


# Growing.


def priced(growth, matrix):
    """Return the labels of a growth, whose guesses have costs."""
    label = replace(growth.labels.labels[0], costs=matrix)
    return replace(growth.labels, labels=(label,))


def growths_of_classes(n_classes):
    found = [
        each
        for each in random_growths()
        if each.is_classes and len(each.labels.labels[0].classes) in n_classes
    ]
    assert len(found) > 10
    return found


def same_queries(tree, other):
    said = ("tally", "n_rows", "impurity", "gain", "guess")
    return not differences(tree, other, apart_from=said)


def test_costs_that_are_all_the_same_change_nothing():
    for growth in growths_of_classes(range(2, 9)):
        n = len(growth.labels.labels[0].classes)
        matrix = tuple(map(tuple, (3.0 * (1 - np.eye(n))).tolist()))
        tree = grow(growth.table, priced(growth, matrix), growth.settings)
        assert not differences(tree, growth.tree)
        assert tree.class_guess.tolist() == growth.tree.class_guess.tolist()


def test_queries_are_those_of_rows_that_weigh_what_they_can_cost():
    for growth in growths_of_classes([2]):
        tree = grow(growth.table, priced(growth, ((0, 5), (2, 0))), growth.settings)
        weights = np.where(growth.y == 0, 5.0, 2.0) * growth.own_weights
        assert same_queries(tree, growth.but(weights=weights).tree)


def test_tallies_are_those_of_the_rows_as_they_are():
    for growth in growths_of_classes([2]):
        tree = grow(growth.table, priced(growth, ((0, 5), (2, 0))), growth.settings)
        tally = np.bincount(growth.y.astype(int), growth.own_weights, minlength=2)
        assert tree.tally[0, 0].tolist() == pytest.approx(tally.tolist())
        assert tree.n_rows[0] == np.count_nonzero(growth.own_weights)


@pytest.mark.parametrize("criterion", CLASS_CRITERIA)
def test_what_is_added_to_all_guesses_of_a_class_changes_no_query(criterion):
    growth = growths_of_classes([2])[0].set(criterion=criterion)
    one, other = (
        grow(growth.table, priced(growth, matrix), growth.settings)
        for matrix in (((0, 5), (2, 0)), ((7, 12), (2, 0)))
    )
    assert not differences(one, other)


def test_a_class_that_costs_nothing_has_next_to_no_part_in_choosing_queries():
    labels = Labels((Label("y", ("a", "b", "c"), "<U1", costs=((0, 0, 0), (1, 0, 1), (1, 1, 0))),),
                    np.array([[0, 1, 2]], np.int32), None)  # fmt: skip
    assert altered_priors(labels).weights.tolist() == [2**-20, 0.5, 0.5]


def test_no_row_is_lost_of_a_class_that_costs_nothing():
    """Only its rows have the value 'z', which the tree must know to count them."""
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 60)
    mark = np.where((y == "c") & (rng.random(180) < 0.7), "z", rng.choice(["p", "q"], 180))
    X = {"mark": mark.tolist(), "x": (rng.normal(size=180) + (y == "b")).tolist()}
    costs = [[0, 1, 1], [1, 0, 1], [0, 0, 0]]
    model = DecisionTreeClassifier(criterion="gini", max_depth=3, costs=costs).fit(X, y)
    assert model.grown_tree_.tally[0, 0].tolist() == [60, 60, 60]
    assert model.predict_proba({"mark": ["z"], "x": [0.0]})[0, 2] == 1


def test_rows_of_which_none_can_cost_anything_weigh_what_they_weigh():
    label = Label("y", ("a", "b"), "<U1", costs=((0, 0), (1, 0)))
    labels = Labels((label,), np.array([[0, 0]], np.int32), None)
    assert altered_priors(labels) is labels


def test_costs_of_any_size_are_no_weights_beyond_all_numbers():
    label = Label("y", ("a", "b"), "<U1", costs=((0, 1e308), (1e307, 0)))
    labels = Labels((label,), np.array([[0, 1]], np.int32), None, np.array([1e300, 1e300]))
    assert np.isfinite(altered_priors(labels).weights).all()
