"""Text of every make gives the same choices: Python's objects, NumPy's arrays, Arrow's buffers."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bough import _core
from bough.errors import DataError
from bough.table import read

# Sizes around those of 8, 12 and 16 bytes, texts that begin or end alike, and none at all.
WORDS = [
    "", "a", "ab", "abc", "abcd", "abcde", "a\0", "\0", "abcdefgh", "abcdefghi", "12", "12.0",
    "abcdefghijkl", "abcdefghijklm", "abcdefghijklmnop", "abcdefghijklmnopq", "é", "日本語", "😀",
    "a" * 40, "a" * 39 + "b", "b" + "a" * 39, "a" * 1000,
]  # fmt: skip
FORMS = {
    "objects": lambda cells: np.array([*cells, None], object)[:-1],
    "every other object": lambda cells: np.repeat(np.array([*cells, None], object)[:-1], 2)[::2],
    "list": list,
    "tuple": tuple,
    "pandas objects": lambda cells: pd.Series(cells, dtype=object),
    "pandas str": lambda cells: pd.Series(cells, dtype="str"),
    "pandas string": lambda cells: pd.Series(cells, dtype="string"),
    "pandas string of objects": lambda cells: pd.Series(cells, dtype=pd.StringDtype("python")),
    "pandas Arrow": lambda cells: pd.Series(cells, dtype=pd.ArrowDtype(pa.string())),
    "polars": lambda cells: pl.Series(cells, dtype=pl.String),
    "polars categories": lambda cells: pl.Series(cells, dtype=pl.Categorical),
    "Arrow": lambda cells: pa.chunked_array([pa.array(cells, pa.string())]),
    "large Arrow": lambda cells: pa.chunked_array([pa.array(cells, pa.large_string())]),
    "views": lambda cells: pa.chunked_array([pa.array(cells, pa.string_view())]),
    "chunks": lambda cells: pa.chunked_array(
        [pa.array(cells[:7], pa.string()), pa.array([], pa.string()), pa.array(cells[7:])]
    ),
    "a slice": lambda cells: pa.chunked_array(
        [pa.array([None, "x", *cells, "y"], pa.string())[2:-1]]
    ),
    "a slice of views": lambda cells: pa.chunked_array(
        [pa.array([None, "x", *cells, "y"], pa.string_view())[2:-1]]
    ),
}


def cells_of(n_rows, words, share_missing, seed):
    rng = np.random.default_rng(seed)
    found = [words[number] for number in rng.integers(0, len(words), n_rows)]
    return [None if rng.random() < share_missing else cell for cell in found]


@pytest.mark.parametrize("words", [WORDS, [f"word {i}" for i in range(3000)]], ids=["odd", "many"])
@pytest.mark.parametrize("share_missing", [0, 0.2])
@pytest.mark.parametrize("form", FORMS)
def test_text_is_numbered_in_sorted_order_whatever_holds_it(form, share_missing, words):
    cells = cells_of(5000, words, share_missing, seed=1)
    table = read({"a": FORMS[form](cells)})
    seen = sorted({cell for cell in cells if cell is not None})
    number = {None: -1} | {cell: code for code, cell in enumerate(seen)}
    assert table.features[0].choices == tuple(seen)
    assert table.values[0].tolist() == [number[cell] for cell in cells]


@pytest.mark.parametrize("order", "CF")
def test_text_of_a_fixed_width_is_read_from_any_order_of_the_array(order):
    words = [word for word in WORDS if not word.endswith("\0")]
    cells = np.array(cells_of(600, words, 0, seed=2)).reshape(200, 3)
    for array in (cells, cells.astype(cells.dtype.newbyteorder(">")), cells[::-1]):
        table = read(np.asarray(array, order=order))
        for feature, codes, column in zip(table.features, table.values, array.T, strict=True):
            assert feature.choices == tuple(sorted(set(column.tolist())))
            assert [feature.choices[code] for code in codes] == column.tolist()


@pytest.mark.parametrize(
    "gap", [None, float("nan"), np.float64("nan"), pd.NA, pd.NaT, np.ma.masked]
)
def test_every_missing_value_among_text_is_missing(gap):
    cells = np.array(["b", gap, "a", gap], object)
    assert read({"a": cells}).values[0].tolist() == [1, -1, 0, -1]


def test_text_beside_anything_else_is_left_to_those_who_say_what_is_wrong():
    assert _core.number_objects(["a", 1]) is None
    assert _core.number_objects(["a", 1.5]) is None
    assert _core.number_objects([None, float("nan")]) is None
    assert _core.number_arrow(pa.chunked_array([[1, 2]])) is None
    with pytest.raises(DataError, match="mixes text and numbers: 'a' in row 0, 1 in row 1"):
        read({"a": ["a", 1]})


def test_half_of_a_pair_of_surrogates_is_text_too():
    assert read({"a": ["\ud800", "a", "\ud800"]}).values[0].tolist() == [1, 0, 1]


def test_what_is_no_list_of_cells_is_refused():
    with pytest.raises(ValueError, match="a list, a tuple or an array of objects"):
        _core.number_objects(np.zeros(3))
    with pytest.raises(ValueError, match="must stand together"):
        _core.distinct(np.zeros((4, 8), np.uint8)[:, ::2])
