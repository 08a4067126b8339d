"""The lessons: the figures that must come out, and how they are shown."""

import xml.etree.ElementTree as ET

import pytest
from lesson_runs import shown

import bough
from bough.teach import LESSONS, lesson


def test_seven_questions_find_a_number():
    found = shown("number").data
    assert found["entropy"] == {"depth": 7, "questions": 6.72}
    assert found["error"]["depth"] == 99


def test_the_histograms_of_the_courses():
    found = shown("histograms").data
    assert list(found["right"].values()) == [12, 15, 18, 14, 13]
    assert found["n_rows"] == 20


def test_a_quarter_by_three_criteria():
    found = shown("criteria").data
    quarter = next(each for each in found["curves"] if each["p"] == 0.25)
    assert quarter == pytest.approx(
        {"p": 0.25, "error": 0.25, "gini": 0.375, "entropy": 0.8113}, abs=1e-4
    )
    assert found["eight_rows"]["wrong"] == {"x1": 2, "x2": 2}
    assert found["eight_rows"]["gain"] == pytest.approx({"x1": 0, "x2": 0.3113}, abs=1e-4)


def test_the_order_of_questions():
    ways = shown("order").data["ways"]
    assert [(each["questions"], each["wrong"]) for each in ways] == [
        (1.375, 0),
        (2.25, 0),
        (2, 2),
        (2.875, 2),
        (3, 2),
    ]


def test_the_number_of_trees():
    found = shown("trees").data
    assert found["orders"] == [1, 2, 12, 576, 1_658_880]
    assert found["chosen"] == 5
    assert found["by_chance"] == pytest.approx(10, abs=0.5)


def test_guessing_80_to_20():
    assert list(shown("guessing").data["wrong"].values()) == pytest.approx([0.5, 0.32, 0.2])


def test_each_loss_has_its_own_centre():
    found = shown("losses").data
    for loss, best in (("zero/one", "mode"), ("absolute", "median"), ("squared", "mean")):
        least = min(found["loss"], key=lambda name: found["loss"][name][loss])
        assert least == best


def test_contradicting_rows_leave_a_floor():
    found = shown("features").data
    assert (found["floor"], found["n_rows"]) == (4, 14)
    tennis = bough.datasets.load("play_tennis")
    grown = bough.teach.walkthrough(tennis, ignore="outlook")
    assert grown.losses[-1] == 4


def test_the_empty_and_the_full_tree():
    found = shown("extremes").data
    assert found["wrong"] == {"empty": 8, "full": 0}
    assert found["on_new_rows"] == pytest.approx({"empty": 0.4, "full": 0.45})


@pytest.mark.parametrize("name", ["histograms", "extremes"])
def test_some_lessons_take_another_table(name):
    found = lesson(name, bough.datasets.load("commute"))
    assert found.data["n_rows"] == 16
    with pytest.raises(bough.ParameterError, match="it needs a target with classes"):
        lesson(name, {"a": [1, 2, 3], "y": [1.5, 2.5, 9.0]}, "y")


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_has_all_its_parts(name):
    found = shown(name)
    assert found.name == name
    assert found.sentence.endswith(".")
    assert found.question.endswith("?")
    assert found.answer.endswith(".")
    assert all(len(row) == len(found.columns) for row in found.rows)
    assert str(found).splitlines()[0] == found.title
    assert ET.fromstring(found.picture.svg()).tag.endswith("svg")
    assert found.as_dict()["data"] == found.data
    for width in (40, 80):
        assert max(map(len, found.lines(width))) <= width


def test_other_names_and_other_tables_are_refused():
    with pytest.raises(bough.ParameterError) as error:
        lesson("nubmer")
    assert str(error.value) == (
        "There is no lesson 'nubmer'. Did you mean 'number'? Known: number, histograms, criteria, "
        "order, trees, guessing, losses, features, extremes, parity, bias, circle, depth, noise, "
        "coincidence, expected, peek, rows, refit, prune, shift, dialogue."
    )
    with pytest.raises(bough.ParameterError) as error:
        lesson("order", bough.datasets.load("commute"))
    assert str(error.value) == (
        "The lesson 'order' has its own table. Lessons that take another one: histograms, extremes, "
        "depth, peek, rows, refit, prune, shift, dialogue."
    )
