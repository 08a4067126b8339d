"""The lessons that grow many trees: the figures that must come out, from fixed seeds."""

from itertools import pairwise

import numpy as np
import pytest
from lesson_runs import shown

import bough
from bough.predict import stops
from bough.teach import lesson
from bough.teach.lessons.lesson_parts import (
    circle_rows,
    made_rows,
    tree_from,
    wrong,
    wrong_at_depths,
)
from bough.teach.lessons.overfitting import best_stump

ROUNDED = 0.05  # a figure of one decimal


def test_a_tree_cut_at_a_depth_is_the_tree_grown_to_it():
    chance = np.random.default_rng(5)
    rows, new = (circle_rows(chance, 200, label_noise=0.2) for _ in range(2))
    found = wrong_at_depths(tree_from(rows), new, 30)
    assert found[:6].tolist() == [wrong(tree_from(rows, max_depth=d), new) for d in range(6)]
    assert found[30] == wrong(tree_from(rows), new)


def test_the_circle_has_half_of_the_square_and_its_noise():
    chance = np.random.default_rng(0)
    assert circle_rows(chance, 20_000).answers.mean() == pytest.approx(0.5, abs=0.01)
    noisy = circle_rows(chance, 20_000, label_noise=0.2)
    inside = (np.array(noisy.table.values) ** 2).sum(axis=0) < 2 / np.pi
    assert np.mean(inside != noisy.answers) == pytest.approx(0.2, abs=0.01)
    assert made_rows([[1.0], [2.0]], [0, 1]).labels.labels[0].classes == (0, 1)


def test_parity_is_learnt_ever_worse():
    found = shown("parity").data
    assert list(found["wrong"]) == [1, 2, 3, 4, 5, 10]
    wrongs = list(found["wrong"].values())
    assert wrongs[0] == 0
    assert all(less < more for less, more in pairwise(wrongs))
    assert abs(wrongs[-1] - 0.5) <= 2 * found["wrong_error"][10]


def test_three_trees_without_an_error_disagree():
    found = shown("bias").data
    assert found["training_errors"] == {"feet": 0, "beak": 0, "nest": 0}
    assert found["disagree"] == 6
    assert found["agree"]["feet and beak"] == 2


def test_regions_square_the_circle():
    found = shown("circle")
    regions, wrongs = (list(found.data[name].values()) for name in ("regions", "wrong"))
    assert all(fewer < more for fewer, more in pairwise(regions))
    assert all(more > less for more, less in pairwise(wrongs))
    assert wrongs[-1] < 0.05
    lines = found.picture.lines()
    assert len(lines) == 1 + 1 + 12
    assert found.picture.lines(40)[2:14] == [line[:24].rstrip() for line in lines[2:]]
    assert {len(row) for panel in found.picture.panels for row in panel.cells} == {24}


def test_the_error_on_new_rows_turns():
    found = shown("depth").data
    training, new = found["training"], found["new_rows"]
    assert all(more > less for more, less in pairwise(training))
    assert found["mean_best_depth"] == pytest.approx(5, abs=1)
    best = found["best_depth"]
    assert new[best] == min(new)
    assert all(less < more for less, more in pairwise(new[best:]))


def test_the_best_depth_stands_noise_better():
    found = shown("noise").data
    assert list(found["wrong"])[:5] == [f"{p} % of labels" for p in (0, 5, 10, 20, 30)]
    labels = list(found["wrong"].values())[:5]
    for name in ("full", "best"):
        assert all(less[name] < more[name] for less, more in pairwise(labels))
    assert all(each["full"] - each["best"] > 0.01 for each in labels[1:])
    for each, share in zip(labels, (0, 0.05, 0.1, 0.2, 0.3), strict=True):
        assert each["full"] == pytest.approx(share, abs=0.05)
    assert found["wrong"]["numbers by ±0.2"]["full"] > found["wrong"]["numbers by ±0.05"]["full"]
    assert found["leaves"]["play_tennis"] == 5
    walked = bough.teach.walkthrough(bough.datasets.load("play_tennis_d15"))
    assert found["leaves"]["play_tennis_d15"] == walked.n_leaves > 5


def test_the_best_of_many_questions_fits_by_coincidence():
    found = shown("coincidence").data
    for n_columns, right in {1: 12.5, 10: 14.2, 100: 15.9, 1000: 17.2}.items():
        off = abs(found["right"][n_columns] - right)
        assert off <= 2 * found["right_error"][n_columns] + ROUNDED
        on_new = abs(found["right_of_new"][n_columns] - 10)
        assert on_new <= 2 * found["right_of_new_error"][n_columns]


def test_the_best_of_many_questions_is_the_one_a_tree_asks():
    chance = np.random.default_rng(3)
    for _ in range(150):
        n_rows, n_columns = chance.integers(3, 12), chance.integers(1, 30)
        bits, labels = chance.integers(0, 2, (n_rows, n_columns)), chance.integers(0, 2, n_rows)
        tree = tree_from(made_rows(bits, labels), criterion="error", max_depth=1)
        column, guesses = best_stump(bits, labels)
        if len(tree) > 1:
            assert column == tree.feature[0]
        new = chance.integers(0, 2, (20, n_columns))
        nodes = stops(tree, made_rows(new, np.zeros(20)).table)
        assert (guesses[new[:, column]] == tree.class_guess[nodes, 0]).all()


def test_training_error_is_the_expected_loss_under_the_sample():
    found = shown("expected").data
    assert found["bayes_error"] == pytest.approx(0.15)
    assert found["under_the_sample"] == pytest.approx(found["training"])
    assert min(found["expected"]) >= found["bayes_error"] - 1e-12
    assert all(more >= less for more, less in pairwise(found["training"]))
    assert found["expected"][-1] > min(found["expected"])


def test_rows_that_have_chosen_flatter_the_tree():
    found = shown("peek").data
    off, error = found["difference"], found["difference_error"]
    for way in ("training rows", "development rows", "test rows"):
        assert off[way] < -2 * error[way]
    assert abs(off["development, test"]) <= 2 * error["development, test"]
    assert found["seeds"] == 50


def test_more_rows_help():
    found = shown("rows").data
    wrongs = list(found["wrong"].values())
    assert list(found["wrong"]) == [22, 43, 86, 172]
    assert all(more > less for more, less in pairwise(wrongs))
    assert set(found["training"].values()) == {0}


def test_learning_again_from_development_rows_helps():
    found = shown("refit").data
    assert found["saved"] == pytest.approx(found["before"] - found["after"])
    assert found["saved"] > 2 * found["saved_error"]


def test_pruned_trees_are_smaller_and_no_worse():
    found = shown("prune").data
    full, pessimistic, by_dev = found["leaves"].values()
    assert full > pessimistic > by_dev
    wrongs = found["wrong"]
    assert wrongs["full tree"] > max(wrongs["pessimistic"], wrongs["by development rows"])


def test_rows_of_another_kind_are_predicted_worse():
    found = shown("shift").data
    assert found["column"] == "island"
    assert found["shifted"] > found["usual"] + 0.3
    assert all(shifted >= usual for usual, shifted in found["wrong"].values())


def test_a_number_parts_the_rows_where_no_category_does():
    columns = {"a": [n // 2 / 4 for n in range(40)], "b": [0, 1, 2, 3] * 10, "y": ["u", "v"] * 20}
    found = lesson("shift", columns, "y").data
    assert list(found["wrong"]) == ["low a", "high a"]
    del columns["b"]
    with pytest.raises(bough.ParameterError, match="sets the column a aside"):
        lesson("shift", columns, "y")


def test_the_dialogue_about_a_row():
    found = shown("dialogue").data
    assert [each["says"] for each in found["dialogue"]] == [
        "systems?", "Yes.", "graphics?", "Yes.", "I predict opinion = hate.", "Right.",
    ]  # fmt: skip
    walked = bough.teach.walkthrough(bough.datasets.load("course_ratings"))
    assert found["mean_questions"] == pytest.approx(walked.mean_questions)


def test_any_row_has_its_dialogue():
    found = lesson("dialogue", bough.datasets.load("play_tennis_d15"), row=15)
    said = [each["says"] for each in found.data["dialogue"]]
    assert said[:2] == ["What is outlook?", "Sunny."]
    assert said[-2:] == ["I predict play_tennis = No.", "Right."]
    penguin = lesson("dialogue", bough.datasets.load("penguins"), row=1)
    assert penguin.data["dialogue"][0]["says"] == "Is flipper_length_mm < 206.5?"
    assert "Is flipper_length_mm < 206.5?" in str(penguin)
    for row in (0, 345):
        with pytest.raises(bough.ParameterError, match="the rows with a label are 1 to 344"):
            lesson("dialogue", bough.datasets.load("penguins"), row=row)
    with pytest.raises(bough.ParameterError, match="is not about one row"):
        lesson("order", row=3)


@pytest.mark.parametrize("name", ["depth", "peek", "rows", "refit", "prune", "shift", "dialogue"])
def test_experiments_take_a_table_of_classes(name):
    found = lesson(name, bough.datasets.load("penguins"), "sex")
    assert str(found).startswith(found.title)
    with pytest.raises(bough.ParameterError, match="it needs a target with classes"):
        lesson(name, {"a": [1, 2, 3], "y": [1.5, 2.5, 9.0]}, "y")
    if name != "dialogue":
        with pytest.raises(bough.ParameterError, match="needs at least 40 with a label, not 16"):
            lesson(name, bough.datasets.load("commute"))
