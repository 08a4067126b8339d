"""The runs that docs/use/commands.md shows are true."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bough

PAGE = Path(__file__).parents[2] / "docs" / "use" / "commands.md"
BLOCK = re.compile(r"^```\n(\$ .*?)^```$", re.MULTILINE | re.DOTALL)


def runs():
    """Return the command lines that the page shows, and what it says they print."""
    text = PAGE.read_text("utf-8")
    shown = [part for block in BLOCK.findall(text) for part in re.split(r"^\$ ", block, flags=re.M)]
    return [tuple(part.split("\n", 1)) for part in shown if part]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("page")
    shutil.copy(Path(bough.__file__).parent / "tables" / "penguins.csv", path)
    return path


def printed(line, folder):
    """Run a command line as a terminal of 100 columns would show it."""
    _, *words = shlex.split(line)
    found = subprocess.run(
        [sys.executable, "-m", "bough", *words],
        cwd=folder,
        env={**os.environ, "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=True,
    )
    return "".join(f"{line.rstrip()}\n" for line in found.stdout.decode().splitlines())


def test_the_page_shows_what_is_printed(request, folder):
    found = [(line, printed(line, folder)) for line, _ in runs()]
    if request.config.getoption("--update-golden"):
        blocks = iter(found)
        PAGE.write_text(BLOCK.sub(lambda block: rewritten(block, blocks), PAGE.read_text("utf-8")))
    assert found == runs()


def rewritten(block, blocks):
    """Return a block with what its command lines print."""
    n_lines = len(re.findall(r"^\$ ", block[1], flags=re.M))
    parts = [next(blocks) for _ in range(n_lines)]
    return "```\n" + "".join(f"$ {line}\n{text}" for line, text in parts) + "```"
