"""`bough export`."""

import subprocess
import sys
from pathlib import Path

import pytest
from hard_trees import numbers

import bough
from bough.exports import FORMATS
from bough.exports.model_file import load

PICTURES = ("onnx", "png", "regions", "sklearn", "treelite")  # no text, or of trees with numbers


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in PICTURES])
def test_every_format_is_written_as_python_writes_it(run, tennis, name):
    text = bough.export(load(tennis), name).removesuffix("\n")
    assert run("export", tennis, "--to", name).out == text + "\n"


def test_a_file_is_written_and_said(run, tennis):
    found = run("export", tennis, "--to", "json", "-o", "copy.bough.json")
    assert (found.out, found.err) == ("", "wrote copy.bough.json\n")
    assert Path("copy.bough.json").read_text() == bough.export(load(tennis), "json")


def test_quiet_does_not_say_it(run, tennis):
    assert run("export", tennis, "--to", "text", "-o", "tree.txt", "-q").err == ""


def test_the_document_holds_the_text(run, tennis):
    assert run("export", tennis, "--to", "text", "--json").document == {
        "schema": "bough/1",
        "command": "export",
        "format": "text",
        "text": bough.draw(load(tennis)) + "\n",
    }


def test_the_document_names_the_file(run, tennis):
    assert run("export", tennis, "--to", "text", "-o", "t.txt", "--json").document == {
        "schema": "bough/1",
        "command": "export",
        "format": "text",
        "output": "t.txt",
    }


def test_a_file_that_cannot_be_written_is_named(run, tennis):
    found = run("export", tennis, "--to", "text", "-o", "absent/tree.txt")
    assert (found.status, found.err) == (
        2,
        "error: cannot save 'absent/tree.txt': No such file or directory.\n",
    )


def test_a_picture_of_pixels_is_written(run, tennis):
    pytest.importorskip("resvg_py")
    found = run("export", tennis, "--to", "png", "-o", "tree.png")
    assert (found.status, found.err) == (0, "wrote tree.png\n")
    assert Path("tree.png").read_bytes() == bough.export(load(tennis), "png")


def test_pixels_need_a_file_where_words_are_expected(run, tennis):
    pytest.importorskip("resvg_py")
    error = run("export", tennis, "--to", "png", "--json").document["error"]
    assert error["message"] == "PNG is binary: write it to a file with -o."
    assert error["hint"] == f"bough export {tennis} --to png --json -o tree.png"


def test_pixels_can_be_piped(tennis):
    pytest.importorskip("resvg_py")
    command = [sys.executable, "-m", "bough", "export", tennis, "--to", "png"]
    found = subprocess.run(command, capture_output=True, check=True)
    assert found.stdout == bough.export(load(tennis), "png")


def test_regions_are_written(run):
    Path("numbers.bough.json").write_text(bough.export(numbers(), "json"))
    found = run("export", "numbers.bough.json", "--to", "regions")
    assert found.out == bough.draw(load("numbers.bough.json").tree, "regions") + "\n"


def test_a_tree_without_two_numbers_has_no_regions(run, tennis):
    found = run("export", tennis, "--to", "regions")
    assert (found.status, found.err) == (
        2,
        "error: Regions need two numeric columns, and this tree uses fewer.\n"
        "  Draw --to 'svg' instead.\n",
    )


def test_an_export_is_checked_before_it_is_written(run, tennis):
    found = run("export", tennis, "--to", "sql", "--check", "play_tennis", "-o", "tennis.sql")
    assert (found.status, found.err) == (
        0,
        "checked on 14 rows: the same predictions as the tree\nwrote tennis.sql\n",
    )
    assert Path("tennis.sql").read_text() == bough.export(load(tennis), "sql")


def test_an_export_that_differs_is_not_written(run, tennis, monkeypatch):
    from bough.exports import replay

    wrong = replay.Said([("No",)] * 14, [[1.0, 0.0]] * 14)
    monkeypatch.setitem(replay.RUNNERS, "sql", lambda *_: wrong)
    found = run("export", tennis, "--to", "sql", "--check", "play_tennis", "-o", "tennis.sql")
    assert found.status == 1
    assert found.err.startswith(
        "error: row 2: the export gives 'No', but the tree 'Yes' (node 1: outlook = "
    )
    assert not Path("tennis.sql").exists()


def test_sql_can_be_told_the_database_and_the_table(run, tennis):
    words = ["--to", "sql", "--dialect", "spark", "--table", "days"]
    assert "FROM `days`" in run("export", tennis, *words).out
    assert run("export", tennis, "--to", "sql", "--expression").out.startswith("CASE")


def test_a_program_may_test_itself(run, tennis):
    run("export", tennis, "--to", "python", "--with-test", "-o", "tree.py")
    done = subprocess.run([sys.executable, "tree.py"], capture_output=True, check=True)
    assert done.stdout.decode().endswith("rows stop where they should\n")
