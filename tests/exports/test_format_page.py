"""The page about the model file: its example is one, and it leaves nothing out."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from bough.evidence import Calibration, CalibrationBin, Candidate, Estimate, Evidence, Note, Stop
from bough.exports.model_file import loads
from bough.tree.check import ARRAYS
from bough.walk import walk

PAGE = (Path(__file__).parents[2] / "docs" / "format.md").read_text("utf-8")


def test_the_file_in_the_docs_loads():
    example = PAGE.partition("```json\n")[2].partition("```")[0].encode()
    assert [step.answer for step in walk(loads(example).tree)] == [
        "",
        "= Overcast",
        "= Rain",
        "= Strong",
        "= Weak",
        "= Sunny",
    ]


def test_the_docs_name_every_array():
    assert [name for name in ARRAYS if f"\n| `{name}` |" not in PAGE] == []


@pytest.mark.parametrize(
    "record", [Evidence, Estimate, Calibration, CalibrationBin, Candidate, Note, Stop]
)
def test_the_docs_name_every_entry_of_the_evidence(record):
    section = PAGE.partition("\n## evidence\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?`) \|", section, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert [each.name for each in fields(record) if each.name not in named] == []
