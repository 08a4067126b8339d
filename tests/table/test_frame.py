"""Data frames of several makes, and dicts of lists."""

import subprocess
import sys
from decimal import Decimal

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bough.errors import DataError, DataTypeError
from bough.schema import MISSING_INTEGER, Kind
from bough.table import read, refuse_infinity

MAKES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "narwhals": lambda columns: nw.from_native(pl.DataFrame(columns)),
    "lazy polars": lambda columns: pl.DataFrame(columns).lazy(),
    "duckdb": lambda columns: pytest.importorskip("duckdb").from_arrow(pa.table(columns)),
    "arrow stream": lambda columns: pa.table(columns).to_reader(),
    "arrow batch": lambda columns: pa.table(columns).to_batches()[0],
    "dict": dict,
}


def column(X):
    """Read a table of one column: its feature and its values."""
    table = read(X)
    assert len(table.features) == 1
    return table.features[0], table.values[0].tolist()


def message(X, error=DataError):
    with pytest.raises(error) as raised:
        refuse_infinity(read(X))
    return str(raised.value)


@pytest.fixture(params=MAKES.values(), ids=MAKES)
def make(request):
    return request.param


def test_a_frame_has_named_columns(make):
    table = read(make({"b": [1, 2], "a": ["x", "y"]}))
    assert table.columns == ("b", "a")
    assert table.named
    assert table.n_rows == 2
    assert [feature.name for feature in table.features] == ["b", "a"]


def test_numbers_are_numbers(make):
    feature, values = column(make({"a": [1.5, 2.5]}))
    assert feature.kind is Kind.NUMBER
    assert values == [1.5, 2.5]


def test_integers_are_numbers(make):
    feature, values = column(make({"a": [1, -2]}))
    assert feature.kind is Kind.NUMBER
    assert values == [1.0, -2.0]


def test_large_integers_are_integers(make):
    feature, values = column(make({"a": [2**53 + 1, 2**53]}))
    assert feature.kind is Kind.INTEGER
    assert values == [2**53 + 1, 2**53]


def test_text_is_choices(make):
    feature, values = column(make({"a": ["y", "x", "y"]}))
    assert feature.kind is Kind.CHOICE
    assert feature.choices == ("x", "y")
    assert values == [1, 0, 1]


def test_numbers_given_as_text_stay_text(make):
    assert column(make({"a": ["10", "9"]}))[0].choices == ("10", "9")


def test_booleans_are_choices(make):
    feature, values = column(make({"a": [True, False]}))
    assert feature.kind is Kind.CHOICE
    assert feature.choices == (False, True)
    assert values == [1, 0]


def test_missing_text_is_missing(make):
    assert column(make({"a": ["x", None]})) == column({"a": ["x", None]})
    assert column(make({"a": ["x", None]}))[1] == [0, -1]


def test_missing_booleans_are_missing(make):
    feature, values = column(make({"a": [True, None, False]}))
    assert feature.choices == (False, True)
    assert values == [1, -1, 0]


def test_missing_floats_are_missing(make):
    _, values = column(make({"a": [1.5, None]}))
    assert values[0] == 1.5
    assert np.isnan(values[1])


def test_missing_integers_are_missing(make):
    _, values = column(make({"a": [3, None]}))
    assert values[0] == 3
    assert np.isnan(values[1])


def test_decimals_are_numbers(make):
    assert column(make({"a": [Decimal("0.10"), Decimal("2.50")]}))[1] == [0.1, 2.5]


def test_infinity_is_refused(make):
    assert message(make({"a": [1.0, np.inf]})) == (
        "Input X contains infinity: column 'a' has inf in row 1. "
        "Replace it by a finite number, or by nan if it is missing."
    )


def test_a_frame_without_rows_is_refused(make):
    if make is MAKES["arrow batch"]:
        pytest.skip("a table without rows has no batches")
    assert message(make({"a": [], "b": []})) == (
        "Found array with 0 sample(s) (shape=(0, 2)) while a minimum of 1 is required."
    )


@pytest.mark.parametrize("X", [pd.DataFrame(index=range(3)), pl.DataFrame(), {}])
def test_a_frame_without_columns_is_refused(X):
    rows = len(X)
    what = "feature" if rows else "sample"
    assert message(X) == (
        f"Found array with 0 {what}(s) (shape=({rows}, 0)) while a minimum of 1 is required."
    )


@pytest.mark.parametrize(
    "cells",
    [
        pl.Series([2**60 + 1, None]),
        pa.array([2**60 + 1, None]),
        pd.array([2**60 + 1, None], "Int64"),
        pd.array([2**60 + 1, None], "int64[pyarrow]"),
    ],
    ids=["polars", "pyarrow", "pandas", "pandas arrow"],
)
def test_nullable_integers_stay_exact(cells):
    make = {pl.Series: pl.DataFrame, pa.Int64Array: pa.table}.get(type(cells), pd.DataFrame)
    feature, values = column(make({"a": cells}))
    assert feature.kind is Kind.INTEGER
    assert values == [2**60 + 1, MISSING_INTEGER]


def test_unsigned_integers_of_64_bits_are_numbers_if_a_float64_holds_them():
    assert column(pl.DataFrame({"a": pl.Series([2**63, None], dtype=pl.UInt64)}))[1][0] == 2.0**63


def test_integers_of_128_bits_are_numbers_if_a_float64_holds_them():
    assert column(pl.DataFrame({"a": pl.Series([2**70, 3], dtype=pl.Int128)}))[1] == [2.0**70, 3.0]


@pytest.mark.parametrize("dtype", ["Float64", "float64[pyarrow]", "float32", "Float32"])
def test_floats_of_pandas_are_numbers(dtype):
    feature, values = column(pd.DataFrame({"a": pd.array([1.5, None], dtype)}))
    assert feature.kind is Kind.NUMBER
    assert values[0] == 1.5
    assert np.isnan(values[1])


def test_half_floats_of_arrow_are_numbers():
    assert column(pa.table({"a": pa.array([np.float16(1.5), None], pa.float16())}))[1][0] == 1.5


def test_decimals_with_a_gap_are_numbers():
    _, values = column(pa.table({"a": [Decimal("0.1"), None]}))
    assert values[0] == 0.1
    assert np.isnan(values[1])


@pytest.mark.parametrize("dtype", ["str", "string", "string[pyarrow]", object])
def test_text_of_pandas_is_choices(dtype):
    feature, values = column(pd.DataFrame({"a": pd.Series(["y", None, "x"], dtype=dtype)}))
    assert feature.choices == ("x", "y")
    assert values == [1, -1, 0]


@pytest.mark.parametrize("dtype", [pa.large_string(), pa.string_view()])
def test_text_of_arrow_is_choices(dtype):
    assert column(pa.table({"a": pa.array(["y", None, "x"], dtype)}))[1] == [1, -1, 0]


@pytest.mark.parametrize("dtype", ["boolean", "bool[pyarrow]", object])
def test_nullable_booleans_of_pandas_are_choices(dtype):
    feature, values = column(pd.DataFrame({"a": pd.Series([True, None, False], dtype=dtype)}))
    assert feature.choices == (False, True)
    assert values == [1, -1, 0]


@pytest.mark.parametrize(
    "X",
    [
        pl.DataFrame({"a": [None, None]}),
        pl.DataFrame({"a": pl.Series([None, None], dtype=pl.String)}),
        pa.table({"a": pa.nulls(2)}),
        pd.DataFrame({"a": [None, None]}),
    ],
    ids=["polars", "polars text", "pyarrow", "pandas"],
)
def test_a_column_without_values_is_read(X):
    feature, values = column(X)
    assert (feature.kind, feature.choices, values) == (Kind.CHOICE, (), [-1, -1])


def test_sparse_columns_of_pandas_are_numbers():
    assert column(pd.DataFrame({"a": pd.arrays.SparseArray([0, 0, 7])}))[1] == [0.0, 0.0, 7.0]


def test_floats_of_polars_are_not_copied():
    frame = pl.DataFrame({"a": [1.5, 2.5]})
    assert np.shares_memory(read(frame).values[0], frame["a"].to_numpy())


def test_a_dict_may_hold_arrays_and_series():
    X = {
        "array": np.array([1, 2]),
        "pandas": pd.Series(["x", "y"]),
        "polars": pl.Series([True, None]),
        "pyarrow": pa.chunked_array([[3, 4]]),
        "pandas array": pd.array([5, 6], "Int64"),
    }
    assert [values.tolist() for values in read(X).values] == [
        [1, 2],
        [0, 1],
        [0, -1],
        [3, 4],
        [5, 6],
    ]


def test_masked_cells_of_an_array_in_a_dict_are_missing():
    assert np.isnan(column({"a": np.ma.masked_array([1, 2], [False, True])})[1][1])


def test_names_that_are_no_text_are_no_names():
    table = read(pd.DataFrame([[1, 2]], columns=[7, 8]))
    assert table.columns == ("x0", "x1")
    assert not table.named


def test_names_partly_of_text_are_refused_as_a_type_and_as_a_value():
    X = pd.DataFrame([[1, 2, 3]], columns=["a", 1, 2.5])
    assert message(X, TypeError) == message(X, DataTypeError)
    assert message(X) == (
        "the names of the columns of X are partly strings and partly of type 'float' and 'int'. "
        "Make all of them strings: X.columns = X.columns.astype(str)."
    )


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]),
        pa.table([[1], [2], [3]], names=["a", "b", "a"]),
        pa.table([[1], [2], [3]], names=["a", "b", "a"]).to_reader(),
    ],
    ids=["pandas", "pyarrow", "arrow stream"],
)
def test_a_repeated_name_is_refused(X):
    assert message(X) == (
        "column 'a' appears 2 times (columns 0 and 2). Give every column a name of its own."
    )


def test_several_repeated_names_are_all_named():
    assert message(pd.DataFrame([[1] * 7], columns=list("abcabca"))) == (
        "column 'a' appears 3 times (columns 0, 3 and 6); so do 'b' and 'c'. "
        "Give every column a name of its own."
    )


@pytest.mark.parametrize(
    "X", [pd.Series([1.0, 2.0]), pl.Series([1.0, 2.0]), pa.chunked_array([[1.0]])]
)
def test_a_series_is_refused(X):
    assert message(X) == (
        "X is a series, but a table has rows and columns. Reshape your data: a column becomes a "
        "table by X.to_frame(), a row by a slice of its table, such as df[4:5]."
    )


@pytest.mark.parametrize(
    ("X", "found"),
    [
        (pl.DataFrame({"a": [[1], [2]]}), "the type List(Int64)"),
        (pa.table({"a": [{"b": 1}]}), "the type Struct({'b': Int64})"),
        (pd.DataFrame({"a": [None, [1]]}), "a value of type 'list' in row 1"),
        (
            pd.DataFrame({"a": pd.period_range("2020", periods=1)}),
            "a value of type 'Period' in row 0",
        ),
    ],
)
def test_nested_columns_are_refused(X, found):
    assert message(X, TypeError) == (
        f"column 'a' has {found}. Each cell of the argument must be a string, a number, a boolean, "
        "a date or missing."
    )


@pytest.mark.parametrize("X", [pl.DataFrame({"a": [b"x"]}), pa.table({"a": [b"x"]})])
def test_bytes_are_refused(X):
    assert message(X) == (
        "column 'a' has the type Binary, but bytes are not supported. Decode them to text."
    )


def test_complex_columns_are_refused():
    assert message(pd.DataFrame({"a": [1j]})) == (
        "Complex data not supported: column 'a' has a value of type 'complex' in row 0. "
        "Give the real and the imaginary part as two columns."
    )


def test_columns_of_different_lengths_are_refused():
    assert message({"a": [1, 2], "b": [3]}) == (
        "column 'b' has length 1, but column 'a' has length 2. Give all columns the same number of rows."
    )


@pytest.mark.parametrize(
    ("cells", "type_name"),
    [(3, "int"), ("three", "str"), ({1}, "set"), (np.ones((1, 1)), "ndarray")],
)
def test_a_dict_of_what_is_no_column_is_refused(cells, type_name):
    assert message({"a": cells}) == (
        f"column 'a' of the dict X is of type '{type_name}'. Give a list with one cell per row."
    )


def test_pandas_is_not_needed_to_read_polars():
    program = (
        "import sys, polars, bough.table\n"
        "bough.table.read(polars.DataFrame({'a': ['x', None], 'b': [1, 2]}))\n"
        "print('pandas' in sys.modules, 'pyarrow' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False False\n"


def test_arrays_are_read_without_narwhals():
    program = (
        "import sys, numpy, bough.table\n"
        "bough.table.read(numpy.ones((2, 2)))\n"
        "print('narwhals' in sys.modules, 'scipy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False False\n"


def test_a_relation_of_duckdb_needs_pyarrow_and_says_so(monkeypatch):
    relation = pytest.importorskip("duckdb").sql("SELECT 1 AS x")
    for name in ("pyarrow", "polars"):
        monkeypatch.setitem(sys.modules, name, None)  # as if it were not installed
    with pytest.raises(DataError) as error:
        read(relation)
    assert str(error.value) == (
        "X is a DuckDBPyRelation of duckdb, which is read through pyarrow, and that is not "
        "installed. Install it: pip install pyarrow."
    )
