"""Help that a newcomer can follow."""

import re

import pytest

from bough.cli import COMMANDS


def test_help_names_every_command_on_a_line_of_its_own(run):
    lines = run("--help").out.splitlines()
    for name, command in COMMANDS.items():
        assert any(name in line and command.sentence in line for line in lines)


def test_no_words_are_a_call_for_help(run):
    assert run().out == run("--help").out


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_ends_with_an_example(run, name):
    found = run(name, "--help")
    assert found.status == 0
    assert found.out.endswith(f"Example:  {COMMANDS[name].example}\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_explained(run, name):
    for line in run(name, "--help").out.splitlines():
        if line.startswith("│ ") and "--" in line:
            option, _, says = line.strip("│ ").partition("  ")
            assert says.strip(), option


@pytest.mark.parametrize("name", COMMANDS)
def test_short_and_long_help_are_the_same(run, name):
    assert run(name, "-h").out == run(name, "--help").out


def test_the_version_is_said(run):
    import bough

    assert run("--version").out == f"{bough.__version__}\n"


def test_a_terminal_of_one_column_gets_help_that_ends(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1")
    found = run("fit", "--help")
    assert found.status == 0
    assert max(map(len, found.out.splitlines())) == 20


def test_the_default_shares_are_shown_as_they_are_typed(run):
    assert "[default: 0.7 0.1 0.2]" in re.sub(r"[\s│]+", " ", run("fit", "--help").out)
