import pytest

from bough.draw.cells import blanks, cells, shortened


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
