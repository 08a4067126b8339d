"""Labels of every kind, and what is said about those that cannot be read."""

from decimal import Decimal
from enum import Enum
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from bough import DataError, DecisionTreeClassifier, DecisionTreeRegressor
from bough.estimators.labels import read_classes

X = [[0.0], [1.0], [2.0], [3.0]]

CLASSES = {
    "text": ["b", "a", "b", "a"],
    "integers": [7, -7, 7, -7],
    "booleans": [True, False, True, False],
    "whole floats": [1.0, 0.0, 1.0, 0.0],
    "large integers": [2**62 + 1, 2**62, 2**62 + 1, 2**62],
    "integers beyond 63 bits": np.array([2**63 + 1, 1, 2**63, 1], dtype=object),
    "text that ends with NUL": np.array(["k\0", "k", "k\0", "k"], dtype=object),
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
    "missing decimal": ([1, Decimal("sNaN"), 2, 2], MISSING_ONE),
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
        "y must hold one label for each row, but it is of type 'int'. "
        "Give a list, an array or a column of a data frame, such as frame['target'].",
    ),
    "a name": (
        "target",
        "y must hold one label for each row, but it is of type 'str'. "
        "Give a list, an array or a column of a data frame, such as frame['target'].",
    ),
    "a dict": (
        {"y": [0, 1, 1, 1]},
        "y must hold one label for each row, but it is of type 'dict'. "
        "Give a list, an array or a column of a data frame, such as frame['target'].",
    ),
    "ragged": (
        [[1], [2, 3], [1], [1]],
        "the rows of y have different lengths. Give every row the same number of labels.",
    ),
    "bytes": (
        [b"a", b"b", b"a", b"b"],
        "y holds bytes. Decode them to text first: numpy.char.decode(y).",
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
    "beyond 64 bits": (
        [1, 2**70, 1, 1],
        "y holds 1180591620717411303424 in row 1, and no 64-bit type holds it beside the other "
        "labels. Give the labels as text.",
    ),
    "beyond 64 bits with a sign": (
        [-1, 2**63, 1, 1],
        "y holds 9223372036854775808 in row 1, and no 64-bit type holds it beside the other "
        "labels. Give the labels as text.",
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
        "y holds 'three' in row 2, which is not a number. A regressor predicts numbers; "
        "use DecisionTreeClassifier for classes."
    )


def test_integers_beyond_63_bits_keep_their_digits():
    tree = DecisionTreeClassifier().fit(X, [2**63 + 1, 1, 2**63, 1])
    assert tree.predict(X).tolist() == [2**63 + 1, 1, 2**63, 1]


def test_text_that_ends_with_nul_is_a_class_of_its_own():
    tree = DecisionTreeClassifier().fit(X, ["k\0", "k", "k\0", "k"])
    assert tree.predict(X).tolist() == ["k\0", "k", "k\0", "k"]


DECIMALS = [Decimal("1.5"), Decimal("2.25"), Decimal("0.1"), Decimal("1e3")]
FRACTIONS = [Fraction(3, 2), Fraction(9, 4), Fraction(1, 10), Fraction(1000)]
EXACT_NUMBERS = {
    "decimals": DECIMALS,
    "fractions": FRACTIONS,
    "polars decimals": pl.Series(DECIMALS),
    "arrow decimals": pa.array(DECIMALS),
    "pandas objects": pd.Series(DECIMALS),
}


@pytest.mark.parametrize("y", EXACT_NUMBERS.values(), ids=EXACT_NUMBERS)
def test_a_regressor_takes_the_nearest_float_of_an_exact_number(y):
    assert DecisionTreeRegressor().fit(X, y).predict(X).tolist() == [1.5, 2.25, 0.1, 1000.0]


ROUNDED = {
    "int64": (np.array([2**53, 2**53 + 1, 0, 0]), "9007199254740993"),
    "uint64": (np.array([0, 2**64 - 1, 0, 0], dtype=np.uint64), "18446744073709551615"),
    "a list": ([1, 2**70 + 1, 2, 3], "1180591620717411303425"),
    "a list of both": ([0.5, 2**53 + 1, 2, 3], "9007199254740993"),
    "objects": (np.array([1, 2**53 + 1, 2, 3], dtype=object), "9007199254740993"),
}


@pytest.mark.parametrize(("y", "label"), ROUNDED.values(), ids=ROUNDED)
def test_a_whole_label_that_would_be_rounded_is_refused(y, label):
    with pytest.raises(DataError) as error:
        DecisionTreeRegressor().fit(X, y)
    assert str(error.value) == (
        f"y holds {label} in row 1, which loses digits as a float64. "
        "Give the labels as floats, rounded as you like."
    )


def test_a_large_whole_label_that_a_float_holds_is_taken():
    y = [2**53, 2**60, 2**70, -(2**62)]
    assert DecisionTreeRegressor().fit(X, y).predict(X).tolist() == y


@pytest.mark.parametrize("large", [10**400, Fraction(10**400, 3), Decimal("1e400")])
def test_a_label_beyond_the_largest_float_is_refused(large):
    with pytest.raises(DataError) as error:
        DecisionTreeRegressor().fit(X, [1, large, 2, 3])
    assert str(error.value) == (
        "Input y contains infinity or a value too large for dtype('float64')."
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


class Colour(str, Enum):  # noqa: UP042 - unlike a StrEnum, it does not hash as its text does
    RED = "red"


@pytest.mark.parametrize("y", [[Colour.RED, "red", "blue"], [0.0, -0.0, 1.0], ["a", "aa", "a"]])
def test_equal_labels_are_one_class(y):
    labels, codes, _ = read_classes(np.array(y, object if isinstance(y[0], Colour) else None), 3)
    assert len(labels[0].classes) == 2
    assert [labels[0].classes[code] for code in codes[0]] == y


@pytest.mark.parametrize("y", [[0.0, -0.0, 1.0], [-0.0, 0.0, 1.0], [-0.0, 1.0, 1.0]])
def test_a_class_is_never_minus_zero(y):
    labels, _, _ = read_classes(np.array(y), 3)
    assert str(labels[0].classes) == "(0.0, 1.0)"


@pytest.mark.parametrize("dtype", ["U6", ">U6", "f8", "f4", ">f8", "i8", "u2", "O"])
def test_thousands_of_classes_are_numbered_in_order(dtype):
    values = np.random.default_rng(0).integers(0, 3000, 9000).astype(dtype)
    labels, codes, _ = read_classes(values, len(values))
    assert labels[0].classes == tuple(sorted(set(values.tolist())))
    assert [labels[0].classes[code] for code in codes[0]] == values.tolist()
