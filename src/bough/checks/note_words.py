"""How checks speak: names, counts, and what to type."""

import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from bough.argument_names import as_argument, as_option
from bough.checks.codes import CHECKS
from bough.evidence import Note
from bough.schema import Value
from bough.words import plain, value_word

_PLAIN_NAME = re.compile(r"[\w.\-]+")
_LONGEST_NAME = 60
_LONGEST_VALUE = 40


def column_word(name: str) -> str:
    r"""Return the name of a column as notes give it: quoted where it could be mistaken for more.

    Examples
    --------
    >>> print(column_word("home_dest"), column_word("home dest"), column_word("a\nb"))
    home_dest 'home dest' 'a\nb'
    """
    shown = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
    return shown if _PLAIN_NAME.fullmatch(name) else repr(shown)


def value_in_note(value: Value) -> str:
    """Return a value of the table as notes give it, on one line and not too long."""
    word = plain(value_word(value, digits=3))
    return word if len(word) <= _LONGEST_VALUE else word[: _LONGEST_VALUE - 1] + "…"


def counted(n: int, thing: str) -> str:
    """Return a number of things, as in '1 row' or '1,309 rows'."""
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"


def part_of_all(n: int, n_all: int, thing: str) -> str:
    """Return how many of all things, as in 'all 12 rows' or '3 of 12 rows'."""
    return f"all {counted(n_all, thing)}" if n == n_all else f"{n:,} of {counted(n_all, thing)}"


def is_information(note: Note) -> bool:
    """Return whether a note says what bough made of the table, and asks for nothing."""
    known = CHECKS.get(note.code)  # a model file may hold notes of checks that came later
    return note.informs or (known is not None and known.is_information)


def note_mark(note: Note) -> str:
    """Return what stands before the code of a note: a sign for warnings, nothing for information."""
    return "  " if is_information(note) else "! "


def plain_notes(notes: Iterable[Note]) -> list[dict[str, Any]]:
    """Return notes as plain data, each with whether it only informs."""
    found = []
    for note in notes:
        plain_note = {**asdict(note), "is_information": is_information(note)}
        del plain_note["informs"]
        found.append(plain_note)
    return found


def note_text(note: Note, *, cli: bool) -> str:
    """Return a note without its code: what was seen and, in brackets, what to type.

    Examples
    --------
    >>> note = Note("B202", "cnt drifts with day", ("day",), {"time": "day"})
    >>> note_text(note, cli=True), note_text(note, cli=False)
    ('cnt drifts with day (--time day)', "cnt drifts with day (time='day')")
    """
    if not note.fix:
        return note.text
    return f"{note.text} ({plain(as_option(note.fix)) if cli else as_argument(note.fix)})"


def note_lines(notes: Iterable[Note]) -> list[str]:
    """Return notes as Python prints them, a line each."""
    return [f"{note_mark(note)}{note.code}  {note_text(note, cli=False)}" for note in notes]
