"""The lists of calls in docs/architecture.md are what happens: a trace is compared with the page."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from sessions import PENGUINS

import bough
from bough.cli import main

PACKAGE = Path(bough.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
BLOCK = re.compile(r"^The way of (.*?) through .*?:\n\n((?:    .*\n)+)", re.M)
LISTS = dict(BLOCK.findall(PAGE.read_text("utf-8")))


def listed(text):
    """Return the calls of a list with the calls that each stands below."""
    above, found = [], []
    for line in text.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2 - 2
        del above[depth:]
        above.append(line.split()[0])
        found.append(tuple(above))
    return found


def traced(run):
    """Return every call of a function of bough as the calls that it stands below, first ones first."""
    stack, found = [], {}

    def look(frame, event, _):
        code = frame.f_code
        if not code.co_filename.startswith(str(PACKAGE)):
            return
        if event == "call":
            path = Path(code.co_filename).relative_to(PACKAGE).with_suffix("")
            parts = [part for part in path.parts if part != "__init__"]
            stack.append((frame, ".".join([*parts, code.co_qualname])))
            found.setdefault(tuple(name for _, name in stack), None)
        elif event == "return" and stack and stack[-1][0] is frame:
            stack.pop()

    sys.setprofile(look)
    try:
        run()
    finally:
        sys.setprofile(None)
    return list(found)


def is_below(calls, stack):
    """Return whether a stack ends with the last of some calls and has the others above, in order."""
    waiting = iter(stack)
    return stack[-1] == calls[-1] and all(call in waiting for call in calls)


def check(text, run):
    stacks = traced(run)
    place = -1
    for calls in listed(text):
        later = [i for i, stack in enumerate(stacks) if i > place and is_below(calls, stack)]
        assert later, f"{' > '.join(calls)} is not called, or not after what stands before it"
        place = later[0]


def test_the_page_has_both_lists():
    assert list(LISTS) == ["a CSV file", "an array"]


def test_a_csv_file_goes_the_way_that_the_page_says(tmp_path, monkeypatch):
    (tmp_path / PENGUINS.name).write_bytes(PENGUINS.read_bytes())
    monkeypatch.chdir(tmp_path)
    check(LISTS["a CSV file"], lambda: main(["fit", PENGUINS.name, "-t", "species", "-q"]))


def test_an_array_goes_the_way_that_the_page_says():
    X = np.random.default_rng(0).random((100, 3))
    tree = bough.DecisionTreeClassifier()
    check(LISTS["an array"], lambda: tree.fit(X, X[:, 0] > 0.5).predict(X))


def test_a_list_that_is_wrong_is_found():
    with pytest.raises(AssertionError, match="is not called"):
        check("    cli.main\n      cli.commands.fit.fit\n", lambda: None)
