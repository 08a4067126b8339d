"""Categories and enums of data frames."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bough.errors import DataError
from bough.schema import Kind
from bough.table import read


def column(X):
    """Read a table of one column: its feature and its values."""
    table = read(X)
    return table.features[0], table.values[0].tolist()


def message(X):
    with pytest.raises(DataError) as raised:
        read(X)
    return str(raised.value)


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"a": pd.Categorical(["y", None, "x"], ["z", "y", "x"])}),
        pd.DataFrame(
            {"a": pd.array(["y", None, "x"], pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string())))}
        ),
        pl.DataFrame({"a": pl.Series(["y", None, "x"], dtype=pl.Categorical)}),
        pl.DataFrame({"a": pl.Series(["y", None, "x"], dtype=pl.Enum(["z", "y", "x"]))}),
        pa.table({"a": pa.array(["y", None, "x"]).dictionary_encode()}),
        pa.table(
            {
                "a": pa.chunked_array(
                    [
                        pa.array(["y"]).dictionary_encode(),
                        pa.array([None, "x"]).dictionary_encode(),
                    ]
                )
            }
        ),
    ],
    ids=["pandas", "pandas arrow", "polars", "polars enum", "pyarrow", "chunks"],
)
def test_categories_are_choices_that_occur_in_sorted_order(X):
    feature, values = column(X)
    assert feature.kind is Kind.CHOICE
    assert feature.choices == ("x", "y")
    assert values == [1, -1, 0]


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"a": pd.Categorical(["S", None, "L"], ["S", "M", "L"], ordered=True)}),
        pa.table(
            {
                "a": pa.DictionaryArray.from_arrays(
                    pa.array([0, None, 2]), pa.array(["S", "M", "L"]), ordered=True
                )
            }
        ),
    ],
    ids=["pandas", "pyarrow"],
)
def test_ordered_categories_keep_their_order_and_every_value(X):
    feature, values = column(X)
    assert feature.kind is Kind.ORDERED
    assert feature.choices == ("S", "M", "L")
    assert values == [0, -1, 2]


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"a": pd.Categorical([30, None, 4])}),
        pa.table({"a": pa.array([30, None, 4]).dictionary_encode()}),
    ],
    ids=["pandas", "pyarrow"],
)
def test_categories_of_numbers_are_choices_of_numbers(X):
    feature, values = column(X)
    assert feature.kind is Kind.CHOICE
    assert feature.choices == (4, 30)
    assert [type(choice) for choice in feature.choices] == [int, int]
    assert values == [1, -1, 0]


def test_enums_of_duckdb_are_choices():
    duckdb = pytest.importorskip("duckdb")
    X = duckdb.sql("select unnest(['y', null, 'x'])::enum('z', 'y', 'x') as a")
    feature, values = column(X)
    assert (feature.kind, feature.choices, values) == (Kind.CHOICE, ("x", "y"), [1, -1, 0])


def test_ordered_categories_of_numbers_keep_their_order():
    X = pd.DataFrame({"a": pd.Categorical([3, 1], [3, 2, 1], ordered=True)})
    assert column(X)[0].choices == (3, 2, 1)


def test_categories_without_any_value_are_a_choice_of_none():
    feature, values = column(pd.DataFrame({"a": pd.Categorical([None, None])}))
    assert (feature.kind, feature.choices, values) == (Kind.CHOICE, (), [-1, -1])


def test_a_category_of_text_and_numbers_is_refused_with_its_rows():
    assert message(pd.DataFrame({"a": pd.Categorical([None, "x", 1])})) == (
        "column 'a' mixes text and numbers: 'x' in row 1, 1 in row 2. "
        "Make all of them text or all numbers."
    )


def test_a_category_that_no_row_has_does_no_harm():
    assert column(pd.DataFrame({"a": pd.Categorical(["x"], ["x", 1])}))[0].choices == ("x",)


def test_a_category_of_dates_is_refused():
    assert message(pd.DataFrame({"a": pd.Categorical(pd.to_datetime(["2020-01-01"]))})) == (
        "column 'a' has dates, which cannot be a category. Convert them to text first."
    )
