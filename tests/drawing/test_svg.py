"""The picture of a tree: what is in it, where, and that any program can read it."""

import re
from dataclasses import replace
from itertools import combinations

import handmade
import hard_trees
import numpy as np
import pytest
from pictures import SVG, box_of, nodes, parsed, shape, words_of

import bough
from bough.drawing import draw
from bough.drawing.svg import on_paper, svg
from bough.drawing.svg.elements import text_width
from bough.errors import ParameterError
from bough.query_kinds import OneOf
from bough.schema import Label, Schema
from bough.walk import depths

WIDEST = 930  # as the page has it
PLAIN = {
    *("class", "d", "data-child", "data-folded", "data-more", "data-node", "data-parent"),
    *("direction", "fill", "font-family", "font-size", "font-weight", "height", "role", "rx"),
    *("stroke", "stroke-dasharray", "stroke-width", "text-anchor", "transform", "viewBox"),
    *("width", "x", "y"),
}


@pytest.fixture(params=list(hard_trees.TREES))
def hard_tree(request):
    return hard_trees.TREES[request.param]()


@pytest.mark.parametrize("name", ["play_tennis", "one_of"])
def test_the_picture_is_the_golden_one(name, golden):
    golden(f"{name}.svg", (svg(handmade.TREES[name]()) + "\n").encode())


def test_draw_gives_the_picture():
    tree = handmade.play_tennis()
    assert draw(tree, "svg", theme="dark") == svg(tree, theme="dark")


def test_the_same_tree_gives_the_same_bytes(hard_tree):
    assert svg(hard_tree) == svg(replace(hard_tree))


def test_every_node_has_a_box(hard_tree):
    ids = [number for number, _ in nodes(svg(hard_tree, max_nodes=None))]
    assert sorted(map(int, ids)) == list(range(len(hard_tree)))


def test_every_node_but_the_root_has_a_line(hard_tree):
    lines = [each.get("data-child") for each in parsed(svg(hard_tree, max_nodes=None)).iter()]
    found = sorted(int(child) for child in lines if child is not None)
    assert found == list(range(1, len(hard_tree)))


@pytest.mark.parametrize("max_nodes", [40, None])
def test_no_two_boxes_meet(hard_tree, max_nodes):
    boxes = [box_of(group) for _, group in nodes(svg(hard_tree, max_nodes=max_nodes))]
    assert not [pair for pair in combinations(boxes, 2) if pair[0].meets(pair[1])]


def test_words_stay_in_their_box(hard_tree):
    for _, group in nodes(svg(hard_tree)):
        inside, _ = words_of(group)
        assert [words for words, room in inside if not box_of(group).holds(room)] == []


def test_words_of_a_box_do_not_meet(hard_tree):
    for _, group in nodes(svg(hard_tree)):
        inside, _ = words_of(group)
        rooms = [room for _, room in inside]
        assert not [pair for pair in combinations(rooms, 2) if pair[0].meets(pair[1])]


def paper(tree):
    return on_paper(tree, WIDEST, max_nodes=31, digits=3)[0]


@pytest.mark.parametrize("draws", [svg, paper])
def test_answers_meet_neither_boxes_nor_each_other(hard_tree, draws):
    groups = [group for _, group in nodes(draws(hard_tree))]
    answers = [room for group in groups for _, room in words_of(group)[1]]
    boxes = [box_of(group) for group in groups]
    assert not [answer for answer in answers for box in boxes if answer.meets(box)]
    assert not [pair for pair in combinations(answers, 2) if pair[0].meets(pair[1])]


@pytest.mark.parametrize("draws", [svg, paper])
def test_all_is_inside_the_picture(hard_tree, draws):
    picture = draws(hard_tree)
    root = parsed(picture)
    width, height = float(root.get("width")), float(root.get("height"))
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    for _, group in nodes(picture):
        box = box_of(group)
        assert box.left >= 0
        margins = 32 - 0.2  # of both sides, less what is lost by rounding
        assert box.right <= width - margins
        assert box.bottom <= height - margins


def test_a_tree_of_seven_leaves_is_whole_on_paper():
    rng = np.random.default_rng(0)
    table = {name: rng.normal(size=900).round(2) for name in ("passenger_age", "class", "fare")}
    above = np.array([column > 0 for column in table.values()])
    table["label"] = above.T @ [4, 2, 1]
    tree = bough.fit(table, "label", task="classification", max_leaves=7).grown_tree_
    picture, n_drawn = on_paper(tree, WIDEST, max_nodes=31, digits=3)
    root = parsed(picture)
    assert len(tree) == n_drawn >= 11
    assert depths(tree).max() == 3
    assert float(root.get("width")) <= WIDEST
    heads = [each.text for each in root.iter(f"{SVG}text") if each.get("class") == "name"]
    assert "passenger_age ?" in heads


def test_only_plain_attributes_are_used(hard_tree):
    used = {name for each in parsed(svg(hard_tree)).iter() for name in each.attrib}
    assert used <= PLAIN


def test_only_shapes_and_words_are_used(hard_tree):
    tags = {each.tag.removeprefix(SVG) for each in parsed(svg(hard_tree)).iter()}
    assert tags <= {"svg", "title", "desc", "g", "rect", "path", "text"}


@pytest.mark.parametrize("name", hard_trees.HOSTILE, ids=lambda name: ascii(name[:20]))
def test_a_name_changes_no_element(name):
    with_it, without = (svg(hard_trees.with_names(each), legend=False) for each in (name, "n" * 9))
    # How many counts there is room for depends on their length, and so does the number of lines.
    lengths = {"text", "path"}
    assert _without(lengths, shape(parsed(with_it))) == _without(lengths, shape(parsed(without)))


def _without(tags, found):
    tag, kind, inner = found
    return tag, kind, [_without(tags, each) for each in inner if each[0] not in tags]


def test_signs_that_cannot_be_seen_are_shown_as_escapes():
    picture = svg(hard_trees.with_names("a\nb\x1b\u202e"))
    assert r"a\nb\x1b\u202e" in picture
    assert not re.search("[\x00-\x1f\u202e]", picture.replace("\n", ""))


def test_names_read_from_right_to_left_are_isolated():
    picture = svg(hard_trees.with_names("שם"))
    assert "\u2068שם 1\u2069 ?" in picture


def test_a_count_stays_apart_from_a_name_that_is_read_from_right_to_left():
    assert ">3 \u2068שם yes\u2069<" in svg(hard_trees.with_names("שם"))


def test_other_names_are_not_isolated():
    assert "\u2068" not in svg(hard_trees.with_names("größe 数"))


def test_a_branch_says_what_it_asks():
    assert _words(svg(handmade.play_tennis()), 2) == ["= Rain", "wind ?", "n 5", "2 No", "3 Yes"]


def test_a_leaf_says_what_it_guesses():
    assert _words(svg(handmade.play_tennis()), 1) == ["= Overcast", "Yes · 100 %", "n 4", "4 Yes"]


def test_a_branch_of_a_regression_says_its_guess_below():
    assert _words(svg(handmade.one_of()), 1) == ["= Centre, Hill", "rooms ?", "n 3", "334 ± 48.7"]


def test_a_leaf_of_a_regression_says_its_guess_and_spread():
    assert _words(svg(handmade.one_of()), 3) == ["< 3.5", "300 ± 9.75", "n 2"]


def test_a_leaf_of_a_ranking_says_its_score():
    assert _words(svg(handmade.ranked()), 3) == ["= new", "score +1.75", "n 2"]


@pytest.mark.parametrize("digits", [3, 17])
def test_numbers_are_never_shortened(digits):
    tree = handmade.one_of()
    tree = replace(tree, guess=tree.guess * np.pi * 1e8, n_rows=tree.n_rows * 20_000_000)
    for _, group in nodes(svg(tree, digits=digits, ids=True)):
        inside, _ = words_of(group)
        assert not [words for words, _ in inside if "…" in words]
        assert all(box_of(group).holds(room) for _, room in inside)


def test_a_tree_with_several_labels_says_all_guesses():
    assert _words(svg(handmade.two_outputs()), 1) == ["< 0.5", "0, a", "n 2"]


def test_a_folded_branch_says_what_it_guesses_and_how_many_nodes_are_not_drawn():
    words = _words(svg(handmade.play_tennis(), max_depth=1), 2)
    assert words == ["= Rain", "Yes · 60 %", "n 5", "2 No", "3 Yes", "… 2 more"]


def test_answers_that_are_not_drawn_are_counted():
    (stub,) = [group for number, group in nodes(svg(hard_trees.each_value(100))) if number is None]
    assert [text.text for text in stub.iter(f"{SVG}text")] == ["… 90 more answers", "n 1,170"]


def test_nodes_are_numbered_if_asked_for():
    assert _words(svg(handmade.play_tennis(), ids=True), 1)[2] == "#1 · n 4"


def test_a_count_of_a_class_that_is_a_number_cannot_be_misread():
    assert _words(svg(handmade.chain(1)), 1) == ["< 0.5", "1 · 100 %", "n 1", "1: 1"]


def test_weights_that_are_no_whole_numbers_are_rounded():
    tree = handmade.one_leaf()
    tree = replace(tree, tally=tree.tally * 1.23456)
    assert _words(svg(tree), 0) == ["Yes · 67 %", "n 3", "1.23 No", "2.47 Yes"]


def _words(picture, node):
    (group,) = [group for number, group in nodes(picture) if number == str(node)]
    inside, before = words_of(group)
    return [words for words, _ in before + inside]


def test_a_long_answer_is_told_in_full_to_who_points_at_it():
    picture = svg(hard_trees.one_of(60))
    (group,) = [group for number, group in nodes(picture) if number == "1"]
    title = group.find(f"{SVG}title").text.splitlines()[0]
    assert title == "work = " + ", ".join(f"occupation {number}" for number in range(0, 60, 2))


def test_a_long_answer_still_says_that_missing_values_belong_to_it():
    work = handmade.choice("work", *(f"occupation {number}" for number in range(9)))
    schema = Schema(("work",), (work,), (Label("pay", (0, 1), "int64"),))
    sides = (0,), tuple(range(1, 9))
    leaves = handmade.leaf(0), handmade.leaf(1, 1)
    tree = handmade.make_tree(schema, handmade.branch(OneOf(work, *sides, missing=1), *leaves))
    assert _words(svg(tree), 2)[:2] == ["= occupation 1,", "occupati… or missing"]


def test_the_counts_of_many_classes_are_told_to_who_points_at_them():
    picture = svg(hard_trees.classes(19), max_depth=0)
    lines = nodes(picture)[0][1].find(f"{SVG}title").text.splitlines()
    assert lines[-1] == "and 7 more classes"
    assert len(lines) == 2 + 12 + 1


def test_the_picture_has_a_title_and_a_description():
    root = parsed(svg(handmade.play_tennis(), max_depth=1))
    assert root.get("role") == "img"
    assert root[0].text == "Decision tree for play"
    assert root[1].text == "5 leaves, depth 2, grown from 14 rows. 4 of 8 nodes are drawn."


def test_the_legend_names_classes_and_signs():
    legend = _legend(svg(handmade.play_tennis()))
    assert legend == ["No", "Yes", "bar: share of each class · n: rows · line width: rows"]


def test_the_legend_counts_classes_without_a_colour():
    assert "12 others" in _legend(svg(hard_trees.classes(19)))


def test_the_legend_of_a_regression_gives_the_ends_of_the_axis():
    assert _legend(svg(handmade.one_of())) == [
        "columns: rows by prediction, from 147 to 402 · line: prediction ± spread · n: rows · "
        "line width: rows"
    ]


def test_the_legend_of_a_ranking_says_what_a_score_is():
    assert " · ".join(_legend(svg(handmade.ranked()))) == (
        "columns: rows by score, from -0.75 to 1.75 · mark: score · "
        "score: mean gain above the group's · higher scores rank first · n: rows · "
        "line width: rows"
    )


def test_the_legend_says_that_guesses_have_costs():
    assert "prediction: the class that costs least" in _legend(svg(handmade.costs()))[-1]


@pytest.mark.parametrize("make", [handmade.one_of, handmade.ranked, handmade.costs])
def test_the_legend_is_inside_the_picture(make):
    root = parsed(svg(make(), max_depth=0))
    (legend,) = [each for each in root.iter() if each.get("class") == "legend"]
    for words in legend.iter(f"{SVG}text"):
        right = float(words.get("x")) + text_width(words.text, 12)
        assert right <= float(root.get("width")) - 32


def test_the_legend_can_be_left_out():
    assert 'class="legend"' not in svg(handmade.play_tennis(), legend=False)


def _legend(picture):
    (legend,) = [each for each in parsed(picture).iter() if each.get("class") == "legend"]
    return [each.text for each in legend.iter(f"{SVG}text")]


def test_lines_are_as_wide_as_their_rows():
    lines = [each for each in parsed(svg(handmade.play_tennis())).iter() if each.get("data-child")]
    widths = {each.get("data-child"): float(each.get("stroke-width")) for each in lines}
    assert (widths["1"], widths["2"]) == (
        pytest.approx(16 * 4 / 14, abs=0.05),
        pytest.approx(16 * 5 / 14, abs=0.05),
    )


def test_the_thinnest_line_can_be_seen():
    lines = [each for each in parsed(svg(handmade.chain(30))).iter() if each.get("data-child")]
    assert min(float(each.get("stroke-width")) for each in lines) == 1.5


def test_bars_are_as_long_as_the_shares_of_their_classes():
    (_, root) = nodes(svg(handmade.play_tennis()))[0]
    bars = [each.get("d") for each in root.iter(f"{SVG}path")]
    assert bars == ["M12 34h45.7v12h-45.7M12 54h8v8h-8", "M57.7 34h82.3v12h-82.3M62.1 54h8v8h-8"]


def test_labels_beyond_all_numbers_are_drawn():
    tree = handmade.one_of()
    largest = np.finfo(float).max
    guess = np.array([[0], [largest], [-largest], [largest / 2], [1]], float)
    assert len(nodes(svg(replace(tree, guess=guess)))) == 5


def test_dark_differs_from_light_in_colours_alone():
    light, dark = (
        re.sub("#[0-9a-f]{6}", "#", svg(handmade.one_of(), theme=theme))
        for theme in ("light", "dark")
    )
    assert light == dark


def test_a_tree_of_a_hundred_thousand_nodes_is_drawn_folded():
    assert len(svg(handmade.chain(50_000))) < 60_000


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"max_depth": -1}, "max_depth=-1 must be a whole number, 0 or more."),
        ({"max_nodes": 0}, "max_nodes=0 must be a whole number, 1 or more."),
        ({"digits": None}, "digits=None must be a whole number, 1 or more."),
        (
            {"theme": "drak"},
            "theme='drak' is not known. Did you mean 'dark'? Known: 'light' and 'dark'.",
        ),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(options, says):
    with pytest.raises(ParameterError) as error:
        svg(handmade.one_leaf(), **options)
    assert str(error.value) == says
