"""Columns of Python objects."""

from decimal import Decimal
from enum import Enum
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from bough.errors import DataError, DataTypeError
from bough.schema import MISSING_INTEGER, Kind
from bough.table import read, refuse_infinity


def column(*cells):
    """Read one column of objects: its feature and its values."""
    X = np.empty((len(cells), 1), object)
    X[:, 0] = cells
    table = read(X)
    refuse_infinity(table)
    return table.features[0], table.values[0]


def message(*cells, error=DataError):
    with pytest.raises(error) as raised:
        column(*cells)
    return str(raised.value)


@pytest.mark.parametrize("gap", [None, np.nan, pd.NA, pd.NaT, float("nan"), np.float32("nan")])
@pytest.mark.parametrize(
    ("known", "kind"),
    [
        ("a", Kind.CHOICE),
        (True, Kind.CHOICE),
        (3, Kind.NUMBER),
        (2.5, Kind.NUMBER),
        (Decimal("2.5"), Kind.NUMBER),
        (pd.Timestamp("2020-01-01"), Kind.DATE),
    ],
)
def test_every_mark_of_a_missing_value_is_missing(gap, known, kind):
    feature, values = column(known, gap)
    assert feature.kind is kind
    assert np.isnan(values[1]) if kind is Kind.NUMBER else values[1] in (-1, MISSING_INTEGER)


def test_integers_with_a_gap_stay_exact():
    feature, values = column(2**60 + 1, None, 2**60)
    assert feature.kind is Kind.INTEGER
    assert values.tolist() == [2**60 + 1, MISSING_INTEGER, 2**60]


def test_integers_with_nan_as_a_gap_stay_exact():
    assert column(2**60 + 1, np.nan)[1].tolist() == [2**60 + 1, MISSING_INTEGER]


def test_integers_of_numpy_are_integers():
    assert column(np.int8(1), np.uint64(2**63 - 1))[1].tolist() == [1, 2**63 - 1]


def test_integers_beyond_64_bits_are_numbers_if_a_float64_holds_them():
    assert column(2**70, -(2**80))[1].tolist() == [2.0**70, -(2.0**80)]


def test_integers_and_floats_are_numbers():
    assert column(1, 2.5, np.float16(0.5))[1].tolist() == [1.0, 2.5, 0.5]


def test_booleans_among_numbers_count_as_0_and_1():
    assert column(*[True, 2, 0.5])[1].tolist() == [1.0, 2.0, 0.5]


def test_booleans_of_numpy_are_booleans():
    assert column(*[np.True_, False])[0].choices == (False, True)


@pytest.mark.parametrize("text", ["0.1", "2.675", "123456789012345678.9", "1e-400", "0.5"])
def test_a_decimal_becomes_the_nearest_float64(text):
    assert column(Decimal(text))[1].tolist() == [float(text)]


def test_fractions_are_numbers():
    assert column(Fraction(1, 3))[1].tolist() == [1 / 3]


def test_text_that_looks_like_numbers_stays_text():
    assert column("1", "02")[0].choices == ("02", "1")


def test_the_empty_text_is_a_value():
    feature, values = column("", "a", None)
    assert feature.choices == ("", "a")
    assert values.tolist() == [0, 1, -1]


class Size(str, Enum):  # noqa: UP042 - this kind of str prints as "Size.SMALL"
    SMALL = "S"


def test_an_enum_of_text_is_its_text():
    feature, values = column("S", Size.SMALL, np.str_("S"), None)
    assert feature.choices == ("S",)
    assert values.tolist() == [0, 0, 0, -1]


def test_text_sorts_by_code_points():
    assert column("b", "Z", "é", "a", "😀", "\uffff")[0].choices == (
        "Z",
        "a",
        "b",
        "é",
        "\uffff",
        "😀",
    )


def test_a_column_without_any_value_is_a_choice_of_none():
    feature, values = column(None, pd.NA)
    assert feature.kind is Kind.CHOICE
    assert feature.choices == ()
    assert values.tolist() == [-1, -1]


def test_text_among_numbers_is_refused():
    assert message(None, 3, 4, "x") == (
        "column 'x0' mixes numbers and text: 3 in row 1, 'x' in row 3. "
        "Make all of them numbers or all text."
    )


def test_numbers_among_text_are_refused():
    assert message("x", 2.5, np.nan) == (
        "column 'x0' mixes text and numbers: 'x' in row 0, 2.5 in row 1. "
        "Make all of them text or all numbers."
    )


def test_booleans_among_text_are_refused_as_numbers_are():
    assert message(*["x", True]) == (
        "column 'x0' mixes text and numbers: 'x' in row 0, True in row 1. "
        "Make all of them text or all numbers."
    )


def test_dates_among_numbers_are_refused():
    assert message(1, pd.Timestamp("2020-01-01")) == (
        "column 'x0' mixes numbers and dates: 1 in row 0, Timestamp('2020-01-01 00:00:00') in "
        "row 1. Make all of them numbers or all dates."
    )


def test_an_integer_among_floats_that_loses_digits_is_refused():
    assert message(0.5, 2**53 + 1) == (
        "column 'x0' has 9007199254740993 in row 1, which loses digits as a float64. "
        "Give the column as 64-bit integers or as text."
    )


def test_an_integer_beyond_every_float_is_refused():
    assert message(1, 10**5000) == (
        "column 'x0' has an integer of 16,610 bits in row 1, which loses digits as a float64. "
        "Give the column as 64-bit integers or as text."
    )


def test_infinite_decimals_are_refused():
    assert message(Decimal("1"), Decimal("-Infinity")) == (
        "Input X contains infinity: column 'x0' has -inf in row 1. "
        "Replace it by a finite number, or by nan if it is missing."
    )


@pytest.mark.parametrize(
    ("cell", "type_name"),
    [({"a": 1}, "dict"), ([1], "list"), (object(), "object"), (pd.Period("2020"), "Period")],
)
def test_other_objects_are_refused_as_a_type_and_as_a_value(cell, type_name):
    found = message(1.5, cell, error=TypeError)
    assert found == message(1.5, cell, error=DataTypeError)
    assert found == (
        f"column 'x0' has a value of type '{type_name}' in row 1. Each cell of the argument must "
        "be a string, a number, a boolean, a date or missing."
    )


def test_complex_cells_are_refused():
    assert message(1, 2j) == (
        "Complex data not supported: column 'x0' has a value of type 'complex' in row 1. "
        "Give the real and the imaginary part as two columns."
    )


def test_bytes_are_refused():
    assert message("a", b"a") == (
        "column 'x0' has a value of type 'bytes' in row 1, but bytes are not supported. "
        "Decode them to text."
    )
