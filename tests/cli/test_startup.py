"""What commands load that should answer at once; `benchmarks/startup.py` measures their time."""

import subprocess
import sys

import pytest

from bough.exports import FORMATS

RUN = "import sys, bough.cli; bough.cli.main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
HEAVY = {"sklearn", "scipy", "duckdb", "narwhals", "pandas", "polars", "pyarrow"}
AT_ONCE = [
    "show",
    "show --rules",
    "ask",
    "explain --set outlook=Rain",
    *(f"export --to {name}" for name in FORMATS if name not in ("sklearn", "treelite")),
]


def packages(*words):
    """Run a command line in a new process, and return the packages that it loaded."""
    found = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        input=b"1\n1\n",
        capture_output=True,
        check=True,
    )
    return set(found.stderr.decode().splitlines()[-1].split())


def test_help_loads_no_numpy():
    assert packages("--help") & (HEAVY | {"numpy"}) == set()


@pytest.mark.parametrize("words", AT_ONCE)
def test_commands_that_answer_at_once_load_little(tennis, words):
    name, *others = words.split()
    assert packages(name, str(tennis), *others) & HEAVY == set()


@pytest.mark.parametrize("words", ["teach play_tennis", "score play_tennis"])
def test_teaching_tables_are_shown_at_once(words):
    assert packages(*words.split()) & HEAVY == set()


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
