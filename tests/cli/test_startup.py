"""What commands load that should answer at once; `benchmarks/startup.py` measures their time."""

import json
import subprocess
import sys

import pytest

from bough.exports import FORMATS

# Runs command lines one after the other; what one has loaded, it has loaded for all that follow.
RUN = """
import io, json, sys
from contextlib import redirect_stdout
import bough.cli
loaded = []
for words in json.loads(sys.argv[1]):
    sys.stdin = io.StringIO("1\\n1\\n")
    with redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        bough.cli.main(words)
    loaded.append(list(sys.modules))
print(json.dumps(loaded))
"""
HEAVY = {"sklearn", "scipy", "duckdb", "narwhals", "pandas", "polars", "pyarrow"}
AT_ONCE = [
    "show",
    "show --rules",
    "ask",
    "explain --set outlook=Rain",
    *(f"export --to {name}" for name in FORMATS if name not in ("sklearn", "treelite")),
]


def packages(*commands):
    """Run command lines in a new process; return for each the packages that are loaded after it."""
    found = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(commands)], capture_output=True, check=True
    )
    return [set(modules) for modules in json.loads(found.stdout)]


def test_help_loads_no_numpy():
    (loaded,) = packages(["--help"])
    assert loaded & (HEAVY | {"numpy"}) == set()


def test_commands_that_answer_at_once_load_little(tennis):
    commands = [[name, str(tennis), *others] for name, *others in map(str.split, AT_ONCE)]
    loaded = zip(AT_ONCE, packages(*commands), strict=True)
    assert {words: heavy for words, modules in loaded if (heavy := modules & HEAVY)} == {}


def test_teaching_tables_are_shown_at_once():
    taught, scored = packages(["teach", "play_tennis"], ["score", "play_tennis"])
    assert taught & HEAVY == scored & HEAVY == set()


INTERRUPTED = """
import sys

class CtrlC:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, CtrlC())
from bough.cli import main
sys.exit(main(["show", sys.argv[2]]))
"""


@pytest.mark.parametrize("name", ["cyclopts", "rich.console"])
def test_ctrl_c_is_quiet_while_the_command_line_is_loaded(tennis, name):
    found = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, name, tennis], capture_output=True, check=False
    )
    assert (found.returncode, found.stdout, found.stderr) == (130, b"", b"")
