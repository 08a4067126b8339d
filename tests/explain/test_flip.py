"""The nearest flip: it flips, nothing nearer does, and it reads well."""

import handmade
import numpy as np
import pytest
from handmade import branch, choice, leaf, make_tree
from probed_trees import SEEDS, changed, guess, probed

from bough.explain.flip import Flips
from bough.explain.row import explain
from bough.predict import RULES, all_guesses, said_of, stops
from bough.query_kinds import Below, EachValue, IsMissing
from bough.schema import Feature, Kind, Label, Schema
from bough.table import typed_row

ANSWERS = Label("answer", ("no", "yes"), "<U3")
AGE = Feature("age", Kind.NUMBER, 0)
SIZE = Feature("size", Kind.ORDERED, 1, choices=("S", "M", "L", "XL"))
SEX = choice("sex", "f", "m", column=2)
WHEN = Feature("when", Kind.DATE, 3)
IDENT = Feature("id", Kind.INTEGER, 4)
SCHEMA = Schema(("age", "size", "sex", "when", "id"), (AGE, SIZE, SEX, WHEN, IDENT), (ANSWERS,))
DAY = 24 * 60 * 60 * 1_000_000


def flip_of(root, **row):
    tree = make_tree(SCHEMA, root)
    table = typed_row(row, SCHEMA)
    (found,) = Flips(tree, 3).nearest(table, [0], [tree[int(stops(tree, table)[0])].guess])
    return found


def named(tree, flip):
    """Return the changes of a flip by the number of their feature."""
    features = tree.schema.features
    return {features.index(each.condition.feature): each.value for each in flip.changes}


@pytest.mark.parametrize("missing", RULES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_flip_that_is_made_changes_the_guess_to_the_one_it_names(seed, missing):
    tree, _, probes = probed(seed)
    for row, explanation in enumerate(explain(tree, probes, missing=missing)):
        if explanation.flip is None:
            continue
        new = changed(probes, row, named(tree, explanation.flip))
        _, (place,) = said_of(tree, new, missing=missing)
        assert tree[int(place)].guess == explanation.flip.verdict.guess != explanation.guess


@pytest.mark.parametrize("seed", SEEDS)
def test_where_there_is_no_flip_all_leaves_guess_alike(seed):
    tree, _, probes = probed(seed)
    at_leaves = set(all_guesses(tree)[tree.feature < 0, 0].tolist())
    for explanation, stop in zip(explain(tree, probes), stops(tree, probes), strict=True):
        if explanation.flip is None:
            assert at_leaves <= {all_guesses(tree)[stop, 0]}


@pytest.mark.parametrize("seed", SEEDS)
def test_where_two_features_must_change_one_does_not_suffice(seed):
    tree, _, probes = probed(seed)
    for row, explanation in enumerate(explain(tree, probes)):
        if explanation.flip is None or len(explanation.flip.changes) < 2:
            continue
        before = guess(tree, changed(probes, row, {}))
        leaves = tree.feature < 0
        for feature in range(len(tree.schema.features)):
            for value in values_that_may_matter(tree, feature):
                new = changed(probes, row, {feature: value})
                if leaves[stops(tree, new)[0]]:
                    assert guess(tree, new) == before


def values_that_may_matter(tree, feature):
    kind = tree.schema.features[feature].kind
    if kind in (Kind.CHOICE, Kind.ORDERED):
        return [None, *range(len(tree.schema.features[feature].choices))]
    pivots = [node.query.pivot for node in tree if isinstance(node.query, Below)]
    if kind is Kind.NUMBER:
        return [None, *pivots, *(np.nextafter(pivot, -np.inf) for pivot in pivots)]
    return [None, *(int(np.ceil(pivot)) + step for pivot in pivots for step in (0, -1))]


@pytest.mark.parametrize("missing", RULES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_flip_of_one_change_is_the_same_whether_searched_along_the_trail_or_in_all_leaves(
    seed, missing, monkeypatch
):
    tree, _, probes = probed(seed)
    found = explain(tree, probes, missing=missing)
    monkeypatch.setattr("bough.explain.flip.leaves_one_change_away", lambda *_: [])
    assert found == explain(tree, probes, missing=missing)


def test_of_two_numbers_the_one_that_changes_less_is_named():
    root = branch(
        Below(AGE, 20.0),
        branch(Below(AGE, 10.0), leaf(1, 1), leaf(0, 0)),
        leaf(1),
    )
    assert str(flip_of(root, age=12)) == "age < 10 → yes 100 %"
    assert str(flip_of(root, age=19)) == "age ≥ 20 → yes 100 %"


def test_conditions_of_one_feature_are_one_change():
    root = branch(
        Below(AGE, 30.0),
        branch(Below(AGE, 11.0), leaf(0), leaf(1)),
        leaf(0, 0),
    )
    assert str(flip_of(root, age=34)) == "11 ≤ age < 30 → yes 100 %"


def test_one_other_name_is_nearer_than_two_numbers_that_hardly_change():
    root = branch(
        EachValue(SEX, (0, 1)),
        leaf(1),
        branch(Below(AGE, 5.0), branch(Below(IDENT, 7.0), leaf(1), leaf(0)), leaf(0, 0)),
    )
    assert str(flip_of(root, sex="m", age=5, id=7)) == "sex = f → yes 100 %"


def test_a_number_that_changes_by_less_than_itself_is_nearer_than_another_name():
    root = branch(
        EachValue(SEX, (0, 1)),
        leaf(1, 1, 1),
        branch(Below(AGE, 5.0), leaf(1), leaf(0, 0)),
    )
    assert str(flip_of(root, sex="m", age=50)) == "age < 5 → yes 100 %"


def test_steps_of_ordered_values_are_a_share_of_all_steps():
    root = branch(
        Below(SIZE, 0.5),
        leaf(1),
        branch(Below(SIZE, 2.5), leaf(0, 0, 0), leaf(1, 1)),
    )
    assert str(flip_of(root, size="M")) == "size before M → yes 100 %"
    assert str(flip_of(root, size="L")) == "size XL or after → yes 100 %"


def test_a_few_days_are_nearer_than_another_name():
    root = branch(
        EachValue(SEX, (0, 1)),
        leaf(1, 1, 1),
        branch(Below(WHEN, 3.0 * DAY), leaf(1), leaf(0)),
    )
    assert str(flip_of(root, sex="m", when="1970-01-05")) == "when before 1970-01-04 → yes 100 %"


def test_a_value_is_rather_changed_than_taken_away():
    root = branch(
        IsMissing(SEX),
        leaf(1, 1, 1),
        branch(Below(AGE, 5.0), leaf(1), leaf(0)),
    )
    assert str(flip_of(root, sex="m", age=90)) == "age < 5 → yes 100 %"


def test_a_missing_value_may_have_to_become_known():
    root = branch(Below(AGE, 5.0, missing=0), leaf(0, 0), leaf(1))
    assert str(flip_of(root)) == "age ≥ 5 → yes 100 %"


def test_a_value_may_have_to_go_missing():
    root = branch(IsMissing(AGE), leaf(1), leaf(0))
    flip = flip_of(root, age=3)
    assert str(flip) == "age is missing → yes 100 %"
    assert flip.changes[0].value is None


def test_a_change_does_not_say_that_missing_would_do_too():
    root = branch(Below(AGE, 5.0, missing=1), leaf(0, 0), leaf(1))
    assert str(flip_of(root, age=3)) == "age ≥ 5 → yes 100 %"


def test_of_changes_as_near_the_one_of_more_rows_is_named():
    tree = handmade.play_tennis()
    row = typed_row({"outlook": "Rain", "wind": "Weak", "humidity": "High"}, tree.schema)
    (explanation,) = explain(tree, row)
    assert str(explanation.flip) == "outlook = Sunny → No 100 %"  # 3 rows; wind = Strong has 2


def test_integers_beyond_float64_change_by_one():
    root = branch(Below(IDENT, 2**60), leaf(1), leaf(0))
    (change,) = flip_of(root, id=2**60).changes
    assert change.value == 2**60 - 1


def test_a_trail_that_no_row_can_take_is_passed_over():
    root = branch(
        Below(AGE, 5.0),
        branch(Below(AGE, 7.0), leaf(0, 0), leaf(1)),  # age < 5 and age ≥ 7
        branch(EachValue(SEX, (0, 1)), leaf(0), leaf(1)),
    )
    assert str(flip_of(root, age=3, sex="f")) == "age ≥ 5 and sex = m → yes 100 %"


def test_a_tree_of_one_leaf_has_no_flip():
    assert flip_of(leaf(1), age=3) is None


def test_a_flip_is_plain_data():
    root = branch(Below(AGE, 11.0), leaf(1), leaf(0))
    assert flip_of(root, age=34).as_dict() == {
        "changes": [{"feature": "age", "condition": "age < 11", "to": np.nextafter(11.0, 0)}],
        "guess": "yes",
        "share": 1.0,
        "rows": 1,
    }


def test_hostile_names_stay_on_their_line():
    tree = handmade.awkward_names()
    name = tree.schema.features[0].name
    (explanation,) = explain(tree, typed_row({name: "a<b>&amp;"}, tree.schema))
    assert str(explanation.flip).isprintable()
