"""`bough predict`."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bough


def test_a_column_of_guesses_is_added(run, table, tennis):
    found = run("predict", tennis, table)
    header, *rows = found.out.splitlines()
    given, *given_rows = table.read_text().splitlines()
    assert header == f"{given},prediction"
    assert rows == [f"{row},{row.split(',')[-1]}" for row in given_rows]  # it knows them all
    assert found.err == "14 rows\n"


def test_the_share_of_each_class_can_be_added(run, table, tennis):
    header, first, *_ = run("predict", tennis, table, "--proba").out.splitlines()
    assert header.endswith(",prediction,prediction_No,prediction_Yes")
    assert first.endswith(",No,1.0,0.0")


@pytest.mark.parametrize("name", ["guessed.csv", "guessed.tsv", "guessed.jsonl", "guessed.csv.gz"])
def test_a_file_is_written_and_said(run, table, tennis, name):
    found = run("predict", tennis, table, "-o", name)
    assert (found.out, found.err) == ("", f"14 rows · wrote {name}\n")
    data = Path(name).read_bytes()
    text = gzip.decompress(data) if name.endswith("gz") else data
    assert b"prediction" in text


def test_a_parquet_file_can_be_read_back(run, table, tennis):
    run("predict", tennis, table, "-o", "guessed.parquet")
    assert run("evaluate", tennis, "guessed.parquet").status == 0


def test_json_lines_hold_the_guess(run, table, tennis):
    run("predict", tennis, table, "-o", "guessed.jsonl")
    rows = [json.loads(line) for line in Path("guessed.jsonl").read_text().splitlines()]
    assert [row["prediction"] for row in rows] == [row["play"] for row in rows]


def test_rows_can_be_piped_in_and_out(table, tennis):
    found = subprocess.run(
        [sys.executable, "-m", "bough", "predict", tennis, "-", "-o", "-"],
        input=table.read_bytes(),
        capture_output=True,
        check=True,
    )
    assert found.stdout.decode().startswith(
        "day,outlook,temperature,humidity,wind,play,prediction\n"
    )


def test_columns_are_found_by_name(run, tennis):
    Path("new.csv").write_text("wind,more,humidity,temperature,outlook\nWeak,1,High,Hot,Rain\n")
    assert run("predict", tennis, "new.csv").out.splitlines()[1] == "Weak,1,High,Hot,Rain,Yes"


def test_a_column_that_is_not_there_is_named(run, tennis):
    Path("new.csv").write_text("wind,humidity,temperature,outlok\nWeak,High,Hot,Rain\n")
    found = run("predict", tennis, "new.csv")
    assert (found.status, found.err) == (
        2,
        "error: column 'outlook' is missing.\n"
        "  The tree asks about 'outlook', 'humidity' and 'wind'; the table has "
        "'wind', 'humidity', 'temperature' and 'outlok'.\n"
        "  Did you mean 'outlok'?\n",
    )


def test_a_value_that_the_tree_never_saw_is_noted(run, tennis):
    Path("new.csv").write_text("wind,humidity,temperature,outlook\nWeak,High,Hot,Fog\n")
    found = run("predict", tennis, "new.csv")
    assert "! B303  outlook: " in found.err
    assert found.out.splitlines()[1] == "Weak,High,Hot,Fog,Yes"


def test_nothing_is_overwritten(run, table, tennis):
    run("predict", tennis, table, "-o", "guessed.csv")
    found = run("predict", tennis, "guessed.csv")
    assert (found.status, found.out, found.err) == (
        2,
        "",
        "error: The table already has a column 'prediction'.\n"
        "  Give the new one another name, as in --name prediction_2.\n",
    )
    found = run("predict", tennis, "guessed.csv", "--name", "prediction_2")
    assert found.out.splitlines()[0].endswith(",prediction,prediction_2")


def test_only_columns_that_the_tree_asks_about_are_needed(run, tennis):
    Path("new.csv").write_text("wind,humidity,outlook\nWeak,High,Rain\n")  # no temperature
    assert run("predict", tennis, "new.csv").out.splitlines()[1] == "Weak,High,Rain,Yes"
    assert run("explain", tennis, "new.csv", "--row", "1").out.startswith("row 1 (line 2) → Yes")


def test_a_column_that_no_question_asks_about_may_hold_anything(run, tennis):
    Path("new.csv").write_text("wind,humidity,outlook,temperature\nWeak,High,Rain,2024-01-01\n")
    assert run("predict", tennis, "new.csv").out.splitlines()[1].endswith(",Yes")


def test_the_leaf_and_its_rule_can_be_added(run, tennis):
    Path("new.csv").write_text("wind,humidity,outlook\nWeak,High,Rain\nWeak,High,Fog\n")
    found = run("predict", tennis, "new.csv", "--name", "play", "--leaf", "--rule").out.splitlines()
    assert found[0] == "wind,humidity,outlook,play,play_leaf,play_rule"
    assert found[1] == "Weak,High,Rain,Yes,5,outlook = Rain and wind = Weak"
    assert found[2] == "Weak,High,Fog,Yes,0,all rows"  # it stops at the root
    document = run("predict", tennis, "new.csv", "--leaf", "--rule", "--json").document
    assert document["guesses"][0]["leaf"] == 5
    assert document["guesses"][1]["rule"] == "all rows"


def test_a_class_that_is_called_like_another_new_column_is_refused(run):
    rows = "".join(f"{n % 7},{'leaf' if n % 7 > 3 else 'stem'}\n" for n in range(80))
    Path("parts.csv").write_text("size,part\n" + rows)
    run("fit", "parts.csv", "-t", "part")
    assert run("predict", "part.bough.json", "parts.csv", "--proba", "--leaf").err == (
        "error: Two new columns would be called 'prediction_leaf'.\n"
        "  Leave out --proba, or the other one.\n"
    )


@pytest.mark.parametrize(
    ("given", "written", "sign"),
    [
        ("new.csv", "-", ";"),
        ("new.csv", "out.csv", ";"),
        ("new.csv", "out.tsv", "\t"),
        ("new.tsv", "-", "\t"),
        ("new.tsv", "out.csv", ","),
    ],
)
def test_the_delimiter_is_kept(run, tennis, given, written, sign):
    of_given = "\t" if given.endswith("tsv") else ";"
    text = "wind;humidity;outlook\nWeak;High;Rain\n".replace(";", of_given)
    Path(given).write_text(text)
    found = run("predict", tennis, given, "-o", written)
    made = found.out if written == "-" else Path(written).read_text()
    assert made == "wind;humidity;outlook;prediction\nWeak;High;Rain;Yes\n".replace(";", sign)


def test_numbers_are_written_with_the_decimal_comma_of_the_file(run):
    rows = "".join(f"{n % 9},5;-{n % 9},25\n" for n in range(90))
    Path("in.csv").write_text("x;y\n" + rows)
    assert run("fit", "in.csv", "-t", "y").status == 0
    found = run("predict", "y.bough.json", "in.csv")
    assert found.out.splitlines()[2] == "1,5;-1,25;-1,25"
    assert "formula" not in found.err


@pytest.fixture
def amounts(run):
    """A model of numbers, and its table."""
    made = np.random.default_rng(1)
    x = made.integers(0, 10, 1000)
    y = x * 10 + made.normal(size=1000) * (1 + x)
    rows = [f"{a},{b:.3f}" for a, b in zip(x, y, strict=True)]
    Path("amounts.csv").write_text("\n".join(["x,y", *rows[:800]]) + "\n")
    Path("new.csv").write_text("\n".join(["x,y", *rows[800:]]) + "\n")
    run("fit", "amounts.csv", "-t", "y")
    return "y.bough.json"


def test_numbers_can_have_an_interval(run, amounts):
    found = run("predict", amounts, "new.csv", "--interval").out.splitlines()
    assert found[0] == "x,y,prediction,prediction_low,prediction_high"
    rows = np.array([[float(cell) for cell in line.split(",")] for line in found[1:]])
    _, y, predicted, low, high = rows.T
    assert np.all((low <= predicted) & (predicted <= high))
    assert 0.9 < np.mean((low <= y) & (y <= high)) <= 1  # of 200 rows; 95 % on average
    wide = high - low
    assert wide[rows[:, 0] == 9].mean() > 3 * wide[rows[:, 0] == 0].mean()
    document = run("predict", amounts, "new.csv", "--interval", "--json").document
    assert document["guesses"][0]["low"] == low[0]


def test_the_interval_is_there_in_python(run, amounts):
    tree = bough.load(amounts)
    written = run("predict", amounts, "new.csv", "--interval").out.splitlines()[1].split(",")
    low, high = tree.predict_interval({"x": [int(written[0])]})[0]
    assert (str(low), str(high)) == tuple(written[3:])


def test_why_there_is_no_interval_is_said(run, tennis, table, amounts):
    assert run("predict", tennis, table, "--interval").err == (
        "error: --interval is for numbers, and the model predicts classes.\n  Use --proba.\n"
    )
    assert run("predict", amounts, "new.csv", "--proba").err == (
        "error: --proba is for classes, and the model predicts numbers.\n  Use --interval.\n"
    )
    Path("few.csv").write_text("".join(Path("new.csv").read_text().splitlines(keepends=True)[:99]))
    run("fit", "few.csv", "-t", "y", "-o", "few.bough.json")
    assert run("predict", "few.bough.json", "few.csv", "--interval").err == (
        "error: A prediction interval of 95 % needs at least 39 test rows, and the model has 20.\n"
        "  Learn it from more rows.\n"
    )
    rows = [f"{n % 50},{n % 7},{1 if n % 7 else 1e6}\n" for n in range(400)]
    Path("heavy.csv").write_text("x,y,w\n" + "".join(rows))
    run(
        "fit",
        "heavy.csv",
        "-t",
        "y",
        "--task",
        "regression",
        "--weight",
        "w",
        "-o",
        "heavy.bough.json",
    )
    assert run("predict", "heavy.bough.json", "heavy.csv", "--interval").err == (
        "error: A few test rows carry most of the weight in 'w', so the others do not tell how far labels "
        "lie from predictions.\n  Give weights that differ less, or none.\n"
    )
    plain = bough.DecisionTreeRegressor().fit([[1], [2]], [1.0, 2.0])
    with pytest.raises(bough.errors.ParameterError) as error:
        plain.predict_interval([[1]])
    assert str(error.value) == (
        "Prediction intervals come from test rows, and the model has none. Learn it with bough.fit."
    )


def test_cells_that_a_spreadsheet_would_run_are_counted_and_can_be_shielded(run, tennis):
    Path("new.csv").write_text("wind,humidity,temperature,outlook\n=1+1,High,Hot,Overcast\n")
    assert (
        "  1 cell looks like a formula, which a spreadsheet would run (--excel-safe)"
        in run("predict", tennis, "new.csv").err
    )
    safe = run("predict", tennis, "new.csv", "--excel-safe").out
    assert safe.splitlines()[1].startswith("'=1+1,")


def test_a_note_can_be_ignored_by_its_code(run, tennis):
    Path("new.csv").write_text("wind,humidity,temperature,outlook\nWeak,High,Hot,Fog\n")
    assert run("predict", tennis, "new.csv", "--ignore", "B303").err == "1 row\n"


def test_guesses_are_a_document_under_json(run, tennis):
    Path("new.csv").write_text("wind,humidity,temperature,outlook\nWeak,High,Hot,Rain\n")
    assert run("predict", tennis, "new.csv", "--json").document == {
        "schema": "bough/1",
        "command": "predict",
        "output": None,
        "n_rows": 1,
        "notes": [],
        "guesses": [{"guess": "Yes", "share": 1.0, "rows": 3}],
    }


def test_guesses_under_json_have_shares_if_asked_for(run, tennis):
    Path("new.csv").write_text("wind,humidity,temperature,outlook\nWeak,High,Hot,Sunny\n")
    (guess,) = run("predict", tennis, "new.csv", "-o", "-", "--proba", "--json").document["guesses"]
    assert guess["shares"] == [{"class": "No", "share": 1.0}, {"class": "Yes", "share": 0.0}]
