"""Options from `bough.toml` and `pyproject.toml`."""

from pathlib import Path

import pytest

DEPTH_0 = "all rows  ████░░░░░░░░  14  → Yes  64 %  … 7 more"


def first_line(found):
    return found.out.splitlines()[0]


def test_an_option_for_one_command_is_taken_from_bough_toml(run, tennis):
    Path("bough.toml").write_text("[show]\ndepth = 0\n")
    assert first_line(run("show", tennis)) == DEPTH_0


def test_an_option_for_one_command_is_taken_from_pyproject_toml(run, tennis):
    Path("pyproject.toml").write_text("[tool.bough.show]\ndepth = 0\n")
    assert first_line(run("show", tennis)) == DEPTH_0


def test_an_option_for_all_commands_stands_above(run, tennis):
    Path("bough.toml").write_text("json = true\n")
    assert run("show", tennis).document["command"] == "show"


def test_options_of_another_command_do_not_matter(run, tennis):
    Path("bough.toml").write_text("[fit]\nseed = 3\n")
    assert run("show", tennis).status == 0


def test_an_option_for_all_is_passed_over_by_commands_that_do_not_have_it(run, tennis):
    Path("bough.toml").write_text("seed = 3\ndepth = 0\n")
    assert first_line(run("show", tennis)) == DEPTH_0


def test_what_is_typed_wins(run, tennis):
    Path("bough.toml").write_text("[show]\ndepth = 1\n")
    assert first_line(run("show", tennis, "--depth", 0)) == DEPTH_0


def test_the_nearest_file_counts(run, tennis, monkeypatch):
    Path("bough.toml").write_text("[show]\ndepth = 1\n")
    Path("below").mkdir()
    Path("below/pyproject.toml").write_text("[tool.bough.show]\ndepth = 0\n")
    monkeypatch.chdir("below")
    assert first_line(run("show", tennis)) == DEPTH_0


def test_a_pyproject_without_a_word_about_bough_is_passed_over(run, tennis, monkeypatch):
    Path("bough.toml").write_text("[show]\ndepth = 0\n")
    Path("below").mkdir()
    Path("below/pyproject.toml").write_text("[tool.other]\ndepth = 3\n")
    monkeypatch.chdir("below")
    assert first_line(run("show", tennis)) == DEPTH_0


WRONG = {
    "[show]\ndpth = 0\n": """\
error: 'bough show' has no option 'dpth' (named in '{path}').
  Did you mean 'depth'?
  try:  bough show --help
""",
    "dpth = 0\n": """\
error: 'bough show' has no option 'dpth' (named in '{path}').
  Did you mean 'depth'?
  try:  bough show --help
""",
    "[show]\ndepth = 'two'\n": """\
error: depth 'two' in '{path}' must be a whole number.
  try:  bough show --help
""",
    "[show\n": """\
error: cannot read the options in '{path}': Expected ']' at the end of a table declaration \
(at line 1, column 6).
""",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_mistake_in_the_file_is_named(run, tennis, text):
    path = Path("bough.toml").absolute()
    path.write_text(text)
    found = run("show", tennis)
    assert (found.status, found.err) == (2, WRONG[text].format(path=path))


def test_options_that_are_no_table_are_refused(run, tennis):
    path = Path("pyproject.toml").absolute()
    path.write_text("[tool]\nbough = 3\n")
    assert run("show", tennis).err == f"error: 'bough' in '{path}' must be a table of options.\n"


def test_help_does_not_read_the_file(run):
    Path("bough.toml").write_text("[show\n")
    assert run("--help").status == 0
