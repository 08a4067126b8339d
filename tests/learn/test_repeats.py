"""Several seeds: how much the estimate and the size vary, without choosing by it."""

import json
import sys
from dataclasses import replace
from statistics import fmean, stdev

import made_tables as made
import pytest

import bough
from bough import DataError, ParameterError
from bough.cli import main

TABLE = made.classes(400)
ONE = bough.fit(TABLE, "label", seed=3)
FOUR = bough.fit(TABLE, "label", seed=3, repeats=4)


def test_the_result_is_that_of_the_first_seed():
    assert FOUR.saved.tree.n_leaves == ONE.saved.tree.n_leaves
    assert replace(FOUR.evidence, repeats=()) == ONE.evidence
    assert FOUR.notes == ONE.notes
    assert ONE.spread == {}


def test_each_seed_gives_what_it_gives_alone():
    assert [each.seed for each in FOUR.evidence.repeats] == [3, 4, 5, 6]
    for each in FOUR.evidence.repeats:
        alone = bough.fit(TABLE, "label", seed=each.seed)
        assert each.n_leaves == alone.grown_tree_.n_leaves
        assert each.test == {name: found.value for name, found in alone.test.items()}


def test_mean_and_spread_are_those_of_the_seeds():
    values = [each.test["accuracy"] for each in FOUR.evidence.repeats]
    found = FOUR.spread["accuracy"]
    assert (found.mean, found.deviation) == (fmean(values), stdev(values))
    assert (found.least, found.most) == (min(values), max(values))
    assert FOUR.spread["n_leaves"].most == max(each.n_leaves for each in FOUR.evidence.repeats)


def test_the_text_and_the_page_say_it():
    found = FOUR.spread["accuracy"]
    says = f"Over 4 splits, accuracy is {100 * found.mean:.1f} % on average (standard deviation "
    assert says in str(FOUR)
    assert says in FOUR.report().replace("\u00a0", " ")
    assert "splits" not in str(ONE)


def test_a_number_keeps_its_digits():
    result = bough.fit(made.numbers(300), "y", repeats=2)
    sentence = next(each for each in result.sentences if each.startswith("Over 2 splits"))
    assert "root-mean-square error is 0." in sentence
    assert "points" not in sentence


def test_the_model_file_keeps_it(tmp_path):
    FOUR.save(tmp_path / "m.bough.json")
    model = bough.load(tmp_path / "m.bough.json")
    assert bough.evaluate(model, TABLE).n_rows == 400
    saved = json.loads((tmp_path / "m.bough.json").read_text("utf-8"))
    assert [each["seed"] for each in saved["evidence"]["repeats"]] == [3, 4, 5, 6]


def test_the_command_line_repeats(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = list(TABLE)
    rows = zip(*TABLE.values(), strict=True)
    lines = [",".join(names), *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    assert main(["fit", "t.csv", "-t", "label", "--seed", "3", "--repeat", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["seed"] for each in found["repeats"]] == [3, 4]
    assert set(found["spread"]["accuracy"]) == {"mean", "deviation", "least", "most"}


def test_a_split_that_cannot_be_learnt_from_is_left_out(monkeypatch):
    learning = sys.modules["bough.learn"]
    planned = learning.make_plan

    def refusing(looked, request, *others):
        if request.seed == 4:
            raise DataError("All labels are the same.")
        return planned(looked, request, *others)

    monkeypatch.setattr(learning, "make_plan", refusing)
    found = bough.fit(TABLE, "label", seed=3, repeats=3)
    assert [each.seed for each in found.evidence.repeats] == [3, 5]
    assert "Over 2 splits" in str(found)
    assert bough.fit(TABLE, "label", seed=3, repeats=2).spread == {}


def test_progress_is_told():
    told = []
    bough.fit(TABLE, "label", repeats=3, progress=lambda *each: told.append(each))
    assert told[-2:] == [("repeating", 1 / 3), ("repeating", 2 / 3)]


def complaint(**options):
    with pytest.raises(ParameterError) as error:
        bough.fit(TABLE, "label", **options)
    return str(error.value)


def test_what_no_seed_changes_is_not_repeated():
    assert complaint(repeats=2, time="size") == (
        "repeats=2 and a split by time cannot be combined: another seed would give the same split. "
        "Leave repeats out."
    )
    assert complaint(repeats=2, dev=TABLE, test=TABLE) == (
        "repeats=2 and own tables of development and test rows cannot be combined: another seed would "
        "give the same split. Leave repeats out."
    )


def test_a_number_of_repeats_is_whole_and_at_least_1():
    assert complaint(repeats=0) == "repeats=0 must be a whole number, 1 or more."
