"""A figure in the sentence below a session is one that the session, or the page above it, shows."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "use").glob("*.md"))]
BLOCK = re.compile(r"^```.*?^```$", re.M | re.S)
BELOW = re.compile(r"^```\n\n(?P<sentence>[^`#|\-\n].*?)(?=[.:](?:\s|$)|\n\n)", re.M | re.S)
CITED = re.compile(r"\([^()]*\b[12]\d{3}\)")  # as in (Quinlan, 1993)
FIGURE = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")


def figures(text):
    return {found.replace(",", "").rstrip(".") for found in FIGURE.findall(text)}


def unproven(page):
    """Return the figures of sentences right below a session that nothing above them shows."""
    found = set()
    for below in BELOW.finditer(page):
        shown = figures(" ".join(block[0] for block in BLOCK.finditer(page[: below.start() + 4])))
        said = figures(CITED.sub("", below["sentence"]))
        found |= {each for each in said - shown if float(each) >= 10}
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_figures_below_a_session_are_in_it(page):
    assert unproven(page.read_text("utf-8")) == set()


def test_a_wrong_figure_is_found():
    page = "```\n$ bough\n68 test rows, 1,309 in all\n```\n\nAll 69 of 1,309 rows. Not 70.\n"
    assert unproven(page) == {"69"}
