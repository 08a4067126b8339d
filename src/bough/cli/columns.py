"""`Columns`: what a user says about the columns of a table."""

import re
import shlex
import sys
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter
from rich.text import Text

from bough.checks.codes import CHECKS
from bough.cli.failure import UsageError
from bough.cli.pairs import pairs
from bough.cli.pipe import PIPE
from bough.cli.terminal import Terminal
from bough.errors import ParameterError, did_you_mean, listed
from bough.learn.columns import number_of
from bough.learn.look import ColumnLook
from bough.schema import Value
from bough.table.column import Source
from bough.table.retype import KINDS, Types
from bough.words import plain

MOST_NAMES = 12  # that a message lists
_CODE = re.compile(r"B\d+")  # what a check may be meant by


@Parameter(name="*", group=Group("What the columns are", sort_key=1))
@dataclass(frozen=True)
class Columns:
    """What the columns of a table are, where that is not to be found out."""

    target: Annotated[str | None, Parameter(alias="-t", metavar="COLUMN")] = None
    """The column to be guessed."""
    task: Literal["auto", "classification", "regression", "ranking", "rank"] = "auto"
    """Whether the target has classes or numbers, or the rows of each group are ranked by it."""
    type: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="COLUMN=KIND")] = ()
    """What a column is: category, number, date or ignore; or its order, as in size=S,M,L. May be repeated."""
    ignore: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="NAME")] = ()
    """A column to leave out, or the code of a check not to make. May be repeated."""
    group: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    """The column that says what a row is about, in a ranking its query; rows of one group stay together."""

    def types(self, source: Source) -> Types | None:
        """Return the kinds of columns by name."""
        found = pairs("--type", self.type, source.names)
        for name in found:
            number_of(source, name, "types")
        return {
            name: kind if kind in KINDS else _order(name, kind) for name, kind in found.items()
        } or None

    def ignored(self, source: Source) -> tuple[str, ...]:
        """Return the columns and the checks to be left out."""
        for word in self.ignore:
            if _CODE.fullmatch(word) and word not in {*CHECKS, *source.names}:
                raise UsageError(
                    f"--ignore {word!r} is not the code of a check.{did_you_mean(word, CHECKS)} "
                    f"Known: {listed(CHECKS, most=len(CHECKS))}."
                )
        return self.ignore

    def chosen_target(self, source: Source, command: str, data: str, terminal: Terminal) -> str:
        """Return the target; if none is named, a person at a terminal may choose one."""
        if self.target is None:
            if data != PIPE and sys.stdin.isatty() and sys.stderr.isatty() and not terminal.json:
                return _choose(source, terminal)
            raise _no_target(source, command, data)
        try:
            number_of(source, self.target, "target")
        except ParameterError as error:
            for near in get_close_matches(self.target, source.names, n=1):
                error.add_note(shlex.join(["bough", command, data, "-t", near]))
            raise
        return self.target


AS_SEEN = Columns()


def plain_column(column: ColumnLook) -> dict[str, Any]:
    """Return what was seen of a column as plain data; its notes stand beside all others."""
    return {key: value for key, value in asdict(column).items() if key != "notes"}


def _choose(source: Source, terminal: Terminal) -> str:
    terminal.err.print(Text("Which column is to be guessed?", "bold"))
    room = len(str(len(source.names)))
    for place, name in enumerate(source.names, start=1):
        terminal.err.print(Text(f"  {place:>{room}}  {plain(name)}"))
    while True:
        typed = terminal.err.input("> ").strip()
        if typed in source.names:
            return typed
        if typed.isdecimal() and 1 <= int(typed) <= len(source.names):
            return source.names[int(typed) - 1]
        terminal.err.print(
            Text(f"  Type a number from 1 to {len(source.names)}, or a name.", "dim")
        )


def _no_target(source: Source, command: str, data: str) -> UsageError:
    error = UsageError(
        "Which column is to be guessed? Name it with -t. "
        f"Columns: {listed(source.names, most=MOST_NAMES)}."
    )
    error.add_note(shlex.join(["bough", command, data, "-t", source.names[-1]]))
    return error


def _order(name: str, words: str) -> list[Value]:
    """Return the values of a column in their order, numbers if all are."""
    values = words.split(",")
    if len(values) < 2:
        raise UsageError(
            f"--type {name}={words!r} is not known.{did_you_mean(words, KINDS)} "
            f"Known: {', '.join(KINDS)}, or values in order: S,M,L."
        )
    try:
        return [int(value) for value in values]
    except ValueError:
        return list(values)
