"""How the notes of checks are printed."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from bough.checks.words import note_text
from bough.cli.terminal import Beside, Terminal
from bough.evidence import Note


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
