"""Which nodes of a large tree are drawn."""

import handmade
import numpy as np
import pytest

from bough import DecisionTreeClassifier
from bough.drawing.layout import drawn_nodes
from bough.query_kinds import EachValue
from bough.schema import Label, Schema


def grown(seed=0, n_rows=400):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    return DecisionTreeClassifier().fit(X, rng.integers(0, 3, n_rows)).grown_tree_


def wide(*sizes):
    """Make a tree with one question, and so many rows for each of its answers."""
    name = handmade.choice("name", *(f"value {number}" for number in range(len(sizes))))
    schema = Schema(("name",), (name,), (Label("y", (0, 1), "int64"),))
    leaves = [handmade.leaf(*[number % 2] * size) for number, size in enumerate(sizes)]
    return handmade.make_tree(
        schema, handmade.branch(EachValue(name, tuple(range(len(sizes)))), *leaves)
    )


def drawn(tree, max_depth=None, max_nodes=None):
    return list(drawn_nodes(tree, max_depth, max_nodes))


def test_all_nodes_are_drawn_where_there_is_no_limit():
    tree = grown()
    assert sorted(each.node.id for each in drawn(tree)) == list(range(len(tree)))


@pytest.mark.parametrize("max_nodes", [1, 2, 3, 10, 41, 100])
def test_no_more_nodes_are_drawn_than_asked_for(max_nodes):
    assert len(drawn(grown(), max_nodes=max_nodes)) <= max_nodes


@pytest.mark.parametrize("max_nodes", [3, 10, 41, 100])
def test_every_node_is_drawn_or_counted_once(max_nodes):
    tree = grown()
    found = drawn(tree, max_nodes=max_nodes)
    assert len(found) + sum(each.n_more for each in found) == len(tree)


@pytest.mark.parametrize("max_depth", [0, 1, 3])
def test_every_node_below_a_depth_is_counted_once(max_depth):
    tree = grown()
    found = drawn(tree, max_depth=max_depth)
    assert len(found) + sum(each.n_more for each in found) == len(tree)
    assert max(each.depth for each in found) == max_depth


def test_branches_that_are_folded_have_no_more_rows_than_those_that_are_not():
    found = drawn(grown(), max_nodes=41)
    opened = [each.n_rows for each in found if not each.is_end]
    folded = [each.n_rows for each in found if each.n_more]
    assert min(opened) >= max(folded)


def test_parents_come_before_their_children():
    seen = set()
    for each in drawn(grown(), max_nodes=41):
        assert each.parent is None or each.parent.id in seen
        seen.add(each.node.id)


def test_the_last_child_of_each_branch_is_known():
    found = drawn(grown(), max_nodes=41)
    last = {each.parent.id: each.node.id for each in found if each.parent is not None}
    assert {each.node.id for each in found if each.is_last} == {0, *last.values()}


def test_of_many_answers_those_of_most_rows_are_drawn():
    found = drawn(wide(1, 9, 2, 8, 3, 7, 4, 6, 5, 1, 1), max_nodes=8)
    assert [each.answer for each in found] == [
        "",
        *(f"= value {number}" for number in (1, 3, 5, 6, 7, 8)),
        "",
    ]


def test_one_place_stands_for_the_answers_that_are_left_out():
    rest = drawn(wide(1, 9, 2, 8, 3, 7, 4, 6, 5, 1, 1), max_nodes=8)[-1]
    assert (rest.node, rest.depth, rest.parent.id) == (None, 1, 0)
    assert (rest.n_more, rest.n_rows, rest.is_last) == (5, 8, True)


def test_answers_that_fit_are_all_drawn():
    assert len(drawn(wide(*range(1, 12)), max_nodes=12)) == 12


def test_a_leaf_is_drawn_however_little_room_there_is():
    (only,) = drawn(handmade.one_leaf(), max_depth=0, max_nodes=1)
    assert (only.node.id, only.n_more, only.is_end) == (0, 0, True)
