"""Steps at every width, with every kind of table, and as Markdown."""

from functools import cache

import pytest

import bough
from bough.teach import walkthrough
from bough.teach.growth_as_text import in_ascii, markdown, step_lines, text
from bough.teach.step_words import Manners
from bough.text_layout import cells

STEP = """\
step 3 of 15 · node #2 · tired = Tired · 9 rows
  Bike ██ 2   Bus █ 1   Drive ██████ 6      predict Drive, 6/9 right
  H = −2/9 lg 2/9 − 1/9 lg 1/9 − 6/9 lg 6/9 = 0.482 + 0.352 + 0.390 = 1.224 bit

  ask       answer    Bike  Bus  Drive  predict  H      share  right  remainder   gain
  raining                                                        6/9      0.900  0.324
  leaving                                                        6/9      0.973  0.252
▶ bringing                                                       8/9      0.306  0.918
            Backpack     2    1      0  Bike     0.918  3/9
            Both         0    0      4  Drive    0      4/9
            Lunchbox     0    0      2  Drive    0      2/9
  tired     asked already
  remainder = 3/9·0.918 + 4/9·0 + 2/9·0 = 0.306   gain = 1.224 − 0.306 = 0.918
  also:  error bringing 0.222 · gini bringing 0.346 · gain ratio bringing 0.600"""

AT_80 = """\
  ask      answer   Bike Bus Drive predict H     share right remainder  gain
  raining                                                6/9     0.900 0.324
  leaving                                                6/9     0.973 0.252
▶ bringing                                               8/9     0.306 0.918
           Backpack    2   1     0 Bike    0.918 3/9
           Both        0   0     4 Drive   0     4/9
           Lunchbox    0   0     2 Drive   0     2/9
  tired    asked already"""

AT_50 = """\
  raining, right 6/9, remainder 0.900, gain 0.324
  leaving, right 6/9, remainder 0.973, gain 0.252
▶ bringing, right 8/9, remainder 0.306, gain 0.918
    Backpack, Bike 2, Bus 1, Drive 0, predict
      Bike, H 0.918, share 3/9
    Both, Bike 0, Bus 0, Drive 4, predict Drive,
      H 0, share 4/9
    Lunchbox, Bike 0, Bus 0, Drive 2, predict
      Drive, H 0, share 2/9
  tired: asked already"""


@cache
def small_growths():
    tables = ("commute", "office_rooms", "seven_numbers", "play_tennis_d15", "penguins")
    return [walkthrough(bough.datasets.load(table), max_depth=2) for table in tables]


def step(width, place=2, table="commute", **manners):
    growth = walkthrough(bough.datasets.load(table))
    lines = step_lines(growth.steps[place], growth, Manners(**manners), width)
    return "\n".join(line.words for line in lines)


def test_a_step_is_laid_out_as_in_a_book():
    assert step(100) == STEP


def test_columns_move_together_where_there_are_80():
    assert AT_80 in step(80)


def test_below_60_columns_a_step_is_a_list():
    assert AT_50 in step(50)


@pytest.mark.parametrize("width", [36, 45, 60, 72, 80, 100, 140])
@pytest.mark.parametrize(
    "manners", [{}, {"full": True}, {"blank": True}, {"pivots": True}], ids=str
)
def test_no_line_is_wider_than_the_terminal(width, manners):
    for growth in small_growths():
        for each in growth.steps:
            for line in step_lines(each, growth, Manners(**manners), width):
                assert cells(line.words) <= width, line.words


def test_every_answer_is_shown_if_asked_for():
    assert "Not Tired" not in step(100, 0, "commute").split("▶")[0]
    assert "After" in step(100, 0, "commute", full=True)


def test_a_worksheet_has_no_numbers_to_be_worked_out():
    growth = walkthrough(bough.datasets.load("commute"))
    sheet = text(growth, Manners(blank=True), width=100)
    steps = sheet[sheet.index("step 1") :]
    assert "0." not in steps
    assert "▶" not in steps
    assert "= Bus" not in steps
    assert steps.count("Ask: ____") == sum(not each.is_leaf for each in growth.steps)
    assert steps.count("Why? ____") == growth.n_leaves


def test_the_key_has_the_lines_of_the_worksheet():
    growth = walkthrough(bough.datasets.load("office_rooms"))
    sheet = markdown(growth, Manners(blank=True))
    key = markdown(growth, Manners(full=True))
    assert sheet.startswith("# Worksheet: predict recycling\\_bin, by entropy\n")
    assert key.startswith("# Key: predict recycling\\_bin, by entropy\n")
    headings = [line for line in sheet.splitlines() if line.startswith("## step")]
    filled = [line for line in key.splitlines() if line.startswith("## step")]
    assert [line.rpartition(" · ")[0] for line in filled] == headings
    assert len([line for line in key.splitlines() if line.startswith("|")]) == len(
        [line for line in sheet.splitlines() if line.startswith("|")]
    )


def test_hostile_names_break_no_table():
    columns = {"a|b": ["x|y", "z`*", "x|y"], "c\n<b>": ["1|", "2", "2"], "la_bel": ["n", "y", "y"]}
    growth = walkthrough(columns, "la_bel")
    lines = [line for line in markdown(growth).splitlines() if line.startswith("|")]
    counts = {line.replace("\\|", "").count("|") for line in lines}
    assert len(counts) == 1
    assert not any("<b>" in line for line in lines)
    assert "\n<b>" not in text(growth)


def test_ascii_is_enough():
    assert in_ascii(step(100)).isascii()


def test_numbers_are_predicted_by_their_mean_or_median():
    table = {"size": [10, 20, 30, 40], "rent": [100, 200, 300, 700]}
    growth = walkthrough(table, "rent", task="regression", ignore="B103", max_depth=1)
    assert str(growth).startswith(
        """\
step 1 of 3 · node #0 · all rows · 4 rows
  labels 100 200 300 700      predict 325, the mean
  V = mean of the squared distances from the mean 325 = (50625 + 15625 + 625 + 140625) / 4 = 51875

  ask   answer  predict     V  share  remainder   gain
▶ size                                     5000  46875
        < 35    200      6667  3/4
        ≥ 35    700         0  1/4
  remainder = 3/4·6667 + 1/4·0 = 5000   gain = 51875 − 5000 = 46875
  gain at each pivot of size:  15: 16875 · 25: 30625 · 35: 46875
  also:  absolute error size < 35 (125)
"""
    )
