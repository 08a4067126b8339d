"""What only a terminal shows: prompts, and trees cut to the height of the screen."""

import os
import re
import sys
from pathlib import Path

import pexpect
import pytest

import bough
from bough.exports.model_file import load

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SURROUNDINGS = {key: each for key, each in os.environ.items() if key not in ("LINES", "COLUMNS")}
TABLES = Path(bough.__file__).parent / "tables"


@pytest.fixture
def spawn(tmp_path):
    """Give a function that runs `bough WORDS` in a terminal."""
    children = []

    def spawn(*words, rows=24, columns=80):
        child = pexpect.spawn(
            sys.executable,
            ["-m", "bough", *map(str, words)],
            env={**SURROUNDINGS, "TERM": "xterm", "NO_COLOR": "1"},
            cwd=tmp_path,
            dimensions=(rows, columns),
            encoding="utf-8",
            timeout=30,
        )
        children.append(child)
        return child

    yield spawn
    for child in children:
        child.close(force=True)


def rest(child):
    """Return the lines up to the end."""
    child.expect(pexpect.EOF)
    child.close()
    return ANSI.sub("", child.before).replace("\r", "").splitlines()


def test_a_target_can_be_chosen_by_number(spawn):
    child = spawn("fit", TABLES / "penguins.csv")
    child.expect_exact("Which column do you want to predict?")
    child.expect_exact("  8  species")
    child.expect_exact("> ")
    child.sendline("9")
    child.expect_exact("Type a number from 1 to 8, or a name.")
    child.expect_exact("> ")
    child.sendline("8")
    assert "saved species.bough.json" in "\n".join(rest(child))
    assert child.exitstatus == 0


def test_a_target_can_be_chosen_by_name(spawn):
    child = spawn("score", TABLES / "penguins.csv")
    child.expect_exact("> ")
    child.sendline("species")
    assert any(line.startswith("species: 152 Adelie") for line in rest(child))


def test_a_high_tree_is_cut_to_the_screen(spawn, tennis):
    lines = rest(spawn("show", tennis, rows=9))
    assert lines[-1] == "4 more nodes: --full for all"
    assert len(lines) < 9


def test_full_shows_all(spawn, tennis):
    lines = rest(spawn("show", tennis, "--full", rows=9))
    assert lines == bough.draw(load(tennis)).splitlines()


def test_a_tree_that_fits_is_whole(spawn, tennis):
    assert rest(spawn("show", tennis)) == bough.draw(load(tennis)).splitlines()


def test_long_notes_are_indented(spawn):
    lines = rest(spawn("fit", TABLES / "penguins.csv", "-t", "species", rows=60, columns=60))
    first = next(number for number, line in enumerate(lines) if line.startswith("! B301  "))
    assert lines[first + 1].startswith(" " * 8)


def test_no_line_ends_with_blanks(spawn):
    words = ("fit", TABLES / "penguins.csv", "-t", "species", "-q")  # a bar would end with them
    lines = rest(spawn(*words, rows=60, columns=60))
    assert [line for line in lines if line != line.rstrip()] == []


def test_an_estimate_that_is_too_long_has_its_interval_below(spawn):
    lines = rest(spawn("fit", TABLES / "penguins.csv", "-t", "species", rows=60))
    first = next(number for number, line in enumerate(lines) if line.startswith("Expected"))
    assert lines[first].endswith(" %")
    assert re.fullmatch(r"  95 % interval \d.* – \d.*   \(\d+ test rows\)", lines[first + 1])


BAR = """
import sys, time
from bough.cli.printing import progress
from bough.cli.terminal import Terminal
with progress(Terminal()) as report:
    report(sys.argv[1], float(sys.argv[2]))
    time.sleep(2)  # a bar comes after half a second
"""


@pytest.mark.parametrize(("share", "words"), [("0.4", " 40 %"), ("0", "")])
def test_a_bar_gives_the_share_where_it_is_known(share, words):
    child = pexpect.spawn(
        sys.executable,
        ["-c", BAR, "measuring", share],
        env={**SURROUNDINGS, "TERM": "xterm"},
        encoding="utf-8",
        timeout=30,
    )
    bars = re.findall("measuring[^m]*", "".join(rest(child)))
    assert {re.sub("[━╸╺]+", "━", bar).rstrip() for bar in bars} == {f"measuring ━{words}"}
