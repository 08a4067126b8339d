"""How the notes of checks are printed."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from rich.text import Text

from bough.checks.words import note_text
from bough.cli.terminal import Terminal, beside
from bough.evidence import Note


def print_notes(terminal: Terminal, notes: Iterable[Note]) -> None:
    """Print one line for each note, on stderr."""
    for note in notes:
        style = "bold red" if note.is_loud else "yellow"
        terminal.remark(beside(Text(f"  {note.code}  ", style), Text(note_text(note, cli=True))))


def plain_notes(notes: Iterable[Note]) -> list[dict[str, Any]]:
    """Return notes as plain data."""
    return [asdict(note) for note in notes]
