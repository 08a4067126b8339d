"""Trees that are edited by hand: what changes, and what does not."""

import numpy as np
import pytest
from growths import differences, random_growths, violations

from bough import ParameterError
from bough.edit import Wanted, cut_nodes, force_query, read_wanted
from bough.grow import ground_of, grow
from bough.predict import stops
from bough.walk import cut, parents

GROWTHS = [growth.set(max_leaf_nodes=None) for growth in random_growths()[::6]]
FIRST = {"first": ("c1", "c0")}
CHANCE = [
    {},
    {"splitter": "random"},
    {"max_features": 1},
    FIRST,
    FIRST | {"min_impurity_decrease": 0.02},
    FIRST | {"min_samples_leaf": 5, "splitter": "random"},
]


def as_grown(branch):
    return branch


def ground(growth):
    return ground_of(growth.table, growth.labels, growth.settings)


def forced(growth, node, wanted, tree=None):
    tree = growth.tree if tree is None else tree
    return force_query(tree, node, wanted, ground(growth), as_grown)


def asks(growth, column):
    return Wanted(growth.features[column], None)


def some_branch(growth):
    branches = np.flatnonzero(growth.tree.feature >= 0)
    return int(growth.rng.choice(branches)) if len(branches) else None


@pytest.mark.parametrize("chance", CHANCE)
def test_forcing_the_query_that_is_there_gives_the_same_tree_to_the_last_bit(chance):
    def holds(growth):
        growth = growth.set(**chance)
        branches = np.flatnonzero(growth.tree.feature >= 0).tolist()
        return not any(
            differences(growth.tree, forced(growth, node, Wanted(query.feature, query)))
            for node in branches[:4] + branches[-2:]
            if (query := growth.tree[node].query)
        )

    assert not violations(holds, GROWTHS)


def test_all_other_nodes_stay_as_they_are_to_the_last_bit():
    def holds(growth):
        node = some_branch(growth)
        if node is None:
            return True
        try:
            new = forced(growth, node, asks(growth, int(growth.rng.integers(0, 2))))
        except ParameterError:  # the column does not tell the rows apart
            return True
        at_node = [np.arange(len(tree)) == node for tree in (growth.tree, new)]
        return not differences(cut(growth.tree, at_node[0]), cut(new, at_node[1]))

    assert not violations(holds, GROWTHS)


@pytest.mark.parametrize("chance", CHANCE[:3])
def test_forcing_a_column_at_the_root_is_asking_it_first(chance):
    def holds(growth):
        growth = growth.set(**chance)
        first = growth.set(first=("c1",)).tree
        if first.feature[0] != 1:  # a stopping rule forbids it, or it tells no rows apart
            return True
        return not differences(first, forced(growth, 0, asks(growth, 1)))

    assert not violations(holds, GROWTHS)


def test_below_a_forced_query_grows_what_its_rows_grow():
    def holds(growth):
        growth = growth.set(
            min_samples_split=2, min_samples_leaf=1, min_impurity_decrease=0,
            min_weight_fraction_leaf=0, max_depth=None,
        )  # fmt: skip
        try:
            new = forced(growth, 0, asks(growth, 1))
        except ParameterError:
            return True
        here = stops(new, growth.table)
        top = here.copy()
        while (top > 0).any() and (parents(new)[top] > 0).any():
            top = np.where(parents(new)[top] > 0, parents(new)[top], top)
        for child in np.unique(top):
            rows = np.flatnonzero(top == child)
            alone = growth.take(rows)
            grown = grow(alone.table, alone.labels, growth.settings)
            if not np.array_equal(sizes(grown, alone.table), sizes_at(new, here[rows])):
                return False
        return True

    assert not violations(holds, GROWTHS[:60])


def sizes(tree, table):
    return tree.n_rows[stops(tree, table)]


def sizes_at(tree, nodes):
    return tree.n_rows[nodes]


def test_a_forced_query_overrules_how_deep_a_tree_may_be():
    growth = next(each for each in GROWTHS if len(each.tree) > 5).set(
        max_depth=1, min_samples_leaf=1, min_samples_split=2, min_weight_fraction_leaf=0
    )
    leaf = int(np.argmax(growth.tree.n_rows * (growth.tree.feature < 0)))
    column = int(growth.tree.feature[0])
    other = 1 if column == 0 else 0
    assert len(forced(growth, leaf, asks(growth, other))) > len(growth.tree)


def test_a_cut_node_is_a_leaf_and_others_stay():
    def holds(growth):
        node = some_branch(growth)
        if node is None:
            return True
        expected = cut(growth.tree, np.arange(len(growth.tree)) == node)
        return not differences(cut_nodes(growth.tree, node), expected)

    assert not violations(holds, GROWTHS)


def test_several_nodes_can_be_cut_at_once(play_tennis_tree):
    assert len(cut_nodes(play_tennis_tree, [2, 3])) == 4


WRONG_NODES = [
    (1, "node 1 is already a leaf. Give the number of a branch."),
    (8, "node=8 is not a node of the tree, whose nodes are 0 to 7."),
    (-1, "node=-1 is not a node of the tree, whose nodes are 0 to 7."),
    (True, "node=True is not a node of the tree, whose nodes are 0 to 7."),
    (1.5, "node=1.5 is not a node of the tree, whose nodes are 0 to 7."),
    ("2", "node='2' is not a node of the tree, whose nodes are 0 to 7."),
]


@pytest.mark.parametrize(("node", "message"), WRONG_NODES)
def test_what_cannot_be_cut_is_refused(play_tennis_tree, node, message):
    with pytest.raises(ParameterError) as error:
        cut_nodes(play_tennis_tree, node)
    assert str(error.value) == message


def test_a_query_of_another_tree_is_refused(play_tennis_tree):
    query = random_growths()[0].tree[0].query
    with pytest.raises(ParameterError) as error:
        read_wanted(play_tennis_tree.schema, query)
    assert str(error.value) == (
        f"the query about {query.feature.name!r} belongs to another tree. Name the column instead."
    )
