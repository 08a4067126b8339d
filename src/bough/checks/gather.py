"""Notes as readers want them: one for each kind, the gravest first, information last."""

from collections.abc import Iterable, Sequence

from bough.checks.codes import INFORMATION
from bough.checks.note_words import column_word
from bough.evidence import Note

_OF_MANY = {  # what several notes of one kind have in common
    "B102": "{n} columns left out, as each has only one value: {columns}",
    "B103": "{n} columns left out, as they look like identifiers: {columns}",
    "B104": "{n} columns have many values for their rows: {columns}. Consider grouping them",
    "B106": "{n} columns have leading zeros or very long numbers and are treated as codes: {columns}",
    "B107": "{n} columns are dates, whose weekday and month are features, too: {columns}",
}
_LEFT_OUT = "{n} columns have many values for their rows and are left out, as trees without them did better: {columns}"
_MOST_NAMES = 10


def gathered(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return loud notes first and information last; notes of the same kind are one note.

    Examples
    --------
    >>> notes = [Note("B107", "a is a date", ("a",)), Note("B107", "b is a date", ("b",))]
    >>> [note.text for note in gathered([*notes, Note("B201", "Only 9 test rows")])]
    ['Only 9 test rows', '2 columns are dates, whose weekday and month are features, too: a, b']
    """
    by_kind: dict[object, list[Note]] = {}
    for number, note in enumerate(notes):
        kind = (note.code, *note.fix) if note.code in _OF_MANY else number
        by_kind.setdefault(kind, []).append(note)
    found = [each[0] if len(each) == 1 else _together(each) for each in by_kind.values()]
    return tuple(sorted(found, key=lambda note: (not note.is_loud, note.code in INFORMATION)))


def _together(notes: Sequence[Note]) -> Note:
    columns = tuple(name for note in notes for name in note.columns)
    words = [column_word(name) for name in columns[:_MOST_NAMES]]
    if n_more := len(columns) - len(words):
        words.append(f"{n_more:,} more")
    is_left_out = notes[0].code == "B104" and not notes[0].fix
    what = _LEFT_OUT if is_left_out else _OF_MANY[notes[0].code]
    text = what.format(n=f"{len(columns):,}", columns=", ".join(words))
    fix = dict(notes[0].fix)
    if "types" in fix:
        fix["types"] = {name: kind for note in notes for name, kind in note.fix["types"].items()}
    return Note(notes[0].code, text, columns, fix)
