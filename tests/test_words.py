"""How numbers, shares and values read."""

import unicodedata

import handmade
import pytest

from bough import words
from bough.schema import Feature, Kind

NUMBERS = [
    (2.0, "2"),
    (-0.5, "-0.5"),
    (0.1 + 0.2, "0.30000000000000004"),
    (1e300, "1e+300"),
    (5e-324, "5e-324"),
    (2**63, "9223372036854775808"),
]


@pytest.mark.parametrize(("value", "text"), NUMBERS)
def test_a_number_is_the_shortest_text_that_reads_back(value, text):
    assert words.number(value) == text
    assert type(value)(float(text) if isinstance(value, float) else text) == value


ROUNDED = [
    (0.0, 3, "0"),
    (0.24691, 3, "0.247"),
    (24.691, 3, "24.7"),
    (246.91, 3, "247"),
    (1234567.89, 3, "1234568"),
    (1998.5, 3, "1998.5"),
    (-1998.5, 3, "-1998.5"),
    (0.30000000000000004, 3, "0.3"),
    (9.9996, 3, "10"),
    (0.00012345, 3, "0.000123"),
    (0.000012345, 3, "1.23e-05"),
    (1.23456e300, 3, "1.23e+300"),
    (1e300, 3, "1e+300"),
    (1.9999e16, 2, "2e+16"),
    (3.14159, 1, "3"),
    (3.14159, 6, "3.14159"),
    (2**63 + 1, 3, "9223372036854775809"),
]


@pytest.mark.parametrize(("value", "digits", "text"), ROUNDED)
def test_a_rounded_number_keeps_its_whole_part_and_its_first_digits(value, digits, text):
    assert words.number(value, digits) == text


SHARES = [
    (0, "0 %"),
    (1e-9, "<1 %"),
    (0.01, "1 %"),
    (0.125, "12 %"),
    (9 / 14, "64 %"),
    (0.99, "99 %"),
    (0.9999, ">99 %"),
    (1, "100 %"),
]


@pytest.mark.parametrize(("value", "text"), SHARES)
def test_only_none_is_0_per_cent_and_only_all_is_100(value, text):
    assert words.share(value) == text


VALUES = [
    ("1st", "1st"),
    ("Mill, old", '"Mill, old"'),
    ('say "hi"', '"say ""hi"""'),
    ("", '""'),
    (" ", '" "'),
    ("end ", '"end "'),
    ("missing", '"missing"'),
    ("known", '"known"'),
    (True, "True"),
    (7, "7"),
    (7.0, "7"),
]


@pytest.mark.parametrize(("value", "text"), VALUES)
def test_a_value_that_could_be_mistaken_for_more_is_in_quotes(value, text):
    assert words.value_word(value) == text


GUESSES = [
    ("no, never", "no, never"),
    ("", '""'),
    (0.30000000000000004, "0.3"),
    (False, "False"),
    ((0, "a, b"), '0, "a, b"'),
]


@pytest.mark.parametrize(("guess", "text"), GUESSES)
def test_a_guess_has_words(guess, text):
    assert words.guess_word(guess, digits=3) == text


DATES = [
    (0, "1970-01-01"),
    (-86_400_000_000, "1969-12-31"),
    (1_709_210_096_000_000, "2024-02-29 12:34:56"),
    (1, "1970-01-01 00:00:00.000001"),
    (0.5, "1970-01-01 00:00:00.000001"),
    (-62_135_596_800_000_000, "0001-01-01"),
    (253_402_300_799_999_999, "9999-12-31 23:59:59.999999"),
    (253_402_300_800_000_000, "253402300800000000 µs after 1970"),
    (-(2**63), "-9223372036854775808 µs after 1970"),
    (1e300, f"{int(1e300)} µs after 1970"),
]


@pytest.mark.parametrize(("microseconds", "text"), DATES)
def test_a_moment_reads_as_a_date_and_a_time_if_need_be(microseconds, text):
    assert words.date(microseconds) == text


def test_a_pivot_between_ordered_values_is_read_as_the_first_value_after_it():
    size = Feature("size", Kind.ORDERED, 0, choices=("S", "M", "L", "XL"))
    assert [words.ordered_answers(size, pivot)[0] for pivot in (0.5, 1.0, 1.5, 3.0)] == [
        "before M",
        "before M",
        "before L",
        "before XL",
    ]


def test_numbers_in_a_list_of_values_have_all_their_digits():
    feature = handmade.choice("x", 0.1 + 0.2, 7.0)
    assert words.value_list(feature, (0, 1)) == "= 0.30000000000000004, 7"


PLAIN = [
    ("größe 数 😀", "größe 数 😀"),
    ("two\nlines\r\t", r"two\nlines\r\t"),
    ("\x1b[31mred", r"\x1b[31mred"),
    ("\x00\x07\x7f\x85\x9b", r"\x00\x07\x7f\x85\x9b"),
    ("\u202eevil\u2066", r"\u202eevil\u2066"),
    ("a\u2028b\u2029", r"a\u2028b\u2029"),
    ("\ud800", r"\ud800"),
    ("\U000e0041", r"\U000e0041"),
    ("👩‍👩‍👧", "👩‍👩‍👧"),
    ("no\u00a0break", "no\u00a0break"),
]


@pytest.mark.parametrize(("text", "shown"), PLAIN)
def test_text_that_would_act_on_a_terminal_is_shown_as_an_escape(text, shown):
    assert words.plain(text) == shown


def test_no_control_or_direction_sign_reaches_a_terminal():
    every = "".join(map(chr, range(0x110000)))
    left = {unicodedata.category(sign) for sign in words.plain(every).replace("\u200d", "")}
    assert left.isdisjoint({"Cc", "Cf", "Cs", "Zl", "Zp"})


@pytest.mark.parametrize(
    ("low", "high", "words_"),
    [(11.0, 30.0, "11 ≤ x < 30"), (0.12345, 1.5, "0.12345 ≤ x < 1.5")],
)
def test_a_number_between_two_pivots(low, high, words_):
    assert words.between(Feature("x", Kind.NUMBER, 0), low, high) == words_


@pytest.mark.parametrize(("n_rows", "text"), [(0, "0 rows"), (1, "1 row"), (1234, "1,234 rows")])
def test_rows_are_counted(n_rows, text):
    assert words.row_count(n_rows) == text
