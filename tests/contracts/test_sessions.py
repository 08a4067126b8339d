"""The terminal sessions that pages show are what the commands print; `--update-golden` puts it in."""

from pathlib import Path

import pytest
from sessions import BLOCK, as_run

ROOT = Path(__file__).parents[2]
PAGES = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if BLOCK.search(page.read_text("utf-8"))
]

AS_TYPED = (ROOT / "README.md", ROOT / "docs" / "use" / "serve.md")  # each command in a new process


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_sessions_of_a_page_run_as_it_shows(page, request):
    shown = page.read_text("utf-8")
    run = as_run(shown, in_process=page not in AS_TYPED)
    if request.config.getoption("--update-golden"):
        page.write_text(run, "utf-8")
    assert run == shown


def test_the_readme_shows_a_session():
    assert ROOT / "README.md" in PAGES


def test_what_a_person_types_is_shown_after_the_prompt():
    page = "```\n$ printf '> who? '; read name; echo \"hello $name\"\n> Ann\n```\n"
    assert as_run(page) == page.replace("\n> Ann\n", "\n> Ann\nwho? hello Ann\n")
