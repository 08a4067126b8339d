"""The list of checks: every code has a function, a line in docs/checks.md, and can be ignored."""

import re
from pathlib import Path

import pytest

from bough.checks import CHECKS, ignored_codes
from bough.errors import ParameterError

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


def test_one_code_may_stand_alone():
    assert ignored_codes("B103") == {"B103"}


def test_a_code_that_does_not_exist_is_refused():
    with pytest.raises(ParameterError) as caught:
        ignored_codes(("B103", "B130"))
    assert str(caught.value) == (
        f"ignore names 'B130', but no check has this code. Known codes: {', '.join(CHECKS)}."
    )
