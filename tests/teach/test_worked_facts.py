"""The worked facts of the textbooks, read from what `teach` and `score` show."""

import re

import pytest
from worked_facts import EXAMPLES, GAINS, MAJORITY_SCORES, SCORES, table_of

import bough
from bough.cli import main
from bough.teach import walkthrough
from bough.teach.growth_as_text import text
from bough.teach.step_words import Manners


def shown(table, digits=4, **options):
    """Return the lines of every step of a teaching table."""
    growth = walkthrough(bough.datasets.load(table), **options)
    pages = text(growth, Manners(digits=digits), width=None).split("\n\nstep ")
    return growth, [page.splitlines() for page in pages]


def cells(lines, feature):
    """Return what the line of a feature says."""
    line = next(line for line in lines if re.match(rf"[▶ ] {feature}( |$)", line))
    return line.removeprefix("▶").split()


@pytest.fixture
def score(capsys):
    def score(*words):
        assert main(["score", *words]) == 0
        return capsys.readouterr().out.splitlines()

    return score


@pytest.mark.parametrize("example", EXAMPLES, ids=table_of)
def test_the_impurity_and_the_first_question_are_shown(example, score):
    digits = len(example.impurity.partition(".")[2])
    _, steps = shown(example.table, digits)
    assert re.search(rf"= {example.impurity} bit$", steps[0][2])
    asked = next(line for line in steps[0] if line.startswith("▶"))
    assert asked.split()[1] == example.first_query
    words = score(example.table, "--criterion", "entropy", "--digits", str(digits))
    assert f"impurity H = {example.impurity} (entropy)" in words[1]
    assert words[-1] == f"A tree would ask about {example.first_query} first."


@pytest.mark.parametrize(("table", "feature", "gain"), GAINS)
def test_the_gain_of_a_feature_is_shown(table, feature, gain, score):
    digits = len(gain.partition(".")[2])
    _, steps = shown(table, digits)
    assert cells(steps[0], feature)[-1] == ("0" if float(gain) == 0 else gain)
    words = score(table, "--criterion", "entropy", "--digits", str(digits))
    assert cells(["  " + line for line in words], feature)[-1] == gain


@pytest.mark.parametrize(("table", "feature", "n_right"), SCORES)
def test_the_majority_score_of_a_feature_is_shown(table, feature, n_right, score):
    growth, steps = shown(table)
    assert cells(steps[0], feature)[-3] == f"{n_right}/{growth.n_rows}"
    words = score(table, "--criterion", "entropy")
    assert cells(["  " + line for line in words], feature)[-3] == f"{n_right}/{growth.n_rows}"


def test_all_tables_with_majority_scores_are_there():
    assert {table for table, _, _ in MAJORITY_SCORES} <= set(bough.datasets.names())


def test_office_rooms_takes_1_375_questions_and_floor_by_the_tie_rule():
    growth, steps = shown("office_rooms", 3)
    assert "  questions on average = 5/8·1 + 3/8·2 = 1.375" in steps[-1]
    tie = "  tie: floor and department both gain 0.918; floor is the earlier column"
    assert tie in steps[1]
    assert [step.asks.words for step in growth.steps if step.asks] == ["status", "floor"]


def test_play_tennis_asks_outlook_then_humidity_or_wind():
    growth, steps = shown("play_tennis")
    assert {step.condition: step.asks.words for step in growth.steps if step.asks} == {
        "all rows": "outlook",
        "outlook = Rain": "wind",
        "outlook = Sunny": "humidity",
    }
    assert steps[0][1] == "  No █████ 5   Yes █████████ 9      predict Yes, 9/14 right"


def test_one_wrong_day_makes_sunny_ask_temperature():
    growth, _ = shown("play_tennis_d15")
    sunny = next(step for step in growth.steps if step.condition == "outlook = Sunny")
    assert sunny.asks.words == "temperature"


@pytest.mark.parametrize(
    ("feature", "gain"), [("raining", "0.3244"), ("leaving", "0.2516"), ("bringing", "0.9183")]
)
def test_the_gains_below_tired_are_shown(feature, gain, score):
    _, steps = shown("commute")
    assert steps[2][0].startswith("3 of 15 · node #2 · tired = Tired · 9 rows")
    assert cells(steps[2], feature)[-1] == gain
    words = score("commute", "--criterion", "entropy", "--at", "tired = Tired", "--digits", "4")
    assert cells(["  " + line for line in words], feature)[-1] == gain


def test_the_training_errors_of_commute_fall_with_depth():
    growth, steps = shown("commute")
    assert growth.losses == (9, 4, 2, 1, 0)
    assert steps[-1][-1] == (
        "  training errors:  depth 0: 9/16 · depth 1: 4/16 · depth 2: 2/16 · depth 3: 1/16 · "
        "depth 4: 0/16"
    )


def test_with_the_not_tired_branch_cut_the_full_tree_makes_one_error():
    growth, _ = shown("commute")
    cut = growth.steps[1]
    kept = [s for s in growth.steps if s.is_leaf and s.trail[0] == "tired = Tired"]
    assert cut.n_rows - cut.n_right + sum(s.n_rows - s.n_right for s in kept) == 1


def test_error_and_information_differ_on_eight_rows(score):
    growth, _ = shown("eight_rows", criterion="error")
    assert growth.steps[0].n_rows - growth.steps[0].n_right == 2
    _, steps = shown("eight_rows")
    assert cells(steps[0], "x1")[-3:] == ["6/8", "0.8113", "0"]
    assert cells(steps[0], "x2")[-3:] == ["6/8", "0.5000", "0.3113"]
    words = score("eight_rows", "--criterion", "all")
    assert words[4].split() == ["x1", "0.000", "0.000", "0.000", "0.000", "0.000"]
    assert words[5].replace("▶ ", "").split()[1:4] == ["0.311", "0.000", "0.125"]


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_the_pivots_of_seven_numbers_are_shown(criterion, score):
    _, steps = shown("seven_numbers", 3, criterion=criterion)
    line = next(line for line in steps[0] if "each pivot" in line)
    assert re.findall(r"([\d.]+): ", line) == ["1", "5.5", "8", "12.15", "20.15"]
    words = score("seven_numbers", "--criterion", criterion, "--pivots")
    start = words.index("pivot  rows below   gain")
    assert [line.split()[0] for line in words[start + 1 : start + 6]] == [
        "1", "5.5", "8", "12.15", "20.15",
    ]  # fmt: skip


@pytest.mark.parametrize("table", ["and", "or", "xor"])
def test_truth_tables_are_learnt_without_error(table):
    growth, _ = shown(table)
    assert (growth.losses[-1], growth.depth) == (0, 2)


def test_xor_asks_although_the_first_gain_is_0():
    growth, steps = shown("xor")
    assert growth.steps[0].asks.gain == 0
    assert any(line.startswith("  tie: a < 0.5 and b < 0.5 both gain 0;") for line in steps[0])


def test_the_score_of_xor_is_a_tie_of_nothing(score):
    words = score("xor", "--criterion", "entropy")
    assert [cells(["  " + line for line in words], name)[-1] for name in "ab"] == ["0.000"] * 2
    assert any("both gain 0" in line for line in words)


def test_the_answers_about_systems_are_shown(score):
    _, steps = shown("course_ratings", 3)
    lines = [line.split() for line in steps[0]]
    assert ["no", "0", "10", "like", "0", "10/20"] in lines
    assert ["yes", "8", "2", "hate", "0.722", "10/20"] in lines
    words = [line.split() for line in score("course_ratings", "--criterion", "error")]
    assert ["=", "no", "10", "0", "10", "like", "0.000"] in words
    assert ["=", "yes", "10", "8", "2", "hate", "0.200"] in words


def test_systems_tells_most_courses_apart():
    growth, _ = shown("course_ratings", criterion="error")
    systems = next(each for each in growth.steps[0].features if each.feature == "systems")
    counts = {answer.words: answer.counts for answer in systems.best.answers}
    assert growth.classes == ("hate", "like")
    assert counts == {"= no": (0, 10), "= yes": (8, 2)}
    assert growth.losses[0] == 8
