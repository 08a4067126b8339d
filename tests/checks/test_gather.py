"""Notes as readers want them: one for each kind, the gravest first, information last."""

from bough.checks.gather import gathered
from bough.evidence import Note


def test_a_leak_comes_first_and_information_last():
    notes = [
        Note("B110", "i"),
        Note("B201", "w"),
        Note("B101", "l", is_loud=True),
        Note("B103", "j"),
    ]
    assert [note.code for note in gathered(notes)] == ["B101", "B201", "B110", "B103"]


def test_notes_of_the_same_kind_are_one_note():
    names = [f"c{number}" for number in range(12)]
    notes = [Note("B106", "zeros", (name,), {"types": {name: "number"}}) for name in names]
    (note,) = gathered(notes)
    assert note.text == (
        "12 columns have leading zeros or very long numbers and are treated as codes: "
        "c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, 2 more"
    )
    assert note.columns == tuple(names)
    assert note.fix == {"types": dict.fromkeys(names, "number")}


def test_a_single_note_keeps_its_words():
    note = Note("B104", "town has 101 values", ("town",), {"categorical": "group"})
    assert gathered([note]) == (note,)
