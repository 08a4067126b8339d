"""Answers that no row gives are taken out of a tree."""

import numpy as np
from growths import random_growths, violations
from handmade import branch, choice, leaf, make_tree

from bough.predict import stops
from bough.pruning.ways import spliced
from bough.query_kinds import Below, EachValue, IsMissing, OneOf
from bough.schema import Feature, Kind, Label, Schema
from bough.table import Table
from bough.walk import walk

AGE = Feature("age", Kind.NUMBER, 0)
COLOR = choice("color", "blue", "green", "red", column=1)
SCHEMA = Schema(("age", "color"), (AGE, COLOR), (Label("y", ("a", "b"), "<U1"),))

# Node 1 is the leaf of the young, node 2 asks about the color; 3, 4, 5 and 6 are blue, green, red
# and missing.
TREE = make_tree(
    SCHEMA,
    branch(
        Below(AGE, 10.5),
        leaf(0, 0),
        branch(EachValue(COLOR, (0, 1, 2), missing=3), leaf(0), leaf(1), leaf(0, 1), leaf(1)),
    ),
)


def words(tree):
    return [(step.depth, step.answer, step.node.n_rows) for step in walk(tree)]


def test_a_tree_of_which_all_leaves_are_reached_stays():
    found = spliced(TREE, np.array([1, 3, 4, 5, 6, 6]))
    assert words(found) == [
        (0, "", 6),
        (1, "< 10.5", 1),
        (1, "≥ 10.5", 5),
        (2, "= blue", 1),
        (2, "= green", 1),
        (2, "= red", 1),
        (2, "is missing", 2),
    ]


def test_a_query_that_all_rows_answer_alike_is_not_asked():
    found = spliced(TREE, np.array([3, 4, 5]))
    assert words(found) == [(0, "", 3), (1, "= blue", 1), (1, "= green", 1), (1, "= red", 1)]


def test_a_value_that_no_row_has_is_unseen():
    found = spliced(TREE, np.array([1, 3, 5, 6]))
    table = Table(SCHEMA.columns, True, SCHEMA.features,  # noqa: FBT003
                  (np.array([20.0, 20.0]), np.array([1, 2], np.int32)), 2)  # fmt: skip
    green, red = stops(found, table).tolist()
    assert (found[green].is_leaf, found[red].is_leaf) == (False, True)


def test_a_missing_value_that_no_row_has_stops():
    found = spliced(TREE, np.array([1, 3, 4]))
    assert found.missing_child.tolist() == [-1] * 5


def test_branches_above_each_other_that_part_no_rows_are_skipped_together():
    found = spliced(TREE, np.array([5, 5]))
    assert words(found) == [(0, "", 2)]
    assert found.tally.tolist() == TREE.tally[[5]].tolist()


def test_rows_that_stop_at_a_branch_count_for_nothing():
    assert words(spliced(TREE, np.array([1, 2, 3, 0]))) == [
        (0, "", 2),
        (1, "< 10.5", 1),
        (1, "≥ 10.5", 1),
    ]


def test_where_no_row_reaches_a_leaf_the_root_is_left():
    assert len(spliced(TREE, np.array([2, 0]))) == 1


def test_other_queries_keep_their_values_and_where_missing_ones_go():
    tree = make_tree(
        SCHEMA,
        branch(
            IsMissing(AGE),
            leaf(0),
            branch(OneOf(COLOR, (0, 2), (1,), missing=1), leaf(0, 0), leaf(1)),
        ),
    )
    found = spliced(tree, np.array([3, 4]))
    assert found.codes.tolist() == [0, 1, 2]
    assert found.answers.tolist() == [0, 1, 0]
    assert found.missing_child.tolist() == [2, -1, -1]


def test_rows_reach_the_same_leaves_as_before():
    def holds(growth):
        rows = growth.rng.permutation(growth.n_rows)[: growth.n_rows // 2]
        part = growth.take(rows)
        before = stops(growth.tree, part.table)
        found = spliced(growth.tree, before)
        after = stops(found, part.table)
        same = [
            np.array_equal(growth.tree.tally[one], found.tally[other])
            for one, other in zip(before, after, strict=True)
            if growth.tree[one].is_leaf
        ]
        return all(same) and found.n_leaves == len({n for n in before if growth.tree[n].is_leaf})

    assert not violations(holds, [each for each in random_growths() if each.n_rows > 9])
