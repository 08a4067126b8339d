"""Files as tables: their kinds, `types`, and tables to predict."""

from pathlib import Path

import pytest

from bough import DecisionTreeClassifier
from bough.errors import DataError, SchemaError
from bough.schema import Label, Schema
from bough.table import open_source, read, read_like

STRAYS = "a,b\n" + "".join(f"{number},x\n" for number in range(200)) + "?,y\n"


def schema_of(table):
    return Schema(table.columns, table.features, (Label("y", ("no", "yes")),))


def kinds(table):
    return {feature.name: str(feature.kind) for feature in table.features}


@pytest.mark.parametrize("make", [str, Path])
def test_the_path_of_a_file_is_a_table(made, make):
    table = read(make(made("size,zip,when,n\n1.5,01,2024-01-02,5\n2.5,02,2024-01-02,6\n")))
    assert kinds(table) == {
        "size": "number",
        "zip": "choice",
        "when": "date",
        "when weekday": "ordered",
        "when month": "ordered",
        "n": "number",
    }


def test_a_source_is_a_table(source):
    found = source("a,b\n1,x\n")
    assert open_source(found) is found
    assert read(found).columns == ("a", "b")


def test_marks_can_be_said(made):
    found = open_source(made("a,b\n1,x\nNA,y\n"), missing_marks=("", "NA"))
    assert found.column(0).missing.tolist() == [False, True]


def test_codes_can_be_numbers(made):
    table = read(made("zip,b\n01,x\n02,y\n"), types={"zip": "number"})
    assert table.values[0].tolist() == [1.0, 2.0]


def test_stray_cells_stay_where_numbers_are_a_category(made):
    table = read(made(STRAYS), types={"a": "category"})
    assert "?" in table.features[0].choices


def test_an_order_names_the_line_of_a_cell_that_it_lacks(made):
    with pytest.raises(DataError) as raised:
        read(made("a,b\nS,1\n\nXL,2\n"), types={"a": ["S", "M"]})
    assert str(raised.value) == (
        "column 'a' has 'XL' in line 4, which is not in its order 'S' and 'M'. Add it to the order, "
        "or correct the cell."
    )


@pytest.mark.parametrize(
    ("kind", "what"),
    [("number", "a number"), ("date", "a date such as '2024-12-31' or '2024-12-31 23:59'")],
)
def test_a_kind_names_the_line_of_a_cell_that_is_another(made, kind, what):
    with pytest.raises(DataError) as raised:
        read(made('a,b\n,"1\n2"\nx,1\n'), types={"a": kind})
    assert str(raised.value) == (
        f"column 'a' has 'x' in line 4, which is not {what}. Correct the cell, or make it missing."
    )


def test_a_column_of_text_is_text_where_it_now_looks_like_numbers(made):
    schema = schema_of(read(made("doors,b\n2,1\n5more,2\n")))
    table = read_like(made("doors,b\n2,1\n3,1\n", "y.csv"), schema)
    assert table.values[0].tolist() == [0, -2]


def test_a_code_is_text_where_it_has_no_zero_in_front(made):
    schema = schema_of(read(made("zip,b\n01234,1\n12345,2\n")))
    assert read_like(made("zip,b\n12345,1\n", "y.csv"), schema).values[0].tolist() == [1]


def test_a_column_of_numbers_is_numbers_where_it_has_zeros_in_front(made):
    schema = schema_of(read(made("n,b\n5,1\n7,2\n")))
    assert read_like(made("n,b\n05,1\n", "y.csv"), schema).values[0].tolist() == [5.0]


def test_a_cell_that_is_no_number_is_refused_where_numbers_were(made):
    schema = schema_of(read(made("n,b\n5,1\n7,2\n")))
    with pytest.raises(DataError) as raised:
        read_like(made("n,b\n5,1\nx,1\n", "y.csv"), schema)
    assert str(raised.value) == (
        "column 'n' has 'x' in line 3, which is not a number. Correct the cell, or make it missing."
    )


def test_a_date_is_refused_where_numbers_were(made):
    schema = schema_of(read(made("n,b\n5,1\n7,2\n")))
    with pytest.raises(SchemaError) as raised:
        read_like(made("n,b\n,1\n2024-01-02,1\n", "y.csv"), schema)
    assert str(raised.value) == (
        "column 'n' had numbers when the tree was grown, but has the date "
        "2024-01-02 in line 3. Give numbers, as then."
    )


@pytest.mark.parametrize("make", [str, Path])
def test_an_estimator_takes_no_file(made, make):
    tree = DecisionTreeClassifier().fit([[1], [2]], [0, 1])
    for use in (tree.predict, lambda X: tree.fit(X, [0])):
        with pytest.raises(DataError) as raised:
            use(make(made("a,b\n1,2\n")))
        name = type(make("x")).__name__
        assert str(raised.value) == (
            f"X must be a table with rows and columns, but it is of type {name!r}. "
            "Give a data frame, a two-dimensional array or a list of rows."
        )
