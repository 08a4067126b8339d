"""The list of checks: every code has a function, in the register, and a line in docs/checks.md."""

import re
from pathlib import Path

from bough.checks.list_of_checks import CHECKS
from bough.evidence import Note
from bough.learn.check_table import made

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "bough" / "checks"
FROM_READERS = {"B105", "B106", "B111"}  # their notes are made from remarks of any code


def test_the_page_has_every_check_once_and_no_other():
    page = (ROOT / "docs" / "checks.md").read_text("utf-8")
    assert re.findall(r"^\| (B\d{3}) \| ([^|]+) \|", page, re.M) == [
        (code, check.what) for code, check in CHECKS.items()
    ]


def test_every_check_is_made_somewhere_and_no_other():
    sources = [path.read_text("utf-8") for path in SOURCE.glob("*.py")]
    made = {code for source in sources for code in re.findall(r'Note\(\s*"(B\d{3})"', source)}
    assert made | FROM_READERS == CHECKS.keys()


def test_a_check_is_given_what_it_has_parameters_for_unless_its_code_is_ignored():
    def check(tree, n_rows):
        return [Note(code, f"{tree} {n_rows}") for code in ("B303", "B304")]

    found = made((check,), {"B303"}, tree="a tree", n_rows=3, table="a table")
    assert found == [Note("B304", "a tree 3")]
