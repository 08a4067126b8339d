"""The tree as indented text."""

import re
from dataclasses import replace

import handmade
import hard_trees
import numpy as np
import pytest

import bough
from bough import DecisionTreeClassifier
from bough.drawing.text import text
from bough.errors import ParameterError
from bough.query_kinds import Below, EachValue
from bough.schema import Feature, Kind, Label, Schema
from bough.text_layout import cells

ANSI = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("name", handmade.TREES)
def test_the_text_is_the_golden_one(name, golden):
    golden(f"{name}.txt", (text(handmade.TREES[name]()) + "\n").encode())


@pytest.mark.parametrize("name", handmade.TREES)
def test_the_text_in_ascii_is_the_golden_one(name, golden):
    golden(f"{name}.ascii.txt", (text(handmade.TREES[name](), ascii=True) + "\n").encode())


def test_the_text_in_color_is_the_golden_one(golden):
    golden("play_tennis.color.txt", (text(handmade.play_tennis(), color=True) + "\n").encode())


def test_text_in_ascii_has_no_other_sign(tree):
    assert text(tree, ascii=True).isascii()


def test_every_node_has_a_line(tree):
    assert len(text(tree).split("\n")) == len(tree) + 2


def test_no_line_ends_with_a_blank(tree):
    assert not re.search(r" $", text(tree), re.MULTILINE)


@pytest.mark.parametrize("ascii", [True, False])
def test_colors_change_no_sign_of_the_table(tree, ascii):  # noqa: A002
    assert ANSI.sub("", text(tree, ascii=ascii, color=True)) == text(tree, ascii=ascii)


def test_only_colors_are_escape_sequences():
    assert "\x1b" not in ANSI.sub("", text(handmade.awkward_names(), color=True))


def test_bars_stand_in_one_column():
    lines = text(handmade.missing_values()).split("\n")[:-2]
    assert {re.search("[█░]", line).start() for line in lines} == {36}


def test_every_bar_is_whole(tree):
    lines = text(tree, ascii=True).split("\n")[:-2]
    bars = [bar for line in lines for bar in re.findall(r"  ([#.o]{12})  ", line)]
    has_bars = tree.schema.has_classes and len(tree.schema.labels) == 1
    assert len(bars) == (len(tree) if has_bars else 0)


def test_nodes_below_the_depth_asked_for_are_left_out():
    assert text(handmade.play_tennis(), max_depth=1) == (
        "all rows                ████░░░░░░░░  14\n"
        "├── outlook = Overcast  ░░░░░░░░░░░░   4  → Yes  100 %\n"
        "├── outlook = Rain      █████░░░░░░░   5  → Yes   60 %  … 2 more\n"
        "└── outlook = Sunny     ███████░░░░░   5  → No    60 %  … 2 more\n"
        "\n"
        "█ No  ░ Yes   bars: share of each class · number: rows · …: not drawn"
    )


def test_the_width_asked_for_shortens_names_and_then_answers():
    assert text(handmade.play_tennis(), width=32) == (
        "all rows        14\n"
        "├ ou…k = Over…   4  → Yes  100 %\n"
        "├ ou…k = Rain    5\n"
        "│ ├ wi… = Str…   2  → No   100 %\n"
        "│ └ wi… = Weak   3  → Yes  100 %\n"
        "└ ou…k = Sunny   5\n"
        "  ├ hu… = High   3  → No   100 %\n"
        "  └ hu… = Nor…   2  → Yes  100 %\n"
        "\n"
        "number: rows"
    )


@pytest.mark.parametrize("width", [60, 80, 100])
def test_lines_are_no_wider_than_asked_for(tree, width):
    assert max(cells(line) for line in text(tree, width=width).split("\n")[:-2]) <= width


@pytest.mark.parametrize("width", range(31, 45))
def test_lines_of_a_folded_ranking_are_no_wider_than_asked_for(width):
    lines = text(handmade.ranked(), max_depth=1, width=width).split("\n")
    assert max(map(cells, lines[: lines.index("")])) <= width


def test_the_narrowest_table_is_still_drawn(tree):
    assert text(tree, width=1).split("\n").index("") == len(tree)


def test_no_more_lines_are_drawn_than_asked_for():
    assert text(handmade.missing_values(), max_nodes=5) == (
        "all rows                   █████░░░░░░░  15\n"
        "├── age < 10.5             █████░░░░░░░   5  → survived  60 %  … 3 more\n"
        "└── age ≥ 10.5 or missing  █████░░░░░░░  10\n"
        "    ├── deck is missing    ███████░░░░░   5  → died      60 %  … 2 more\n"
        "    └── deck is known      ██░░░░░░░░░░   5  → survived  80 %  … 2 more\n"
        "\n"
        "█ died  ░ survived   bars: share of each class · number: rows · …: not drawn"
    )


def test_answers_that_are_not_drawn_are_counted():
    lines = text(hard_trees.each_value(100), max_nodes=8).split("\n")
    assert lines[-4:-2] == [
        "├── city = city number 95  █████░░░░░░░     29  → yes  55 %",
        "└── … 94 more answers                    1,279",
    ]


def test_nodes_are_numbered_if_asked_for():
    assert text(handmade.play_tennis(), max_depth=1, ids=True) == (
        "#0  all rows                ████░░░░░░░░  14\n"
        "#1  ├── outlook = Overcast  ░░░░░░░░░░░░   4  → Yes  100 %\n"
        "#2  ├── outlook = Rain      █████░░░░░░░   5  → Yes   60 %  … 2 more\n"
        "#3  └── outlook = Sunny     ███████░░░░░   5  → No    60 %  … 2 more\n"
        "\n"
        "█ No  ░ Yes   bars: share of each class · number: rows · #: node · …: not drawn"
    )


def test_the_legend_breaks_between_classes():
    legend = text(hard_trees.classes(19), max_depth=0, width=60).split("\n")[2:]
    assert max(map(cells, legend)) <= 60
    assert all(re.fullmatch(r"(. [^█░▓▒▚▞▌▀]+)+", line) for line in legend[:-1])


def test_numbers_have_the_digits_asked_for():
    lines = text(handmade.one_of(), digits=5).split("\n")
    assert lines[2] == "│   ├── rooms < 3.5               2  → 300.25    ± 9.75"


def test_a_spread_beyond_all_numbers_is_left_out():
    tree = replace(handmade.one_of(), impurity=np.full(5, np.finfo(float).max))
    assert text(tree).split("\n")[4] == '└── quarter = Docks, "Mill, old"  3  → 157'


def test_guide_lines_are_counted_where_a_tree_is_deep():
    lines = text(handmade.chain(40)).split("\n")
    assert lines[-4].startswith("…7" + " " * 129 + "├── x < 39.5")


def test_lines_of_a_deep_tree_stay_short():
    lines = text(handmade.chain(2000), width=100).split("\n")[:-2]
    assert max(map(cells, lines)) <= 100


def test_more_classes_than_fills_share_the_last_one():
    classes = tuple(f"class {number}" for number in range(12))
    schema = Schema((), (), (Label("y", classes, "<U8"),))
    labels = [number for number in range(12) for _ in range(number + 1)]
    drawn = text(handmade.make_tree(schema, handmade.leaf(*labels)), ascii=True)
    assert drawn == (
        "all rows  #.o++x==%%@@  78  -> class 11  15 %\n\n"
        "# class 5  . class 6  o class 7  + class 8  x class 9  = class 10  % class 11  @ 5 others"
        "   bars: share of each class - number: rows"
    )


def test_wide_signs_take_two_columns():
    name = handmade.choice("数", "二", "a")
    schema = Schema(("数",), (name,), (Label("y", (0, 1), "int64"),))
    tree = handmade.make_tree(
        schema,
        handmade.branch(EachValue(name, (0, 1)), handmade.leaf(0), handmade.leaf(1)),
    )
    assert text(tree).split("\n")[:3] == [
        "all rows     ██████░░░░░░  2",
        "├── 数 = 二  ████████████  1  → 0  100 %",
        "└── 数 = a   ░░░░░░░░░░░░  1  → 1  100 %",
    ]


def test_a_long_name_is_shortened():
    name = Feature("x" * 1000, Kind.NUMBER, 0)
    schema = Schema((name.name,), (name,), (Label("y" * 1000, ("n" * 1000, "o"), "<U1000"),))
    tree = handmade.make_tree(
        schema, handmade.branch(Below(name, 0.5), handmade.leaf(0), handmade.leaf(1))
    )
    assert max(map(len, text(tree).split("\n"))) < 300


def test_rows_are_counted_in_thousands():
    tree = handmade.one_leaf()
    many = replace(tree, n_rows=np.array([1_234_567]))
    assert text(many, ascii=True).startswith("all rows  ####........  1,234,567  -> Yes  67 %")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"max_depth": -1}, "max_depth=-1 must be a whole number, 0 or more."),
        ({"max_depth": 1.5}, "max_depth=1.5 must be a whole number, 0 or more."),
        ({"width": 0}, "width=0 must be a whole number, 1 or more."),
        ({"digits": 0}, "digits=0 must be a whole number, 1 or more."),
        ({"digits": None}, "digits=None must be a whole number, 1 or more."),
        ({"digits": True}, "digits=True must be a whole number, 1 or more."),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(options, says):
    with pytest.raises(ParameterError) as error:
        text(handmade.one_leaf(), **options)
    assert str(error.value) == says


def test_pivots_close_together_have_as_many_digits_as_tell_them_apart():
    X = 1 + np.arange(6)[:, None] * 1e-5
    drawn = bough.draw(DecisionTreeClassifier().fit(X, [0, 1, 0, 1, 0, 1]))
    shown = [line.split("≥ ")[1].split()[0] for line in drawn.splitlines() if "≥" in line]
    assert shown == ["1.000005", "1.000015", "1.000025", "1.000035", "1.000045"]


def test_on_a_narrow_screen_answers_still_tell_siblings_apart():
    lines = text(handmade.play_tennis(), width=32).split("\n")
    assert [line[:14] for line in lines[3:5]] == ["│ ├ wi… = Str…", "│ └ wi… = Weak"]


def test_long_guesses_leave_room_for_questions_on_a_narrow_screen():
    lines = text(hard_trees.classes(19), max_nodes=9, width=60).split("\n")
    lines = lines[: lines.index("")]
    assert max(map(cells, lines)) <= 60
    assert "→ class numbe…" in lines[1]


def test_a_deep_tree_gets_short_guide_lines_before_they_are_counted():
    lines = text(handmade.chain(9), width=80).split("\n")
    assert lines[-3].startswith(" " * 16 + "└ x ≥ 8.5")


def test_numbers_are_told_of_branches_too():
    lines = text(handmade.one_of()).split("\n")
    assert lines[:2] == [
        "all rows                          6    245  ± 95.5",
        "├── quarter = Centre, Hill        3    334  ± 48.7",
    ]


def test_numbers_are_not_shortened_on_a_narrow_screen():
    assert "→ 300.25 " in text(handmade.one_of(), digits=5, width=20)


def test_the_legend_breaks_between_its_parts():
    assert text(handmade.ranked(), width=60).split("\n")[-2:] == [
        "number: rows · score: mean gain above the group's",
        "higher scores rank first",
    ]


def test_the_legend_says_that_guesses_have_costs():
    assert text(handmade.costs()).endswith(" · prediction: the class that costs least")


@pytest.mark.parametrize(("width", "cells"), [(60, 12), (50, 6), (35, 0)])
def test_a_narrow_screen_gets_short_bars(play_tennis_tree, width, cells):
    first, *_ = text(play_tennis_tree, width=width).splitlines()
    assert first.count("█") + first.count("░") == cells


def test_without_bars_the_legend_does_not_speak_of_them(play_tennis_tree):
    assert text(play_tennis_tree, width=35).splitlines()[-1] == "number: rows"


def test_guide_lines_are_short_before_names_are():
    rows = np.arange(2**6)
    table = {f"f{100 + bit}": rows >> bit & 1 for bit in range(6)}
    lines = bough.draw(DecisionTreeClassifier().fit(table, rows % 5), width=56).splitlines()
    assert len(lines) > 60
    assert not any("…" in line for line in lines)
