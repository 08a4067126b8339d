"""The ways through a tree: from top to bottom, from the leaves up, along trails; and trees that are cut."""

import handmade
import numpy as np
import pytest

from bough.query_kinds import Below
from bough.schema import Feature, Kind, Label, Schema
from bough.walk import (
    answer_numbers,
    cut,
    depths,
    features_above,
    fold,
    parents,
    products,
    sizes_below,
    steps_below,
    trail,
    trails,
    walk,
)


def test_a_walk_meets_every_node_once(tree):
    assert sorted(step.node.id for step in walk(tree)) == list(range(len(tree)))


def test_a_walk_meets_parents_before_children_and_siblings_in_order():
    assert [step.node.id for step in walk(handmade.play_tennis())] == [0, 1, 2, 4, 5, 3, 6, 7]


def test_a_step_says_how_it_came_to_its_node():
    steps = list(walk(handmade.play_tennis()))
    assert [(step.depth, step.parent and step.parent.id, step.answer) for step in steps] == [
        (0, None, ""),
        (1, 0, "= Overcast"),
        (1, 0, "= Rain"),
        (2, 2, "= Strong"),
        (2, 2, "= Weak"),
        (1, 0, "= Sunny"),
        (2, 3, "= High"),
        (2, 3, "= Normal"),
    ]


def test_a_walk_stops_at_the_depth_asked_for():
    assert [step.node.id for step in walk(handmade.play_tennis(), max_depth=1)] == [0, 1, 2, 3]


def test_a_walk_to_depth_0_meets_the_root():
    assert [step.node.id for step in walk(handmade.play_tennis(), max_depth=0)] == [0]


def test_a_walk_gives_answers_with_all_digits():
    number = Feature("x", Kind.NUMBER, 0)
    schema = Schema(("x",), (number,), (Label("y", (0, 1), "int64"),))
    tree = handmade.make_tree(
        schema, handmade.branch(Below(number, 0.123456), handmade.leaf(0), handmade.leaf(1))
    )
    assert [step.answer for step in walk(tree)] == ["", "< 0.123456", "≥ 0.123456"]


def test_a_fold_works_from_the_leaves_up():
    text = fold(
        handmade.play_tennis(),
        lambda leaf: str(leaf.id),
        lambda branch, below: f"{branch.id}({' '.join(below)})",
    )
    assert text == "0(1 2(4 5) 3(6 7))"


def test_a_trail_leads_from_the_root_to_a_node():
    steps = trail(handmade.play_tennis(), 5)
    assert [(step.node.id, step.depth, step.answer) for step in steps] == [
        (0, 0, ""),
        (2, 1, "= Rain"),
        (5, 2, "= Weak"),
    ]


def test_a_trail_is_made_of_the_steps_of_a_walk(tree):
    steps = {step.node.id: step for step in walk(tree)}
    for node_id in range(len(tree)):
        found = trail(tree, node_id)
        assert found == [steps[step.node.id] for step in found]


def test_the_trail_of_the_root_is_the_root():
    assert [step.node.id for step in trail(handmade.play_tennis(), 0)] == [0]


def test_many_trails_follow_each_other():
    starts, nodes = trails(handmade.play_tennis(), [5, 0, 1, 5])
    assert np.split(nodes, starts[1:-1])[0].tolist() == [0, 2, 5]
    assert (starts.tolist(), nodes.tolist()) == ([0, 3, 4, 6, 9], [0, 2, 5, 0, 0, 1, 0, 2, 5])


def test_no_trails_are_empty():
    starts, nodes = trails(handmade.play_tennis(), [])
    assert (starts.tolist(), nodes.tolist()) == ([0], [])


def test_parents_are_those_of_a_walk(tree):
    above = {step.node.id: step.parent.id if step.parent else -1 for step in walk(tree)}
    assert parents(tree).tolist() == [above[node_id] for node_id in range(len(tree))]


def test_depths_are_those_of_a_walk(tree):
    depth = {step.node.id: step.depth for step in walk(tree)}
    assert depths(tree).tolist() == [depth[node_id] for node_id in range(len(tree))]


def test_the_depths_of_a_chain_are_counted():
    assert depths(handmade.chain(1000)).tolist() == sorted([0, *range(1, 1001), *range(1, 1001)])


def test_answers_are_numbered_from_the_first_child_on():
    assert answer_numbers(handmade.play_tennis()).tolist() == [0, 0, 1, 2, 0, 1, 0, 1]


def test_the_steps_below_a_node_are_those_of_a_walk(tree):
    for node in tree:
        expected = [step for step in walk(tree) if step.parent == node]
        found = steps_below(tree, node.id)
        assert [(step.node, step.answer) for step in found] == [
            (step.node, step.answer) for step in expected
        ]


def test_the_features_above_a_node_are_those_of_its_trail(tree):
    found = features_above(tree, np.arange(len(tree)) > 0)
    for node in tree:
        asked = {int(tree.feature[step.node.id]) for step in trail(tree, node.id)[:-1]}
        assert found[node.id] == sum(1 << feature for feature in asked)


def test_features_that_do_not_count_are_not_above():
    assert features_above(handmade.play_tennis(), np.arange(8) == 2) == [0, 0, 1, 0, 1, 1, 0, 0]


def test_products_are_those_of_the_trail(tree):
    factors = np.arange(len(tree)) % 5 + 1.0
    expected = [np.prod([factors[step.node.id] for step in trail(tree, node.id)]) for node in tree]
    assert products(tree, factors).tolist() == expected


def test_cutting_nothing_changes_nothing(tree):
    assert handmade.same_tree(cut(tree, np.zeros(len(tree), bool)), tree)


def test_marking_leaves_changes_nothing(tree):
    assert handmade.same_tree(cut(tree, [node.is_leaf for node in tree]), tree)


def test_cutting_at_the_root_leaves_one_leaf(tree):
    leaf = cut(tree, np.arange(len(tree)) == 0)
    assert (len(leaf), leaf[0].query, leaf[0].n_rows) == (1, None, tree[0].n_rows)


def test_what_lies_below_a_marked_node_need_not_be_marked(tree):
    is_branch = [not node.is_leaf for node in tree]
    assert len(cut(tree, is_branch)) == 1


def test_a_cut_tree_is_numbered_breadth_first_again():
    tree = cut(handmade.play_tennis(), np.arange(8) == 2)
    steps = [(step.node.id, step.answer) for step in walk(tree)]
    assert steps == [
        (0, ""),
        (1, "= Overcast"),
        (2, "= Rain"),
        (3, "= Sunny"),
        (4, "= High"),
        (5, "= Normal"),
    ]


def test_a_cut_node_keeps_its_tally_and_guess():
    tree = cut(handmade.play_tennis(), np.arange(8) == 2)
    assert (tree[2].tally.tolist(), tree[2].guess) == ([[2, 3]], "Yes")


def test_a_cut_node_has_no_gain():
    assert cut(handmade.play_tennis(), np.arange(8) == 2)[2].gain == 0


@pytest.mark.parametrize("seed", range(20))
def test_what_stays_of_a_cut_tree_reads_as_before(tree, seed):
    is_marked = np.random.default_rng(seed).random(len(tree)) < 0.3
    hidden = {step.node.id: False for step in walk(tree, max_depth=0)}
    expected = []
    for step in walk(tree):
        above = step.parent
        hidden[step.node.id] = above is not None and bool(hidden[above.id] or is_marked[above.id])
        if not hidden[step.node.id]:
            query = None if is_marked[step.node.id] else step.node.query
            expected.append((step.depth, step.answer, query, step.node.guess, step.node.n_rows))
    assert expected == [
        (step.depth, step.answer, step.node.query, step.node.guess, step.node.n_rows)
        for step in walk(cut(tree, is_marked))
    ]


def test_integer_pivots_that_are_cut_off_leave_no_array():
    tree = handmade.beyond_float()
    assert tree.pivot_int is not None
    assert cut(tree, np.ones(len(tree), bool)).pivot_int is None


def test_nothing_below_a_closed_node_is_visited(tree):
    closed = np.arange(len(tree)) == len(tree) // 3
    met = [step.node.id for step in walk(tree, closed=closed)]
    is_kept = np.ones(len(tree), bool)
    for node in range(1, len(tree)):
        above = parents(tree)[node]
        is_kept[node] = is_kept[above] and not closed[above]
    assert sorted(met) == np.flatnonzero(is_kept).tolist()


def test_the_nodes_below_each_node_are_counted(tree):
    starts, nodes = trails(tree, np.arange(len(tree)))
    assert len(starts) == len(tree) + 1
    on_trails = np.bincount(nodes, minlength=len(tree))  # each node is on its own trail, too
    assert sizes_below(tree).tolist() == (on_trails - 1).tolist()
