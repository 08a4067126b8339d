"""How much room words take in a terminal, and words and tables cut to it."""

import pytest

from bough.text_layout import blanks, cells, shortened, shortened_answer, table_lines


@pytest.mark.parametrize(
    ("words", "count"),
    [("", 0), ("abc", 3), ("größe", 5), ("数", 2), ("e\u0301", 1), ("😀", 2), ("≥", 1)],
)
def test_words_take_as_many_cells_as_a_terminal_gives_them(words, count):
    assert cells(words) == count


def test_blanks_fill_up_the_cells_that_words_leave():
    assert blanks("数", 4) == "  "


@pytest.mark.parametrize(
    ("words", "room", "short"),
    [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("数数数", 4, "数…"), ("abc", 1, "…"), ("abc", 0, "…")],
)
def test_words_are_shortened_to_the_room_there_is(words, room, short):
    assert shortened(words, room, "…") == short


@pytest.mark.parametrize(
    ("answer", "room", "short"),
    [
        ("= a, b or missing", 17, "= a, b or missing"),
        ("= one, two, three or missing", 24, "= one, two, … or missing"),
        ("= one, two, three or missing", 14, "= one, two, …"),
        ("= a value of many words", 12, "= a value o…"),
        ("≥ 1234567.5 or missing", 14, "≥ 1234567.5 o…"),
    ],
)
def test_answers_are_shortened_by_whole_values(answer, room, short):
    assert shortened_answer(answer, room, "…") == short


def test_the_first_cells_of_a_table_are_broken_between_words():
    rows = [["", "rows"], ["  12 more: --full", "3"], ["a_name_that_is_long", "4"]]
    assert table_lines(rows, "<>", 22) == [
        "                  rows",
        "  12 more:           3",
        "  --full",
        "a_name_that_is_l     4",
        "ong",
    ]
