"""The list of checks: every code has a function and a line in docs/checks.md."""

import re
from pathlib import Path

from bough.checks import CHECKS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "bough" / "checks"
FROM_READERS = {"B105", "B106", "B111"}  # their notes are made from remarks of any code


def test_the_page_has_every_check_once_and_no_other():
    page = (ROOT / "docs" / "checks.md").read_text("utf-8")
    assert re.findall(r"^\| (B\d{3}) \| ([^|]+) \|", page, re.M) == list(CHECKS.items())


def test_every_check_is_made_somewhere_and_no_other():
    sources = [path.read_text("utf-8") for path in SOURCE.glob("*.py")]
    made = {code for source in sources for code in re.findall(r'Note\(\s*"(B\d{3})"', source)}
    assert made | FROM_READERS == CHECKS.keys()
