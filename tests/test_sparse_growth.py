"""A sparse matrix grows the tree of the dense one, whatever is asked for."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from growths import ARRAYS
from option_growths import codes_of, random_labels, random_settings
from regimes import PLAIN
from scipy import sparse

from bough import DecisionTreeClassifier, DecisionTreeRegressor, _core
from bough.encode import Labels
from bough.errors import DataError
from bough.grow import grow
from bough.predict import ROUTES, read_asked, stops
from bough.schema import Label
from bough.settings import Settings
from bough.table import read
from bough.table.numbers import SparseNumbers

N_TABLES = 400
SQUARED = Settings(criterion="squared_error")
STUMP = DecisionTreeRegressor().fit([[0.0], [1.0]], [0.0, 1.0]).grown_tree_


def random_matrix(rng, n_rows, n_columns):
    """Draw a matrix of few values that are stored, some of them 0, -0 or missing."""
    density = rng.choice([0.01, 0.05, 0.2])
    count = max(1, int(n_rows * n_columns * density))
    where = rng.integers(0, n_rows, count), rng.integers(0, n_columns, count)
    kind = rng.integers(5)
    if kind == 0:
        values = 1.0 + rng.poisson(0.7, count)
    elif kind == 1:
        values = rng.normal(size=count)
    elif kind == 2:
        values = np.round(rng.normal(size=count), 1)  # with 0 and -0
    elif kind == 3:
        values = rng.integers(-3, 4, count).astype(rng.choice(["i1", "i4", "i8"]))
    else:
        values = np.exp(rng.normal(size=count) * 20).astype(np.float32)
    if values.dtype.kind == "f" and rng.random() < 0.3:
        values[rng.random(count) < 0.2] = np.nan
    shape = (n_rows, n_columns)
    matrix = sparse.coo_array((values, where), shape)
    matrix.sum_duplicates()
    return matrix.asformat(rng.choice(["csr", "csc"]))


def random_sparse_growth(seed):
    rng = np.random.default_rng(seed)
    n_rows, n_columns = int(rng.choice([5, 30, 200, 1000, 3000])), int(rng.integers(1, 40))
    matrix = random_matrix(rng, n_rows, n_columns)
    loads = rng.normal(size=n_columns)
    signal = np.nan_to_num(np.log1p(np.abs(matrix.toarray())), nan=1.0) @ loads
    labels = random_labels(rng, (signal - signal.mean()) / (signal.std() + 1e-9), n_rows)
    settings = random_settings(rng, labels)
    if settings.criterion == "squared_error" and labels.values.shape[0] == 1 and rng.random() < 0.3:
        directions = tuple(rng.integers(-1, 2, n_columns).tolist())
        settings = replace(settings, monotonic_cst=directions)
    if rng.random() < 0.1:
        settings = replace(settings, splitter="random")
    return matrix, labels, settings


def assert_same(tree, oracle, where):
    for name in ARRAYS:
        ours, theirs = getattr(tree, name), getattr(oracle, name)
        same = (ours is None and theirs is None) or (
            ours.dtype == theirs.dtype and ours.tobytes() == theirs.tobytes()
        )
        assert same, f"{name} differs: {where}"


@pytest.mark.parametrize("part", range(16))
def test_the_tree_is_that_of_the_dense_matrix(part):
    for seed in range(part, N_TABLES, 16):
        matrix, labels, settings = random_sparse_growth(seed)
        dense = grow(read(matrix.toarray()), labels, settings)
        for n_jobs, layout in ((1, "csr"), (3, "csc"), (3, "csr")):
            table = read(matrix.asformat(layout))
            assert isinstance(table.values, SparseNumbers)
            tree = grow(table, labels, settings, n_jobs=n_jobs)
            assert_same(tree, dense, f"seed {seed}, {n_jobs} threads, {layout}, {settings}")


@pytest.mark.parametrize("seed", range(0, N_TABLES, 8))
def test_the_plain_search_finds_it_too(seed):
    matrix, labels, settings = random_sparse_growth(seed)
    plain = grow(read(matrix), labels, settings, regime=PLAIN)
    assert_same(plain, grow(read(matrix), labels, settings), f"seed {seed}, {settings}")


@pytest.mark.parametrize("criterion", ["absolute_error", "quantile"])
def test_criteria_that_sort_labels_grow_it_from_a_dense_copy(criterion):
    rng = np.random.default_rng(0)
    matrix = random_matrix(rng, 300, 8)
    labels = Labels((Label("y"),), None, rng.normal(size=(1, 300)))
    settings = Settings(criterion=criterion, quantile=0.3 if criterion == "quantile" else None)
    assert_same(
        grow(read(matrix), labels, settings),
        grow(read(matrix.toarray()), labels, settings),
        criterion,
    )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_a_large_table_grows_it_on_all_threads(criterion, weighted):
    rng = np.random.default_rng(1)
    n_rows, n_columns = 20_000, 60
    matrix = sparse.random_array((n_rows, n_columns), density=0.03, rng=rng, format="csr")
    matrix.data = np.where(rng.random(matrix.nnz) < 0.5, np.round(5 * matrix.data), -matrix.data)
    y = matrix @ rng.normal(size=n_columns) + 0.3 * rng.normal(size=n_rows)
    weights = rng.integers(0, 5, n_rows) / 4 if weighted else None
    if criterion == "squared_error":
        labels = Labels((Label("y"),), None, y[None], weights)
    else:
        codes = codes_of(y, 3)[None]
        labels = Labels((Label("y", (0, 1, 2), "int64"),), codes, None, weights)
    settings = Settings(criterion=criterion, min_samples_leaf=3)
    dense = grow(read(matrix.toarray()), labels, settings)
    assert len(dense) > 1000
    for n_jobs in (1, 4):
        assert_same(grow(read(matrix), labels, settings, n_jobs=n_jobs), dense, n_jobs)


@pytest.mark.parametrize("layout", ["csr", "csc"])
def test_a_table_that_is_read_in_several_stretches_grows_it(layout):
    rng = np.random.default_rng(2)
    matrix = sparse.random_array((2_000, 1_000), density=0.1, rng=rng, format=layout)
    matrix.data = np.where(rng.random(matrix.nnz) < 0.1, 0.0, np.round(4 * matrix.data))
    labels = Labels((Label("y", (0, 1), "int64"),), rng.integers(0, 2, (1, 2_000), np.int32), None)
    settings = Settings(criterion="gini", max_depth=5)
    assert_same(
        grow(read(matrix), labels, settings), grow(read(matrix.toarray()), labels, settings), layout
    )


def test_columns_without_a_value_and_rows_without_one_are_zero():
    matrix = sparse.coo_array(([-1.5], ([2], [1])), (6, 4))
    labels = Labels((Label("y"),), None, np.arange(6.0)[None])
    tree = grow(read(matrix), labels, SQUARED)
    assert_same(tree, grow(read(matrix.toarray()), labels, SQUARED), "nearly empty")
    assert tree.n_rows[0] == 6


def test_zeros_need_no_room():
    """Grow from 20,000 columns of 50,000 rows, 8 GB with their zeros, as from those that store any."""
    rng = np.random.default_rng(2)
    where = rng.integers(0, 50_000, 20_000), rng.choice(20_000, 60)[rng.integers(0, 60, 20_000)]
    matrix = sparse.coo_array((rng.integers(1, 5, 20_000), where), (50_000, 20_000)).tocsc()
    used = np.flatnonzero(np.diff(matrix.indptr))
    labels = Labels((Label("y"),), None, rng.normal(size=(1, 50_000)))
    settings = Settings(criterion="squared_error", max_depth=6)
    tree = grow(read(matrix), labels, settings)
    dense = grow(read(matrix[:, used].toarray()), labels, settings)
    assert np.array_equal(tree.feature, np.append(used, -1)[dense.feature])
    assert np.array_equal(tree.n_rows, dense.n_rows)


def test_a_matrix_may_store_nothing():
    labels = Labels((Label("y"),), None, np.arange(3.0)[None])
    assert len(grow(read(sparse.csr_array((3, 2))), labels, SQUARED)) == 1


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_indices_may_have_any_width(index):
    matrix = random_matrix(np.random.default_rng(3), 50, 5).tocsc()
    wide = sparse.csc_array(
        (matrix.data, matrix.indices.astype(index), matrix.indptr.astype(index)), matrix.shape
    )
    labels = Labels((Label("y"),), None, np.arange(50.0)[None])
    assert_same(
        grow(read(wide), labels, SQUARED),
        grow(read(matrix.toarray()), labels, SQUARED),
        index,
    )


def test_rows_that_are_not_in_order_are_put_there():
    shuffled = sparse.csc_array(
        (np.array([2.0, 1.0, 3.0]), np.array([2, 0, 1]), np.array([0, 2, 3])), shape=(3, 2)
    )
    labels = Labels((Label("y"),), None, np.arange(3.0)[None])
    tree = grow(read(shuffled), labels, SQUARED)
    assert_same(tree, grow(read(shuffled.toarray()), labels, SQUARED), "shuffled")


def test_infinity_is_refused_by_name():
    matrix = sparse.csr_array(np.array([[0.0, 1.0], [0.0, -np.inf], [2.0, 0.0]]))
    with pytest.raises(DataError, match="column 'x1' has -inf in row 1"):
        DecisionTreeClassifier().fit(matrix, [0, 1, 1])


@pytest.mark.parametrize("estimator", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_guesses_for_sparse_rows_are_those_for_dense_ones(estimator):
    rng = np.random.default_rng(4)
    matrix = np.abs(random_matrix(rng, 400, 30).astype(np.float64)).tocsr()
    matrix.data = np.nan_to_num(matrix.data)
    y = rng.integers(0, 3, 400)
    fitted = estimator().fit(matrix, y)
    dense = matrix.toarray()
    assert np.array_equal(fitted.predict(matrix), fitted.predict(dense))
    assert np.array_equal(fitted.apply(matrix[:7]), fitted.apply(dense[:7]))
    assert fitted.explain(matrix[:2])[0] == fitted.explain(dense[:2])[0]
    assert np.array_equal(fitted.predict(matrix), estimator().fit(dense, y).predict(dense))


def test_other_options_of_an_estimator_take_sparse_rows():
    rng = np.random.default_rng(5)
    matrix = sparse.random_array((300, 20), density=0.1, rng=rng, format="csr")
    y = rng.integers(0, 2, 300)
    for options in (
        {"ccp_alpha": 0.01},
        {"first": [3]},
        {"max_leaf_nodes": 3},
        {"types": {0: "ignore"}},
    ):
        ours = DecisionTreeClassifier(**options).fit(matrix, y)
        theirs = DecisionTreeClassifier(**options).fit(matrix.toarray(), y)
        assert np.array_equal(ours.predict(matrix), theirs.predict(matrix.toarray())), options


@pytest.mark.parametrize(
    ("starts", "rows", "values"),
    [
        ([1, 2], [0, 1], [1.0, 2.0]),  # does not begin at 0
        ([0, 3], [0, 1], [1.0, 2.0]),  # ends behind the values
        ([0, 2, 1, 2], [0, 1], [1.0, 2.0]),  # goes back
        ([0, 2], [0], [1.0, 2.0]),  # a value without a row
        ([0, 2], [1, 1], [1.0, 2.0]),  # a row twice
        ([0, 2], [1, 0], [1.0, 2.0]),  # not in order
        ([0, 2], [0, 3], [1.0, 2.0]),  # a row that is not there
        ([], [], []),
    ],
)
@pytest.mark.parametrize("by_row", [True, False])
def test_the_core_refuses_what_is_no_matrix(starts, rows, values, by_row):
    arrays = np.array(starts, np.int64), np.array(rows, np.uint32), np.array(values, np.float64)
    n_lines = max(len(starts) - 1, 0)
    with pytest.raises(ValueError):  # noqa: PT011 - the words are for programmers
        _core.SparseTable(*((n_lines, 3) if by_row else (3, n_lines)), by_row, *arrays)


def in_disorder(matrix):
    """Return the same matrix with the values of each row backwards, each in two parts."""
    backwards = np.concatenate(
        [np.arange(begin, end)[::-1] for begin, end in pairwise(matrix.indptr)]
    )
    half = matrix.data[backwards] / 2
    stored = np.repeat(half, 2), np.repeat(matrix.indices[backwards], 2), 2 * matrix.indptr
    return sparse.csr_array(stored, matrix.shape)


@pytest.mark.parametrize("seed", range(0, N_TABLES, 8))
def test_rows_stop_where_dense_ones_do(seed):
    matrix, labels, settings = random_sparse_growth(seed)
    tree = grow(read(matrix), labels, settings)
    dense = stops(tree, read_asked(tree, matrix.toarray()))
    by_row = matrix.tocsr()
    makes = [by_row, matrix.tocsc(), matrix.tocoo()]
    if matrix.dtype == np.float64:
        makes.append(in_disorder(by_row))
    for X in makes:
        assert np.array_equal(stops(tree, read_asked(tree, X), n_jobs=2), dense)
    assert np.array_equal(stops(tree, read(matrix)), dense)  # the table that it was grown from


def test_sparse_rows_that_cannot_be_are_refused():
    router = _core.Router(
        {name: getattr(STUMP, name) for name in ROUTES} | STUMP.schema.core_features
    )
    entries, found = np.zeros((3, 1), np.uint8), np.zeros((1, 1), np.uint8)
    good = {
        "starts": np.array([0, 1]),
        "columns": np.array([0], np.int32),
        "values": np.array([1.0]),
        "places": np.array([0], np.int32),
    }
    router.look_up_sparse(**good, of_nodes=entries, of_rows=found, n_threads=1)
    for name, bad in (
        ("starts", [0, 2]),
        ("starts", [0, -1]),
        ("starts", [1, 1]),
        ("starts", [0]),
        ("columns", [1]),
        ("columns", [-1]),
        ("values", [1.0, 2.0]),
        ("places", [1]),
    ):
        wrong = good | {name: np.array(bad, good[name].dtype)}
        with pytest.raises(ValueError, match=r"there|rows"):
            router.look_up_sparse(**wrong, of_nodes=entries, of_rows=found, n_threads=1)
