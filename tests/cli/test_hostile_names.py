"""Names and cells of a table cannot steer the terminal."""

import csv
import subprocess
import sys
import unicodedata

import pytest

NAMES = ["a\x1b[2Jb", "new\nline", "\u202ertl", "x" * 300, "\x9b31m", "--json", "[bold]red[/]"]
CLASSES = ["no\x1b[0m", "yes\r\u2028", "[red]maybe"]
COMMANDS = [
    "check hostile.csv",
    "check hostile.csv -t target\x07",
    "fit hostile.csv -t target\x07 -o model.json",
    "fit hostile.csv -t target",
    "score hostile.csv -t target\x07",
    "show model.json",
    "show model.json --rules",
    "predict model.json hostile.csv -o guessed.csv",
    "evaluate model.json hostile.csv",
    "explain model.json hostile.csv --row 1",
    "explain model.json --set new=3",
    "compare model.json model.json hostile.csv",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Give a folder with a table of hostile names, and a model that was learnt from it."""
    path = tmp_path_factory.mktemp("hostile")
    with (path / "hostile.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*NAMES, "target\x07"])
        for number in range(120):
            cells = [f"{(number * (place + 3)) % 7}\x1b[1m" for place in range(len(NAMES))]
            writer.writerow([*cells, CLASSES[number % 7 % 3]])
    subprocess.run(
        [sys.executable, "-m", "bough", *COMMANDS[2].split(" ")],
        cwd=path,
        check=True,
        capture_output=True,
    )
    return path


@pytest.mark.parametrize("words", COMMANDS, ids=map(repr, COMMANDS))
def test_nothing_but_words_is_printed(run, folder, monkeypatch, words):
    monkeypatch.chdir(folder)
    found = run(*words.split(" "))
    assert found.status in (0, 2), found.err
    signs = set(found.out + found.err) - {"\n"}
    assert [sign for sign in signs if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp")] == []


def test_markup_in_names_is_not_obeyed(run, folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert "[bold]red[/]" in run("check", "hostile.csv").out


def test_the_questions_are_words_too(folder):
    found = subprocess.run(
        [sys.executable, "-m", "bough", "ask", "model.json"],
        cwd=folder,
        input=b"?\nu\nu\nu\nu\nu\nu\nu\nu\n",
        capture_output=True,
        check=True,
    )
    assert b"\x1b" not in found.stdout + found.stderr
