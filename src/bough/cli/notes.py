"""How the notes of checks are printed."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import RenderableType
from rich.text import Text

from bough.checks.codes import CHECKS
from bough.checks.words import note_text
from bough.cli.terminal import Beside, Terminal
from bough.evidence import Note


@Parameter(name="*")
@dataclass(frozen=True)
class Checks:
    """Which checks are made of the rows that a finished tree is given."""

    ignore: Annotated[
        tuple[str, ...],
        Parameter(choices=CHECKS, show_choices=False, show_default=False, metavar="CODE"),
    ] = ()
    """The code of a check not to make. May be repeated."""

    def made(self, notes: Iterable[Note]) -> tuple[Note, ...]:
        """Return the notes of checks that are not ignored."""
        return tuple(note for note in notes if note.code not in self.ignore)


ALL_CHECKS = Checks()


def note_words(note: Note) -> RenderableType:
    """Return a note as the terminal shows it; a loud one in red."""
    style = "bold red" if note.is_loud else "yellow"
    words = Text(note_text(note, cli=True))
    words.stylize("cyan", len(note.text))  # what to type
    return Beside(Text(f"  {note.code}  ", style), words)


def print_notes(terminal: Terminal, notes: Iterable[Note]) -> None:
    """Print notes beside a result, on stderr."""
    for note in notes:
        terminal.remark(note_words(note))


def plain_notes(notes: Iterable[Note]) -> list[dict[str, Any]]:
    """Return notes as plain data."""
    return [asdict(note) for note in notes]
