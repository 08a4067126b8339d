"""What commands never overwrite: the tables they read, and files that bough did not write."""

import os
from pathlib import Path

import pytest

LETTERS = "x,y\n" + "".join(f"{number % 9},{'ab'[number % 2]}\n" for number in range(40))
THERE = (
    "error: {!r} already exists and does not look like a file of bough.\n"
    "  Name another file with -o, or add --force to overwrite it.\n"
)
READ = (
    "error: {!r} is a file that this command reads.\n"
    "  Name another file with -o, or add --force to overwrite it.\n"
)


@pytest.fixture
def letters(run):
    Path("a.csv").write_text(LETTERS)
    return run


def test_the_table_is_not_replaced_by_the_model(letters):
    found = letters("fit", "a.csv", "-t", "y", "-o", "a.csv")
    assert (found.status, found.out, found.err) == (2, "", READ.format("a.csv"))
    assert Path("a.csv").read_text() == LETTERS


@pytest.mark.parametrize("option", ["--dev", "--test"])
def test_nor_is_a_table_of_other_rows_under_another_name(letters, option):
    Path("b.csv").write_text(LETTERS)
    Path("link.csv").symlink_to("b.csv")
    found = letters("fit", "a.csv", "-t", "y", option, "b.csv", "-o", "link.csv")
    assert (found.status, found.err) == (2, READ.format("link.csv"))


def test_a_page_that_bough_did_not_write_stays_as_it_is(letters):
    Path("index.csv").write_text(LETTERS.replace("y", "index", 1))
    Path("index.html").write_text("<h1>My site</h1>")
    found = letters("fit", "index.csv", "-t", "index")
    assert (found.status, found.out, found.err) == (2, "", THERE.format("index.html"))
    assert not Path("index.bough.json").exists()
    assert letters("fit", "index.csv", "-t", "index", "--force", "-q").status == 0
    assert "bough" in Path("index.html").read_text()


def test_what_bough_wrote_before_is_replaced(letters):
    for _ in range(2):
        assert letters("fit", "a.csv", "-t", "y", "-q").status == 0
        assert letters("predict", "y.bough.json", "a.csv", "-o", "b.csv").status == 0
        assert letters("export", "y.bough.json", "--to", "html", "-o", "b.html").status == 0
        assert letters("export", "y.bough.json", "--to", "svg", "-o", "b.svg").status == 0
        assert letters("export", "y.bough.json", "--to", "text", "-o", "b.txt").status == 0


def test_an_empty_file_has_nothing_to_lose(letters):
    Path("model.json").touch()
    assert letters("fit", "a.csv", "-t", "y", "-o", "model.json", "-q").status == 0


@pytest.mark.parametrize("name", ["b.csv", "b.parquet", "b.jsonl", "b.csv.gz"])
def test_guesses_do_not_replace_other_tables(letters, name):
    letters("fit", "a.csv", "-t", "y", "-q")
    Path(name).write_text("mine")
    found = letters("predict", "y.bough.json", "a.csv", "-o", name)
    assert (found.status, found.err) == (2, THERE.format(name))
    assert Path(name).read_text() == "mine"
    for words in (["--force"], []):  # and then it is bough's own
        assert letters("predict", "y.bough.json", "a.csv", "-o", name, *words).status == 0


def test_guesses_do_not_replace_the_table_they_are_for(letters):
    letters("fit", "a.csv", "-t", "y", "-q")
    found = letters("predict", "y.bough.json", "a.csv", "-o", "a.csv")
    assert (found.status, found.err) == (2, READ.format("a.csv"))
    assert Path("a.csv").read_text() == LETTERS


def test_an_export_does_not_replace_notes(letters):
    letters("fit", "a.csv", "-t", "y", "-q")
    Path("tree.txt").write_text("notes")
    found = letters("export", "y.bough.json", "--to", "text", "-o", "tree.txt")
    assert (found.status, found.err) == (2, THERE.format("tree.txt"))
    found = letters("export", "y.bough.json", "--to", "json", "-o", "y.bough.json")
    assert (found.status, found.err) == (2, READ.format("y.bough.json"))


@pytest.mark.parametrize(
    ("output", "complaint"),
    [
        ("absent/model.json", "cannot save 'absent/model.json': No such file or directory."),
        (".", "cannot save '.': Is a directory."),
    ],
)
def test_a_place_that_is_none_is_refused_before_learning(letters, monkeypatch, output, complaint):
    monkeypatch.setattr("bough.cli.commands.fit.learnt", None)
    found = letters("fit", "a.csv", "-t", "y", "-o", output)
    assert (found.status, found.err) == (2, f"error: {complaint}\n")


def test_a_folder_that_may_not_be_written_is_refused_before_learning(letters, monkeypatch):
    monkeypatch.setattr("bough.cli.commands.fit.learnt", None)
    monkeypatch.setattr(os, "access", lambda *_: False)  # a superuser may write anywhere
    found = letters("fit", "a.csv", "-t", "y")
    assert (found.status, found.err) == (
        2,
        "error: cannot save 'y.bough.json': Permission denied.\n",
    )


def test_a_target_that_is_long_in_bytes_makes_a_name_that_files_may_have(letters):
    Path("trees.csv").write_text(LETTERS.replace("y", "木" * 90, 1))
    assert letters("fit", "trees.csv", "-t", "木" * 90, "-q").status == 0
    assert Path(f"{'木' * 33}.bough.json").exists()
