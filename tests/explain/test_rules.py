"""Rules: every row of the table is under one, and it guesses as the tree does."""

import handmade
import pytest
from handmade import branch, leaf, make_tree
from probed_trees import SEEDS, is_met, probed

from bough.explain.rules_and_conditions import rules
from bough.predict import stops
from bough.query_kinds import Below
from bough.schema import Feature, Kind, Label, Schema
from bough.words import plain


def rules_met(tree, table, row):
    """Return the rules that a row is under."""
    at = {feature.name: number for number, feature in enumerate(tree.schema.features)}
    return [
        rule
        for rule in rules(tree)
        if all(is_met(each, table.values[at[each.feature.name]][row]) for each in rule.conditions)
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_row_of_the_table_is_under_one_rule_which_guesses_as_the_tree_does(seed):
    tree, table, _ = probed(seed)
    for row, stop in enumerate(stops(tree, table).tolist()):
        (rule,) = rules_met(tree, table, row)
        assert (rule.guess, rule.n_rows) == (tree[stop].guess, tree[stop].n_rows)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_row_is_under_a_rule_if_it_comes_to_a_leaf(seed):
    tree, _, probes = probed(seed)
    for row, stop in enumerate(stops(tree, probes).tolist()):
        found = [rule.guess for rule in rules_met(tree, probes, row)]
        assert found == ([tree[stop].guess] if tree[stop].is_leaf else [])


def test_a_feature_has_one_condition():
    x = Feature("x", Kind.NUMBER, 0)
    schema = Schema(("x",), (x,), (Label("y", ("a", "b"), "<U1"),))
    root = branch(
        Below(x, 30.0),
        branch(Below(x, 11.0), leaf(0), branch(Below(x, 20.0), leaf(0), leaf(1, 1))),
        leaf(0),
    )
    words = [str(rule) for rule in rules(make_tree(schema, root))]
    assert words == [
        "x < 11 → a 100 % (1 row)",
        "11 ≤ x < 20 → a 100 % (1 row)",
        "20 ≤ x < 30 → b 100 % (2 rows)",
        "x ≥ 30 → a 100 % (1 row)",
    ]


def test_missing_values_that_go_along_are_in_brackets():
    assert [str(rule) for rule in rules(handmade.missing_values())] == [
        "age < 10.5 and deck = A → survived 100 % (2 rows)",
        "age < 10.5 and deck = C → died 50 % (2 rows)",
        "age < 10.5 and deck is missing → died 100 % (1 row)",
        "10.5 ≤ age < 40.25 and deck is missing → died 75 % (4 rows)",
        "age ≥ 40.25 and deck is missing → survived 100 % (1 row)",
        "(age ≥ 10.5 or missing) and deck is known and (port = Cork or missing) → "
        "survived 100 % (3 rows)",
        "(age ≥ 10.5 or missing) and deck is known and port = Kiel → died 50 % (2 rows)",
    ]


def test_dates_and_ordered_values_are_merged_too():
    assert [str(rule) for rule in rules(handmade.beyond_float())][2] == (
        "id ≥ 9007199254740993 and size before L and when weekday before Tuesday → "
        "True 100 % (1 row)"
    )


def test_a_tree_of_one_leaf_has_a_rule_for_all_rows():
    (rule,) = rules(handmade.one_leaf())
    assert str(rule) == "all rows → Yes 67 % (3 rows)"
    assert repr(rule) == "Rule(all rows → Yes 67 % (3 rows))"


def test_pivots_have_all_their_digits():
    x = Feature("x", Kind.NUMBER, 0)
    schema = Schema(("x",), (x,), (Label("y", ("a", "b"), "<U1"),))
    root = branch(Below(x, 1.23456), leaf(0), branch(Below(x, 1.23457), leaf(1), leaf(0)))
    found = [str(rule) for rule in rules(make_tree(schema, root), digits=3)]
    assert found[1] == "1.23456 ≤ x < 1.23457 → b 100 % (1 row)"


def test_a_rule_is_plain_data():
    found = rules(handmade.missing_values())[5].as_dict()
    assert found == {
        "conditions": [
            {
                "feature": "age",
                "words": "age ≥ 10.5 or missing",
                "from": 10.5,
                "known": True,
                "missing": True,
            },
            {"feature": "deck", "words": "deck is known", "known": True, "missing": False},
            {
                "feature": "port",
                "words": "port = Cork or missing",
                "values": ["Cork"],
                "known": True,
                "missing": True,
            },
        ],
        "guess": "survived",
        "share": 1.0,
        "rows": 3,
    }


def test_rules_of_two_labels_name_both_guesses():
    assert [str(rule) for rule in rules(handmade.two_outputs())] == [
        "x0 < 0.5 → 0, a (2 rows)",
        "x0 ≥ 0.5 → 1, c (3 rows)",
    ]


def test_hostile_names_stay_on_their_line():
    assert all(plain(str(rule)) == str(rule) for rule in rules(handmade.awkward_names()))


def test_a_deep_tree_has_rules():
    assert len(rules(handmade.chain(3000))) == 3001
