"""`bough export`."""

from pathlib import Path

import pytest

import bough
from bough.export import FORMATS
from bough.export.json import load


@pytest.mark.parametrize("name", FORMATS)
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
