"""How checks speak: names, counts, and what to type."""

import re
import shlex
from collections.abc import Mapping
from typing import Any

from bough.evidence import Note
from bough.schema import Value
from bough.words import plain, value_word

_PLAIN_NAME = re.compile(r"[\w.\-]+")
_LONGEST_NAME = 60
_LONGEST_VALUE = 40
_OPTIONS = {  # others: their own name
    "types": "type",
    "missing_marks": "missing",
    "missing": "when_missing",
    "n_jobs": "jobs",
    "costs": "cost",
    "monotonic_cst": "monotonic",
    "format": "to",
}
_AT_ONCE = {"split"}  # options whose values follow each other; others are repeated for each


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


def per_cent(share: float) -> str:
    """Return a share with one decimal, as in '17.5 %'."""
    return f"{100 * share:.1f} %"


def option(argument: str) -> str:
    """Return the option that stands for an argument of `bough.fit` on the command line.

    Examples
    --------
    >>> option("types"), option("short_rows")
    ('--type', '--short-rows')
    """
    return "--" + _OPTIONS.get(argument, argument).replace("_", "-")


def as_option(fix: Mapping[str, Any]) -> str:
    """Return what to type on the command line.

    Examples
    --------
    >>> as_option({"types": {"zip": "category", "home dest": "ignore"}})
    "--type zip=category --type 'home dest=ignore'"
    >>> as_option({"costs": {("ill", "well"): 20}})
    '--cost ill well 20'
    """
    words = []
    for key, value in fix.items():
        if isinstance(value, bool):
            words.append(option(key if value else f"no_{key}"))
        elif key in _AT_ONCE:
            words += [option(key), *map(shlex.quote, _items(value))]
        elif key == "costs":
            for (true, guess), cost in value.items():
                words += [option(key), *(shlex.quote(str(each)) for each in (true, guess, cost))]
        else:
            for item in _items(value):
                words += [option(key), shlex.quote(item)]
    return plain(" ".join(words))


def as_argument(fix: Mapping[str, Any]) -> str:
    """Return what to type as arguments of `bough.fit`.

    Examples
    --------
    >>> as_argument({"types": {"zip": "category"}, "time": "when"})
    "types={'zip': 'category'}, time='when'"
    """
    return ", ".join(f"{key}={value!r}" for key, value in fix.items())


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
    return f"{note.text} ({as_option(note.fix) if cli else as_argument(note.fix)})"


def _items(value: object) -> list[str]:
    """Return the texts that follow an option; an empty cell is missing without being named."""
    if isinstance(value, Mapping):
        return [f"{name}={_one(kind)}" for name, kind in value.items()]
    if isinstance(value, list | tuple):
        return [str(each) for each in value if each != ""]
    return [str(value)]


def _one(kind: object) -> str:
    return kind if isinstance(kind, str) else ",".join(map(str, kind))  # type: ignore[call-overload]
