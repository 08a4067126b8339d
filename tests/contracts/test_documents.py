"""The README and the pages under docs: what they show is true, and their links lead somewhere."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sessions import PENGUINS

import bough
from bough.cli import COMMANDS

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
WITH_EXAMPLES = [page for page in PAGES if "\n>>> " in page.read_text("utf-8")]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]


def blocks(language):
    """Return the blocks of code in the README."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_link_of_a_page_leads_to_a_file(page):
    links = [link for link in LINK.findall(page.read_text("utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run(page):
    text = re.sub(r"^```.*$", "", page.read_text("utf-8"), flags=re.M)  # a fence ends an output
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_the_readme_has_links():
    assert len(LINK.findall(README.read_text("utf-8"))) > 5


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_is_short_and_runs(example):
    assert len(example.read_text("utf-8").splitlines()) <= 40
    subprocess.run([sys.executable, example], capture_output=True, check=True)


def test_the_lines_of_python_in_the_readme_run(tmp_path, monkeypatch):
    (tmp_path / PENGUINS.name).write_bytes(PENGUINS.read_bytes())
    monkeypatch.chdir(tmp_path)  # they save a file
    names = {}
    for code in blocks("python"):
        exec(compile(code, "README.md", "exec"), names)
    assert isinstance(names["result"], bough.Result)
    assert isinstance(names["tree"], bough.DecisionTreeClassifier)
    assert bough.load("species.bough.json").get_n_leaves() == names["result"].model.get_n_leaves()


def test_pages_show_every_command_and_no_other():
    shown = {
        name
        for page in PAGES
        for name in re.findall(r"(?m)(?:^\$ |`)bough ([a-z]+)", page.read_text("utf-8"))
    }
    assert shown == COMMANDS.keys()


def test_the_targets_of_make_that_pages_name_are_there():
    known = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    named = {
        name
        for page in PAGES
        for name in re.findall(r"(?m)(?:^|`)make ([\w-]+)", page.read_text("utf-8"))
    }
    assert {"demo", "test", "deep"} <= named <= known
