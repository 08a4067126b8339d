"""The tutorial: its pictures and notebooks are those that its chapters make, and its figures are shown."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))

import learn_pages  # noqa: E402

FENCED = re.compile(r"^```.*?^```$|^<!--.*?-->$|\]\([^)]*\)", re.M | re.S)
FIGURE = re.compile(r"(?<![\w.,/])\d[\d,]*(?:\.\d+)?(?:/\d+)?(?![\w])")
chapters = pytest.mark.parametrize("chapter", learn_pages.CHAPTERS, ids=lambda path: path.stem)


def text(path):
    return path.read_text("utf-8")


def figures(words):
    return {each.replace(",", "").rstrip(".") for each in FIGURE.findall(words)}


def unproven(page):
    """Return the figures of the prose of a page that none of its blocks shows."""
    shown = figures(" ".join(block for block in FENCED.findall(page) if block.startswith("```")))
    return {
        each
        for each in figures(FENCED.sub("", page)) - shown
        if "/" in each or "." in each or int(each) >= 10
    }


def test_there_are_six_chapters():
    assert [path.stem[:2] for path in learn_pages.CHAPTERS] == [f"{n}-" for n in range(1, 7)]
    index = text(learn_pages.LEARN / "README.md")
    assert all(f"({path.name})" in index for path in learn_pages.CHAPTERS)
    assert all(f"(notebooks/{path.stem}.ipynb)" in index for path in learn_pages.CHAPTERS)


@chapters
def test_a_chapter_is_short_and_has_exercises_with_answers(chapter):
    page = text(chapter)
    exercises = page.partition("\n## Exercises\n")[2]
    assert len(re.findall(r"^\d\. ", exercises, re.M)) >= 3
    answers = re.findall(r"<summary>Answer</summary>\n\n.+?\n\n</details>", exercises, re.S)
    assert len(answers) == len(re.findall(r"^\d\. ", exercises, re.M))
    prose = FENCED.sub("", page).split()
    assert len(prose) < 1_100


@chapters
def test_the_figures_of_a_chapter_are_shown_in_it(chapter):
    assert unproven(text(chapter)) == set()


@chapters
def test_the_pictures_of_a_chapter_are_what_the_code_draws(chapter):
    drawn = learn_pages.pictures(text(chapter))
    assert drawn
    assert {name: text(learn_pages.LEARN / name) for name in drawn} == drawn, "make learn"


@chapters
def test_the_notebook_of_a_chapter_is_made_from_it(chapter):
    made = learn_pages.notebook(text(chapter))
    assert text(learn_pages.NOTEBOOKS / f"{chapter.stem}.ipynb") == made, "make learn"


def test_a_wrong_figure_is_found():
    page = (
        "```\n$ bough\n68 rows, 3/5 right\n```\n\nAll 69 of 68 rows, 4/5 or 3/5 right, 0.5 bit.\n"
    )
    assert unproven(page) == {"69", "4/5", "0.5"}
