"""The page about the model file: its example is one, and it leaves no array out."""

from pathlib import Path

from bough.export.json import loads
from bough.tree import ARRAYS
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
