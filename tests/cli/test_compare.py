"""`bough compare`."""

from pathlib import Path

import polars as pl
import pytest

import bough

PENGUINS = Path(bough.__file__).parent / "tables" / "penguins.csv"


def test_two_models_are_compared_on_the_same_rows(run, table, stump, tennis):
    lines = run("compare", stump, tennis, table).out.splitlines()
    assert lines[:3] == [
        "                        stump  play_tennis  difference  95 % interval",
        "error                  28.6 %        0.0 %       −28.6  −55.8 to +5.8",
        "accuracy               71.4 %      100.0 %       +28.6  −5.8 to +55.8",
    ]
    place = lines.index("") + 1
    assert lines[place].startswith("play_tennis minus stump: accuracy +28.6 points (95 % interval ")
    assert lines[place + 1 :] == [
        "They predict 29 % of the rows differently; 71 % reach a leaf with another rule.",
        "No clear difference: keep stump, which is simpler (3 leaves, not 5).",
        "",
        "1 rule is the same in both trees.",
        "2 rules are only in stump:",
        "  outlook = Rain → Yes 60 % (5 rows)",
        "  outlook = Sunny → No 60 % (5 rows)",
        "4 rules are only in play_tennis:",
        "  outlook = Rain and wind = Weak → Yes 100 % (3 rows)",
        "  outlook = Sunny and humidity = High → No 100 % (3 rows)",
        "  outlook = Rain and wind = Strong → No 100 % (2 rows)",
        "  outlook = Sunny and humidity = Normal → Yes 100 % (2 rows)",
    ]


def test_models_of_one_name_are_told_apart(run, table, tennis):
    found = run("compare", tennis, tennis, table)
    assert "the second minus the first: accuracy +0.0 points" in found.out
    assert found.out.endswith("No clear difference.\n\n5 rules are the same in both trees.\n")


def test_without_a_table_rules_are_compared(run, stump, tennis):
    found = run("compare", tennis, stump)
    assert found.out.startswith(
        "1 rule is the same in both trees.\n4 rules are only in play_tennis:\n"
    )
    assert set(run("compare", tennis, stump, "--json").document) == {
        "schema", "command", "n_leaves", "rules", "notes",
    }  # fmt: skip


@pytest.mark.usefixtures("learnt")
def test_of_many_rules_the_largest_are_listed(run):
    run("fit", PENGUINS, "-t", "species", "--ignore", "island", "-o", "other.json")
    short, full = (
        run("compare", "birds.json", "other.json", *more).out for more in ([], ["--full"])
    )
    assert "  … 4 more: --full\n" in short
    assert "--full" not in full
    assert full.count("rows)") + full.count("row)") == 20


def test_a_rule_that_guesses_otherwise_has_both_guesses(run):
    for name, labels in (("one", "aab"), ("two", "bbb")):
        table = {"n": [1, 2, 3], "y": [*labels]}
        tree = bough.DecisionTreeClassifier(max_depth=0)
        tree.fit(pl.DataFrame({"n": table["n"]}), pl.Series("y", table["y"])).save(f"{name}.json")
    assert run("compare", "one.json", "two.json").out == (
        "No rule is the same in both trees.\n"
        "1 rule asks the same but predicts something else:\n"
        "  all rows → a 67 %, in two.json b 100 %\n"
    )


USED = """\
! B207  {name} tree: about {n_train} of 344 rows are equal to rows that this tree learnt from, more \
than chance explains: expect worse on new rows
! B206  {name} tree: about {n_test} of 344 rows are equal to test rows of this tree. If you pick a model by \
this score, its original estimate no longer holds
"""


def test_rows_that_either_tree_has_seen_are_noted(run, learnt):
    found = run("compare", "birds.json", "birds.json", PENGUINS)
    assert found.err == "".join(USED.format(name=name, **learnt) for name in ("First", "Second"))


@pytest.mark.usefixtures("learnt")
def test_rows_without_a_label_are_noted_once(run):
    rows = PENGUINS.read_text().splitlines()
    Path("new.csv").write_text("\n".join([*rows, "Dream,46,18,195,4000,male,2009,"]) + "\n")
    document = run("compare", "birds.json", "birds.json", "new.csv", "--json").document
    assert [note["text"] for note in document["notes"] if note["code"] == "B109"] == [
        "species is missing in 1 of 345 rows, first in line 346: these rows are left out"
    ]
