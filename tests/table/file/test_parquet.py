"""Parquet files, whose columns have types of their own."""

import datetime as dt
import gzip
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bough.errors import DataError
from bough.table.file import read_file


@pytest.fixture
def parquet(tmp_path):
    """Write a Parquet file, and read it."""

    def read(columns, name="x.parquet", **options):
        pq.write_table(pa.table(columns), tmp_path / name)
        return read_file(tmp_path / name, **options)

    return read


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint64"])
def test_integers_are_integers(parquet, dtype):
    found = parquet({"a": pa.array([1, None, 3], dtype)}).column(0)
    assert found.values.tolist() == [1, 0, 3]
    assert found.missing.tolist() == [False, True, False]


def test_integers_keep_every_digit(parquet):
    assert parquet({"a": [2**63 - 1, None]}).column(0).values[0] == 2**63 - 1


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_floats_are_numbers_of_their_width(parquet, dtype):
    found = parquet({"a": pa.array([1.5, None], dtype)}).column(0)
    assert found.values.dtype == dtype
    assert np.array_equal(found.values, [1.5, np.nan], equal_nan=True)


def test_decimals_are_numbers(parquet):
    assert parquet({"a": [Decimal("1.25")]}).column(0).values.tolist() == [1.25]


def test_booleans_are_booleans(parquet):
    found = parquet({"a": [True, None, False]}).column(0)
    assert (found.values, found.codes.tolist()) == ((False, True), [1, -1, 0])


@pytest.mark.parametrize("make", [pa.array, lambda cells: pa.array(cells).dictionary_encode()])
def test_text_is_text_even_where_it_is_empty_or_says_numbers(parquet, make):
    found = parquet({"a": make(["1", "", None, "01"])}).column(0)
    assert (found.values, found.codes.tolist()) == (("", "01", "1"), [2, 0, -1, 1])


def test_marks_that_are_named_are_missing(parquet):
    found = parquet({"a": ["NA", "x"]}, missing_marks=("", "NA")).column(0)
    assert (found.values, found.codes.tolist()) == (("x",), [-1, 0])


@pytest.mark.parametrize(
    "value",
    [
        dt.date(2024, 2, 29),
        dt.datetime(2024, 2, 29),
        dt.datetime(2024, 2, 29, 2, tzinfo=dt.timezone(dt.timedelta(hours=2))),
    ],
)
def test_dates_are_dates(parquet, value):
    found = parquet({"a": [value, None]}).column(0)
    assert found.values.view("M8[us]")[0] == np.datetime64("2024-02-29")
    assert np.isnat(found.values.view("M8[us]")[1])


def test_a_column_without_values_has_none(parquet):
    found = parquet({"a": pa.nulls(2), "b": [1, 2]}).column(0)  # of what kind is the engine's word
    assert found.missing_rows().tolist() == [True, True]


@pytest.mark.parametrize(
    ("column", "says"),
    [
        (
            pa.array([dt.time(1)]),
            "the type TIME, but times of day and durations are not supported. Convert them to numbers, "
            "such as seconds.",
        ),
        (pa.array([b"x"]), "the type BLOB, but bytes are not supported. Decode them to text."),
        (
            pa.array([[1]]),
            "the type BIGINT[]. Each cell of the argument must be a string, a number, a boolean, a "
            "date or missing.",
        ),
        (
            pa.array([{"b": 1}]),
            "the type STRUCT(b BIGINT). Each cell of the argument must be a string, a number, a "
            "boolean, a date or missing.",
        ),
    ],
)
def test_other_types_are_refused(parquet, column, says):
    with pytest.raises(DataError) as raised:
        parquet({"a": column}).column(0)
    assert str(raised.value) == f"column 'a' has {says}"


def test_only_a_column_that_is_asked_for_is_refused(parquet):
    assert parquet({"a": pa.array([[1]]), "b": [5]}).column(1).values.tolist() == [5]


def test_names_that_differ_only_in_case_are_two(parquet):
    found = parquet({"a": [1], "A": [2], "list": [[3]], "b": [4]})
    assert found.names == ("a", "A", "list", "b")
    assert found.column(1).values.tolist() == [2]


def test_rows_are_counted_as_in_a_frame(parquet):
    assert parquet({"a": [1, 2]}).where(1) == "row 1"


def test_a_table_without_rows_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.table({"a": pa.array([], "int64")}), "x.parquet")
    with pytest.raises(DataError) as raised:
        read_file("x.parquet")
    assert str(raised.value) == "'x.parquet' has columns but no rows."


def test_a_damaged_file_is_refused(message):
    assert message(b"PAR1PAR1", "x.parquet") == (
        "'x.parquet' cannot be read (Invalid Input Error: File 'x.parquet' too small to be a "
        "Parquet file)."
    )


def test_a_name_with_signs_of_a_pattern_is_one_file(parquet):
    parquet({"a": [1]}, "xa.parquet")
    assert parquet({"a": [2]}, "x[a]*?.parquet").column(0).values.tolist() == [2]


def test_a_file_is_unpacked(parquet, tmp_path):
    parquet({"a": [7]})
    packed = tmp_path / "y.parquet.gz"
    packed.write_bytes(gzip.compress((tmp_path / "x.parquet").read_bytes()))
    assert read_file(packed).column(0).values.tolist() == [7]


def sizes(*, ordered):
    codes = pa.array([0, 2, None, 0], "int8")
    return pa.DictionaryArray.from_arrays(codes, ["S", "M", "L"], ordered=ordered)


def test_an_ordered_category_keeps_its_order(parquet):
    found = parquet({"n": [1, 2, 3, 4], "size": sizes(ordered=True)}).column(1)
    assert (found.values, found.codes.tolist()) == (("S", "M", "L"), [0, 2, -1, 0])
    assert found.is_ordered


def test_a_category_without_an_order_has_its_values_sorted(parquet):
    found = parquet({"size": sizes(ordered=False)}).column(0)
    assert (found.values, found.is_ordered) == (("L", "S"), False)


@pytest.mark.parametrize("ordered", [True, False])
def test_what_pandas_says_of_the_order_holds(tmp_path, ordered):
    made = pd.Categorical(["S", "L", None, "S"], ["S", "M", "L"], ordered=ordered)
    pd.DataFrame({"size": made, "n": [1, 2, 3, 4]}).to_parquet(tmp_path / "x.parquet")
    found = read_file(tmp_path / "x.parquet").column(0)
    assert found.values == (("S", "M", "L") if ordered else ("L", "S"))


def test_an_order_that_marks_are_missing_from_is_kept(parquet):
    found = parquet({"size": sizes(ordered=True)}, missing_marks=("", "L")).column(0)
    assert (found.values, found.codes.tolist()) == (("S", "M", "L"), [0, -1, -1, 0])


def test_an_enum_of_polars_is_a_category_as_in_its_frames(tmp_path):
    made = pl.Series(["S", "L"], dtype=pl.Enum(["S", "M", "L"]))
    pl.DataFrame({"size": made}).write_parquet(tmp_path / "x.parquet")
    assert not read_file(tmp_path / "x.parquet").column(0).is_ordered


def test_an_order_that_cannot_be_read_is_said(tmp_path, monkeypatch):
    made = pd.Categorical(["S", "L"], ["S", "L"], ordered=True)
    pd.DataFrame({"size": made}).to_parquet(tmp_path / "x.parquet")
    monkeypatch.setattr("bough.table.file.parquet.find_spec", lambda _: None)
    source = read_file(tmp_path / "x.parquet")
    assert source.column(0).values == ("L", "S")
    assert [remark.text for remark in source.remarks] == [
        "its order in the file is not read. Install what reads it: pip install pyarrow"
    ]
