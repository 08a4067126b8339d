"""What a column of texts means: numbers, dates or just text."""

import numpy as np
import pytest

from bough.errors import DataError
from bough.schema import MISSING_INTEGER
from bough.table.column import Choices, Integers, Moments, Numbers
from bough.table.source import Remark

MOST = 300  # cells beside which a few are stray ones


@pytest.fixture
def column(source):
    """Read a column of these cells, and return it with what is remarked about it."""

    def read(cells, **options):
        quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells]
        text = "a,b\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(quoted))
        found = source(text, **options)
        return found.column(0), [remark for remark in found.remarks if remark.column == "a"]

    return read


def day(text):
    return int(np.datetime64(text, "us").astype(np.int64))


@pytest.mark.parametrize("cells", [["1", "-2", "3"], ["+1", "-2", "3"], [" 1", "-2 ", "3"]])
def test_whole_numbers_are_integers(column, cells):
    found, remarks = column(cells)
    assert isinstance(found, Integers)
    assert found.values.tolist() == [1, -2, 3]
    assert remarks == []


@pytest.mark.parametrize(
    "cells", [["1.5", "-2", ".5"], ["1.50", "-2.", "0.5"], ["15e-1", "-2E0", "+0.5"]]
)
def test_other_numbers_are_numbers(column, cells):
    found, remarks = column(cells)
    assert isinstance(found, Numbers)
    assert found.values.tolist() == [1.5, -2.0, 0.5]
    assert remarks == []


def test_numbers_are_the_nearest_floats(column):
    cells = ["0.1", "1e-320", "2.2250738585072011e-308", "123456789.123456789", "4.35e300"]
    found, _ = column(cells)
    assert found.values.tolist() == [float(cell) for cell in cells]


def test_an_empty_cell_of_numbers_is_missing(column):
    found, _ = column(["1", "", "3"])
    assert found.missing.tolist() == [False, True, False]


def test_integers_beyond_the_floats_keep_every_digit(column):
    found, remarks = column(["9007199254740993", "", "-9223372036854775807"])
    assert found.values.tolist() == [9007199254740993, 0, -9223372036854775807]
    assert remarks == []


def test_integers_of_more_than_64_bits_are_text(column):
    found, remarks = column(["18446744073709551616", "2"])
    assert found.values == ("18446744073709551616", "2")
    text = "treated as text: '18446744073709551616' in line 2 has more than 64 bits"
    assert remarks == [Remark("B106", "a", text)]


def test_the_largest_integers_of_64_bits_are_integers(column):
    found, _ = column(["9223372036854775807", "2"])
    assert found.values.tolist() == [9223372036854775807, 2]


def test_codes_with_zeros_in_front_are_text(column):
    found, remarks = column(["12345", "01234"])
    assert found.values == ("01234", "12345")
    text = "treated as a code, not a number, because of leading zeros: '01234' in line 3"
    assert remarks == [Remark("B106", "a", text, {"types": {"a": "number"}})]


@pytest.mark.parametrize("cells", [["0", "0.5"], ["-0.5", "0e1"]])
def test_a_single_zero_in_front_is_no_code(column, cells):
    assert isinstance(column(cells)[0], Numbers)


@pytest.mark.parametrize("cell", ["0x1F", "1_000", "1 000", "1d", "nan", "--1", "+-1", "1e", "٣"])
def test_other_notations_are_text(column, cell):
    assert column([cell, "x"])[0].values == tuple(sorted([cell, "x"]))


def test_a_few_stray_cells_among_numbers_are_missing_and_named(column):
    found, remarks = column([*map(str, range(MOST)), "?", "NA", "?"])
    assert np.flatnonzero(found.missing).tolist() == [MOST, MOST + 1, MOST + 2]
    text = "3 cells are not numbers and are treated as missing: '?' in line 302, 'NA' in line 303"
    assert remarks == [Remark("B105", "a", text, {"types": {"a": "category"}})]


def test_one_stray_cell_is_one(column):
    _, remarks = column([*map(str, range(MOST)), "?"])
    assert remarks[0].text == "1 cell is not a number and is treated as missing: '?' in line 302"


def test_few_of_many_stray_texts_are_shown(column):
    _, remarks = column([*map(str, range(600)), *"pqrst"])
    assert remarks[0].text == (
        "5 cells are not numbers and are treated as missing: 'p' in line 602, 'q' in line 603, "
        "'r' in line 604, 2 more"
    )


def test_more_stray_cells_make_a_column_text(column):
    found, remarks = column(["1", "2", "x"])
    assert found.values == ("1", "2", "x")
    text = "treated as text because of 'x' in line 4; 2 of 3 cells are numbers"
    assert remarks == [Remark("B105", "a", text, {"missing_marks": ("", "x")})]


def test_words_with_some_numbers_are_just_text(column):
    assert column(["x", "y", "1"])[1] == []


def test_na_is_a_value_of_text(column):
    assert column(["NA", "DE"])[0].values == ("DE", "NA")


def test_marks_that_are_named_are_missing(column):
    found, remarks = column(["1", "NA", "-", ""], missing_marks=("", "NA", "-"))
    assert found.missing.tolist() == [False, True, True, True]
    assert remarks == []


def test_the_empty_cell_stays_missing_beside_other_marks(column):
    found = column(["x", "", "NA"], missing_marks=("NA",))[0]
    assert (found.values, found.codes.tolist()) == (("x",), [0, -1, -1])


@pytest.mark.parametrize("cell", ["inf", "-Infinity", "1e999"])
def test_infinity_among_numbers_is_refused(column, cell):
    with pytest.raises(DataError) as raised:
        column(["1", "2", cell])
    assert str(raised.value) == (
        f"column 'a' has {cell!r} in line 4, which is not a finite number. Correct the cell, or "
        f"make it missing: missing_marks=('', {cell!r})."
    )


def test_inf_among_words_is_a_word(column):
    assert column(["inf", "sup"])[0].values == ("inf", "sup")


def test_decimal_commas_are_read_and_remarked(column):
    found, remarks = column(["1,5", "-2", ",5", ""])
    assert found.values.tolist()[:3] == [1.5, -2.0, 0.5]
    assert np.isnan(found.values[3])
    text = "read as numbers with a decimal comma, as in ',5'"
    assert remarks == [Remark("B111", "a", text, {"types": {"a": "category"}})]


def test_commas_that_may_part_thousands_are_asked_about(column):
    with pytest.raises(DataError) as raised:
        column(["1,234", "500"])
    assert str(raised.value) == (
        "column 'a': '1,234' in line 2 may have a decimal comma, or a comma between thousands. "
        "Nothing else in the file tells, so say which: decimal=',' or thousands=','; or take it as "
        "text: types={'a': 'category'}."
    )
    assert column(["1,234", "500"], decimal=",")[0].values.tolist() == [1.234, 500.0]
    assert column(["1,234", "500"], thousands=",")[0].values.tolist() == [1234, 500]


def test_commas_are_decimal_where_semicolons_part_cells(source):
    assert source("a;b\n1,234;5\n2,500;6\n").column(0).values.tolist() == [1.234, 2.5]


@pytest.mark.parametrize(
    ("cells", "iso"),
    [
        (["2024-02-29", ""], "2024-02-29"),
        (["2024-02-29 13:45", ""], "2024-02-29T13:45"),
        (["2024-02-29T13:45:06.25", ""], "2024-02-29T13:45:06.25"),
        (["2024-02-29T13:45:06Z", ""], "2024-02-29T13:45:06"),
        (["2024-02-29T13:45:06+02:00", ""], "2024-02-29T11:45:06"),
    ],
)
def test_iso_dates_and_times_are_dates(column, cells, iso):
    found, remarks = column(cells)
    assert isinstance(found, Moments)
    assert found.values.tolist() == [day(iso), MISSING_INTEGER]
    assert remarks == []


@pytest.mark.parametrize(
    ("cells", "order"),
    [
        (["29.02.2024", "1.3.2024"], "day"),
        (["29/02/2024", "01/03/2024"], "day"),
        (["02/29/2024", "03/01/2024"], "month"),
    ],
)
def test_other_dates_are_dates_if_they_are_clear(column, cells, order):
    found, remarks = column(cells)
    assert found.values.tolist() == [day("2024-02-29"), day("2024-03-01")]
    code = f"%d{cells[0][2]}%m" if order == "day" else "%m/%d"
    text = f"read as dates with the {order} first ({code}{cells[0][2]}%Y), as in {min(cells)!r}"
    assert remarks == [Remark("B111", "a", text, {"types": {"a": "category"}})]


def test_dates_that_are_not_clear_are_asked_about(column):
    cells = ["03/04/2024", "05/06/2024"]
    with pytest.raises(DataError) as raised:
        column(cells)
    assert str(raised.value) == (
        "column 'a': '03/04/2024' in line 2 may have the day or the month first. Nothing else in "
        "the file tells, so say which: date_format='%d/%m/%Y' or date_format='%m/%d/%Y'; or take "
        "it as text: types={'a': 'category'}."
    )
    assert column(cells, date_format="%m/%d/%Y")[0].values[0] == day("2024-03-04")
    assert column(cells, date_format="%d/%m/%Y")[0].values[0] == day("2024-04-03")


@pytest.mark.parametrize(
    "cells",
    [
        ["2024-02-30", "2024-02-28"],
        ["2024-02-01", "soon"],
        ["2024-01-01T00:00Z", "2024-01-01T00:00"],
    ],
)
def test_dates_beside_what_is_none_are_text(column, cells):
    found, remarks = column(cells)
    assert isinstance(found, Choices)
    assert [remark.code for remark in remarks] == ["B105"]


def test_the_order_of_rows_does_not_matter(column):
    cells = [*map(str, range(MOST)), "?", "NA"]
    forward, backward = column(cells)[0], column(cells[::-1])[0]
    assert backward.values[::-1].tolist() == forward.values.tolist()


def test_a_column_without_values_has_none(column):
    found, _ = column(["", ""])
    assert (found.values, found.codes.tolist()) == ((), [-1, -1])


def test_texts_are_sorted_by_their_signs(column):
    assert column(["é", "a", "Z", "😀", "z"])[0].values == ("Z", "a", "z", "é", "😀")


def test_many_texts_are_told_apart(column):
    cells = [f"t{number % 1500}" for number in range(3000)]
    found, _ = column(cells)
    assert [found.values[code] for code in found.codes] == cells
