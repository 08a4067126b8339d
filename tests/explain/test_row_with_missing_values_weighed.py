"""Why a row got its guess whose missing values go to every answer."""

import math
from dataclasses import replace

import numpy as np
import pytest
from handmade import branch, choice, leaf, make_tree
from probed_trees import SEEDS, probed

from bough.explain.row import explain
from bough.predict import all_guesses, said_of, weighed_rows
from bough.query_kinds import Below, EachValue, OneOf
from bough.schema import Feature, Kind, Label, Schema
from bough.table import typed_row

ROOMS = Feature("rooms", Kind.NUMBER, 0)
QUARTER = choice("quarter", "Docks", "Hill", "Mill", column=1)
SCHEMA = Schema(("rooms", "quarter"), (ROOMS, QUARTER), (Label("price"),))
ROOT = branch(
    Below(ROOMS, 3.5, missing=0),
    branch(Below(ROOMS, 2.5), leaf(100.0), leaf(140.0)),
    branch(EachValue(QUARTER, (0, 1)), leaf(200.0), leaf(320.0)),
)


def explanation_of(root, schema=SCHEMA, **row):
    (explanation,) = explain(make_tree(schema, root), typed_row(row, schema), missing="weigh")
    return explanation


@pytest.mark.parametrize("seed", SEEDS)
def test_contributions_of_steps_and_parts_add_up_to_what_is_guessed(seed):
    tree, *tables = probed(seed)
    for table in tables:
        said, places = said_of(tree, table, missing="weigh")
        for found, place in zip(explain(tree, table, missing="weigh"), places, strict=True):
            if tree.schema.has_classes:
                expected = said.shares[place, 0, said.class_guess[place, 0]]
            else:
                expected = said.guess[place, 0]
            added = [found.start, *(each.contribution for each in (*found.steps, *found.parts))]
            scale = max(map(abs, added))
            assert found.value == pytest.approx(expected, rel=1e-12, abs=1e-14 * scale)
            assert math.fsum(added) == pytest.approx(expected, abs=1e-13 * scale, rel=0)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_guess_is_the_one_that_is_predicted(seed):
    tree, _, probes = probed(seed)
    said, places = said_of(tree, probes, missing="weigh")
    guessed = all_guesses(said)[places, 0].tolist()
    if tree.schema.has_classes:
        guessed = [tree.schema.labels[0].classes[code] for code in guessed]
    found = [explanation.guess for explanation in explain(tree, probes, missing="weigh")]
    assert found == (guessed if tree.schema.has_classes else pytest.approx(guessed, rel=1e-12))


@pytest.mark.parametrize("seed", SEEDS)
def test_only_rows_that_go_on_in_parts_have_parts(seed):
    tree, _, probes = probed(seed)
    found = explain(tree, probes, missing="weigh")
    rows = [row for row, explanation in enumerate(found) if explanation.parts]
    assert rows == weighed_rows(tree, probes).tolist()
    assert all(bool(each.parted) == bool(each.parts) for each in found)


def test_a_row_in_parts_reads_as_a_small_table():
    assert str(explanation_of(ROOT, quarter="Hill")).splitlines() == [
        "220 ± 101 (average of 3 branches, weighted by their training rows)",
        "  190.0  all rows",
        "         rooms is missing: follows both answers, 50 % < 3.5, 50 % ≥ 3.5",
        "  +65.0   50 %  rooms ≥ 3.5 and quarter = Hill → 320 ± 0",
        "  −22.5   25 %  rooms < 2.5 → 100 ± 0",
        "  −12.5   25 %  2.5 ≤ rooms < 3.5 → 140 ± 0",
        "nearest other prediction: rooms < 2.5 → 100 ± 0",
    ]


def test_steps_before_the_missing_value_are_told_as_ever():
    found = explanation_of(ROOT, rooms=5)
    assert [step.words for step in found.steps] == ["rooms ≥ 3.5 (it is 5, 1.5 away)"]
    assert found.parted == "quarter is missing: follows both answers, 50 % = Docks, 50 % = Hill"


def test_a_part_that_stops_before_a_leaf_says_why():
    (largest, *_) = explanation_of(ROOT, quarter="Mill").parts
    assert largest.words == (
        " 50 %  rooms ≥ 3.5 → 260 ± 60 (stops at quarter: no training row here had Mill)"
    )


def test_many_answers_and_parts_are_cut_short():
    code = choice("code", *map(str, range(30)))
    schema = Schema(("code",), (code,), (Label("price"),))
    root = branch(EachValue(code, tuple(range(30))), *[leaf(float(each)) for each in range(30)])
    lines = str(explanation_of(root, schema)).splitlines()
    assert lines[2].endswith(
        "code is missing: follows all 30 answers, 3 % = 0, 3 % = 1, 3 % = 2, 3 % = 3, 3 % = 4, "
        "3 % = 5, 24 more"
    )
    assert len(lines) == 2 + 1 + 6 + 1 + 1
    assert lines[-2].endswith(" 80 %  in 24 more parts")


def test_what_is_shown_adds_up():
    found = str(explanation_of(ROOT, quarter="Hill")).splitlines()
    shown = [found[1].split()[0], *(line.split()[0] for line in found[3:-1])]
    assert sum(float(each.replace("−", "-")) for each in shown) == 220


def test_where_missing_values_went_is_no_reason_for_a_part():
    root = branch(OneOf(QUARTER, (0,), (1, 2), missing=1), leaf(1.0), leaf(3.0))
    found = explanation_of(root)
    assert (
        found.parted == "quarter is missing: follows both answers, 50 % = Docks, 50 % = Hill, Mill"
    )
    assert [str(part.conditions[0]) for part in found.parts] == [
        "quarter = Docks",
        "quarter = Hill, Mill",
    ]


def test_parts_are_plain_data():
    found = explanation_of(branch(Below(ROOMS, 3.5), leaf(1.0), leaf(3.0))).as_dict()
    assert found["parted"] == "rooms is missing: follows both answers, 50 % < 3.5, 50 % ≥ 3.5"
    assert found["parts"][0] == {
        "part": 0.5,
        "conditions": [
            {
                "feature": "rooms",
                "words": "rooms < 3.5",
                "below": 3.5,
                "known": True,
                "missing": False,
            }
        ],
        "guess": 1.0,
        "spread": 0.0,
        "rows": 1,
        "contribution": -0.5,
        "stopped": "",
    }


def test_hostile_names_stay_on_their_line():
    name = Feature("a\nb\x1b[31m", Kind.NUMBER, 0)
    schema = Schema((name.name,), (name,), (Label("price"),))
    root = branch(Below(name, 3.5), leaf(1.0), leaf(3.0))
    text = str(explanation_of(root, schema))
    assert len(text.splitlines()) == 6
    assert "\x1b" not in text


def test_a_child_that_gets_nearly_all_of_a_row_is_a_part():
    tiny = branch(Below(ROOMS, 3.5), leaf(*[100.0] * 2), leaf(200.0))
    tree = make_tree(SCHEMA, tiny)
    tally = tree.tally.copy()
    tally[:, 0] *= np.array([1.0, 1.0, 1e-18])[:, np.newaxis]
    (found,) = explain(
        replace(tree, tally=tally), typed_row({"rooms": None}, SCHEMA), missing="weigh"
    )
    assert found.parted.startswith("rooms is missing: follows both answers")
    assert [part.share for part in found.parts] == [1.0, pytest.approx(5e-19)]
