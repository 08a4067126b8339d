"""`bough evaluate`."""

from dataclasses import replace
from pathlib import Path

import pytest

import bough
from bough.exports.model_file import load, save

PENGUINS = Path(bough.__file__).parent / "tables" / "penguins.csv"


def test_estimates_stand_beside_the_baseline(run, table, stump):
    header, *lines = run("evaluate", stump, table).out.splitlines()
    assert header == "                       14 rows  95 % interval  baseline  95 % interval"
    assert lines[:2] == [
        "error                   28.6 %  11.7 – 54.6      35.7 %  16.3 – 61.2",
        "accuracy                71.4 %  45.4 – 88.3      64.3 %  38.8 – 83.7",
    ]
    assert lines[2].startswith("log_loss                 0.481  ")
    assert lines[4:] == [
        "auc                      0.778  0.408 – 0.947",
        "recall:No               60.0 %  23.1 – 88.2",
        "precision:No            60.0 %  23.1 – 88.2",
        "f1:No                   60.0 %  27.3 – 85.7",
        "average_precision:No     0.560  0.159 – 0.895",
        "lift:No                   1.68  0.33 – 3.69",
        "recall:Yes              77.8 %  45.3 – 93.7",
        "precision:Yes           77.8 %  45.3 – 93.7",
        "f1:Yes                  77.8 %  52.3 – 91.8",
        "average_precision:Yes    0.847  0.492 – 0.969",
        "lift:Yes                  1.56  0.02 – 2.73",
        "",
        "true \\ predicted  No  Yes",
        "No                 3    2",
        "Yes                2    7",
    ]


def test_a_gate_may_ask_for_a_figure_of_one_class(run, table, stump):
    words = "--at-least recall:Yes=0.7 --at-least auc=0.9 --at-most lift:No=3"
    found = run("evaluate", stump, table, *words.split())
    assert found.status == 1
    assert found.out.endswith(
        "passed: recall:Yes must be at least 0.7 and is 0.777778\n"
        "FAILED: auc must be at least 0.9 and is 0.777778\n"
        "passed: lift:No must be at most 3 and is 1.68\n"
    )


def test_a_gate_that_the_rows_cannot_tell_has_failed(run, stump):
    Path("new.csv").write_text("outlook,temperature,humidity,wind,play\nRain,Hot,High,Weak,Yes\n")
    found = run("evaluate", stump, "new.csv", "--at-least", "recall:No=0.1")
    assert found.status == 1
    assert found.out.endswith(
        "FAILED: recall:No must be at least 0.1, but these rows cannot measure it\n"
    )


def test_a_gate_says_whether_it_passed(run, table, stump):
    words = "--at-least accuracy=0.8 --at-most error=0.4"
    found = run("evaluate", stump, table, *words.split())
    assert found.status == 1
    assert found.out.endswith(
        "FAILED: accuracy must be at least 0.8 and is 0.714286\n"
        "passed: error must be at most 0.4 and is 0.285714\n"
    )


MISTAKES = {
    "accuracy": "error: --at-least 'accuracy' has no value.\n  Type --at-least NAME=VALUE.\n",
    "acuracy=0.8": "error: --at-least 'acuracy' is not known.\n"
    "  Known: 'error', 'accuracy', 'log_loss', 'brier', 'auc', 'recall:CLASS', 'precision:CLASS', "
    "'f1:CLASS', 'average_precision:CLASS' and 'lift:CLASS'.\n"
    "  try:  bough evaluate {stump} {table} --at-least accuracy=0.8\n",
    "recall=0.8": "error: --at-least 'recall' needs a class: 'recall:No' and 'recall:Yes' are known.\n"
    "  try:  bough evaluate {stump} {table} --at-least recall:Yes=0.8\n",
    "accuracy=80 %": "error: --at-least accuracy='80 %' must be a number.\n",
    "accuracy=nan": "error: --at-least accuracy='nan' must be a number.\n",
    "accuracy=inf": "error: --at-least accuracy='inf' must be a number.\n",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_gate_that_cannot_be_understood_is_named(run, table, stump, words):
    found = run("evaluate", stump, table, "--at-least", words)
    expected = MISTAKES[words].replace("{stump}", str(stump)).replace("{table}", str(table))
    assert (found.status, found.out, found.err) == (2, "", expected)


def test_a_table_without_the_target_is_refused(run, stump):
    Path("new.csv").write_text("outlook,temperature,humidity,wind\nRain,Hot,High,Weak\n")
    found = run("evaluate", stump, "new.csv")
    assert (found.status, found.err) == (
        2,
        "error: The table has no column 'play' to compare the predictions with.\n"
        "  It has 'outlook', 'temperature', 'humidity' and 'wind'.\n",
    )


@pytest.mark.usefixtures("learnt")
@pytest.mark.parametrize(
    "words", ["evaluate birds.json DATA", "compare birds.json birds.json DATA"]
)
def test_a_check_can_be_ignored_by_its_code(run, words):
    typed = words.replace("DATA", str(PENGUINS)).split()
    err = run(*typed, "--ignore", "B207").err
    assert "B206" in err
    assert "B207" not in err


@pytest.mark.parametrize(
    ("entry", "value", "complaint"),
    [
        ("sketches", {}, "evidence.sketches has no 'train'."),
        (
            "loss",
            "foo",
            "evidence.loss is 'foo'; it must be one of 'error', 'log_loss', 'brier', 'cost', 'squared_error' and 4 more.",
        ),
        ("test", {}, "evidence.test has no 'error'."),
        ("task", "regression", "evidence is about regression, but the tree is not."),
    ],
)
def test_a_model_file_whose_evidence_is_damaged_is_refused(run, entry, value, complaint):
    run("fit", PENGUINS, "-t", "species", "-q")
    model = load("species.bough.json")
    save(replace(model, evidence={**model.evidence, entry: value}), "damaged.json")
    found = run("evaluate", "damaged.json", PENGUINS)
    assert (found.status, found.out, found.err) == (
        2,
        "",
        f"error: 'damaged.json' is damaged: {complaint}\n",
    )
