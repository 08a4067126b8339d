"""Which rules two trees share, and which rows come to other leaves."""

import numpy as np
import pytest
from handmade import branch, choice, leaf, make_tree
from probed_trees import SEEDS, probed

from bough.learn.compare import is_other_leaf, rule_changes
from bough.query_kinds import Below, EachValue
from bough.schema import Feature, Kind, Label, Schema

AGE = Feature("age", Kind.NUMBER, 0)
SEX = choice("sex", "f", "m", column=1)
SCHEMA = Schema(("age", "sex"), (AGE, SEX), (Label("alive", ("no", "yes")),))
# The same columns in another order, and the values of sex numbered otherwise.
OTHER_SEX = choice("sex", "m", "f", column=0)
OTHER_AGE = Feature("age", Kind.NUMBER, 1)
OTHER = Schema(("sex", "age"), (OTHER_SEX, OTHER_AGE), (Label("alive", ("no", "yes")),))

BY_AGE = branch(Below(AGE, 11.0), leaf(1, 1), leaf(0, 0, 0))
ONE = make_tree(SCHEMA, branch(EachValue(SEX, (0, 1)), leaf(1, 1, 0), BY_AGE))


def words(rules):
    return [str(rule) for rule in rules]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tree_has_the_rules_of_itself(seed):
    tree, *_ = probed(seed)
    found = rule_changes(tree, tree)
    assert (len(found.same), found.other_guess) == (tree.n_leaves, ())
    assert (found.only_first, found.only_second) == ((), ())


def test_rules_are_the_same_however_trees_number_columns_and_values():
    by_age = branch(Below(OTHER_AGE, 11.0), leaf(1, 1), leaf(0, 0, 0))
    other = make_tree(OTHER, branch(EachValue(OTHER_SEX, (0, 1)), by_age, leaf(1, 1, 0)))
    found = rule_changes(ONE, other)
    assert words(found.same) == words(rule_changes(ONE, ONE).same)
    assert (found.only_first, found.only_second) == ((), ())


def test_rules_of_more_rows_come_first():
    assert [rule.n_rows for rule in rule_changes(ONE, ONE).same] == [3, 3, 2]


def test_a_rule_that_guesses_otherwise_is_told_apart():
    by_age = branch(Below(AGE, 11.0), leaf(0, 0), leaf(0, 0, 0))
    other = make_tree(SCHEMA, branch(EachValue(SEX, (0, 1)), leaf(1, 1, 0), by_age))
    found = rule_changes(ONE, other)
    assert [words(pair) for pair in found.other_guess] == [
        ["sex = m and age < 11 → yes 100 % (2 rows)", "sex = m and age < 11 → no 100 % (2 rows)"]
    ]
    assert len(found.same) == 2


def test_rules_of_one_tree_only_are_listed():
    other = make_tree(SCHEMA, branch(EachValue(SEX, (0, 1)), leaf(1, 1, 0), leaf(0, 0, 0, 1, 1)))
    found = rule_changes(ONE, other)
    assert words(found.only_first) == [
        "sex = m and age ≥ 11 → no 100 % (3 rows)",
        "sex = m and age < 11 → yes 100 % (2 rows)",
    ]
    assert words(found.only_second) == ["sex = m → no 60 % (5 rows)"]


def test_pivots_that_differ_read_so():
    trees = [
        make_tree(SCHEMA, branch(Below(AGE, pivot), leaf(0), leaf(1)))
        for pivot in (11.0001, 11.0002)
    ]
    found = rule_changes(*trees, digits=3)
    assert words(found.only_first)[0].startswith("age < 11.0001 →")
    assert words(found.only_second)[0].startswith("age < 11.0002 →")


def test_where_missing_values_go_is_part_of_a_rule():
    other = make_tree(SCHEMA, branch(Below(AGE, 11.0, missing=0), leaf(1), leaf(0)))
    found = rule_changes(make_tree(SCHEMA, branch(Below(AGE, 11.0), leaf(1), leaf(0))), other)
    assert words(found.only_first) == ["age < 11 → yes 100 % (1 row)"]
    assert words(found.only_second) == ["age < 11 or missing → yes 100 % (1 row)"]
    assert words(found.same) == ["age ≥ 11 → no 100 % (1 row)"]


def test_a_row_keeps_its_leaf_where_its_rule_asks_the_same():
    other = make_tree(SCHEMA, branch(EachValue(SEX, (0, 1)), leaf(0, 0, 0), leaf(0, 0, 1)))
    stops_in_one, stops_in_other = np.array([1, 3, 4, 2]), np.array([1, 2, 2, 2])
    found = is_other_leaf(ONE, stops_in_one, other, stops_in_other)
    assert found.tolist() == [False, True, True, False]


def test_changes_are_plain_data():
    other = make_tree(SCHEMA, leaf(0, 1, 1))
    found = rule_changes(make_tree(SCHEMA, leaf(0, 0, 1)), other).as_dict()
    assert found == {
        "n_same": 0,
        "other_guess": [
            {
                "first": {
                    "conditions": [],
                    "guess": "no",
                    "share": pytest.approx(2 / 3),
                    "rows": 3,
                },
                "second": {
                    "conditions": [],
                    "guess": "yes",
                    "share": pytest.approx(2 / 3),
                    "rows": 3,
                },
            }
        ],
        "only_first": [],
        "only_second": [],
    }
