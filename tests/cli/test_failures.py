"""Exit statuses, and the words of errors that are not about usage."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from sessions import PENGUINS

import bough
from bough.cli.failures import failure_of
from bough.errors import BudgetError, DataError, ModelFormatError, SchemaError

STATUSES = [
    (DataError("x"), 2, "DataError"),
    (SchemaError("x"), 2, "SchemaError"),
    (ModelFormatError("x"), 2, "ModelFormatError"),
    (BudgetError("x"), 2, "BudgetError"),
    (MemoryError(), 2, "MemoryError"),
    (FileNotFoundError(2, "No such file", "x.csv"), 2, "OSError"),
    (KeyboardInterrupt(), 130, "Interrupted"),
    (EOFError(), 130, "Interrupted"),
    (KeyError("x"), 70, "Bug"),
    (RecursionError(), 70, "Bug"),
]


@pytest.mark.parametrize(
    ("error", "status", "code"), STATUSES, ids=[repr(error) for error, _, _ in STATUSES]
)
def test_every_kind_of_error_has_its_status(error, status, code):
    failure = failure_of(error)
    assert (failure.status, failure.code) == (status, code)


def test_an_error_without_words_is_named():
    assert failure_of(OSError()).lines == ["OSError"]


def test_a_file_that_is_not_there_is_named(run):
    found = run("show", "absent.bough.json")
    assert (found.status, found.err) == (
        2,
        "error: cannot read 'absent.bough.json': No such file or directory.\n",
    )


def test_a_file_of_nearly_that_name_is_suggested(run):
    Path("tennis.bough.json").write_text("{}")
    assert run("show", "tenis.bough.json").err == (
        "error: cannot read 'tenis.bough.json': No such file or directory.\n"
        "  Did you mean 'tennis.bough.json'?\n"
    )


def test_a_table_of_nearly_that_name_is_suggested(run):
    Path("penguins.csv").write_text("a,y\n1,2\n")
    Path("pengins.bough.json").write_text("{}")
    assert run("check", "pengins.csv").err == (
        "error: cannot read 'pengins.csv': No such file or directory.\n"
        "  Did you mean 'penguins.csv'?\n"
    )
    assert run("check", "absent/pengins.csv").err == (
        "error: cannot read 'absent/pengins.csv': No such file or directory.\n"
    )


def test_a_file_that_is_no_model_is_named(run):
    Path("x.json").write_text("{}")
    found = run("show", "x.json")
    assert (found.status, found.err) == (
        2,
        "error: 'x.json' is not a bough model: it has no 'bough' and 'format'.\n",
    )


def test_a_bug_says_how_to_report_it(run):
    found = run("show", "a\0b")  # which no shell would hand on
    path = found.err.split("'")[1]
    assert found.status == 70
    assert found.err == (
        "error: This is a bug in bough, not your mistake (ValueError: embedded null byte).\n"
        f"  The traceback is in '{path}'.\n"
        "  Please report it: open an issue with that file and the command that you typed.\n"
    )
    assert "ValueError: embedded null byte" in Path(path).read_text()
    Path(path).unlink()


def test_a_bug_is_a_document_under_json(run):
    found = run("show", "a\0b", "--json")
    error = found.document["error"]
    assert (found.status, found.err, error["code"]) == (70, "", "Bug")
    Path(error["message"].split("'")[1]).unlink()


def test_a_name_that_looks_like_a_sentence_stays_on_its_line(run):
    found = run("show", "Dr. No is here.json")
    assert found.err == "error: cannot read 'Dr. No is here.json': No such file or directory.\n"


def test_names_cannot_steer_the_terminal(run):
    assert run("show", "a\x1b[2Jb\nc").err == (
        "error: cannot read 'a\\x1b[2Jb\\nc': No such file or directory.\n"
    )


def test_a_reader_that_has_read_enough_is_no_error(tennis):
    process = subprocess.Popen(
        [sys.executable, "-m", "bough", "show", tennis],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == (b"", 0)
    process.stderr.close()


def test_the_module_is_the_command():
    found = subprocess.run(
        [sys.executable, "-m", "bough", "shw", "--json"], capture_output=True, check=False
    )
    assert found.returncode == 2
    assert json.loads(found.stdout)["error"]["code"] == "UsageError"


def test_a_reader_that_has_read_enough_does_not_cost_the_model(tmp_path):
    (tmp_path / PENGUINS.name).write_bytes(PENGUINS.read_bytes())
    command = f"{sys.executable} -m bough fit penguins.csv -t species -q --full | head -1"
    subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, capture_output=True, check=True)
    assert bough.load(tmp_path / "species.bough.json").get_n_leaves() > 1
    assert (tmp_path / "species.html").exists()
