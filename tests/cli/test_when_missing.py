"""`--when-missing`: where a missing value goes, in every command that guesses."""

import csv
import io
from pathlib import Path

import polars as pl
import pytest

import bough


@pytest.fixture
def model():
    """Give a model that has seen no missing value, and a table that has one."""
    X, y = pl.DataFrame({"n": [1.0, 2.0, 3.0]}), pl.Series("y", ["a", "b", "b"])
    path = Path("model.json")
    bough.DecisionTreeClassifier(missing="weigh").fit(X, y).save(path)
    Path("new.csv").write_text("n,y\n1,a\n,a\n")
    return path


def test_a_model_guesses_by_its_own_rule(run, model):
    rows = [*csv.DictReader(io.StringIO(run("predict", model, "new.csv", "--proba").out))]
    assert [row["prediction"] for row in rows] == ["a", "b"]
    assert float(rows[1]["prediction_b"]) == pytest.approx(2 / 3)


def test_a_guess_in_parts_is_plain_data(run, model):
    known, parted = run("predict", model, "new.csv", "--proba", "--json").document["guesses"]
    assert known["rows"] == 1
    assert parted == {
        "guess": "b",
        "share": pytest.approx(2 / 3),
        "rows": 3,
        "shares": [
            {"class": "a", "share": pytest.approx(1 / 3)},
            {"class": "b", "share": pytest.approx(2 / 3)},
        ],
    }


@pytest.mark.parametrize(("rule", "first"), [("stop", "stops at n: it is missing"), ("weigh", "")])
def test_a_rule_that_is_typed_holds(run, model, rule, first):
    found = run("explain", model, "new.csv", "--row", "2", "--when-missing", rule, "--json")
    assert found.document["rows"][0]["stopped"].startswith(first)
    assert bool(found.document["rows"][0]["parts"]) == (rule == "weigh")


def test_a_row_in_parts_is_explained(run, model):
    assert run("explain", model, "new.csv", "--row", "2").out.splitlines() == [
        "row 2 (line 3) → b 67 % (average of 2 branches, weighted by their training rows)",
        "  67 %  all rows",
        "        n is missing: follows both answers, 33 % < 1.5, 67 % ≥ 1.5",
        "   +22   67 %  n ≥ 1.5 → b 100 %",
        "   −22   33 %  n < 1.5 → a 100 %",
        "nearest flip: n < 1.5 → a 100 %",
    ]


def test_rows_are_evaluated_by_the_rule_that_is_typed(run, model):
    stop, weigh = (
        run("evaluate", model, "new.csv", "--when-missing", rule, "--json").document["estimates"]
        for rule in ("stop", "weigh")
    )
    assert stop["error"] == weigh["error"]
    model.write_text(model.read_text().replace('"weigh"', '"stop"'))
    assert run("evaluate", model, "new.csv", "--json").document["estimates"] == stop


def test_a_tree_is_learnt_with_a_rule(run):
    Path("rows.csv").write_text(
        "n,y\n" + "".join(f"{n % 7},{'ab'[n % 7 > 2]}\n" for n in range(70))
    )
    run("fit", "rows.csv", "-t", "y", "--when-missing", "weigh", "-o", "model.json", "-q")
    assert bough.load("model.json").missing == "weigh"


def test_a_rule_that_is_not_known_is_refused(run, model):
    found = run("predict", model, "new.csv", "--when-missing", "weight")
    assert (found.status, found.err) == (
        2,
        "error: --when-missing 'weight' is not known.\n"
        "  Did you mean 'weigh'?\n"
        "  Known: 'stop' and 'weigh'.\n"
        "  try:  bough predict --help\n",
    )
