"""`Tree`: its nodes, and wrong arrays, which are refused by name."""

import pickle
from copy import copy, deepcopy
from dataclasses import replace

import handmade
import numpy as np
import pytest

import bough
from bough.errors import ModelFormatError
from bough.query_kinds import Below, EachValue, IsMissing, OneOf
from bough.schema import Label
from bough.tree import Tree
from bough.tree.check import ARRAYS, OPTIONAL

NAN, INF = float("nan"), float("inf")

# A tree, an array, the place that is changed, what it becomes, and what is said about it.
DAMAGES = [
    ("play_tennis", "n_children", 3, -2, "node 3: n_children is -2; a branch has two children or more, a leaf none."),
    ("play_tennis", "n_children", 3, 1, "node 3: n_children is 1; a branch has two children or more, a leaf none."),
    ("play_tennis", "first_child", 1, 4, "node 1: first_child is 4 at a leaf; it must be -1."),
    ("play_tennis", "first_child", 3, 3, "node 3: child 3 is not after its parent; the tree has a loop."),
    ("play_tennis", "first_child", 3, -1, "node 3: child -1 is not after its parent; the tree has a loop."),
    ("play_tennis", "first_child", 0, 10_000_000, "node 0: child 10000002, but there are 8 nodes."),
    ("play_tennis", "first_child", 0, 2**31 - 1, "node 0: child 2147483649, but there are 8 nodes."),
    ("play_tennis", "n_children", 3, 2**31 - 1, "node 3: child 2147483652, but there are 8 nodes."),
    ("play_tennis", "first_child", 3, 4, "node 3: first_child is 4, but node 6 is the next without a parent."),
    ("play_tennis", "n_children", 0, 4, "node 2: first_child is 4, but node 5 is the next without a parent."),
    ("play_tennis", "n_rows", 4, 0, "node 4: n_rows is 0; every node has at least one row."),
    ("play_tennis", "n_rows", 4, 3, "node 2: n_rows is 5, but its children have 6 rows."),
    ("play_tennis", "feature", 4, 0, "node 4: feature 0 and query_kind 0 at a leaf; they must be -1 and 0."),
    ("play_tennis", "query_kind", 4, 3, "node 4: feature -1 and query_kind 3 at a leaf; they must be -1 and 0."),
    ("play_tennis", "feature", 2, 9, "node 2: feature 9, but there are 4."),
    ("play_tennis", "feature", 2, -1, "node 2: feature -1, but there are 4."),
    ("play_tennis", "query_kind", 2, 4, "node 2: query_kind 4 is not known; it is 0, 1, 2 or 3."),
    ("play_tennis", "query_kind", 2, 0, "node 2: a query of kind BELOW cannot ask about 'wind', a feature of kind CHOICE."),
    ("missing_values", "query_kind", 0, 2, "node 0: a query of kind ONE_OF cannot ask about 'age', a feature of kind NUMBER."),
    ("play_tennis", "query_kind", 0, 2, "node 0: n_children is 3; a query of kind ONE_OF has two answers."),
    ("play_tennis", "pivot", 0, 0.5, "node 0: pivot is 0.5, but the query has none."),
    ("play_tennis", "pivot", 1, INF, "node 1: pivot is inf, but the query has none."),
    ("missing_values", "pivot", 0, NAN, "node 0: pivot is not a finite number."),
    ("missing_values", "pivot", 0, -INF, "node 0: pivot is not a finite number."),
    ("beyond_float", "pivot_int", 1, 7, "node 1: pivot_int is 7; it must be 0 here."),
    ("beyond_float", "pivot", 2, NAN, "node 2: pivot is not a finite number."),
    ("beyond_float", "pivot", 2, 0.0, "node 2: pivot 0.0 does not lie among 4 ordered values."),
    ("beyond_float", "pivot", 2, 3.5, "node 2: pivot 3.5 does not lie among 4 ordered values."),
    ("play_tennis", "codes_start", 0, 1, "codes_start goes from 1 to 7; it must go from 0 to 7."),
    ("play_tennis", "codes_start", 8, 9, "codes_start goes from 0 to 9; it must go from 0 to 7."),
    ("play_tennis", "codes_start", 1, 5, "node 1: codes_start falls from 5 to 3."),
    ("play_tennis", "codes_start", 1, 2, "node 1: 1 codes, but its query needs none."),
    ("play_tennis", "codes_start", 3, 3, "node 2: 0 codes, but its query needs some."),
    ("play_tennis", "codes", 2, 3, "node 0: code 3, but its feature has 3 values."),
    ("play_tennis", "codes", 0, -1, "node 0: code -1, but its feature has 3 values."),
    ("play_tennis", "codes", 3, 1, "node 2: code 1 does not come after 1."),
    ("play_tennis", "answers", 1, 2, "node 0: value number 1 has answer 2; they must be equal."),
    ("one_of", "answers", 1, 2, "node 0: answer 2; it must be 0 or 1, and 0 for the first value."),
    ("one_of", "answers", 1, -1, "node 0: answer -1; it must be 0 or 1, and 0 for the first value."),
    ("one_of", "answers", 0, 1, "node 0: answer 1; it must be 0 or 1, and 0 for the first value."),
    ("one_of", "answers", slice(0, 4), 0, "node 0: no value has answer 1."),
    ("missing_values", "missing_child", 0, 3, "node 0: missing_child 3 is not one of its children."),
    ("missing_values", "missing_child", 0, 0, "node 0: missing_child 0 is not one of its children."),
    ("missing_values", "missing_child", 4, 5, "node 4: missing_child 5 is not one of its children."),
    ("missing_values", "missing_child", 2, 7, "node 2: missing_child is 7; it must be the first child, 6."),
    ("missing_values", "missing_child", 2, -1, "node 2: missing_child is -1; it must be the first child, 6."),
    ("missing_values", "missing_child", 1, -1, "node 1: n_children is 3, but 2 values have an answer each."),
    ("missing_values", "missing_child", 1, 4, "node 1: missing_child is 4; it must be the last child, 5."),
    ("play_tennis", "missing_child", 2, 5, "node 2: n_children is 2, but 2 values have an answer each and missing has one."),
    ("play_tennis", "tally", (3, 0, 1), NAN, "node 3: its tally is not finite."),
    ("play_tennis", "tally", (3, 0, 1), -1.0, "node 3: its tally has a negative weight."),
    ("play_tennis", "tally", (3, 0), 0.0, "node 3: its tally is empty."),
    ("two_outputs", "tally", (1, 0, 2), 1.0, "node 1: its tally has a weight where the label has no class."),
    ("one_of", "tally", (2, 0, 0), 0.0, "node 2: the weight in its tally is not above 0."),
    ("one_of", "tally", (2, 0, 2), -0.5, "node 2: the sum of squares in its tally is negative."),
    ("one_of", "guess", (4, 0), INF, "node 4: its guess is not finite."),
    ("play_tennis", "impurity", 5, -0.1, "node 5: impurity is -0.1; it must be a finite number, 0 or more."),
    ("play_tennis", "impurity", 5, INF, "node 5: impurity is inf; it must be a finite number, 0 or more."),
    ("play_tennis", "gain", 0, NAN, "node 0: gain is nan; it must be a finite number."),
    ("play_tennis", "gain", 7, 0.5, "node 7: gain is 0.5 at a leaf; it must be 0."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "array", "place", "value", "says"), DAMAGES)
def test_a_wrong_entry_is_named(name, array, place, value, says):
    tree = handmade.TREES[name]()
    arrays = handmade.arrays_of(tree)
    arrays[array][place] = value
    with pytest.raises(ModelFormatError) as error:
        Tree(tree.schema, **arrays)
    assert str(error.value) == says


def test_a_node_that_is_the_child_of_none_is_named():
    tree = handmade.play_tennis()
    arrays = handmade.arrays_of(tree)
    arrays["n_children"][3], arrays["first_child"][3] = 0, -1
    with pytest.raises(ModelFormatError) as error:
        Tree(tree.schema, **arrays)
    assert str(error.value) == "node 6: it is the child of no node."


def test_integer_pivots_that_no_node_needs_are_refused():
    with pytest.raises(ModelFormatError) as error:
        replace(handmade.play_tennis(), pivot_int=np.zeros(8, np.int64))
    assert str(error.value) == "pivot_int is given, but no node needs it."


def test_integer_pivots_of_a_number_are_refused():
    tree = handmade.missing_values()
    arrays = handmade.arrays_of(tree)
    arrays["pivot"][0], arrays["pivot_int"] = NAN, np.zeros(12, np.int64)
    with pytest.raises(ModelFormatError) as error:
        Tree(tree.schema, **arrays)
    assert str(error.value) == "node 0: pivot is not a finite number."


def test_a_tree_without_nodes_is_refused():
    arrays = {name: array[:0] for name, array in _leaf_arrays().items() if array is not None}
    with pytest.raises(ModelFormatError) as error:
        Tree(handmade.one_leaf().schema, **dict.fromkeys(OPTIONAL) | arrays)
    assert str(error.value) == "a tree has at least one node and one label."


def test_a_tree_without_labels_is_refused():
    with pytest.raises(ModelFormatError) as error:
        Tree(replace(handmade.one_leaf().schema, labels=()), **_leaf_arrays())
    assert str(error.value) == "a tree has at least one node and one label."


LABELS = (
    "either all labels have classes and the tree no guesses, "
    "or no label has classes and the tree has guesses."
)


def test_guesses_beside_classes_are_refused():
    with pytest.raises(ModelFormatError) as error:
        replace(handmade.one_leaf(), guess=np.zeros((1, 1)))
    assert str(error.value) == LABELS


def test_classes_beside_numbers_are_refused():
    tree = handmade.one_leaf()
    labels = (*tree.schema.labels, Label("height"))
    with pytest.raises(ModelFormatError) as error:
        replace(tree, schema=replace(tree.schema, labels=labels))
    assert str(error.value) == LABELS


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_of_another_type_is_refused(name):
    tree = handmade.TREES["beyond_float"]()
    arrays = handmade.arrays_of(tree)
    arrays[name] = np.zeros(11, np.float32)
    with pytest.raises(ModelFormatError) as error:
        Tree(tree.schema, **arrays)
    assert str(error.value) == f"{name} holds float32; it must be an array of {ARRAYS[name]}."


def test_a_list_is_not_an_array():
    with pytest.raises(ModelFormatError) as error:
        replace(handmade.one_leaf(), n_rows=[3])
    assert str(error.value) == "n_rows holds list; it must be an array of int64."


SHAPES = dict.fromkeys(ARRAYS, "(8,)") | {
    "codes": "(7,)",
    "answers": "(7,)",
    "codes_start": "(9,)",
    "tally": "(8, 1, 2)",
}


@pytest.mark.parametrize("name", [name for name in SHAPES if name not in (*OPTIONAL, "feature")])
def test_an_array_of_another_shape_is_refused(name):
    tree = handmade.play_tennis()
    given = np.zeros((2, 2), ARRAYS[name])
    shape = SHAPES[name] if name != "codes" else "(4,)"
    with pytest.raises(ModelFormatError) as error:
        replace(tree, **{name: given})
    assert str(error.value) == f"{name} has the shape (2, 2); it must be {shape}."


def test_all_arrays_are_read_only(tree):
    arrays = [getattr(tree, name) for name in ARRAYS]
    assert not any(array.flags.writeable for array in arrays if array is not None)


def test_what_is_computed_from_the_arrays_is_read_only_too(tree):
    arrays = [tree.weight, tree.has_integer_pivot]
    if tree.schema.has_classes:
        arrays += [tree.shares, tree.class_guess]
    assert not any(array.flags.writeable for array in arrays)


def test_a_lent_array_stays_the_lender_s():
    tree = handmade.play_tennis()
    lent = np.stack([tree.impurity, tree.gain])
    grown = replace(tree, impurity=lent[0])
    lent[0] = 7
    assert grown.impurity.tolist() == tree.impurity.tolist()


def test_every_tree_made_by_hand_passes_its_checks_again(tree):
    assert handmade.same_tree(tree, Tree(tree.schema, **handmade.arrays_of(tree)))


def test_the_weight_of_a_node_is_the_sum_of_its_tally():
    assert handmade.play_tennis().weight.tolist() == [14, 4, 5, 5, 2, 3, 3, 2]


def test_the_weight_of_a_node_of_numbers_stands_in_its_tally():
    assert handmade.one_of().weight.tolist() == [6, 3, 3, 2, 1]


def test_the_shares_of_a_node_add_up_to_one():
    assert handmade.two_outputs().shares.sum(axis=2).tolist() == [[1, 1]] * 3


def test_the_first_of_equally_common_classes_is_guessed():
    assert _guess_of_tally(2.0, 2.0) == "No"


def test_classes_that_differ_by_rounding_are_equally_common():
    assert _guess_of_tally(0.3, 0.1 + 0.2) == "No"


def test_a_class_that_is_more_common_by_more_than_rounding_is_guessed():
    assert _guess_of_tally(1.0, 1.0 + 1e-11) == "Yes"


def test_the_largest_weights_do_not_hide_the_commonest_class():
    assert _guess_of_tally(1e308, 1.7e308) == "Yes"


def test_the_largest_weights_have_shares():
    assert _leaf_with_tally(1.5e308, 1.5e308).shares.tolist() == [[[0.5, 0.5]]]


def test_a_weight_beyond_all_numbers_is_the_largest_number():
    assert _leaf_with_tally(1.5e308, 1.5e308).weight.tolist() == [np.finfo(float).max]


def test_the_smallest_weights_have_shares():
    assert _leaf_with_tally(5e-324, 15e-324).shares.tolist() == [[[0.25, 0.75]]]


def test_a_leaf_asks_nothing():
    node = handmade.one_leaf()[0]
    assert (node.is_leaf, node.query, list(node.children)) == (True, None, [])


def test_a_node_knows_its_query():
    tree = handmade.missing_values()
    age, deck, port = tree.schema.features
    assert [node.query for node in tree if not node.is_leaf] == [
        Below(age, 10.5, missing=1),
        EachValue(deck, (0, 2), missing=2),
        IsMissing(deck),
        Below(age, 40.25),
        OneOf(port, (0,), (1,), missing=0),
    ]


def test_a_pivot_beyond_float_is_an_exact_integer():
    pivot = handmade.beyond_float()[0].query.pivot
    assert (pivot, type(pivot)) == (2**53 + 1, int)


def test_a_node_knows_its_numbers():
    node = handmade.one_of()[3]
    assert (node.n_rows, node.weight, node.guess) == (2, 2.0, 300.25)


def test_a_node_knows_its_tally():
    assert handmade.play_tennis()[2].tally.tolist() == [[2, 3]]


def test_a_node_knows_its_impurity_and_gain():
    root = handmade.play_tennis()[0]
    assert (root.impurity, root.gain) == pytest.approx((0.459184, 0.116327), abs=1e-6)


def test_several_outputs_have_a_guess_each():
    assert [node.guess for node in handmade.two_outputs()] == [(0, "c"), (0, "a"), (1, "c")]


def test_a_tree_lists_its_nodes():
    assert [node.id for node in handmade.one_of()] == [0, 1, 2, 3, 4]


def _leaf_arrays():
    return handmade.arrays_of(handmade.one_leaf())


def _leaf_with_tally(*tally):
    return replace(handmade.one_leaf(), tally=np.array([[tally]]))


def _guess_of_tally(*tally):
    return _leaf_with_tally(*tally)[0].guess


@pytest.mark.parametrize("again", [copy, deepcopy, lambda tree: pickle.loads(pickle.dumps(tree))])
def test_tallies_of_many_classes_are_made_when_they_are_asked_for(again):
    y = [*range(20), 3, 3]
    tree = bough.DecisionTreeClassifier().fit(np.arange(22.0)[:, None], y).grown_tree_
    assert tree[0].guess == 3
    assert "tally" not in vars(tree)
    copied = again(tree)
    for each in (copied, tree, again(tree), replace(copied)):
        np.testing.assert_array_equal(each.tally[0, 0], np.bincount(y))
        assert not each.tally.flags.writeable
        assert each[0].guess == 3


@pytest.mark.parametrize("again", [copy, deepcopy, lambda tree: pickle.loads(pickle.dumps(tree))])
def test_what_words_give_for_pivots_is_found_out_when_it_is_asked_for(again):
    tree = bough.DecisionTreeClassifier().fit([[1.0], [2.25], [7.0]], [0, 1, 0]).grown_tree_
    assert "shown" not in vars(tree)
    copied = again(tree)
    for each in (tree, copied, again(tree), replace(copied)):
        np.testing.assert_array_equal(each.shown, [2.0, NAN, 5.0, NAN, NAN])
        assert not each.shown.flags.writeable
        assert each[0].query.answers == ("< 2", "≥ 2")


def test_where_words_give_the_pivots_themselves_nothing_is_said_of_it():
    tree = bough.DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1]).grown_tree_
    assert tree.shown is None
    assert tree.shown is None
