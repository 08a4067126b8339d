"""Goes through a growth at a terminal, one step after the other."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rich.text import Text

from bough.cli.terminal import Terminal
from bough.errors import ParameterError
from bough.learn.score_result import ALL, criterion_word
from bough.teach.documents import TextLine, end_lines, in_ascii, step_lines
from bough.teach.grow_steps import Manner
from bough.teach.node_questions import criteria_of
from bough.teach.step_pages import Manners
from bough.teach.steps import Walkthrough
from bough.teach.walkthrough import TaughtTable
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
