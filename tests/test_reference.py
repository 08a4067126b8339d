"""The reference itself: the worked facts, the tie rules, and what is true of every tree."""

import math
import random
from fractions import Fraction
from itertools import pairwise

import pytest
from random_tables import random_table
from worked_facts import EXAMPLES, GAINS, SCORES, table_of, to_digits

import bough.reference as ref
from bough import datasets
from bough.reference import Query, Settings, Table, grow


def teaching(name, features=None):
    table = datasets.load(name)
    columns = {f: table.features[f] for f in features or table.features}
    return Table(columns, table.labels)


def shape(node):
    """Write a tree as plain data: what it asks, and what its leaves hold."""
    if node.query is None:
        return (node.guess, len(node.rows))
    return (node.query, *(shape(child) for child in node.children))


def training_errors(table, root):
    rows = [{name: values[row] for name, values in table.columns.items()} for row in table.rows]
    guesses = [ref.stop(root, row).guess for row in rows]
    return sum(guess != label for guess, label in zip(guesses, table.labels, strict=True))


# --- worked facts --------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=table_of)
def test_the_impurity_of_the_labels_agrees_with_the_text(example):
    root = grow(teaching(example.table), Settings(criterion="entropy", max_depth=0))
    assert to_digits(float(root.impurity), like=example.impurity) == example.impurity


@pytest.mark.parametrize(("table", "feature", "gain"), GAINS)
def test_the_gain_of_a_feature_agrees_with_the_text(table, feature, gain):
    stump = grow(teaching(table, [feature]), Settings(criterion="entropy", max_depth=1))
    assert to_digits(float(stump.gain), like=gain) == gain


@pytest.mark.parametrize("example", EXAMPLES, ids=table_of)
def test_the_first_query_is_that_of_the_text(example):
    root = grow(teaching(example.table), Settings(criterion="entropy"))
    assert root.query.column == example.first_query


@pytest.mark.parametrize(("name", "feature", "score"), SCORES)
def test_the_majority_score_of_a_feature_agrees_with_the_text(name, feature, score):
    table = teaching(name, [feature])
    stump = grow(table, Settings(criterion="error", max_depth=1))
    assert len(table.labels) - training_errors(table, stump) == score


@pytest.mark.parametrize(("depth", "errors"), [(0, 9), (1, 4), (2, 2), (3, 1), (4, 0)])
def test_commuters_make_fewer_training_errors_the_deeper_the_tree(depth, errors):
    table = teaching("commute")
    root = grow(table, Settings(criterion="entropy", max_depth=depth))
    assert training_errors(table, root) == errors


def test_pivots_lie_halfway_between_neighbouring_numbers():
    table = teaching("seven_numbers")
    pivots = [query.pivot for query in ref.queries(table, table.rows, Settings())]
    assert pivots == [1, 5.5, 8, 12.15, 20.15]


@pytest.mark.parametrize("criterion", ["error", "gini", "entropy", "gain_ratio", "squared_error"])
def test_xor_is_learnt_though_the_first_gain_is_0(criterion):
    table = teaching("xor")
    root = grow(table, Settings(criterion=criterion))
    assert (root.gain, training_errors(table, root)) == (0, 0)


PIVOTS = [
    (1, 2, 1.5),
    (0.1, 0.2, 0.15000000000000002),  # the exact middle, rounded once
    (-1.7e308, 1.7e308, 0.0),
    (-5e-324, 0.0, 0.0),  # not -0.0
    (1.7e308, 1.7976931348623157e308, 1.7e308 / 2 + 1.7976931348623157e308 / 2),
    (1.0, math.nextafter(1.0, 2), math.nextafter(1.0, 2)),  # no number lies between
    (math.nextafter(1.0, 0), 1.0, 1.0),
    (0.0, 5e-324, 5e-324),
    (2**53 - 1, 2**53, 2.0**53),
    (2**53, 2**53 + 1, 2**53 + 1),  # integers that no float can hold
    (2**62, 2**62 + 3, 2**62 + 2),  # the upper of two middles
    (-(2**62) - 3, -(2**62), -(2**62) - 1),
    (0, 2**53 + 2, 2**52 + 1),
]


@pytest.mark.parametrize(("low", "high", "pivot"), PIVOTS)
def test_a_pivot_is_the_middle_of_its_neighbours(low, high, pivot):
    assert repr(ref.pivot_between(low, high)) == repr(pivot)


def test_a_row_with_the_value_of_the_pivot_is_not_below_it():
    assert Query("Below", "x", pivot=2.5).answer(2.5) == 1


def test_plus_and_minus_zero_are_one_value():
    table = Table({"x": [0.0, -0.0]}, ["a", "b"])
    assert list(ref.queries(table, table.rows, Settings())) == []


# --- ties ----------------------------------------------------------------------------------------


def test_the_first_of_two_equal_columns_is_asked():
    table = Table({"b": [1, 2], "a": [1, 2]}, ["x", "y"])
    assert grow(table, Settings()).query.column == "b"


def test_the_lowest_of_equally_good_pivots_is_asked():
    table = Table({"x": [1, 2, 3]}, ["a", "b", "a"])
    assert grow(table, Settings()).query.pivot == 1.5


def test_missing_rows_go_to_the_first_answer_where_both_are_equally_good():
    table = Table({"x": [1, 2, None, None]}, ["a", "b", "a", "b"])
    assert grow(table, Settings()).query == Query("Below", "x", pivot=1.5, missing=0)


def test_below_is_asked_before_is_missing_where_both_are_equally_good():
    table = Table({"x": [1, 1, 2, None]}, ["a", "a", "b", "b"])
    assert grow(table, Settings()).query == Query("Below", "x", pivot=1.5, missing=1)


def test_queries_that_differ_by_rounding_alone_are_tied():
    # 0.1 + 0.2 weighs a little more than 0.3, so the second column gains a little more.
    table = Table({"x": [1, 2, 2], "y": [1, 1, 2]}, ["a", "b", "a"], weights=[0.1 + 0.2, 1, 0.3])
    other = Table({"x": [1, 2, 2], "y": [1, 1, 2]}, ["a", "b", "a"], weights=[0.3, 1, 0.1 + 0.2])
    asked = [grow(each, Settings()).query.column for each in (table, other)]
    assert asked == ["x", "x"]


def test_the_gini_gain_decides_between_queries_that_err_equally_often():
    columns = {"x": [1, 1, 1, 1, 1, 2, 2, 2], "y": [1, 1, 1, 2, 2, 2, 2, 2]}
    table = Table(columns, ["a", "a", "a", "a", "b", "a", "b", "b"])
    root = grow(table, Settings(criterion="error"))
    found = ref.candidates(table, root, Settings(criterion="error"))
    assert [(c.query.column, c.gain) for c in found] == [("x", 1 / 8), ("y", 1 / 8)]
    assert root.query.column == "y"


def test_the_first_of_equally_common_classes_is_guessed():
    assert ref.commonest({"a": 1, "b": 1 + Fraction(1, 10**13)}) == "a"


def test_the_tied_queries_can_be_seen():
    root = grow(teaching("xor"), Settings())
    assert [candidate.query.column for candidate in root.tied] == ["a", "b"]


def groups_of(labels, values, criterion="gini"):
    table = Table({"x": list(values)}, labels)
    pairs = ref.groupings(table, table.rows, "x", Settings(criterion=criterion))
    return ["".join(group) for group, _ in pairs]


def test_groups_are_cuts_through_the_values_in_order_of_the_share_of_the_later_class():
    # Shares of "yes": b 0, a 1/2, c 1.
    assert groups_of(["no", "yes", "no", "yes"], "aabc") == ["a", "ab", "ac"]


def test_groups_are_cuts_through_the_values_in_order_of_the_mean_label():
    # In order of their means: b 1, d 3, a 5, c 9.
    assert groups_of([5, 1, 9, 3], "abcd", "squared_error") == ["a", "abd", "ac", "acd"]


def test_every_class_brings_an_order_of_its_own_where_there_are_more_than_two():
    assert groups_of(["x", "y", "z", "z"], "abcd") == ["a", "ab", "abc", "ac", "acd", "ad"]


def test_values_with_equal_shares_are_ordered_by_value():
    # Shares of "yes": b and c 0, a 1/2.
    assert groups_of(["no", "yes", "no", "no"], "aabc") == ["a", "ac"]


# --- missing and unseen values -------------------------------------------------------------------


def test_missing_is_the_last_answer_where_each_value_is_one():
    table = Table({"x": ["b", None, "a"]}, [1, 2, 3])
    query = grow(table, Settings()).query
    assert query == Query("EachValue", "x", groups=(("a",), ("b",)), missing=2)


@pytest.mark.parametrize(
    ("categorical", "kinds"), [("each", ["EachValue"]), ("group", ["OneOf", "OneOf", "IsMissing"])]
)
def test_is_missing_is_asked_of_groups_but_not_where_missing_is_an_answer(categorical, kinds):
    table = Table({"x": ["b", None, "a"]}, [1, 2, 3])
    queries = ref.queries(table, table.rows, Settings(categorical=categorical))
    assert [query.kind for query in queries] == kinds


@pytest.mark.parametrize("value", [None, "c"])
@pytest.mark.parametrize("categorical", ["each", "group"])
def test_a_value_that_the_node_never_saw_stops_there(value, categorical):
    table = Table({"x": ["a", "b", "b"]}, [1, 2, 2])
    root = grow(table, Settings(categorical=categorical))
    assert ref.stop(root, {"x": value}) is root


def test_an_unseen_value_is_known():
    table = Table({"x": ["a", None]}, [1, 2])
    root = grow(table, Settings(categorical="group"))
    assert ref.stop(root, {"x": "never"}).guess == 1


# --- stopping rules ------------------------------------------------------------------------------


@pytest.mark.parametrize(("values", "n_children"), [("aabbc", 3), ("aaabc", 0)])
def test_two_answers_need_enough_rows_where_each_value_is_one(values, n_children):
    table = Table({"x": list(values)}, [1, 1, 2, 2, 3])
    assert len(grow(table, Settings(min_samples_leaf=2)).children) == n_children


def test_an_answer_must_have_both_the_rows_and_the_weight():
    # "a" has the rows, "c" has the weight, only "b" has both.
    table = Table({"x": list("aabbc")}, [1, 1, 2, 2, 3], weights=[1, 1, 20, 20, 50])
    settings = Settings(min_samples_leaf=2, min_weight_fraction_leaf=0.1)
    assert grow(table, settings).query is None


@pytest.mark.parametrize(("share", "rows"), [(0.1, 1), (0.29, 3), (0.3, 3), (0.31, 4)])
def test_a_share_of_the_rows_is_rounded_up_as_typed(share, rows):
    table = Table({"x": range(10)}, range(10))
    assert ref.rows_needed(share, table, at_least=1) == rows


def test_the_weight_of_an_answer_is_compared_with_the_fraction_as_typed():
    table = Table({"x": range(10)}, [1, 2, 2, 2, 2, 2, 2, 2, 2, 2], weights=[0.1] * 10)
    assert grow(table, Settings(min_weight_fraction_leaf=0.1)).query.pivot == 0.5


@pytest.mark.parametrize(("least", "is_leaf"), [(0.32, False), (0.3200001, True)])
def test_a_gain_below_the_least_decrease_makes_a_leaf(least, is_leaf):
    table = Table({"x": [1, 2, 3, 4, 5]}, [0, 0, 0, 0, 1])  # gini 0.32, all of it gained
    assert (grow(table, Settings(min_impurity_decrease=least)).query is None) == is_leaf


def test_max_depth_0_is_the_empty_tree():
    assert shape(grow(teaching("play_tennis"), Settings(max_depth=0))) == ("Yes", 14)


def test_a_node_with_more_answers_than_leaves_left_stays_a_leaf_and_growth_goes_on():
    columns = {"side": [0] * 6 + [1] * 6, "many": list("abcabdabcabc"), "few": [0] * 11 + [1]}
    table = Table(columns, list("pppppqssssst"))
    left, right = grow(table, Settings(criterion="entropy", max_leaf_nodes=4)).children
    assert (left.tied[0].query.column, left.query) == ("many", None)
    assert right.query.column == "few"


def test_best_first_growth_asks_where_the_table_gains_most():
    columns = {"side": [0, 0, 1, 1, 1, 1], "x": [1, 2, 1, 1, 1, 1], "y": [1, 1, 1, 1, 2, 2]}
    table = Table(columns, list("abccdd"))
    left, right = grow(table, Settings(criterion="entropy", max_leaf_nodes=3)).children
    assert (left.query, right.query.column) == (None, "y")


def test_best_first_growth_takes_the_older_of_equal_nodes():
    weights = [1, 1, 1, 1 + 1e-13]  # the younger gains more, but by rounding alone
    table = Table({"side": [0, 0, 1, 1], "x": [1, 2, 1, 2]}, list("abcd"), weights)
    left, right = grow(table, Settings(criterion="entropy", max_leaf_nodes=3)).children
    assert (left.query.column, right.query) == ("x", None)


def test_the_gain_ratio_punishes_many_answers():
    columns = {"id": list("abcdefgh"), "half": list("llllrrrr")}
    table = Table(columns, [0, 0, 0, 0, 1, 1, 1, 1])
    asked = {c: grow(table, Settings(criterion=c)).query.column for c in ("entropy", "gain_ratio")}
    assert asked == {"entropy": "id", "gain_ratio": "half"}


def test_a_query_of_less_than_average_gain_is_not_asked_whatever_its_ratio():
    columns = {
        "one": list("abbbbbbbbbbb"),
        "half": list("llllllrrrrrr"),
        "id": list("abcdefghijkl"),
    }
    table = Table(columns, [0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1])
    root = grow(table, Settings(criterion="gain_ratio", max_depth=1))
    found = ref.candidates(table, root, Settings(criterion="entropy"))
    gains = {candidate.query.column: candidate.gain for candidate in found}
    average = sum(gains.values()) / 3
    assert gains["one"] < average <= gains[root.query.column]


# --- what is true of every tree ------------------------------------------------------------------

SEEDS = range(100)


def cut(node, depth):
    """Write a tree cut at a depth as `shape` does."""
    if node.query is None or node.depth == depth:
        return (node.guess, len(node.rows))
    return (node.query, *(cut(child, depth) for child in node.children))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tree_cut_at_a_depth_is_the_tree_grown_to_that_depth(seed):
    table = random_table(seed)
    table.settings.pop("max_leaf_nodes", None)
    table.settings.pop("max_depth", None)
    whole = table.reference_tree()
    table.settings["max_depth"] = 2
    assert cut(whole, 2) == shape(table.reference_tree())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_rows_does_not_matter(seed):
    table = random_table(seed)
    expected = shape(table.reference_tree())
    order = random.Random(seed).sample(range(len(table.labels)), len(table.labels))
    table.columns = {name: [values[row] for row in order] for name, values in table.columns.items()}
    table.labels = [table.labels[row] for row in order]
    table.weights = table.weights and [table.weights[row] for row in order]
    assert shape(table.reference_tree()) == expected


def asked_and_guessed(root):
    return [(node.query, node.guess) for node in ref.breadth_first(root)]


@pytest.mark.parametrize("seed", SEEDS)
def test_doubled_rows_are_rows_of_weight_2(seed):
    table = random_table(seed)
    for rule in ("min_samples_split", "min_samples_leaf"):
        table.settings.pop(rule, None)
    table.weights = [2] * len(table.labels)
    weighted = table.reference_tree()
    table.columns = {name: values * 2 for name, values in table.columns.items()}
    table.labels, table.weights = table.labels * 2, None
    assert asked_and_guessed(table.reference_tree()) == asked_and_guessed(weighted)


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_weight_0_take_no_part(seed):
    table = random_table(seed)
    n_rows = len(table.labels)
    expected = shape(table.reference_tree())
    table.columns = {name: values + values[:3] for name, values in table.columns.items()}
    table.labels = table.labels + table.labels[-3:]
    table.weights = (table.weights or [1] * n_rows) + [0] * (len(table.labels) - n_rows)
    assert shape(table.reference_tree()) == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_every_row_stops_at_the_leaf_that_it_was_grown_into(seed):
    table = random_table(seed)
    root = table.reference_tree()
    rows = table.rows(table.columns)
    for node in ref.breadth_first(root):
        if node.query is None:
            assert all(ref.stop(root, rows[row]) is node for row in node.rows)


def test_a_tree_may_be_deeper_than_the_stack():
    nodes = [grow(teaching("and"), Settings(max_depth=0)) for _ in range(5_000)]
    for pivot, (above, below) in enumerate(pairwise(nodes)):
        above.query, above.children = Query("Below", "x", pivot=pivot), [nodes[-1], below]
    assert ref.stop(nodes[0], {"x": 5_000}) is nodes[-1]


@pytest.mark.parametrize("weights", [[], [0, 0], [1, -1]], ids=["no rows", "none", "negative"])
def test_weights_that_leave_no_rows_are_refused(weights):
    whole = r"^No weight may be below 0, and at least one must be above 0\.$"
    with pytest.raises(ValueError, match=whole):
        Table({"x": weights}, weights, weights)
