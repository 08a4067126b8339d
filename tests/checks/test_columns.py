"""What each column is before any label is seen."""

import datetime as dt

import numpy as np
import pytest

from bough.checks.columns import file_notes
from bough.checks.note_words import note_text
from bough.learn.look_at_columns import look_at
from bough.table import open_source
from bough.table.column import Choices, Numbers
from bough.table.source import Remark

SEED = 0


def look(cells, name="x", **options):
    source = open_source({name: cells})
    return look_at(name, source.column(0), **options)


def says(cells, name="x", **options):
    """Return what the notes about a column say, with their codes."""
    _, notes = look(cells, name, **options)
    return [f"{note.code} {note_text(note, cli=True)}" for note in notes]


def texts(n, n_distinct):
    return [f"v{number % n_distinct}" for number in range(n)]


@pytest.mark.parametrize(
    ("cells", "word"),
    [
        (["p"] * 20, "p"),
        ([2.5] * 20, "2.5"),
        ([7] * 20, "7"),
        ([True] * 20, "True"),
        ([dt.date(2024, 2, 29)] * 20, "2024-02-29"),
        (["a\nb"] * 20, r"a\nb"),
    ],
)
def test_a_constant_is_left_out(cells, word):
    assert look(cells)[0]
    assert says(cells) == [f"B102 x left out: it is {word} in all 20 rows"]


def test_a_column_without_values_is_left_out():
    assert says([None] * 3) == ["B102 x left out: it is missing in all 3 rows"]


def test_one_value_beside_missing_ones_is_no_constant():
    assert look(["p"] * 19 + [None]) == (False, [])


def test_two_values_are_no_constant():
    assert look([1] * 10 + [2] + [1] * 10) == (False, [])


def test_an_ignored_constant_stays():
    assert look(["p"] * 20, ignored={"B102"}) == (False, [])


def test_text_that_hardly_repeats_is_an_identifier():
    cells = texts(1000, 601)
    assert look(cells)[0]
    assert says(cells, "ticket") == [
        "B103 ticket left out: 601 distinct values in 1,000 rows, looks like an identifier "
        "(--type ticket=category)"
    ]


def test_text_that_often_repeats_is_no_identifier():
    assert not look(texts(1000, 600))[0]


@pytest.mark.parametrize(
    ("cells", "is_one"), [(texts(8, 8), True), (texts(7, 7), False), (texts(29, 28), False)]
)
def test_in_few_rows_text_is_an_identifier_if_no_value_repeats(cells, is_one):
    assert look(cells)[0] is is_one


def test_an_identifier_is_known_in_half_of_the_rows():
    known = texts(100, 100)
    assert look(known + [None] * 100)[0]
    assert not look(known + [None] * 101)[0]


def test_whole_numbers_that_count_the_rows_are_an_identifier():
    cells = list(range(1, 101))
    assert says(cells, "instant") == [
        "B103 instant left out: 100 distinct values in 100 rows, looks like an identifier "
        "(--type instant=number)"
    ]


def test_the_order_of_the_rows_does_not_matter_to_an_identifier():
    cells = np.random.default_rng(SEED).permutation(1000)
    assert look(cells)[0]


def test_running_numbers_may_have_small_gaps():
    cells = np.random.default_rng(SEED).permutation(1150)[:1000]
    assert look(cells)[0]


def test_whole_numbers_with_gaps_are_no_identifier():  # as salaries
    cells = np.random.default_rng(SEED).permutation(np.arange(3000, 4200))[:300]
    assert look(cells) == (False, [])


def test_whole_numbers_held_as_floats_are_an_identifier():
    cells = np.append(np.arange(500.0), [np.nan] * 20)
    assert look(cells)[0]


def test_whole_numbers_from_a_wide_range_are_no_identifier():
    cells = np.random.default_rng(SEED).integers(0, 10**12, 1000)
    assert look(cells) == (False, [])


def test_whole_numbers_from_a_wide_range_are_an_identifier_if_their_name_says_so():
    cells = np.random.default_rng(SEED).integers(0, 10**12, 1000)
    assert look(cells, "customer_id")[0]


def test_whole_numbers_that_repeat_once_are_no_identifier():
    assert not look([*range(1000), 999], "customer_id")[0]


def test_a_few_whole_numbers_in_a_row_are_no_identifier():
    assert not look(list(range(10)))[0]


def test_measurements_that_never_repeat_are_no_identifier():
    cells = np.random.default_rng(SEED).normal(size=5000) * 1000
    assert look(cells) == (False, [])


def test_dates_that_never_repeat_are_no_identifier():
    cells = [dt.date(2024, 1, 1) + dt.timedelta(days=day) for day in range(200)]
    assert not look(cells)[0]


def test_infinite_numbers_are_left_to_the_core_to_refuse():
    assert look([np.inf, *range(100)]) == (False, [])


def test_a_column_whose_kind_is_given_is_no_identifier():
    assert not look(texts(100, 100), given=True)[0]


def test_an_ignored_identifier_stays_and_has_many_values():
    left_out, notes = look(texts(200, 200), ignored={"B103"})
    assert (left_out, [note.code for note in notes]) == (False, ["B104"])


@pytest.mark.parametrize(
    ("n", "n_distinct", "each"), [(2000, 101, 20), (300, 31, 10), (250, 125, 2)]
)
def test_many_values_are_named(n, n_distinct, each):
    assert says(texts(n, n_distinct), "town") == [
        f"B104 town has {n_distinct} values, about {each} rows each: consider grouping them (--categorical group)"
    ]


@pytest.mark.parametrize(("n", "n_distinct"), [(2000, 100), (310, 31), (60, 30)])
def test_values_with_enough_rows_are_not_many(n, n_distinct):
    assert look(texts(n, n_distinct)) == (False, [])


def test_ordered_values_are_never_many():
    column = Choices(tuple(map(str, range(200))), np.arange(200) % 150, is_ordered=True)
    assert look_at("x", column) == (False, [])


def test_codes_of_one_byte_are_counted_rightly():
    column = Choices(tuple(map(str, range(120))), (np.arange(2400) % 120).astype(np.int8))
    assert [note.code for note in look_at("x", column)[1]] == ["B104"]


def test_a_date_is_named_with_its_parts():
    cells = [dt.date(2024, 1, day) for day in (1, 2, 3)]
    assert says(cells, "when") == [
        "B107 when is a date: its weekday and month are features, too (--type when=ignore)"
    ]


def test_a_time_has_an_hour():
    cells = [dt.datetime(2024, 1, day, 13) for day in (1, 2, 3)]
    assert says(cells, "when") == [
        "B107 when is a date: its weekday, month and hour are features, too (--type when=ignore)"
    ]


AS_TEXT = {"types": {"age": "category"}}
AS_NUMBER = {"types": {"zip": "number"}}
REMARKS = (
    Remark("B105", "age", '3 cells are not numbers ("?"), treated as missing', AS_TEXT),
    Remark("B106", "zip", "numbers with leading zeros, kept as text", AS_NUMBER),
    Remark("B111", "", "read with decimal commas"),
)
FEW = Numbers(np.array([1.0, 2.5, 1.0]))


def test_what_the_reader_decided_is_said_with_the_column():
    _, notes = look_at("age", FEW, REMARKS)
    assert [note_text(note, cli=True) for note in notes] == [
        'age: 3 cells are not numbers ("?"), treated as missing (--type age=category)'
    ]


def test_a_code_kept_as_text_can_be_read_as_a_number():
    _, (note,) = look_at("zip", FEW, REMARKS)
    assert (note.columns, note.fix) == (("zip",), {"types": {"zip": "number"}})


def test_a_code_is_not_named_where_its_kind_is_given():
    assert look_at("zip", FEW, REMARKS, given=True) == (False, [])


def test_what_the_reader_decided_can_be_ignored():
    assert look_at("age", FEW, REMARKS, ignored={"B105"}) == (False, [])


def test_what_concerns_the_whole_file_is_said_apart():
    assert [(note.code, note.text) for note in file_notes(REMARKS)] == [
        ("B111", "read with decimal commas")
    ]


@pytest.mark.parametrize(
    "cells",
    [[f"${i}.50" for i in range(40)], [f"{i} {'kg' if i % 2 else 'lb'}" for i in range(40)]],
)
def test_text_that_looks_like_numbers_is_not_called_an_identifier(cells):
    left_out, (note,) = look(cells)
    assert left_out
    assert note.code == "B105"
    assert note.text == (
        "x left out: it is text, and most of its 40 values look like numbers. Write them all in one "
        "way, or convert them to numbers"
    )
    assert note.fix == {"types": {"x": "category"}}


def test_digits_as_text_may_be_an_identifier():
    assert look([str(1000 + i) for i in range(40)])[1][0].code == "B103"


def test_values_that_differ_in_case_or_blanks_are_named():
    assert says(["Yes", "yes ", "no", "NO"] * 10) == [
        "B113 x: 'NO' and 'no' differ only in capitals or spaces, and 1 more such group. Write them alike "
        "if they mean the same"
    ]
    assert says(["Yes", "no"] * 10) == []
