"""Arrays and lists of rows as tables."""

import warnings

import numpy as np
import pytest

from bough.errors import DataError, DataTypeError
from bough.schema import MISSING_INTEGER, Kind
from bough.table import read, refuse_infinity

NUMBERS = np.array([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]])


def values(X, **options):
    return [column.tolist() for column in read(X, **options).values]


def kinds(X, **options):
    return [feature.kind for feature in read(X, **options).features]


def message(X, error=DataError):
    with pytest.raises(error) as raised:
        refuse_infinity(read(X))
    return str(raised.value)


def test_columns_without_names_are_named_by_number():
    table = read(NUMBERS)
    assert table.columns == ("x0", "x1")
    assert not table.named
    assert [feature.name for feature in table.features] == ["x0", "x1"]
    assert [feature.column for feature in table.features] == [0, 1]
    assert table.n_rows == 3


@pytest.mark.parametrize("order", ["C", "F"])
def test_float64_is_not_copied(order):
    X = np.array(NUMBERS, order=order)
    table = read(X)
    for number, column in enumerate(table.values):
        assert np.shares_memory(column, X)
        assert np.array_equal(column, X[:, number])


@pytest.mark.parametrize(
    "X",
    [NUMBERS[::2], NUMBERS[::-1], NUMBERS[:, ::-1], np.repeat(NUMBERS, 2, axis=1)[:, ::2]],
    ids=["every other row", "rows reversed", "columns reversed", "every other column"],
)
def test_strided_views_are_not_copied(X):
    table = read(X)
    assert all(np.shares_memory(column, X) for column in table.values)
    assert np.array_equal(np.column_stack(table.values), X)


@pytest.mark.parametrize(
    ("dtype", "read_as"),
    [
        *((dtype, dtype) for dtype in ("f8", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4")),
        *((f">{dtype}", dtype) for dtype in ("i8", "i2", "u4")),
        *((dtype, "f8") for dtype in ("f2", ">f8", ">f4", "g", "u8", ">u8")),
    ],
)
def test_every_type_of_number_is_read(dtype, read_as):
    table = read(NUMBERS.astype(dtype))
    assert [column.dtype for column in table.values] == [np.dtype(read_as)] * 2
    assert [feature.kind for feature in table.features] == [Kind.NUMBER] * 2
    assert np.array_equal(np.column_stack(table.values), NUMBERS)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4"])
def test_no_number_is_copied_whose_type_the_core_reads(dtype, order):
    X = np.array(NUMBERS, dtype, order=order)
    assert all(np.shares_memory(values, X) for values in read(X).values)


@pytest.mark.parametrize("order", ["C", "F"])
def test_booleans_are_not_copied(order):
    X = np.array([[True, False], [False, True]], order=order)
    assert all(np.shares_memory(values, X) for values in read(X).values)


def test_a_read_only_array_is_read():
    X = NUMBERS.copy()
    X.flags.writeable = False
    assert values(X) == NUMBERS.T.tolist()


def test_a_memory_map_is_read(tmp_path):
    np.save(tmp_path / "X.npy", NUMBERS)
    assert values(np.load(tmp_path / "X.npy", mmap_mode="r")) == NUMBERS.T.tolist()


def test_nan_is_missing():
    table = read(np.array([[np.nan, 1.0], [2.0, np.nan]]))
    assert np.array_equal(table.values[0], [np.nan, 2.0], equal_nan=True)


def test_the_table_is_left_as_it_was():
    X = np.ma.masked_array(NUMBERS.copy(), NUMBERS > 5)
    read(X)
    assert np.array_equal(X.data, NUMBERS)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i2", ">i4"])
def test_a_masked_number_is_missing(dtype):
    X = np.ma.masked_array(NUMBERS.astype(dtype), [[True, False], [False, False], [False, True]])
    table = read(X)
    assert np.array_equal(table.values[0], [np.nan, 2, 3], equal_nan=True)
    assert np.array_equal(table.values[1], [4, 5, np.nan], equal_nan=True)


def test_a_masked_infinity_is_missing():
    assert np.isnan(read(np.ma.masked_invalid([[np.inf], [1.0]])).values[0][0])


@pytest.mark.parametrize(
    ("column", "choices"),
    [(["b", "a", "b"], ("a", "b")), ([True, False, True], (False, True))],
)
def test_masked_text_and_booleans_are_missing(column, choices):
    X = np.ma.masked_array(np.array(column).reshape(-1, 1), [[True], [False], [False]])
    table = read(X)
    assert table.features[0].choices == choices
    assert table.values[0].tolist() == [-1, 0, 1]


def test_a_masked_large_integer_is_missing():
    X = np.ma.masked_array([[2**60 + 1], [2**60], [7]], [[False], [False], [True]])
    assert values(X) == [[2**60 + 1, 2**60, MISSING_INTEGER]]


def test_a_mask_that_hides_nothing_changes_nothing():
    assert values(np.ma.masked_array(NUMBERS)) == NUMBERS.T.tolist()


def test_integers_up_to_2_to_the_53_are_numbers():
    assert kinds(np.array([[2**53], [-(2**53)]])) == [Kind.NUMBER]


def test_integers_beyond_2_to_the_53_stay_integers():
    X = np.array([[2**53 + 1, 1], [2**53, 2]])
    table = read(X)
    assert [feature.kind for feature in table.features] == [Kind.INTEGER, Kind.NUMBER]
    assert table.values[0].dtype == np.int64
    assert table.values[0].tolist() == [2**53 + 1, 2**53]


def test_the_largest_integers_are_read():
    assert values(np.array([[2**63 - 1], [1 - 2**63]])) == [[2**63 - 1, 1 - 2**63]]


def test_unsigned_integers_that_a_float64_holds_are_numbers():
    X = np.array([[2**63], [2**64 - 2**11]], np.uint64)
    assert kinds(X) == [Kind.NUMBER]
    assert values(X) == [[2.0**63, 2.0**64 - 2**11]]


def test_the_smallest_integer_is_a_number_where_a_float64_holds_the_column():
    assert values(np.array([[-(2**63)], [1]])) == [[-(2.0**63), 1.0]]


def test_integers_outside_64_bits_with_a_sign_that_lose_digits_are_refused():
    for cells in ([2**63, 2**63 + 1], [2**63, 2**53 + 1], [2**63, 2**64 - 1]):
        assert message(np.array(cells, np.uint64).reshape(-1, 1)) == (
            "column 'x0' has integers outside ±(2**63 - 1), and "
            f"{cells[1]} in row 1 loses digits as a float64. Give the column as text, or leave it "
            "out: types={'x0': 'ignore'}."
        )


@pytest.mark.skipif(
    np.finfo(np.longdouble).nmant == np.finfo(np.float64).nmant,
    reason="a long double is a float64 on this machine",
)
def test_a_long_double_that_loses_digits_is_refused():
    X = np.array([[1, 2], [3, 4]], np.longdouble)
    X[1, 0] += np.finfo(np.longdouble).eps * 2
    assert message(X) == (
        "column 'x0' has a long double in row 1 that loses digits as a float64. "
        "Round the column: X.astype('float64')."
    )


def test_booleans_are_choices():
    table = read(np.array([[True, True], [False, True]]))
    assert [feature.choices for feature in table.features] == [(False, True), (True,)]
    assert [column.tolist() for column in table.values] == [[1, 0], [0, 0]]
    assert table.values[0].dtype == np.int8


def test_text_is_choices_in_sorted_order():
    table = read(np.array([["b", "1"], ["a", "10"], ["b", "9"]]))
    assert [feature.choices for feature in table.features] == [("a", "b"), ("1", "10", "9")]
    assert [column.tolist() for column in table.values] == [[1, 0, 1], [0, 1, 2]]


def test_choices_are_plain_python_values():
    table = read(np.array([["b"], ["a"]]))
    assert [type(choice) for choice in table.features[0].choices] == [str, str]


def test_numpys_variable_width_text_is_read():
    string_type = getattr(np.dtypes, "StringDType", None)
    if string_type is None:
        pytest.skip("this NumPy has no StringDType")
    assert values(np.array([["b"], ["a"]], string_type())) == [[1, 0]]


def test_an_object_array_is_read_column_by_column():
    X = np.array([[1, "a", None], [2.5, None, True]], dtype=object)
    assert kinds(X) == [Kind.NUMBER, Kind.CHOICE, Kind.CHOICE]
    assert values(X) == [[1.0, 2.5], [0, -1], [-1, 0]]


def test_dates_of_numpy_are_dates():
    X = np.array([["2020-01-01"], ["NaT"]], "M8[D]")
    table = read(X)
    assert table.features[0].kind is Kind.DATE
    assert table.values[0].tolist() == [1_577_836_800_000_000, MISSING_INTEGER]


def test_masked_dates_are_missing():
    X = np.ma.masked_array(np.array([["2020-01-01"], ["2020-01-02"]], "M8[D]"), [[True], [False]])
    assert read(X).values[0][0] == MISSING_INTEGER


def test_rows_of_a_list_keep_what_each_cell_is():
    table = read([[1, "a", True], [2.5, "b", False]])
    assert [str(feature.kind) for feature in table.features] == ["number", "choice", "choice"]
    assert table.features[2].choices == (False, True)


def test_large_integers_in_a_list_stay_exact_beside_floats():
    assert values([[2**53 + 1, 0.5], [2**53, 1.5]]) == [[2**53 + 1, 2**53], [0.5, 1.5]]


def test_a_list_of_arrays_is_read():
    assert values([np.array([1, 2]), np.array([3, 4])]) == [[1, 3], [2, 4]]


def test_a_tuple_of_tuples_is_read():
    assert values(((1, 2), (3, 4))) == [[1, 3], [2, 4]]


def test_what_has_an_array_is_read():
    class Wrapped:
        def __array__(self, dtype=None, copy=None):
            return NUMBERS

    assert values(Wrapped()) == NUMBERS.T.tolist()


def test_a_numpy_matrix_is_read():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        X = np.asmatrix(NUMBERS)
    assert [column.shape for column in read(X).values] == [(3,), (3,)]


def test_a_table_without_rows_is_refused():
    assert message(np.empty((0, 3))) == (
        "Found array with 0 sample(s) (shape=(0, 3)) while a minimum of 1 is required."
    )


def test_an_empty_list_is_refused():
    assert message([]) == (
        "Found array with 0 sample(s) (shape=(0, 0)) while a minimum of 1 is required."
    )


def test_a_table_without_columns_is_refused():
    assert message(np.empty((12, 0))) == (
        "Found array with 0 feature(s) (shape=(12, 0)) while a minimum of 1 is required."
    )


@pytest.mark.parametrize("X", [np.arange(3.0), [1.0, 2.0]], ids=["array", "list"])
def test_one_dimension_is_refused(X):
    assert message(X) == (
        "X has 1 dimension, but a table has 2, rows and columns. Reshape your data: "
        "X.reshape(-1, 1) if it is one column, X.reshape(1, -1) if it is one row."
    )


def test_a_list_of_dicts_is_refused():
    assert message([{"a": 1}, {"a": 2}]) == (
        "X is a list of dicts, one for each row. Give a dict of lists, one for each column, or a "
        "data frame: pandas.DataFrame(X)."
    )


def test_three_dimensions_are_refused():
    assert message(np.zeros((2, 2, 2))) == (
        "X has 3 dimensions, but a table has 2, rows and columns. "
        "Reshape your data: X.reshape(len(X), -1) makes one row of each entry."
    )


@pytest.mark.parametrize(("X", "type_name"), [(None, "NoneType"), (3.5, "float"), ({1}, "set")])
def test_what_is_no_table_is_refused(X, type_name):
    assert message(X) == (
        f"X must be a table with rows and columns, but it is of type '{type_name}'. "
        "Give a data frame, a two-dimensional array or a list of rows."
    )


def test_complex_numbers_are_refused():
    assert message(NUMBERS + 1j) == (
        "Complex data not supported: column 'x0' has the type complex128. "
        "Give the real and the imaginary part as two columns."
    )


def test_durations_are_refused():
    assert message(np.array([[1], [2]], "m8[s]")) == (
        "column 'x0' has the type timedelta64[s], but times of day and durations are not "
        "supported. Convert them to numbers, such as seconds."
    )


def test_bytes_are_refused():
    assert message(np.array([[b"a"], [b"b"]])) == (
        "column 'x0' has the type |S1, but bytes are not supported. Decode them to text."
    )


def test_structured_arrays_are_refused():
    assert message(np.zeros(3, [("age", float), ("city", "U3")])) == (
        "X is a structured array, whose columns are fields. Give a data frame instead: "
        "pandas.DataFrame(X)."
    )


@pytest.mark.parametrize("dtype", ["f8", "f4", "O", "g"])
@pytest.mark.parametrize(("cell", "word"), [(np.inf, "inf"), (-np.inf, "-inf")])
def test_infinity_is_refused(dtype, cell, word):
    X = NUMBERS.copy()
    X[2, 1] = cell
    assert message(X.astype(dtype)) == (
        f"Input X contains infinity: column 'x1' has {word} in row 2. "
        "Replace it by a finite number, or by nan if it is missing."
    )


@pytest.mark.parametrize("cell", [np.inf, -np.inf])
def test_infinity_is_found_beside_nan_in_a_large_table(cell):
    X = np.full((200_000, 2), np.nan)
    X[150_000, 1] = cell
    assert message(X).startswith(
        f"Input X contains infinity: column 'x1' has {cell} in row 150000."
    )


def test_the_largest_numbers_are_no_infinity():
    most = np.finfo(np.float64).max
    assert values(np.full((70_000, 1), most))[0][0] == most


def test_infinity_in_an_ignored_column_does_no_harm():
    X = NUMBERS.copy()
    X[0, 0] = np.inf
    assert values(X, types={0: "ignore"}) == [[4.0, 5.0, 6.0]]


def test_rows_of_different_lengths_are_refused():
    assert message([[1, 2], [3, 4], [5]]) == (
        "row 2 of X has length 1, but row 0 has length 2. Give every row the same number of cells."
    )


def test_arrays_of_different_lengths_are_refused():
    assert message([np.array([1, 2]), np.array([3])]) == (
        "X is a list of rows of different lengths. Give every row the same number of cells."
    )


def test_a_list_of_lists_of_lists_is_refused():
    assert message([[[1], [2]], [[3], [4]]], DataTypeError) == (
        "column 'x0' has a value of type 'list' in row 0. Each cell of the argument must be a "
        "string, a number, a boolean, a date or missing."
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_does_not_matter_to_choices(seed):
    X = np.array(list("banana"), object).reshape(-1, 1)
    shuffled = np.random.default_rng(seed).permutation(X)
    assert read(shuffled).features == read(X).features
