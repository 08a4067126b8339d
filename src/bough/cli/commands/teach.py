"""`bough teach`: the growth of a small tree, step by step."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Group, Parameter
from rich.text import Text

from bough import datasets
from bough.checks.note_words import plain_notes
from bough.cli import PIPE
from bough.cli.arguments import (
    AS_FOUND,
    AS_SEEN,
    NOTHING_LOST,
    Columns,
    Outputs,
    Reading,
    file_name,
    open_page,
)
from bough.cli.failures import UsageError
from bough.cli.printing import print_notes
from bough.cli.teach_quiz import Quiz
from bough.cli.terminal import AS_USUAL, FLAG, Terminal, at_least
from bough.errors import ParameterError
from bough.exports.model_file import save
from bough.files import write_file
from bough.learn.score_result import ALL, criterion_word
from bough.table.source import Source
from bough.teach.growth_as_text import (
    TextLine,
    all_lines,
    end_lines,
    in_ascii,
    markdown,
    step_lines,
)
from bough.teach.node_questions import Manner, criteria_of
from bough.teach.page import worksheet
from bough.teach.step_words import Manners
from bough.teach.steps import Walkthrough
from bough.teach.walkthrough import TaughtTable, read_taught
from bough.words import plain

KEYS = "[enter] next  [b]ack  [g]o to node  [p]ivots  [c]riterion  [a]ll  [q]uit"
STYLES = {"heading": "bold", "marked": "bold green"}


def say_lines(lines: Iterable[TextLine], terminal: Terminal) -> None:
    """Print lines with their styles."""
    words = [
        Text(in_ascii(line.words) if terminal.is_ascii else line.words, STYLES.get(line.style, ""))
        for line in lines
    ]
    terminal.say(Text("\n").join(words))


@dataclass
class Walk:
    """A walk through a growth: where it is, and how it is shown."""

    table: TaughtTable
    manner: Manner
    growth: Walkthrough
    manners: Manners
    terminal: Terminal
    place: int = 0

    def run(self) -> None:
        """Show step after step, until the last one or until somebody has seen enough."""
        self.show(self.manners)
        while True:
            self.terminal.err.print(Text(KEYS, "dim"))
            if not self.take(self.terminal.err.input("> ").strip()):
                return

    def take(self, typed: str) -> bool:
        """Do what was typed; return whether to go on."""
        key, _, word = typed.partition(" ")
        match key:
            case "q":
                return False
            case "":
                return self.go_on()
            case "a":
                while self.go_on():
                    pass
                return False
            case _:
                self.look(key, word.strip())
        return True

    def look(self, key: str, word: str) -> None:
        """Look at another step, or at the same one in another way."""
        match key:
            case "b":
                self.go_to(max(self.place - 1, 0))
            case "g":
                self.go(word or self.terminal.err.input("node #"))
            case "p":
                self.show(replace(self.manners, pivots=True))
            case "c":
                self.change(word)
            case _ if key.lstrip("#").isdecimal():
                self.go(key)
            case _:
                self.say(f"{plain(key)!r} is none of these keys.")

    def go_on(self) -> bool:
        """Go to the next step; after the last one, show the finished tree."""
        if self.place + 1 < len(self.growth.steps):
            self.go_to(self.place + 1)
            return True
        self.end()
        return False

    def go_to(self, place: int) -> None:
        self.place = place
        self.show(self.manners)

    def go(self, word: str) -> None:
        """Go to a node by its number."""
        word = word.strip().lstrip("#")
        last = len(self.growth.steps) - 1
        if word.isdecimal() and int(word) <= last:
            self.go_to(int(word))
        else:
            self.say(f"Nodes have the numbers 0 to {last}.")

    def change(self, word: str) -> None:
        """Grow by another criterion: by the one that is named, or by the next one."""
        known = (*criteria_of(self.table.task), ALL)
        here = known.index(self.manner.criterion) if self.manner.criterion in known else 0
        wanted = word.replace(" ", "_") or known[(here + 1) % len(known)]
        try:
            self.manner = replace(self.manner, criterion=self.table.manner(wanted).criterion)
        except ParameterError as error:
            self.say(str(error))
            return
        trail = self.growth.steps[self.place].trail
        self.growth = self.table.walkthrough(self.manner)
        trails = [step.trail for step in self.growth.steps]
        self.say(f"grown by {criterion_word(self.manner.criterion)}")
        self.go_to(trails.index(trail) if trail in trails else 0)

    def show(self, manners: Manners) -> None:
        step = self.growth.steps[self.place]
        lines = step_lines(step, self.growth, manners, self.terminal.width)
        say_lines([*lines, TextLine()], self.terminal)

    def end(self) -> None:
        say_lines(end_lines(self.growth, self.manners, self.terminal.width), self.terminal)

    def say(self, words: str) -> None:
        self.terminal.err.print(Text(f"  {words}", "dim"))


@Parameter(name="*", group=Group("How the tree grows", sort_key=2))
@dataclass(frozen=True)
class Growing:
    """How the tree is grown."""

    criterion: str | None = None
    """How questions are compared: entropy (the default), gini, error or gain_ratio; for numbers squared_error or absolute_error; all shows them side by side."""
    categorical: Literal["each", "group"] = "each"
    """How to split a category: one branch for each value, or two groups of values."""
    max_depth: Annotated[int | None, at_least(0)] = None
    """Ask at most this many questions one after the other."""
    ask_all: Annotated[bool, FLAG] = False
    """Ask every question and give every value a branch, as some books do."""

    def manner(self, table: TaughtTable) -> Manner:
        """Return how to grow, checked."""
        return table.manner(self.criterion, self.categorical, self.max_depth, asks_all=self.ask_all)


@Parameter(name="*", group=Group("What is shown", sort_key=3))
@dataclass(frozen=True)
class Showing:
    """What of the growth is shown."""

    all: Annotated[bool, FLAG] = False
    """Print every step at once; so does a pipe."""
    full: Annotated[bool, FLAG] = False
    """Show the answers of every question, not only of the best."""
    pivots: Annotated[bool, FLAG] = False
    """List every pivot of every number with its gain."""
    blank: Annotated[bool, FLAG] = False
    """Print a worksheet: the same steps with the numbers left out."""
    key: Annotated[bool, FLAG] = False
    """Print the key of the worksheet."""
    markdown: Annotated[bool, FLAG] = False
    """Print Markdown."""
    quiz: Annotated[bool, FLAG] = False
    """Be asked what to do at each node, and keep the score."""
    html: Annotated[Path | None, Parameter(metavar="FILE")] = None
    """Write a page to step through the growth in a browser; it holds the rows of the table. Beside a worksheet or its key: write that instead, to print."""
    open: Annotated[bool, FLAG] = False
    """Write that page, TARGET.html if none is named, and open it in a browser."""

    @property
    def is_printed(self) -> bool:
        """Whether everything is printed at once."""
        given = (self.all, self.blank, self.key, self.markdown)
        return any(given) or not (sys.stdin.isatty() and sys.stdout.isatty())

    def manners(self, digits: int) -> Manners:
        return Manners(digits, self.full or self.key, self.blank, self.pivots)


AS_GROWN = Growing()
STEP_BY_STEP = Showing()


def teach(
    data: str | None = None,
    /,
    *,
    growing: Growing = AS_GROWN,
    showing: Showing = STEP_BY_STEP,
    output: Annotated[Path | None, Parameter(alias="-o", metavar="FILE")] = None,
    list: Annotated[bool, FLAG] = False,  # noqa: A002 - the name of the option
    columns: Columns = AS_SEEN,
    reading: Reading = AS_FOUND,
    outputs: Outputs = NOTHING_LOST,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Walk through the growth of a tree.

    Parameters
    ----------
    data
        A table of at most 2,000 rows, or the name of a teaching table; '-' reads a pipe.
    output
        Save the tree to this model file.
    list
        List the teaching tables.
    """
    if list:
        _list(terminal)
        return
    if data is None:
        error = UsageError("'bough teach' needs a table, or the name of a teaching table.")
        error.add_note("bough teach play_tennis")
        raise error
    for path in filter(None, (output, showing.html)):
        outputs.check(path, [data])
    source = _opened(data, reading)
    table = read_taught(
        source, columns.chosen_target(source, data, terminal), **columns.given(source)
    )
    manner = growing.manner(table)
    growth = table.walkthrough(manner)
    if output is not None:
        save(table.model(manner, growth.steps), output)
        terminal.remark(f"wrote {output}")
    if showing.html is not None or showing.open:
        _write_page(growth, showing, outputs, terminal)
        return
    _show(table, manner, growth, showing, terminal)


def _opened(data: str, reading: Reading) -> Source:
    if data != PIPE and "." not in data and not Path(data).exists():
        datasets.load(data)  # which says what the tables are called
    return reading.open(data)


def _write_page(
    growth: Walkthrough, showing: Showing, outputs: Outputs, terminal: Terminal
) -> None:
    page = showing.html or Path(f"{file_name(growth.target)}.html")
    outputs.check(page, [])
    if showing.blank or showing.key:
        write_file(page, worksheet(growth, showing.manners(terminal.digits)).encode())
    else:
        growth.html(page, digits=terminal.digits)
    print_notes(terminal, growth.notes)
    terminal.remark(f"wrote {page}")
    if terminal.json:
        terminal.document("teach", {"output": str(page)})
    if showing.open:
        open_page(page, terminal)


def _show(
    table: TaughtTable,
    manner: Manner,
    growth: Walkthrough,
    showing: Showing,
    terminal: Terminal,
) -> None:
    manners = showing.manners(terminal.digits)
    if showing.quiz:
        Quiz(growth, terminal).run()
        return
    if terminal.json:
        terminal.document("teach", {**growth.as_dict(), "notes": plain_notes(growth.notes)})
        return
    print_notes(terminal, growth.notes)
    if showing.markdown:
        terminal.say_lines(markdown(growth, manners))
    elif showing.is_printed:
        say_lines(all_lines(growth, manners, terminal.width), terminal)
    else:
        Walk(table, manner, growth, manners, terminal).run()


def _list(terminal: Terminal) -> None:
    tables = [datasets.load(name) for name in datasets.names()]
    if terminal.json:
        plain = [
            {
                "name": each.name,
                "rows": len(each.labels),
                "target": each.target,
                "source": each.source,
            }
            for each in tables
        ]
        terminal.document("teach", {"tables": plain})
        return
    rows = [(each.name, str(len(each.labels)), each.target, each.source) for each in tables]
    terminal.say_table([("name", "rows", "target", "source"), *rows], "<><<")
