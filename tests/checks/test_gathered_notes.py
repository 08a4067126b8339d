"""Notes as readers want them: one for each kind, the gravest first, information last."""

from bough.checks.note_words import gathered
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


def test_notes_without_words_for_many_follow_each_other_and_say_once_what_is_alike():
    stray = [Note("B105", f"{name}: 2 cells are no numbers", (name,)) for name in "abc"]
    (note,) = gathered([*stray, Note("B105", "d: 1 cell is no number", ("d",))])
    assert note.text == "a, b, c: 2 cells are no numbers. d: 1 cell is no number"
    assert note.columns == ("a", "b", "c", "d")


def test_several_leaks_are_one_loud_note():
    leaks = [
        Note("B101", f"{name} gives y away", (name,), {"types": {name: "ignore"}}, is_loud=True)
        for name in ("boat", "body")
    ]
    (note,) = gathered(leaks)
    assert (note.text, note.is_loud) == ("boat gives y away. body gives y away", True)
    assert note.fix == {"types": {"boat": "ignore", "body": "ignore"}}


def test_a_long_list_is_cut():
    notes = [Note("B105", f"remark {number}") for number in range(9)]
    (note,) = gathered(notes)
    assert note.text == "remark 0. remark 1. remark 2. remark 3. And so on, 5 more"


def test_what_needs_another_remedy_is_another_note():
    notes = [Note("B205", "no better"), Note("B205", "shares", fix={"loss": "log_loss"})]
    assert gathered(notes) == tuple(notes)


def test_how_columns_were_read_is_said_of_all_and_advises_nothing():
    notes = [
        Note(
            "B111",
            f"{name}: read as numbers without '{sign}', as in '{sign}{number}'",
            (name,),
            {"types": {name: "category"}},
        )
        for number, (name, sign) in enumerate(zip("abcdef", "$€$$£$", strict=True))
    ]
    (note,) = gathered(notes)
    assert note.text == (
        "a, c, d, f: read as numbers without '$'. b: read as numbers without '€'. "
        "e: read as numbers without '£'"
    )
    assert note.fix == {}
    assert gathered(notes[:1])[0].fix == {"types": {"a": "category"}}
