"""What is true of every table, whatever its make."""

import datetime as dt
import doctest
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough.schema import Kind, Schema
from bough.table import read, read_like

DOCS = Path(__file__).parents[2] / "docs"

CELLS = {
    "number": st.floats(allow_nan=False, allow_infinity=False),
    "integer": st.integers(1 - 2**63, 2**63 - 1),
    "small": st.integers(-3, 3),
    "text": st.text(st.characters(exclude_categories=["Cs"]), max_size=2),
    "truth": st.booleans(),
    "date": st.dates(dt.date(1, 1, 1), dt.date(9999, 12, 31)),
    "time": st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2200, 1, 1)),
}
ARROW = {
    "number": pa.float64(),
    "integer": pa.int64(),
    "small": pa.int8(),
    "text": pa.string(),
    "truth": pa.bool_(),
    "date": pa.date32(),
    "time": pa.timestamp("us"),
}


@st.composite
def tables(draw):
    """Draw a small table with a column of each kind and gaps here and there, never all gaps."""
    n_rows = draw(st.integers(1, 6))
    columns = {}
    for name, cells in CELLS.items():
        known = draw(cells)
        gappy = st.lists(st.none() | cells, min_size=n_rows - 1, max_size=n_rows - 1)
        columns[name] = [known, *draw(gappy)]
    return columns


def arrow(columns):
    return pa.table({name: pa.array(cells, ARROW[name]) for name, cells in columns.items()})


MAKES = {
    "polars": lambda columns: pl.from_arrow(arrow(columns)),
    "pyarrow": arrow,
    "pandas": lambda columns: arrow(columns).to_pandas(types_mapper=pd.ArrowDtype),
    "rows": lambda columns: [list(row) for row in zip(*columns.values(), strict=True)],
    "objects": lambda columns: np.array(
        [list(row) for row in zip(*columns.values(), strict=True)], dtype=object
    ),
}


def assert_equal_values(one, other):
    assert len(one.values) == len(other.values)
    for feature, before, after in zip(one.features, one.values, other.values, strict=True):
        assert feature.kind is Kind.NUMBER or before.dtype == after.dtype
        assert np.array_equal(before, after, equal_nan=before.dtype == np.float64)


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
@given(columns=tables())
@settings(max_examples=40, derandomize=True, deadline=None)
def test_every_make_gives_the_same_values(make, columns):
    one, other = read(columns), read(make(columns))
    assert_equal_values(one, other)
    assert [(f.kind, f.part, f.choices) for f in one.features] == [
        (f.kind, f.part, f.choices) for f in other.features
    ]


@given(columns=tables())
@settings(max_examples=100, derandomize=True, deadline=None)
def test_a_table_read_like_itself_is_the_same(columns):
    table = read(columns)
    schema = Schema(table.columns, table.features, (), table.named)
    assert_equal_values(table, read_like(columns, schema))


@given(columns=tables(), data=st.data())
@settings(max_examples=100, derandomize=True, deadline=None)
def test_the_order_of_rows_only_moves_values(columns, data):
    order = data.draw(st.permutations(range(len(columns["text"]))))
    table = read(columns)
    moved = read({name: [cells[row] for row in order] for name, cells in columns.items()})
    assert moved.features == table.features
    for before, after in zip(table.values, moved.values, strict=True):
        assert np.array_equal(before[order], after, equal_nan=before.dtype == np.float64)


def test_the_examples_of_the_page_are_true():
    assert doctest.testfile(str(DOCS / "tables.md"), module_relative=False).failed == 0


def test_a_table_tells_which_rows_lack_a_value_whatever_the_kind():
    table = read(
        {
            "number": [1.5, None],
            "integer": [2**60, None],
            "date": [dt.date(2024, 1, 1), None],
            "choice": ["a", None],
        }
    )
    missing = [table.missing(number).tolist() for number in range(len(table.features))]
    assert missing == [[False, True]] * len(table.features)
