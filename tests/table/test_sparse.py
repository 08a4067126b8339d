"""Sparse matrices and arrays of SciPy."""

import numpy as np
import pytest
from scipy import sparse

from bough.errors import DataError
from bough.schema import Kind
from bough.table import read, refuse_infinity
from bough.table.numbers import SparseNumbers

DENSE = np.array([[0.0, 1.5, 0.0], [2.0, 0.0, 0.0], [0.0, -3.0, 0.0]])
FORMATS = ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]


def rows(X):
    return np.column_stack(read(X).values)


@pytest.mark.parametrize("kind", [sparse.coo_matrix, sparse.coo_array])
@pytest.mark.parametrize("layout", FORMATS)
def test_every_format_is_read_as_its_dense_array(kind, layout):
    assert np.array_equal(rows(kind(DENSE).asformat(layout)), DENSE)


def test_a_sparse_array_has_columns_without_names():
    table = read(sparse.csr_array(DENSE))
    assert table.columns == ("x0", "x1", "x2")
    assert not table.named
    assert table.n_rows == 3


def test_stored_zeros_are_zeros():
    X = sparse.csc_array((np.array([0.0, 5.0]), np.array([0, 2]), np.array([0, 2])), shape=(3, 1))
    assert rows(X).tolist() == [[0], [0], [5]]


def test_entries_of_the_same_cell_add_up():
    X = sparse.csc_array((np.array([2.0, 3.0]), np.array([1, 1]), np.array([0, 2])), shape=(3, 1))
    assert rows(X).tolist() == [[0], [5], [0]]


def test_the_matrix_is_left_as_it_was():
    X = sparse.csc_array((np.array([2.0, 3.0]), np.array([1, 1]), np.array([0, 2])), shape=(3, 1))
    read(X)
    assert X.data.tolist() == [2.0, 3.0]


@pytest.mark.parametrize("dtype", ["i8", "u1"])
def test_integers_keep_their_type(dtype):
    X = sparse.csr_array(np.abs(DENSE).round().astype(dtype))
    assert [column.dtype for column in read(X).values] == [np.dtype(dtype)] * 3
    assert np.array_equal(rows(X), np.abs(DENSE).round())


def test_booleans_are_zero_and_one():
    """As choices they would fill the table with every False."""
    table = read(sparse.csr_array(DENSE != 0))
    assert table.features[0].kind is Kind.NUMBER
    assert np.array_equal(rows(sparse.csr_array(DENSE != 0)), (DENSE != 0) * 1.0)


@pytest.mark.parametrize("dtype", ["?", "u8", "g"])
def test_types_that_the_core_does_not_take_stay_sparse(dtype):
    X = sparse.csr_array(np.abs(DENSE).round().astype(dtype))
    assert isinstance(read(X).values, SparseNumbers)
    assert np.array_equal(rows(X), X.toarray())


def test_large_integers_stay_exact():
    assert read(sparse.csr_array([[2**53 + 1], [2**53]])).values[0].tolist() == [2**53 + 1, 2**53]


def test_nan_is_missing():
    assert np.isnan(read(sparse.csr_array([[np.nan], [1.0]])).values[0][0])


def test_infinity_is_refused():
    with pytest.raises(DataError) as raised:
        refuse_infinity(read(sparse.csr_array([[0.0, 1.0], [0.0, np.inf]])))
    assert str(raised.value) == (
        "Input X contains infinity: column 'x1' has inf in row 1. "
        "Replace it by a finite number, or by nan if it is missing."
    )


def test_a_sparse_vector_is_refused():
    with pytest.raises(DataError, match="Reshape your data"):
        read(sparse.coo_array(np.array([1.0, 0.0])))


def test_complex_numbers_are_refused():
    with pytest.raises(DataError, match="Complex data not supported"):
        read(sparse.csr_array(DENSE + 1j))
