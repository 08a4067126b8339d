"""`types`: other kinds than the source gives."""

import datetime as dt

import numpy as np
import pandas as pd
import pytest

from bough.errors import DataError, ParameterError
from bough.schema import MISSING_INTEGER, Kind
from bough.table import read, refuse_infinity


def column(cells, kind):
    """Read one column as a kind: its feature and its values."""
    table = read({"a": cells}, types={"a": kind})
    refuse_infinity(table)
    return table.features[0], table.values[0].tolist()


def message(cells, kind, error=DataError):
    with pytest.raises(error) as raised:
        column(cells, kind)
    return str(raised.value)


def refusal(types, X=None):
    with pytest.raises(ParameterError) as raised:
        read({"age": [1], "size": ["S"]} if X is None else X, types=types)
    return str(raised.value)


def test_an_ignored_column_is_no_feature():
    table = read({"id": [1, 2], "age": [3, 4]}, types={"id": "ignore"})
    assert table.columns == ("id", "age")
    assert [(feature.name, feature.column) for feature in table.features] == [("age", 1)]


def test_an_ignored_column_may_hold_anything():
    assert len(read({"notes": [{}, []], "age": [3, 4]}, types={"notes": "ignore"}).features) == 1


def test_columns_of_an_array_go_by_number():
    table = read(np.array([[1.0, 2.0]]), types={1: "category", 0: "ignore"})
    assert [(feature.name, str(feature.kind)) for feature in table.features] == [("x1", "choice")]


def test_columns_of_an_array_go_by_the_names_they_are_given():
    assert [feature.name for feature in read([[1, 2]], types={"x0": "ignore"}).features] == ["x1"]


def test_numbers_become_a_category_of_numbers():
    feature, values = column([10.5, 9, None, 10.5], "category")
    assert feature.kind is Kind.CHOICE
    assert feature.choices == (9.0, 10.5)
    assert values == [1, 0, -1, 1]


def test_whole_numbers_become_a_category_of_integers():
    feature, _ = column([10.0, 9.0, None], "category")
    assert feature.choices == (9, 10)
    assert [type(choice) for choice in feature.choices] == [int, int]


def test_large_integers_become_a_category_without_loss():
    assert column([2**60 + 1, 2**60, None], "category")[0].choices == (2**60, 2**60 + 1)


@pytest.mark.parametrize("cells", [[0.5, -0.0, 0.0], [0.5, 0.0, -0.0]])
def test_minus_zero_and_zero_are_one_value(cells):
    feature, values = column(cells, "category")
    assert repr(feature.choices) == "(0.0, 0.5)"
    assert values == [1, 0, 0]


def test_an_ordered_category_can_be_made_unordered():
    feature, _ = column(pd.Series(pd.Categorical(["b", "a"], ["b", "a"], ordered=True)), "category")
    assert (feature.kind, feature.choices) == (Kind.CHOICE, ("a", "b"))


def test_a_list_orders_values_and_keeps_those_that_do_not_occur():
    feature, values = column(["L", None, "S"], ["S", "M", "L"])
    assert feature.kind is Kind.ORDERED
    assert feature.choices == ("S", "M", "L")
    assert values == [2, -1, 0]


def test_a_list_may_order_numbers_and_booleans():
    assert column([1, 3], [3, 2, 1])[1] == [2, 0]
    assert column([True, False], [True, False])[1] == [0, 1]


def test_booleans_can_be_numbers():
    feature, values = column([True, False], "number")
    assert (feature.kind, values) == (Kind.NUMBER, [1.0, 0.0])


def test_categories_of_numbers_can_be_numbers():
    feature, values = column(pd.Series(pd.Categorical([3, 1])), "number")
    assert (feature.kind, feature.from_text, values) == (Kind.NUMBER, False, [3.0, 1.0])


def test_text_can_be_read_as_numbers():
    feature, values = column(["1.5", "-2", "+3e2", ".5", "7."], "number")
    assert (feature.kind, feature.from_text) == (Kind.NUMBER, True)
    assert values == [1.5, -2.0, 300.0, 0.5, 7.0]


def test_the_empty_text_is_no_number_but_missing():
    _, values = column(["1.5", "", None], "number")
    assert np.isnan(values).tolist() == [False, True, True]


def test_text_can_be_read_as_large_integers():
    feature, values = column([str(2**60 + 1), "", "-3"], "number")
    assert feature.kind is Kind.INTEGER
    assert values == [2**60 + 1, MISSING_INTEGER, -3]


@pytest.mark.parametrize("text", ["x", "1_000", "nan", "inf", "0x10", " 1", "١", "1,5", "1e"])
def test_text_that_is_no_number_is_refused(text):
    assert message(["1", text], "number") == (
        f"column 'a' has {text!r} in row 1, which is not a number. "
        "Correct the cell, or make it missing."
    )


def test_text_that_says_an_infinite_number_is_refused():
    assert message(["1", "1e999"], "number") == (
        "Input X contains infinity: column 'a' has inf in row 1. "
        "Replace it by a finite number, or by nan if it is missing."
    )


def test_text_can_be_read_as_dates():
    table = read({"a": ["2024-02-29", None, "", "2024-02-29T12:00:00Z"]}, types={"a": "date"})
    midnight = int(dt.datetime(2024, 2, 29, tzinfo=dt.UTC).timestamp()) * 1_000_000
    assert table.values[0].tolist() == [
        midnight,
        MISSING_INTEGER,
        MISSING_INTEGER,
        midnight + 12 * 3_600_000_000,
    ]
    assert [feature.name for feature in table.features] == ["a", "a weekday", "a month", "a hour"]
    assert all(feature.from_text for feature in table.features)


@pytest.mark.parametrize("text", ["29.2.2024", "2023-02-29", "soon", "2024-01-01T00:00:00.0000001"])
def test_text_that_is_no_date_is_refused(text):
    assert message([None, text], "date") == (
        f"column 'a' has {text!r} in row 1, which is not a date such as '2024-12-31' or "
        "'2024-12-31 23:59'. Correct the cell, or make it missing."
    )


def test_dates_are_dates_already():
    assert column([dt.date(2024, 2, 29)], "date")[0].from_text is False


def test_a_column_without_values_can_be_dates():
    assert column([None, None], "date")[0].kind is Kind.DATE


def test_numbers_are_no_dates():
    assert message([20240229], "date") == (
        "column 'a' has numbers, which cannot be read as dates. Convert them to dates "
        "first, or remove the column from types."
    )


def test_dates_are_no_numbers():
    assert message([dt.date(2024, 2, 29)], "number") == (
        "column 'a' has dates, which cannot be read as numbers. Convert them to numbers "
        "first, or remove the column from types."
    )


def test_dates_are_no_category():
    assert message([dt.date(2024, 2, 29)], "category") == (
        "column 'a' has dates, which cannot be a category. Convert them to text first."
    )


def test_a_value_that_is_not_in_the_order_is_refused():
    assert message(["S", None, "small"], ["S", "M", "L"]) == (
        "column 'a' has 'small' in row 2, which is not in its order 'S', 'M' and 'L'. "
        "Add it to the order, or correct the cell."
    )


def test_a_value_near_one_in_the_order_gets_a_hint():
    assert message(["hihg"], ["low", "high"]) == (
        "column 'a' has 'hihg' in row 0, which is not in its order 'low' and 'high'. "
        "Did you mean 'high'? Add it to the order, or correct the cell."
    )


def test_every_column_ignored_is_refused():
    with pytest.raises(DataError) as raised:
        read({"a": [1]}, types={"a": "ignore"})
    assert str(raised.value) == ("types ignores every column of X. Keep at least one.")


def test_an_unknown_column_is_refused():
    assert refusal({"aeg": "number"}) == (
        "types has the column 'aeg', but X does not. Did you mean 'age'? "
        "Columns of X: 'age' and 'size'."
    )


def test_a_number_is_no_name_where_columns_have_names():
    assert refusal({0: "number"}) == (
        "types has the column 0, but X does not. Columns of X: 'age' and 'size'."
    )


def test_a_column_number_beyond_the_array_is_refused():
    assert refusal({2: "number"}, [[1, 2]]) == (
        "types has the column 2, but X does not. Columns of X: 'x0' and 'x1'."
    )


@pytest.mark.parametrize("key", [0.5, 1.0, True, (0, 1)], ids=repr)
def test_what_is_neither_a_name_nor_a_number_is_no_column(key):
    assert refusal({key: "category"}, [[1, 2]]) == (
        f"types has the column {key!r}, but X does not. Columns of X: 'x0' and 'x1'."
    )


def test_a_column_is_named_once():
    assert refusal({"x0": "category", 0: "ignore"}, [[1, 2]]) == (
        "types has the column 'x0' twice, by name and by number. Leave one of them out."
    )


@pytest.mark.parametrize("types", [["category"], "category", [], 3], ids=repr)
def test_types_that_are_no_dict_are_refused(types):
    assert refusal(types) == (
        f"types={types!r} must be a dict from columns to kinds, such as {{'zip': 'category'}}."
    )


def test_an_unknown_kind_is_refused():
    assert refusal({"age": "categry"}) == (
        "types has the unknown kind 'categry' for the column 'age'. Did you mean "
        "'category'? Give one of 'category', 'date', 'ignore' and 'number', or a list of "
        "values in their order."
    )


@pytest.mark.parametrize("kind", [None, 3, {"S": 1}, ["S", None]])
def test_what_is_no_kind_is_refused(kind):
    assert refusal({"size": kind}) == (
        f"types has {kind!r} for the column 'size'. Give one of 'category', 'date', 'ignore' and "
        "'number', or a list of values in their order."
    )


@pytest.mark.parametrize("order", [[], ["S", "M", "S"]])
def test_an_order_names_each_value_once(order):
    assert refusal({"size": order}) == (
        f"types has {order!r} as the order of the column 'size'. Name each value once."
    )
