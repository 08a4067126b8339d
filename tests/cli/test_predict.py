"""`bough predict`."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest


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
        "  The tree was grown with 'outlook', 'temperature', 'humidity' and 'wind'; the table has "
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
        "error: 'guessed.csv' already has a column 'prediction', which would be overwritten.\n"
        "  Rename it.\n",
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
