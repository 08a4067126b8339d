"""`bough evaluate` and `bough compare`."""

from pathlib import Path

import pytest

from bough.export.json import Model, load, save
from bough.prune import at_depth


@pytest.fixture
def stump(tmp_path, tennis):
    """Give a smaller model of play tennis, which asks about the outlook alone."""
    path = tmp_path / "stump.bough.json"
    save(Model(at_depth(load(tennis).tree, 1), {}), path)
    return path


def test_estimates_stand_beside_the_baseline(run, table, stump):
    header, *lines = run("evaluate", stump, table).out.splitlines()
    assert header == "          14 rows  95 % interval  always the same  95 % interval"
    assert lines[:2] == [
        "error      28.6 %  11.7 – 54.6             35.7 %  16.3 – 61.2",
        "accuracy   71.4 %  45.4 – 88.3             64.3 %  38.8 – 83.7",
    ]
    assert lines[2].startswith("log_loss    0.481  ")


def test_a_gate_says_whether_it_passed(run, table, stump):
    words = "--at-least accuracy=0.8 --at-most error=0.4"
    found = run("evaluate", stump, table, *words.split())
    assert found.status == 1
    assert found.out.endswith(
        "FAILED: accuracy must be at least 0.8\npassed: error must be at most 0.4\n"
    )


MISTAKES = {
    "accuracy": "error: --at-least 'accuracy' says nothing about it.\n"
    "  Type --at-least NAME=VALUE.\n",
    "acuracy=0.8": "error: --at-least 'acuracy' is not known.\n  Did you mean 'accuracy'?\n"
    "  Known: 'error', 'accuracy' and 'log_loss'.\n",
    "accuracy=80 %": "error: --at-least accuracy='80 %' must be a number.\n",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_gate_that_cannot_be_understood_is_named(run, table, stump, words):
    found = run("evaluate", stump, table, "--at-least", words)
    assert (found.status, found.out, found.err) == (2, "", MISTAKES[words])


def test_a_table_without_the_target_is_refused(run, stump):
    Path("new.csv").write_text("outlook,temperature,humidity,wind\nRain,Hot,High,Weak\n")
    found = run("evaluate", stump, "new.csv")
    assert (found.status, found.err) == (
        2,
        "error: the table has no column 'play', with which guesses could be compared.\n"
        "  It has 'outlook', 'temperature', 'humidity' and 'wind'.\n",
    )


def test_two_models_are_compared_on_the_same_rows(run, table, stump, tennis):
    lines = run("compare", stump, tennis, table).out.splitlines()
    assert lines[:3] == [
        "           stump  95 % interval  play_tennis  95 % interval",
        "error     28.6 %  11.7 – 54.6          0.0 %  0.0 – 21.5",
        "accuracy  71.4 %  45.4 – 88.3        100.0 %  78.5 – 100.0",
    ]
    assert lines[5].startswith("play_tennis minus stump: accuracy +28.6 points (95 % interval ")
    assert lines[6:] == [
        "They guess differently for 29 % of the rows.",
        "No clear difference: keep stump, which has 3 leaves and not 5.",
    ]


def test_models_of_one_name_are_told_apart(run, table, tennis):
    found = run("compare", tennis, tennis, table)
    assert "the second minus the first: accuracy +0.0 points" in found.out
    assert found.out.endswith("No clear difference.\n")
