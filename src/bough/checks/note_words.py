"""How notes read: names, values and numbers in them; with what to type, and several of a kind as one."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bough.checks.list_of_checks import CHECKS, is_information
from bough.errors import as_argument, as_option
from bough.evidence import Note
from bough.schema import Value
from bough.words import counted, plain, value_word

_PLAIN_NAME = re.compile(r"[\w.\-]+")
_LONGEST_NAME = 60
_LONGEST_VALUE = 40
_LEFT_OUT = "{n} columns have many values for their rows and are left out, as trees without them did better: {columns}"
_MOST_NAMES = 10
_MOST_TEXTS = 4
_READING = "B111"
_EXAMPLE = re.compile(r", as in .*")


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


def part_of_all(n: int, n_all: int, thing: str) -> str:
    """Return how many of all things, as in 'all 12 rows' or '3 of 12 rows'."""
    return f"all {counted(n_all, thing)}" if n == n_all else f"{n:,} of {counted(n_all, thing)}"


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


def gathered(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return loud notes first and information last; notes of the same kind are one note.

    Examples
    --------
    >>> notes = [Note("B107", "a is a date", ("a",)), Note("B107", "b is a date", ("b",))]
    >>> [note.text for note in gathered([*notes, Note("B201", "Only 9 test rows")])]
    ['Only 9 test rows', '2 columns are dates, whose weekday and month are features, too: a, b']
    """
    by_kind: dict[tuple[object, ...], list[Note]] = {}
    for note in notes:
        by_kind.setdefault((note.code, note.informs, *note.fix), []).append(note)
    found = [each[0] if len(each) == 1 else _together(each) for each in by_kind.values()]
    return tuple(sorted(found, key=lambda each: (not each.is_loud, is_information(each))))


def _together(notes: Sequence[Note]) -> Note:
    code = notes[0].code
    columns = tuple(dict.fromkeys(name for note in notes for name in note.columns))
    fix = dict(notes[0].fix)
    if code == _READING:
        fix = {}  # each reading can be changed by itself; all at once is hardly meant
    if "types" in fix:
        fix["types"] = {name: kind for note in notes for name, kind in note.fix["types"].items()}
    if "missing_marks" in fix:
        marks = (mark for note in notes for mark in note.fix["missing_marks"])
        fix["missing_marks"] = tuple(dict.fromkeys(marks))
    text = _texts(notes)
    is_left_out = code == "B104" and notes[0].informs
    if of_many := _LEFT_OUT if is_left_out else CHECKS[code].of_many:
        text = of_many.format(n=f"{len(columns):,}", columns=_names(columns))
    is_loud = any(note.is_loud for note in notes)
    return Note(code, text, columns, fix, is_loud=is_loud, informs=notes[0].informs)


def _texts(notes: Sequence[Note]) -> str:
    """Return what notes say one after the other; what they say alike of several columns, once."""
    by_text: dict[str, list[str]] = {}
    for note in notes:
        name = column_word(note.columns[0]) if len(note.columns) == 1 else ""
        says = note.text.removeprefix(f"{name}: ") if name else note.text
        by_text.setdefault(says, []).extend(note.columns if says != note.text else ())
    if notes[0].code == _READING and len(by_text) > _MOST_TEXTS:
        return ". ".join(_said(_without_examples(by_text)))
    found = _said(by_text)
    if n_more := len(found[_MOST_TEXTS:]):
        found[_MOST_TEXTS:] = [f"And so on, {n_more:,} more"]
    return ". ".join(found)


def _said(by_text: Mapping[str, Sequence[str]]) -> list[str]:
    return [f"{_names(names)}: {says}" if names else says for says, names in by_text.items()]


def _without_examples(by_text: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return texts with their columns, where those that differ in an example only are one."""
    found: dict[str, list[str]] = {}
    for says, names in by_text.items():
        found.setdefault(_EXAMPLE.sub("", says), []).extend(names)
    return found


def _names(columns: Sequence[str]) -> str:
    words = [column_word(name) for name in columns[:_MOST_NAMES]]
    if n_more := len(columns) - len(words):
        words.append(f"{n_more:,} more")
    return ", ".join(words)
