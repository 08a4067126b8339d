"""Tables to predict, read as the table that a tree was grown from."""

import datetime as dt
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from bough.errors import DataError, SchemaError
from bough.schema import MISSING_INTEGER, Schema
from bough.table import read, read_like, refuse_infinity

NAMED = {"age": [30, 40], "income": [1.5, 2.5], "city": ["Bonn", "Ulm"]}


def schema_of(X, *, types=None, match_by_name=False):
    table = read(X, types=types)
    return Schema(table.columns, table.features, (), table.named, match_by_name)


def like(X, grown, **options):
    """Read X like the table `grown`."""
    table = read_like(X, schema_of(grown, **options), estimator="DecisionTreeClassifier")
    refuse_infinity(table)
    return [values.tolist() for values in table.values]


def cells_like(cells, grown, **options):
    """Read one column like another one."""
    return like({"a": cells}, {"a": grown}, **options)[0]


def message(X, grown, error=SchemaError, **options):
    with pytest.raises(error) as raised:
        like(X, grown, **options)
    return str(raised.value)


# Columns


def test_the_table_read_again_is_the_same():
    table = read(NAMED)
    again = read_like(NAMED, schema_of(NAMED))
    assert (again.columns, again.named, again.features, again.n_rows) == (
        table.columns,
        table.named,
        table.features,
        table.n_rows,
    )
    for before, after in zip(table.values, again.values, strict=True):
        assert before.dtype == after.dtype
        assert np.array_equal(before, after)


@pytest.mark.parametrize("order", ["C", "F"])
def test_float64_is_not_copied(order):
    X = np.array([[1.0, 2.0], [3.0, 4.0]], order=order)
    table = read_like(X, schema_of(X))
    assert all(np.shares_memory(values, X) for values in table.values)


def test_infinity_is_refused():
    X = np.array([[1.0, 2.0]])
    assert message(np.array([[1.0, np.inf]]), X, DataError) == (
        "Input X contains infinity: column 'x1' has inf in row 0. "
        "Replace it by a finite number, or by nan if it is missing."
    )


@pytest.mark.parametrize(
    "X",
    [[[3, 4]], np.array([[3, 4]]), np.array([[3, 4]], "f4"), sparse.csr_array([[3, 4]])],
    ids=["list", "integers", "float32", "sparse"],
)
def test_any_array_will_do_after_any_other(X):
    assert like(X, np.array([[1.0, 2.0]])) == [[3.0], [4.0]]


@pytest.mark.parametrize("X", [np.ones((2, 1)), [[1], [1]], sparse.csr_array([[1.0]])])
def test_another_number_of_columns_is_refused(X):
    assert message(X, np.ones((2, 4))) == (
        "X has 1 features, but DecisionTreeClassifier is expecting 4 features as input."
    )


def test_one_dimension_is_refused():
    with pytest.raises(DataError, match="Reshape your data"):
        like(np.ones(3), np.ones((2, 3)))


def test_other_names_are_refused():
    X = pd.DataFrame([[1, 2]], columns=["a", "b"])
    assert message(pd.DataFrame([[1, 2]], columns=["a", "c"]), X) == (
        "The feature names should match those that were passed during fit.\n"
        "Feature names unseen at fit time:\n- c\n"
        "Feature names seen at fit time, yet now missing:\n- b\n"
    )


def test_at_most_five_other_names_are_shown():
    X = pd.DataFrame([range(7)], columns=list("abcdefg"))
    assert message(X[["a"]], X) == (
        "The feature names should match those that were passed during fit.\n"
        "Feature names seen at fit time, yet now missing:\n"
        "- b\n- c\n- d\n- e\n- f\n- ...\n"
    )


def test_another_order_of_names_is_refused():
    X = pd.DataFrame([[1, 2]], columns=["a", "b"])
    assert message(X[["b", "a"]], X) == (
        "The feature names should match those that were passed during fit.\n"
        "Feature names must be in the same order as they were in fit.\n"
    )


def test_columns_found_by_name_may_come_in_any_order_with_others():
    X = {"new": [{}], "city": ["Ulm"], "income": [3.5], "age": [50]}
    assert like(X, NAMED, match_by_name=True) == [[50.0], [3.5], [1]]


def test_a_column_that_is_not_found_by_name_is_refused():
    X = {"Age": [30], "income": [1.5], "city": ["Bonn"]}
    assert message(X, NAMED, match_by_name=True) == (
        "column 'age' is missing. The tree asks about 'age', 'income' and 'city'; "
        "the table has 'Age', 'income' and 'city'. Did you mean 'Age'?"
    )


def test_several_columns_that_are_not_found_by_name_are_all_named():
    assert message({"city": ["Bonn"]}, NAMED, match_by_name=True) == (
        "columns 'age' and 'income' are missing. The tree asks about 'age', 'income' and "
        "'city'; the table has 'city'."
    )


def test_an_ignored_column_need_not_be_found_by_name():
    X = {"income": [1.5], "city": ["Bonn"]}
    types = {"age": "ignore"}
    assert like(X, NAMED, types=types, match_by_name=True) == [[1.5], [0]]


def test_an_array_after_a_frame_is_warned_about():
    X = pd.DataFrame([[1, 2]], columns=["a", "b"])
    words = "^X does not have valid feature names, but DecisionTreeClassifier was fitted with feature names$"
    with pytest.warns(UserWarning, match=words):
        assert like(np.array([[3, 4]]), X) == [[3.0], [4.0]]


def test_a_frame_after_an_array_is_warned_about():
    X = pd.DataFrame([[1, 2]], columns=["a", "b"])
    words = "^X has feature names, but DecisionTreeClassifier was fitted without feature names$"
    with pytest.warns(UserWarning, match=words):
        assert like(X, np.array([[3, 4]])) == [[1.0], [2.0]]


def test_an_array_of_another_width_after_a_frame_is_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert message(np.ones((1, 2)), NAMED) == (
            "X has 2 features, but DecisionTreeClassifier is expecting 3 features as input."
        )


def test_a_frame_of_another_make_will_do():
    assert like(pl.DataFrame(NAMED), pd.DataFrame(NAMED)) == like(NAMED, NAMED)


# Values


def test_values_keep_the_positions_of_the_grown_table():
    assert cells_like(["z", "x", None, "z"], ["x", "y", "z"]) == [2, 0, -1, 2]


def test_a_value_that_was_not_seen_is_unseen():
    assert cells_like(["y", "w", None], ["x", "y"]) == [1, -2, -1]


def test_an_ordered_value_that_was_not_declared_is_unseen():
    assert cells_like(["XL", "L"], ["S"], types={"a": ["S", "M", "L"]}) == [-2, 2]


def test_categories_of_any_make_are_values():
    grown = pd.Categorical(["x", "y"])
    assert cells_like(pl.Series(["y", "x"], dtype=pl.Enum(["y", "x", "w"])), grown) == [1, 0]
    assert cells_like(["y"], grown) == [1]


@pytest.mark.parametrize("cells", [[2, 7], [2.0, 7.0], np.array([2, 7], "i2")])
def test_numbers_find_their_place_in_a_category_of_numbers(cells):
    assert cells_like(cells, [1, 2], types={"a": "category"}) == [1, -2]


@pytest.mark.parametrize("cells", [[0, 1, 2], [0.0, 1.0, 2.0]])
def test_0_and_1_are_booleans(cells):
    assert cells_like(cells, [True, False]) == [0, 1, -2]


@pytest.mark.parametrize("cells", [[True, False], np.array([True, False])])
def test_booleans_are_0_and_1_to_numbers(cells):
    assert cells_like(cells, [1.5, 2.5]) == [1.0, 0.0]


def test_booleans_are_0_and_1_to_a_category_of_numbers():
    assert cells_like([True, False], [1, 2], types={"a": "category"}) == [0, -2]


@pytest.mark.parametrize("grown", [["x"], [1.5], [2**60], [True], [dt.datetime(2020, 1, 1, 5)]])
@pytest.mark.parametrize("cells", [[None, None], [np.nan, np.nan]])
def test_a_column_without_values_is_missing_whatever_it_was(cells, grown):
    for values in like({"a": cells}, {"a": grown}):
        assert all(value in (-1, MISSING_INTEGER) or np.isnan(value) for value in values)


@pytest.mark.parametrize("cells", [["x", None], [1.5, None], [dt.date(2020, 1, 1), None]])
def test_a_column_that_had_no_values_may_have_any(cells):
    assert cells_like(cells, [None, None]) == [-2, -1]


@pytest.mark.parametrize("cells", [["x", None], [1.5, None]])
def test_an_order_without_values_allows_any(cells):
    assert cells_like(cells, pd.Series(pd.Categorical([None], ordered=True))) == [-2, -1]


def test_minus_zero_is_zero():
    assert cells_like([-0.0], [0.0, 0.5], types={"a": "category"}) == [0]


def test_large_integers_stay_integers():
    assert cells_like([2**60 + 1, 3, None], [2**60]) == [2**60 + 1, 3, MISSING_INTEGER]


def test_whole_floats_are_integers():
    assert cells_like([2.0**60, -3.0, np.nan], [2**60]) == [2**60, -3, MISSING_INTEGER]


@pytest.mark.parametrize(
    ("cells", "last"),
    [
        ([1e300], 2**63 - 1),
        ([-1e300], 1 - 2**63),
        (np.array([2**64 - 1], "u8"), 2**63 - 1),
        (np.array([-(2**63)]), 1 - 2**63),
    ],
)
def test_integers_beyond_64_bits_answer_as_the_last_ones(cells, last):
    assert cells_like(cells, [2**60]) == [last]


def test_a_broken_number_is_no_integer():
    assert message({"a": [1.0, 2.5]}, {"a": [2**60]}) == (
        "column 'a' had integers when the tree was grown, but has 2.5 in row 1. Give whole numbers."
    )


def test_large_integers_are_floats_to_a_number():
    assert cells_like([2**53 + 1, None], [1.5])[0] == float(2**53)


def test_dates_give_all_their_features():
    grown = {"a": [dt.datetime(2020, 1, 1, 5)]}
    again = [dt.datetime(2024, 2, 29, 13), None]
    found = like({"a": again}, grown)
    assert found[0] == read({"a": again}).values[0].tolist()
    assert found[1:3] == [[3, -1], [1, -1]]
    assert found[3][0] == 13.0
    assert np.isnan(found[3][1])


def test_an_hour_that_was_not_read_is_not_read_now():
    assert len(like({"a": [dt.datetime(2020, 1, 1, 5)]}, {"a": [dt.date(2020, 1, 1)]})) == 3


def test_text_that_was_read_as_numbers_is_again():
    assert cells_like(["2.5", "3"], ["1.5"], types={"a": "number"}) == [2.5, 3.0]


def test_text_that_was_read_as_dates_is_again():
    found = like({"a": ["1970-01-02"]}, {"a": ["2020-01-01"]}, types={"a": "date"})
    assert found == [[86_400_000_000], [4], [0]]


def test_text_that_cannot_be_read_as_before_is_refused():
    assert message({"a": ["x"]}, {"a": ["1.5"]}, DataError, types={"a": "number"}) == (
        "column 'a' has 'x' in row 0, which is not a number. Correct the cell, or make it missing."
    )


@pytest.mark.parametrize(
    ("grown", "had"),
    [
        ([1.5], "numbers"),
        ([2**60], "numbers"),
        ([True], "booleans"),
        ([dt.date(2020, 1, 1)], "dates"),
    ],
)
def test_text_is_refused_where_there_was_none(grown, had):
    assert message({"a": [None, "3"]}, {"a": grown}) == (
        f"column 'a' had {had} when the tree was grown, but has the text '3' in row 1. "
        f"Give {had}, as then."
    )


def test_numbers_are_refused_where_there_was_text():
    assert message({"a": [np.nan, 3.5]}, {"a": ["x"]}) == (
        "column 'a' had text when the tree was grown, but has the number 3.5 in row 1. "
        "Give text, as then."
    )


def test_booleans_are_refused_where_there_was_text():
    assert message({"a": [True]}, {"a": ["x"]}) == (
        "column 'a' had text when the tree was grown, but has the boolean True in row 0. "
        "Give text, as then."
    )


@pytest.mark.parametrize(("grown", "had"), [(["x"], "text"), ([1], "numbers")])
def test_dates_are_refused_where_there_were_none(grown, had):
    assert message({"a": [None, dt.datetime(2020, 1, 1, 5)]}, {"a": grown}) == (
        f"column 'a' had {had} when the tree was grown, but has the date 2020-01-01 05:00:00 "
        f"in row 1. Give {had}, as then."
    )


def test_numbers_are_refused_where_there_were_dates():
    assert message({"a": [7]}, {"a": [dt.date(2020, 1, 1)]}) == (
        "column 'a' had dates when the tree was grown, but has the number 7 in row 0. "
        "Give dates, as then."
    )
