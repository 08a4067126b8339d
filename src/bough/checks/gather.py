"""Notes as readers want them: one for each kind, the gravest first, information last."""

from collections.abc import Iterable, Sequence

from bough.checks.codes import CHECKS
from bough.checks.note_words import column_word
from bough.evidence import Note

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
        kind = (note.code, *note.fix) if CHECKS[note.code].of_many else number
        by_kind.setdefault(kind, []).append(note)
    found = [each[0] if len(each) == 1 else _together(each) for each in by_kind.values()]
    return tuple(
        sorted(found, key=lambda note: (not note.is_loud, CHECKS[note.code].is_information))
    )


def _together(notes: Sequence[Note]) -> Note:
    columns = tuple(name for note in notes for name in note.columns)
    words = [column_word(name) for name in columns[:_MOST_NAMES]]
    if n_more := len(columns) - len(words):
        words.append(f"{n_more:,} more")
    text = CHECKS[notes[0].code].of_many.format(n=f"{len(columns):,}", columns=", ".join(words))
    fix = dict(notes[0].fix)
    if "types" in fix:
        fix["types"] = {name: kind for note in notes for name, kind in note.fix["types"].items()}
    return Note(notes[0].code, text, columns, fix)
