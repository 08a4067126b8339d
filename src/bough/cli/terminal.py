"""`Terminal`: results to stdout, notes, progress and errors to stderr; as a screen, a pipe or JSON has them."""

import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter
from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from bough.cli import INTERRUPTED
from bough.cli.failures import Failure
from bough.text_layout import cells, table_rows
from bough.words import plain

DOCUMENT = "bough/1"  # the version of the JSON documents; `docs/json.md` describes them
LONGEST = 160  # signs of a line of words
NARROWEST = 20  # columns
_GLUE = "\ufdd0"  # stands for a blank where no line is broken; no text holds it
_GAP = re.compile(r"\s{2,}(?=\S)")
_HANG = 20  # signs in which the words of a line begin that has figures in front
TAIL = 40  # of these, how many are of its end
_UNLIMITED = 100_000  # columns of what is no terminal: a file, or another program
FLAG = Parameter(show_default=False)  # of an option that is off unless it is typed


def at_least(least: int) -> Parameter:
    """Return what refuses smaller numbers for an option."""

    def check(_: type, value: int | None) -> None:
        if value is not None and value < least:
            raise ValueError(f"must be a whole number, {least} or more")

    return Parameter(validator=check)


class OpenConsole(Console):
    """A console that leaves it to its user what happens when nobody reads any more.

    It is never so narrow that a table of options has no room for a letter.
    """

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - those of a console
        super().__init__(**options)
        self.width = max(self.width, NARROWEST)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


@Parameter(name="*", group=Group("Printing", sort_key=5))
@dataclass(frozen=True)
class Terminal:
    """What a user wants of the words of a command, and where they go."""

    quiet: Annotated[bool, FLAG, Parameter(alias="-q")] = False
    """Hide notes and progress, never results."""
    json: Annotated[bool, FLAG] = False
    """Print one JSON document, errors included."""
    color: Literal["auto", "always", "never"] = "auto"
    """When to use colours; NO_COLOR turns them off, too."""
    digits: Annotated[int, at_least(1)] = 3
    """Print numbers with at least this many digits."""

    @property
    def out(self) -> Console:
        """Where results go."""
        return self._console(is_error=False)

    @property
    def err(self) -> Console:
        """Where notes, progress and errors go."""
        return self._console(is_error=True)

    @property
    def width(self) -> int | None:
        """How many columns results may take; None: any number."""
        return self.out.width if self.out.width < _UNLIMITED else None

    @property
    def height(self) -> int | None:
        """How many lines results may take; None: any number."""
        return self.out.height if sys.stdout.isatty() else None

    @property
    def has_color(self) -> bool:
        return self.out.color_system is not None and not self.out.no_color

    @property
    def is_ascii(self) -> bool:
        return not self.out.encoding.startswith("utf")

    def say(self, words: RenderableType) -> None:
        """Print a result."""
        words = _without_blanks(words)
        if self.out.is_terminal:
            self.out.print(words)
            return
        with (console := self.out).capture() as printed:
            console.print(words)
        for line in printed.get().splitlines():  # without the blanks that fill up cells of tables
            print(line.rstrip(), file=console.file)

    def say_lines(self, words: str) -> None:
        """Print the lines of a result; on a screen, of long ones that nobody would read both ends."""
        is_screen = self.out.is_terminal
        for line in words.splitlines():
            is_long = is_screen and len(line) > LONGEST
            shown = f"{line[: LONGEST - TAIL]} … {line[-TAIL:]}" if is_long else line
            self.say(hanging(Text(shown), self.out.width))

    def say_table(self, rows: Sequence[Sequence[str]], aligned: str) -> None:
        """Print a table whose first row is the heading; see `table_rows`."""
        for number, lines in enumerate(table_rows(rows, aligned, self.width)):
            for line in lines:
                self.say(Text(line, "" if number else "dim"))

    def remark(self, words: str | RenderableType) -> None:
        """Print what is no result, unless the user wants quiet."""
        if not self.quiet and not self.json:
            self.err.print(_without_blanks(plain(words) if isinstance(words, str) else words))

    def document(self, command: str | None, content: dict[str, Any]) -> None:
        """Print the one JSON document of a command."""
        whole = {"schema": DOCUMENT, "command": command, **content}
        print(json.dumps(_finite(whole), ensure_ascii=self.is_ascii, indent=2), file=self.out.file)

    def report(self, failure: Failure, command: str | None) -> None:
        """Print what went wrong."""
        if self.json:
            self.document(command, {"error": failure.as_dict()})
            return
        first, *others = failure.lines
        head = ("", "") if failure.status == INTERRUPTED else ("error: ", "bold red")
        self.err.print(hanging(Text.assemble(head, plain(first)), self.err.width))
        for line in others:
            self.err.print(Beside(Text("  "), Text(plain(line))))

    def _console(self, *, is_error: bool) -> Console:
        stream = sys.stderr if is_error else sys.stdout
        is_limited = stream.isatty() or "COLUMNS" in os.environ
        return OpenConsole(
            stderr=is_error,
            width=None if is_limited else _UNLIMITED,
            force_terminal=True if self.color == "always" else None,
            no_color={"auto": None, "always": False, "never": True}[self.color],
            color_system=None if self.color == "never" else "auto",
            highlight=False,
            markup=False,
            emoji=False,
        )


AS_USUAL = Terminal()


@dataclass(frozen=True)
class Beside:
    """Words that begin after the first ones, and whose further lines are indented alike.

    No line ends with blanks where it is broken, and neither '44.1 %' nor '→ yes 98 %' is broken.
    """

    first: Text
    words: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        indent = self.first.cell_len
        room = max(options.max_width - indent, 1)
        words = self.words.copy()
        words.plain = words.plain.replace(" %", f"{_GLUE}%")
        begin = words.plain.rfind("→ ")
        if begin >= 0 and cells(words.plain[begin:]) <= room:
            words.plain = words.plain[:begin] + words.plain[begin:].replace(" ", _GLUE)
        for number, line in enumerate(words.wrap(console, room)):
            line.rstrip()
            line.plain = line.plain.replace(_GLUE, " ")
            yield Text.assemble(" " * indent if number else self.first, line)


def hanging(line: Text, width: int) -> Beside:
    """Return a line whose further lines are indented below its words, or a little more than it is.

    Its words begin after the last gap of two blanks, as those of a figure in front of them do.
    """
    words = line.plain
    begin = max((each.end() for each in _GAP.finditer(words[:_HANG])), default=0)
    blank = len(words) - len(words.lstrip())
    if begin <= blank or 2 * begin > width:
        begin = blank + 2
    return Beside(line[:begin], line[begin:])


def _without_blanks(words: RenderableType) -> RenderableType:
    """Return words as they are to be broken into lines."""
    if isinstance(words, str):
        words = Text(words)
    return Beside(Text(), words) if isinstance(words, Text) else words


def _finite(value: object) -> Any:  # noqa: ANN401 - any JSON
    """Return plain data without infinite numbers, which JSON has no word for."""
    match value:
        case float():
            return value if isfinite(value) else None
        case dict():
            return {key: _finite(each) for key, each in value.items()}
        case list() | tuple():
            return [_finite(each) for each in value]
    return value
