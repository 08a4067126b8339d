"""Whatever a command says to type is typed, and works."""

import datetime as dt
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bough
from bough.cli import COMMANDS
from bough.cli.command_line import _options_of

_TO_TYPE = re.compile(r"(?:next|try):\s+(bough .*)$", re.MULTILINE)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_FIX = re.compile(r"\((--[^()]*)\)$|In 'bough fit', add (--.*)$", re.MULTILINE)


def rows(n_rows=240):
    rng = np.random.default_rng(0)
    x, code = rng.normal(size=n_rows).round(3), rng.integers(0, 90, n_rows)
    return pd.DataFrame(
        {
            "my x": x,
            "tail": [f"N{each}" for each in code],
            "zip": [f"{each:05d}" for each in rng.integers(0, 40, n_rows)],
            "day": pd.date_range("2024-01-01", periods=n_rows).strftime("%Y-%m-%d"),
            "size": rng.choice(["S", "M", "L"], n_rows),
            "amount": [str(each) if each % 9 else "n/a" for each in code],
            "id": range(n_rows),
            "y": np.where(x + rng.normal(size=n_rows) / 4 > 0, "yes", "no"),
            "cost": (3 * x + np.arange(n_rows) / 50).round(3),
        }
    )


@pytest.fixture
def tables(run):  # which runs in an empty folder
    table = rows()
    table.to_csv("plain.csv", index=False)
    table.to_csv("semi colons.csv", index=False, sep=";", decimal=",")
    table.to_csv("tabs.txt", index=False, sep="\t")
    table.to_csv("bare.csv", index=False, header=False)
    table.assign(day=pd.to_datetime(table["day"])).to_parquet("typed.parquet")
    odd = table.assign(tags=[["a"]] * len(table), where=[{"lat": 1.0}] * len(table))
    odd.assign(at=dt.time(12, 30)).to_parquet("odd.parquet")
    return run


GIVEN = {
    "nothing": ["plain.csv", "-t", "y"],
    "no target": ["plain.csv"],
    "a near name": ["plain.csv", "-t", "cst", "--seed", "3"],
    "a target with =": ["plain.csv", "--target=cst", "--ignore", "id"],
    "types": ["plain.csv", "-t", "y", "--type", "size=S,M,L", "--type", "zip=number"],
    "ignored": ["plain.csv", "-t", "cost", "--ignore", "my x", "--ignore", "B107"],
    "marks": ["plain.csv", "-t", "cost", "--missing", "n/a", "--missing", "-", "--seed", "4"],
    "a task": ["plain.csv", "-t", "cost", "--task", "regression", "--group", "tail"],
    "semicolons": ["semi colons.csv", "-t", "y", "--delimiter", ";", "--quote", ""],
    "tabs": ["tabs.txt", "-t", "y", "--delimiter", "\t", "--encoding", "utf-8"],
    "no header": ["bare.csv", "--no-header", "-t", "column_8"],
    "parquet": ["typed.parquet", "-t", "y"],
    "odd types": ["odd.parquet", "-t", "y"],
}


MISSPELT = ("a near name", "a target with =")
ODD = {"odd types": ["--ignore", "tags", "--ignore", "where", "--ignore", "at"]}


def check_to_type(run, found):
    """Type every command that was printed, and return how many there were."""
    commands = _TO_TYPE.findall(found.err) + _TO_TYPE.findall(found.out)
    for command in commands:
        name, *words = shlex.split(command)[1:]
        force = ["--force"] if "--force" in _options_of(name) else []
        assert run(name, *words, *force).status == 0, command
    return len(commands)


def check_options(run, given, found):
    """Type every option that a note of `check` or `fit` gives, after the command of `fit`."""
    for one, other in _FIX.findall(found.err + found.out):
        advice = re.sub(r"\s+", " ", one or other)
        if "…" in advice:
            continue
        small = ("--max-depth", "2")  # whatever tree it is, the option is understood
        again = run("fit", *given, *shlex.split(advice), *small, "--force", "--no-report")
        assert again.status == 0, (advice, again.err)


@pytest.mark.parametrize("name", GIVEN)
def test_what_check_prints_can_be_typed_and_repeats_every_option(tables, name):
    given = [*GIVEN[name], *ODD.get(name, ())]
    found = tables("check", *GIVEN[name])
    if name == "odd types":
        assert found.err == (
            "error: 3 columns hold what a tree cannot ask about: 'tags' has the type VARCHAR[], "
            "'where' has the type STRUCT(lat DOUBLE), 'at' has the type TIME.\n"
            "  Convert them to text, numbers or dates, or leave them out: "
            "--ignore tags --ignore where --ignore at.\n"
        )
        found = tables("check", *given)
    assert found.status == (2 if name in MISSPELT else 0)
    (command,) = _TO_TYPE.findall(found.err)
    words = shlex.split(command.replace("\\t", "\t"))
    if name not in MISSPELT:
        assert words[:2] == ["bough", "fit"]
        assert words[2 : 2 + len(given)] == given
    assert check_to_type(tables, found) == 1
    if "-t" in GIVEN[name]:
        check_options(tables, given, found)


@pytest.mark.parametrize("target", ["y", "cost"])
def test_what_fit_prints_can_be_typed(tables, target):
    given = ["plain.csv", "-t", target]
    found = tables("fit", *given)
    check_options(tables, given, found)
    assert tables("fit", *given, "--force").status == 0
    # 'next: bough ask' waits for answers; it is there and has its model
    assert f"next: bough ask {target}.bough.json" in found.err
    assert Path(f"{target}.bough.json").exists()


def test_what_explain_and_export_print_can_be_typed(tables):
    tables("fit", "plain.csv", "-t", "y")
    for words in (
        ["explain", "y.bough.json"],
        ["explain", "y.bough.json", "plain.csv", "--missing", "n/a"],
        ["export", "y.bough.json", "--to", "png", "--json"],
        ["score", "plain.csv", "--missing", "n/a"],
    ):
        found = tables(*words)
        hint = found.document["error"]["hint"] if "--json" in words else ""
        said = found._replace(err=f"try:  {hint}\n") if hint else found
        assert found.status == 2
        assert check_to_type(tables, said) == 1


def test_no_message_names_an_option_that_no_command_has():
    known = set().union(*map(_options_of, COMMANDS)) | {"--help", "--version", "--shell"}
    known |= {"--install-completion", "--upgrade", "--no-"}  # pip's, and how others begin
    package = Path(bough.__file__).parent
    named = {
        (path.name, option)
        for path in package.rglob("*.py")
        for line in path.read_text().splitlines()
        if '"' in line
        for option in _OPTION.findall(line)
    }
    assert {each for each in named if each[1] not in known} == set()
