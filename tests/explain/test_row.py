"""Why a row got its guess: contributions add up, and every way of a missing value is told."""

import math

import handmade
import numpy as np
import pytest
from handmade import branch, choice, leaf, make_tree
from probed_trees import SEEDS, probed

from bough import DecisionTreeClassifier, DecisionTreeRegressor
from bough.errors import ParameterError
from bough.explain.row import explain
from bough.predict import stops
from bough.query_kinds import Below, EachValue, IsMissing, OneOf
from bough.schema import UNSEEN, Feature, Kind, Label, Schema
from bough.table import Table, typed_row

PRICE = Label("price")
ROOMS = Feature("rooms", Kind.NUMBER, 0)
QUARTER = choice("quarter", "Docks", "Hill", "Mill", column=1)
WHEN = Feature("built", Kind.DATE, 2)
SCHEMA = Schema(("rooms", "quarter", "built"), (ROOMS, QUARTER, WHEN), (PRICE,))
DAY = 24 * 60 * 60 * 1_000_000


def explanation_of(root, **row):
    (explanation,) = explain(make_tree(SCHEMA, root), typed_row(row, SCHEMA))
    return explanation


@pytest.mark.parametrize("seed", SEEDS)
def test_contributions_add_up_to_the_value_where_the_row_stops(seed):
    tree, *tables = probed(seed)
    for table in tables:
        for explanation, stop in zip(explain(tree, table), stops(tree, table), strict=True):
            if tree.schema.has_classes:
                expected = tree.shares[stop, 0, tree.class_guess[stop, 0]]
            else:
                expected = tree.guess[stop, 0]
            added = [explanation.start, *(step.contribution for step in explanation.steps)]
            scale = max(map(abs, added))
            assert explanation.value == expected
            assert math.fsum(added) == pytest.approx(expected, abs=1e-14 * scale, rel=0)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_guess_is_the_one_that_predict_gives(seed):
    tree, *tables = probed(seed)
    for table in tables:
        found = [explanation.guess for explanation in explain(tree, table)]
        assert found == [tree[int(stop)].guess for stop in stops(tree, table)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_row_that_comes_to_a_leaf_is_not_said_to_stop_before(seed):
    tree, _, probes = probed(seed)
    for explanation, stop in zip(explain(tree, probes), stops(tree, probes), strict=True):
        assert bool(explanation.stopped) == (not tree[int(stop)].is_leaf)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_shown_adds_up_too(seed):
    tree, table, _ = probed(seed)
    for explanation in explain(tree, table):
        first, *others = [line.split()[0] for line in str(explanation).splitlines()[1:-1]]
        if explanation.verdict.share is None or first[0] in "<>":
            continue
        shown = int(first) + sum(int(each.replace("−", "-")) for each in others)
        assert shown == round(100 * explanation.value)


def test_a_number_says_how_far_it_is_from_the_pivot():
    root = branch(Below(ROOMS, 3.5), leaf(100.0), leaf(200.0))
    (step,) = explanation_of(root, rooms=5.75).steps
    assert (step.value, step.margin, step.contribution) == (5.75, 2.25, 50.0)
    assert step.words == "rooms ≥ 3.5 (it is 5.75, 2.25 away)"


def test_a_date_says_how_many_days_it_is_from_the_pivot():
    root = branch(Below(WHEN, 10.0 * DAY), leaf(100.0), leaf(200.0))
    (step,) = explanation_of(root, built="1970-01-13 12:00").steps
    assert step.margin == 2.5
    assert step.words == "built 1970-01-11 or later (it is 1970-01-13 12:00:00, 2.5 days away)"


def test_a_missing_value_that_has_an_answer_says_why_it_went_there():
    root = branch(Below(ROOMS, 3.5, missing=1), leaf(100.0), leaf(200.0))
    (step,) = explanation_of(root).steps
    assert (step.value, step.value_word, step.margin) == (None, "missing", None)
    assert step.words == (
        "rooms ≥ 3.5 or missing: missing: it goes where training rows with a missing rooms went"
    )


@pytest.mark.parametrize(
    ("query", "n_below"),
    [(OneOf(QUARTER, (0,), (1,), missing=0), 2), (EachValue(QUARTER, (0,), missing=1), 2)],
    ids=["one of", "each value"],
)
def test_a_missing_name_says_where_it_went(query, n_below):
    root = branch(query, *[leaf(float(number)) for number in range(n_below)])
    (step,) = explanation_of(root).steps
    assert step.answer.endswith("missing")


def test_a_missing_value_that_has_no_answer_says_why_it_stopped():
    root = branch(Below(ROOMS, 3.5), leaf(100.0), leaf(200.0))
    assert explanation_of(root).stopped == (
        "stops at rooms: it is missing, and no training row here was missing it, so it gets the "
        "prediction for these 2 rows"
    )


def test_a_value_unseen_here_says_why_it_stopped():
    root = branch(EachValue(QUARTER, (0, 1)), leaf(100.0), leaf(200.0))
    assert explanation_of(root, quarter="Mill").stopped == (
        "stops at quarter: no training row here had Mill, so it gets the prediction for these 2 rows"
    )


def unseen_quarter():
    values = (np.array([1.0]), np.array([UNSEEN], np.int32), np.array([0]))
    return Table(SCHEMA.columns, True, SCHEMA.features, values, 1)  # noqa: FBT003


def test_a_value_that_the_tree_never_saw_says_why_it_stopped():
    root = branch(EachValue(QUARTER, (0, 1)), leaf(100.0), leaf(200.0))
    (explanation,) = explain(make_tree(SCHEMA, root), unseen_quarter())
    assert explanation.stopped == (
        "stops at quarter: its value was never seen in training, so it gets the prediction for these "
        "2 rows"
    )


def test_a_value_that_the_tree_never_saw_is_known():
    root = branch(IsMissing(QUARTER), leaf(100.0), leaf(200.0))
    (explanation,) = explain(make_tree(SCHEMA, root), unseen_quarter())
    assert explanation.steps[0].words == (
        "quarter is known: never seen in training, but not missing"
    )


def test_an_explanation_reads_from_the_guess_to_what_would_change_it():
    root = branch(
        OneOf(QUARTER, (0, 2), (1,)),
        branch(Below(ROOMS, 3.5, missing=0), leaf(290.0, 310.25), leaf(402.5)),
        leaf(150.0, 171.0, 149.0),
    )
    assert str(explanation_of(root, quarter="Mill", rooms=2)).splitlines() == [
        "300 ± 10.1 (2 rows)",
        "  245.5  all rows",
        "  +88.7  quarter = Docks, Mill (it is Mill)",
        "  −34.1  rooms < 3.5 or missing (it is 2, 1.5 away)",
        "nearest other prediction: rooms ≥ 3.5 → 402.5 ± 0",
    ]


def test_a_long_list_of_values_is_cut_short():
    code = choice("code", *map(str, range(200)))
    schema = Schema(("code",), (code,), (PRICE,))
    most, few = tuple(range(190)), tuple(range(190, 200))
    tree = make_tree(schema, branch(OneOf(code, most, few), leaf(1.0), leaf(2.0)))
    (explanation,) = explain(tree, typed_row({"code": 7}, schema))
    step, flip = str(explanation).splitlines()[2:]
    assert step.endswith(", 19, 20… (it is 7)")
    assert flip.endswith(", 198, 199 → 2 ± 0")


def test_a_row_of_a_tree_of_one_leaf_is_explained():
    assert str(explanation_of(leaf(3.0, 4.0))).splitlines() == [
        "3.5 ± 0.5 (2 rows)",
        "  3.5  all rows",
        "no change flips the prediction",
    ]


def test_contributions_of_the_largest_numbers_are_finite():
    model = DecisionTreeRegressor().fit([[1.0], [2.0], [3.0]], [-1.7e308, 1.7e308, 1.7e308])
    (explanation,) = model.explain([[1.0]])
    assert explanation.steps[0].contribution == -np.finfo(float).max
    assert str(explanation).startswith("-1.7e+308 ± 0 (1 row)")


def test_an_explanation_is_plain_data():
    root = branch(Below(ROOMS, 3.5), leaf(100.0), leaf(200.0))
    assert explanation_of(root, rooms=5).as_dict() == {
        "guess": 200.0,
        "spread": 0.0,
        "rows": 1,
        "start": 150.0,
        "value": 200.0,
        "steps": [
            {
                "feature": "rooms",
                "answer": "rooms ≥ 3.5",
                "value": 5.0,
                "margin": 1.5,
                "contribution": 50.0,
                "note": "",
            }
        ],
        "stopped": "",
        "parted": "",
        "parts": [],
        "flip": {
            "changes": [
                {"feature": "rooms", "condition": "rooms < 3.5", "to": np.nextafter(3.5, 0)}
            ],
            "guess": 100.0,
            "spread": 0.0,
            "rows": 1,
        },
    }


def test_hostile_names_stay_on_their_line():
    tree = handmade.awkward_names()
    first, second = (feature.name for feature in tree.schema.features[:2])
    (explanation,) = explain(tree, typed_row({first: "new\nline", second: 7}, tree.schema))
    lines = str(explanation).splitlines()
    assert len(lines) == 5
    assert all(line.isprintable() for line in lines)


def test_two_labels_are_refused():
    tree = handmade.two_outputs()
    with pytest.raises(ParameterError) as raised:
        explain(tree, typed_row({}, tree.schema))
    assert str(raised.value) == (
        "The tree predicts 2 labels, 'y0' and 'y1'. Only trees of one label can be explained. Grow "
        "one tree for each label."
    )


def test_a_deep_tree_is_explained():
    tree = handmade.chain(3000)
    (explanation,) = explain(tree, typed_row({"x": 1e9}, tree.schema))
    assert len(explanation.steps) == 3000


def test_infinity_is_refused():
    model = DecisionTreeClassifier().fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(ValueError, match="Input X contains infinity"):
        model.explain([[np.inf]])


def test_words_are_true_of_a_row_that_lies_between_the_pivot_and_what_is_shown_for_it():
    model = DecisionTreeClassifier().fit({"age": [9, 34]}, ["child", "grown"])
    known, between = model.explain({"age": [9, 20.7]})
    assert known.steps[0].words == "age < 20 (it is 9, 11 away)"
    assert between.steps[0].words == "age < 21.5 (it is 20.7, 0.8 away)"
    assert str(known.flip) == "age ≥ 20 → grown 100 %"
    assert str(between.flip) == "age ≥ 21.5 → grown 100 %"


def test_values_of_rows_have_all_their_digits():
    model = DecisionTreeClassifier().fit({"x": [42.3499, 42.3501]}, ["a", "b"])
    (found,) = model.explain({"x": [42.3499]})
    assert found.steps[0].words == "x < 42.35 (it is 42.3499, 0.0001 away)"
