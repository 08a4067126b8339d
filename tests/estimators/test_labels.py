"""Labels of every kind, and what is said about those that cannot be read."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from bough import DataError, DecisionTreeClassifier, DecisionTreeRegressor

X = [[0.0], [1.0], [2.0], [3.0]]

CLASSES = {
    "text": ["b", "a", "b", "a"],
    "integers": [7, -7, 7, -7],
    "booleans": [True, False, True, False],
    "whole floats": [1.0, 0.0, 1.0, 0.0],
    "large integers": [2**62 + 1, 2**62, 2**62 + 1, 2**62],
    "text objects": np.array(["b", "a", "b", "a"], dtype=object),
    "big-endian integers": np.array([3, 1, 3, 1], dtype=">i4"),
    "pandas text": pd.Series(["b", "a", "b", "a"]),
    "pandas category": pd.Series(["b", "a", "b", "a"], dtype="category"),
    "pandas Int64": pd.Series([2, 1, 2, 1], dtype="Int64"),
    "polars text": pl.Series(["b", "a", "b", "a"]),
    "polars Enum": pl.Series(["b", "a", "b", "a"], dtype=pl.Enum(["b", "a"])),
    "arrow": pa.array(["b", "a", "b", "a"]),
    "a frame of one column": pd.DataFrame({"y": ["b", "a", "b", "a"]}),
    "unmasked": np.ma.masked_array([2, 1, 2, 1], mask=False),
}


@pytest.mark.parametrize("y", CLASSES.values(), ids=CLASSES)
def test_labels_of_this_kind_are_guessed_as_they_were_given(y):
    guesses = DecisionTreeClassifier().fit(X, y).predict(X)
    assert guesses.tolist() == np.asarray(y).ravel().tolist()


@pytest.mark.parametrize("y", CLASSES.values(), ids=CLASSES)
def test_classes_are_the_distinct_labels_in_order(y):
    classes = DecisionTreeClassifier().fit(X, y).classes_
    assert classes.tolist() == np.unique(np.asarray(y)).tolist()


@pytest.mark.parametrize(
    ("y", "dtype"),
    [
        (np.array([0, 1, 0, 1], dtype=np.uint8), "uint8"),
        (np.array([0, 1, 0, 1], dtype=">i4"), "int32"),
        ([True, False, True, False], "bool"),
        (np.array(["long text", "b", "b", "b"])[[1, 1, 0, 1]], "<U9"),
        (np.array(["a", "b", "a", "b"], dtype=object), "object"),
        (np.array([0, 1, 0, 1], dtype=np.longdouble), "float64"),
    ],
)
def test_classes_keep_the_type_of_the_labels(y, dtype):
    assert DecisionTreeClassifier().fit(X, y).classes_.dtype == np.dtype(dtype)


def test_the_label_has_the_name_of_its_column():
    tree = DecisionTreeRegressor().fit(X, pd.Series([1, 2, 3, 4], name="price"))
    assert tree.grown_tree_.schema.labels[0].name == "price"


def test_several_labels_have_the_names_of_their_columns():
    y = pd.DataFrame({"height": [1, 2, 3, 4], "width": [4, 3, 2, 1]})
    tree = DecisionTreeRegressor().fit(X, y)
    assert [label.name for label in tree.grown_tree_.schema.labels] == ["height", "width"]


def test_labels_without_names_are_numbered():
    tree = DecisionTreeRegressor().fit(X, np.ones((4, 2)))
    assert [label.name for label in tree.grown_tree_.schema.labels] == ["y0", "y1"]


MISSING_ONE = "y has 1 missing label (first in row 1). Fill it in or leave the row out."
REFUSED_BY_BOTH = {
    "none": (None, "fit requires y to be passed, but the target y is None."),
    "nan": ([0.0, np.nan, 1.0, 1.0], "Input y contains NaN."),
    "infinite": (
        [0.0, np.inf, 1.0, 1.0],
        "Input y contains infinity or a value too large for dtype('float64').",
    ),
    "missing object": (np.array([1, None, 2, 2], dtype=object), MISSING_ONE),
    "missing Int64": (pd.Series([1, None, 2, 2], dtype="Int64"), "Input y contains NaN."),
    "masked": (np.ma.masked_array([1, 2, 2, 1], mask=[0, 1, 0, 0]), MISSING_ONE),
    "several missing": (
        np.array([1, None, 2, None], dtype=object),
        "y has 2 missing labels (first in row 1). Fill them in or leave these rows out.",
    ),
    "too short": (
        [0, 1, 1],
        "Found input variables with inconsistent numbers of samples: X has 4 rows, y has 3. "
        "Give one label for each row.",
    ),
    "too deep": (
        np.zeros((4, 1, 1)),
        "y has 3 dimensions. Give one label for each row, or one column of labels for each output.",
    ),
    "a number": (
        3,
        "y has 0 dimensions. Give one label for each row, or one column of labels for each output.",
    ),
    "no columns": (
        np.zeros((4, 0)),
        "y has no columns. Give one column of labels for each output.",
    ),
    "complex": ([1j, 1, 1, 1], "Complex data not supported: y holds complex numbers."),
    "dates": (
        np.array(["2024-01-01"] * 4, dtype="datetime64[D]"),
        "y holds datetime64[D]. Labels are text, numbers or booleans.",
    ),
    "sparse": (
        csr_array(np.ones((4, 1))),
        "y is sparse. Sparse labels are not supported; pass y.toarray().",
    ),
}


@pytest.mark.parametrize("estimator", [DecisionTreeClassifier(), DecisionTreeRegressor()])
@pytest.mark.parametrize(("y", "message"), REFUSED_BY_BOTH.values(), ids=REFUSED_BY_BOTH)
def test_labels_that_no_tree_can_learn_are_refused(estimator, y, message):
    with pytest.raises(DataError) as error:
        estimator.fit(X, y)
    assert str(error.value) == message


REFUSED_CLASSES = {
    "missing text": (["a", None, "b", "b"], MISSING_ONE),
    "nan among text": (["a", np.nan, "b", "b"], MISSING_ONE),
    "missing in a Series": (pl.Series(["a", None, "b", "b"]), MISSING_ONE),
    "text and numbers": (
        ["a", "b", 1, 2],
        "y mixes kinds of labels (row 0: 'a', row 2: 1). Make them all text or all numbers.",
    ),
    "objects": (
        np.array([(1,), "a", "b", "b"], dtype=object),
        "y holds (1,) in row 0. Labels are text, numbers or booleans.",
    ),
    "continuous": (
        [0.1, 0.2, 0.3, 0.4],
        "Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects "
        "discrete classes on a regression target with continuous values.",
    ),
}


@pytest.mark.parametrize(("y", "message"), REFUSED_CLASSES.values(), ids=REFUSED_CLASSES)
def test_labels_that_are_no_classes_are_refused(y, message):
    with pytest.raises(DataError) as error:
        DecisionTreeClassifier().fit(X, y)
    assert str(error.value) == message


def test_text_is_no_label_of_a_regressor():
    with pytest.raises(DataError) as error:
        DecisionTreeRegressor().fit(X, [1, 2, "three", 4])
    assert str(error.value) == (
        "y holds 'three' in row 2, which is not a number. "
        "A regressor guesses numbers; use DecisionTreeClassifier for classes."
    )


def test_a_sparse_y_is_also_a_type_error():
    with pytest.raises(TypeError):
        DecisionTreeClassifier().fit(X, csr_array(np.ones((4, 1))))


def test_booleans_are_numbers_to_a_regressor():
    tree = DecisionTreeRegressor(max_depth=0).fit(X, [True, False, False, False])
    assert tree.predict(X).tolist() == [0.25] * 4


def test_the_labels_are_left_as_they_are():
    y = np.array([1.0, 0.0, 1.0, 0.0])
    y.flags.writeable = False
    DecisionTreeRegressor().fit(X, y)
    assert y.tolist() == [1.0, 0.0, 1.0, 0.0]
