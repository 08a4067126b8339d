"""`bough show`."""

import os
import subprocess
import sys
import webbrowser
from pathlib import Path

import bough
from bough.exports.model_file import load


def test_the_tree_is_drawn_whole_into_a_pipe(run, tennis):
    assert run("show", tennis).out == bough.draw(load(tennis)) + "\n"


def test_depth_says_how_to_see_more(run, tennis):
    assert run("show", tennis, "--depth", 1).out.splitlines()[-1] == (
        "4 more nodes: --depth 2, or --full for all"
    )


def test_nodes_are_numbered_if_asked_for(run, tennis):
    assert run("show", tennis, "--ids").out == bough.draw(load(tennis), ids=True) + "\n"


def test_colours_are_used_when_asked_for(run, tennis):
    assert "\x1b[" in run("show", tennis, "--color", "always").out


def test_colours_are_not_used_in_a_pipe(run, tennis):
    assert "\x1b" not in run("show", tennis).out


def test_no_color_is_heeded(run, tennis, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "38;" not in run("show", tennis).out
    assert "\x1b[36m" not in run("show", tennis).out


def test_the_tree_is_as_narrow_as_the_screen(run, tennis, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, run("show", tennis).out.splitlines())) <= 40


def test_a_terminal_without_unicode_gets_ascii(tennis):
    found = subprocess.run(
        [sys.executable, "-m", "bough", "show", tennis],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert found.stdout.decode("ascii") == bough.draw(load(tennis), ascii=True) + "\n"


def test_the_document_holds_the_nodes(run, tennis):
    document = run("show", tennis, "--depth", 1, "--json").document
    assert document["labels"] == [{"name": "play", "classes": ["No", "Yes"]}]
    assert document["nodes"][3] == {
        "id": 3,
        "parent": 0,
        "depth": 1,
        "answer": "outlook = Sunny",
        "asks_about": "humidity",
        "n_rows": 5,
        "impurity": 0.48,
        "gain": 0.48,
        "guess": "No",
        "shares": [0.6, 0.4],
    }


def test_a_page_is_written_instead(run, tennis):
    found = run("show", tennis, "--html", "tennis.html")
    assert (found.out, found.err) == ("", "wrote tennis.html\n")
    assert Path("tennis.html").read_text("utf-8") == bough.export(load(tennis), "html")


def test_a_page_that_is_opened_lies_beside_the_model_file(run, tennis, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda place: opened.append(place) or True)
    Path("a.bough.json").write_bytes(tennis.read_bytes())
    assert run("show", "a.bough.json", "--open", "--json").document["output"] == "a.html"
    assert opened == [Path("a.html").absolute().as_uri()]
