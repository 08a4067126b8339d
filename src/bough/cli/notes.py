"""How the notes of checks are printed."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from rich.text import Text

from bough.checks.words import note_text
from bough.cli.terminal import Terminal
from bough.evidence import Note


def print_notes(terminal: Terminal, notes: Iterable[Note]) -> None:
    """Print one line for each note, on stderr."""
    for note in notes:
        style = "bold red" if note.is_loud else "yellow"
        words = Text.assemble("  ", (note.code, style), "  ", note_text(note, cli=True))
        terminal.remark(words)


def plain_notes(notes: Iterable[Note]) -> list[dict[str, Any]]:
    """Return notes as plain data."""
    return [asdict(note) for note in notes]
