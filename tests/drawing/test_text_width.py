"""How much room words take in a picture."""

import pytest

from bough.drawing.svg.elements import fitted, text_width

WORDS = ["", "age", "a longer name than fits", "W" * 300, "数" * 40, "😀" * 40, "é" * 99, "ﷺ" * 20]


@pytest.mark.parametrize("words", WORDS, ids=ascii)
@pytest.mark.parametrize("room", [0, 5, 50, 120])
@pytest.mark.parametrize("bold", [False, True])
def test_fitted_words_take_no_more_room_than_there_is(words, room, bold):
    assert text_width(fitted(words, room, 12, bold=bold), 12, bold=bold) <= max(
        room, text_width("…", 12, bold=bold)
    )


def test_words_that_fit_stay_as_they_are():
    assert fitted("passenger_class", 200, 14, bold=True) == "passenger_class"


def test_as_much_is_kept_as_there_is_room_for():
    kept = fitted("passenger_class", 80, 14, bold=True)
    assert kept == "passen…"
    assert text_width("passeng…", 14, bold=True) > 80


def test_bold_words_are_wider():
    assert text_width("age ?", 14, bold=True) > text_width("age ?", 14)


def test_width_grows_with_the_size_of_letters():
    assert text_width("age", 24) == 2 * text_width("age", 12)


@pytest.mark.parametrize(("one", "other"), [("é", "e"), ("Ü", "U"), ("ﬁ", "fi"), ("e\u0301", "e")])
def test_a_sign_is_as_wide_as_what_it_is_made_of(one, other):
    assert text_width(one, 12) == text_width(other, 12)


@pytest.mark.parametrize("sign", ["数", "ア", "😀", "🇩"])
def test_wide_signs_take_more_than_letters(sign):
    assert text_width(sign, 12) > text_width("W", 12)
