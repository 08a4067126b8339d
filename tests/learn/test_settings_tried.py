"""What is tried beside criterion and `categorical`: smallest leaves, and columns of many values left out."""

import json

import made_tables as made
import numpy as np
import pytest

import bough
from bough.result_words import verdict_lines


def steps(n_rows=3000, seed=0):
    """A number that hardly varies within cells of many rows, and much from one to the next."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(size=(n_rows, 4)).round(3)
    y = np.sin(9 * x[:, 0]) + x[:, 1] * x[:, 2] + rng.normal(0, 0.5, n_rows)
    return {**{f"x{i}": x[:, i].tolist() for i in range(4)}, "y": y.tolist()}


def settings(result):
    return {each.setting for each in result.curve}


def test_the_best_setting_is_grown_with_larger_leaves_too():
    result = bough.fit(made.classes(), "label")
    leaves = sorted(smallest for _, _, smallest, _ in settings(result))
    assert leaves == [1, 1, 1, 1, 5, 20]
    at_one = [each for each in result.curve if each.smallest_leaf == 1]
    best = min(at_one, key=lambda each: (each.dev, each.n_leaves))
    larger = [each.setting[:2] for each in result.curve if each.smallest_leaf > 1]
    assert set(larger) == {best.setting[:2]}


def test_leaves_have_as_many_rows_as_were_chosen():
    result = bough.fit(steps(), "y")
    tree, chosen = result.grown_tree_, result.evidence.chosen
    assert chosen.smallest_leaf > 1
    assert tree.n_rows[tree.feature < 0].min() >= chosen.smallest_leaf
    assert result.saved.settings["min_samples_leaf"] == chosen.smallest_leaf
    said = "\n".join(verdict_lines(result.evidence, tree))
    assert f"(at least {chosen.smallest_leaf} rows per leaf)" in said
    assert "with smallest leaves of 1, 5 or 20 rows" in said


def test_larger_leaves_lower_the_loss():
    result = bough.fit(steps(), "y")
    at_one = min(each.dev for each in result.curve if each.smallest_leaf == 1)
    assert result.evidence.chosen.dev < 0.995 * at_one


@pytest.mark.parametrize("refit", [True, False])
def test_the_saved_share_of_a_leaf_is_one_of_the_rows_that_the_tree_grew_from(refit):
    table = {**steps(1000), "w": [1.0, 3.0] * 500}
    result = bough.fit(table, "y", weight="w", refit=refit)
    saved = result.saved.settings["min_weight_fraction_leaf"]
    assert result.evidence.chosen.smallest_leaf > 1
    assert saved == result.evidence.chosen.smallest_leaf / result.grown_tree_.n_rows[0]


def test_where_rows_have_weights_a_leaf_weighs_as_much_as_rows_of_mean_weight():
    rng = np.random.default_rng(1)
    table = {**steps(), "w": rng.exponential(size=3000).tolist()}
    result = bough.fit(table, "y", weight="w")
    tree, least = result.grown_tree_, result.evidence.chosen.smallest_leaf
    assert least > 1
    mean = tree.weight[0] / tree.n_rows[0]
    assert tree.weight[tree.feature < 0].min() >= least * mean * (1 - 1e-9)
    assert "rows of mean weight per leaf" in str(result)


def test_a_column_of_many_values_does_not_hide_what_others_tell():
    table = made.flights()
    hidden = bough.fit(table, "delay", criterion="squared_error", categorical="each")
    best_with = min(each.dev for each in hidden.curve if not each.without)
    at_root = next(each.dev for each in hidden.curve if each.n_leaves == 1)
    assert best_with > 0.99 * at_root  # nothing to learn, it seems
    result = bough.fit(table, "delay")
    assert result.evidence.chosen.without == ("tail",)
    assert result.test["rmse"].value < 0.95 * result.baseline["rmse"].value
    assert all(note.code != "B205" for note in result.notes)


def test_the_result_says_that_a_column_of_many_values_was_left_out(tmp_path):
    result = bough.fit(made.flights(), "delay")
    (note,) = (note for note in result.notes if note.code == "B104")
    assert note.text == (
        "tail has 993 values, about 6 rows each: left out, as trees without it did better"
    )
    assert note.fix == {}
    assert "without 'tail')" in str(result)
    assert "with and without 'tail'." in str(result)
    assert "<td>tail</td>" in result.report()
    result.save(tmp_path / "delay.bough.json")
    held = json.loads((tmp_path / "delay.bough.json").read_text())["evidence"]["chosen"]
    assert held["without"] == ["tail"]
    model = bough.load(tmp_path / "delay.bough.json")
    assert len(model.predict(made.flights(50, seed=5))) == 50


def test_a_column_of_many_values_that_tells_something_stays():
    rng = np.random.default_rng(2)
    table = made.flights(n_values=240)
    effect = dict(zip(sorted(set(table["tail"])), rng.normal(0, 60, 240), strict=False))
    table["delay"] = [
        delay + effect[tail] for delay, tail in zip(table["delay"], table["tail"], strict=True)
    ]
    result = bough.fit(table, "delay")
    assert result.evidence.chosen.without == ()
    assert {each.without for each in result.curve} == {(), ("tail",)}


@pytest.mark.parametrize("asked", [{"first": "tail"}, {"forbid": "tail"}])
def test_a_column_that_the_user_decides_about_is_not_tried_without(asked):
    result = bough.fit(made.flights(1500, 400), "delay", criterion="squared_error", **asked)
    assert {each.without for each in result.curve} == {()}


def test_a_table_of_nothing_but_many_values_is_grown_from_them():
    table = made.flights(1500, 400)
    result = bough.fit({name: table[name] for name in ("tail", "delay")}, "delay")
    assert {each.without for each in result.curve} == {()}


def test_columns_of_many_values_are_left_out_one_after_the_other():
    rng = np.random.default_rng(0)
    table = made.flights(3000, 500)
    table["town"] = [f"T{each}" for each in rng.integers(60, size=3000)]
    result = bough.fit(table, "delay", categorical="group")
    assert {each.without for each in result.curve} == {(), ("tail",), ("tail", "town")}
    assert result.evidence.chosen.without == ("tail", "town")
    (note,) = (note for note in result.notes if note.code == "B104")
    assert note.text == (
        "2 columns have many values for their rows and are left out, as trees without them did "
        "better: tail, town"
    )


def test_other_criteria_are_tried_without_the_columns_that_are_left_out():
    rng = np.random.default_rng(0)
    table = made.classes()
    table["town"] = [f"T{each}" for each in rng.integers(900, size=3000)]
    result = bough.fit(table, "label")
    assert result.evidence.chosen.without == ("town",)
    without = {each.criterion for each in result.curve if each.without}
    assert without == {"gini", "entropy"}


def test_a_table_whose_other_column_is_left_out_has_no_second_question():
    rng = np.random.default_rng(5)
    number, codes = rng.normal(size=900), rng.integers(0, 500, 900)
    label = np.where(number + rng.normal(size=900) / 2 > 0, "yes", "no")
    table = {"number": number, "code": [f"C{each}" for each in codes], "label": label}
    result = bough.fit(table, "label")
    assert result.evidence.chosen.without == ("code",)
    assert not [note for note in result.notes if note.code == "B301"]
