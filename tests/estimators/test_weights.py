"""`sample_weight` and `class_weight`."""

import numpy as np
import pandas as pd
import pytest

from bough import DataError, DecisionTreeClassifier, DecisionTreeRegressor, ParameterError

X = np.arange(6.0).reshape(-1, 1)
y = np.array(["a", "a", "a", "b", "b", "c"])


def shares(tree):
    return dict(zip(tree.classes_.tolist(), tree.predict_proba(X[:1])[0].tolist(), strict=True))


def stump(**options):
    return DecisionTreeClassifier(max_depth=0, **options)


def test_weights_multiply_counts():
    assert shares(stump().fit(X, y, [1, 1, 1, 3, 3, 1])) == {"a": 0.3, "b": 0.6, "c": 0.1}


def test_rows_of_weight_0_take_no_part_but_their_classes_stay():
    assert shares(stump().fit(X, y, [1, 1, 1, 1, 0, 0])) == {"a": 0.75, "b": 0.25, "c": 0.0}


@pytest.mark.parametrize("weights", [2, 2.5, [2] * 6, pd.Series([2.0] * 6)])
def test_equal_weights_change_no_guess(weights):
    weighted = DecisionTreeClassifier().fit(X, y, weights)
    assert weighted.predict(X).tolist() == y.tolist()


@pytest.mark.parametrize("weight", [1, 0.1, 3])
def test_equal_weights_grow_the_tree_of_none_also_where_a_share_is_hard_to_reach(weight):
    rows, labels = np.random.default_rng(0).normal(size=(30, 2)), [0, 1, 1] * 10
    tree = DecisionTreeClassifier(min_weight_fraction_leaf=0.30000000000000004)
    n_rows = tree.fit(rows, labels).grown_tree_.n_rows.tolist()
    assert tree.fit(rows, labels, [weight] * 30).grown_tree_.n_rows.tolist() == n_rows


def test_the_weights_of_classes_multiply_those_of_rows():
    tree = stump(class_weight={"a": 1, "b": 2, "c": 3}).fit(X, y, [1, 1, 1, 1, 1, 2])
    assert shares(tree) == pytest.approx({"a": 3 / 13, "b": 4 / 13, "c": 6 / 13})


def test_balanced_classes_weigh_the_same():
    assert shares(stump(class_weight="balanced").fit(X, y)) == pytest.approx(
        dict.fromkeys("abc", 1 / 3)
    )


def test_several_outputs_have_a_dict_each():
    two = np.array([[0, 0], [0, 1], [1, 1]])
    tree = stump(class_weight=[{0: 1, 1: 2}, {0: 3, 1: 1}]).fit(X[:3], two)
    assert tree.predict_proba(X[:1])[0].tolist() == [[pytest.approx(4 / 6), pytest.approx(2 / 6)]]


REFUSED = {
    "one negative": (
        [1, -1, 1, 1, 1, 1],
        "sample_weight has 1 negative value (row 1: -1.0). "
        "A weight must be 0 or more; a row of weight 0 is left out.",
    ),
    "several negative": (
        [1, 1, -0.5, -2, 1, 1],
        "sample_weight has 2 negative values (first in row 2: -0.5). "
        "A weight must be 0 or more; a row of weight 0 is left out.",
    ),
    "all zero": ([0] * 6, "Sample weights must contain at least one non-zero number."),
    "nan": ([1, np.nan, 1, 1, 1, 1], "Input sample_weight contains NaN."),
    "infinite": (
        [1, np.inf, 1, 1, 1, 1],
        "Input sample_weight contains infinity or a value too large for dtype('float64').",
    ),
    "too short": (
        [1, 1],
        "sample_weight has 2 weights, but X has 6 rows. Give one weight for each row.",
    ),
    "words": (
        [1, 1, "heavy", 1, 1, 1],
        "sample_weight holds 'heavy' in row 2, which is not a number. "
        "Give one number for each row.",
    ),
    "words that say numbers": (
        ["1"] * 6,
        "sample_weight holds '1' in row 0, which is not a number. Give one number for each row.",
    ),
    "complex": (
        np.full(6, 1j),
        "sample_weight holds 1j in row 0, which is not a number. Give one number for each row.",
    ),
    "dates": (
        np.array(["2024-12-31"] * 6, dtype="datetime64[D]"),
        "sample_weight holds datetime.date(2024, 12, 31) in row 0, which is not a number. "
        "Give one number for each row.",
    ),
    "one nan for all": (np.nan, "Input sample_weight contains NaN."),
    "masked": (
        np.ma.masked_array([1.0] * 6, mask=[0, 1, 0, 0, 0, 0]),
        "Input sample_weight contains NaN.",
    ),
    "an array of no dimension": (
        np.array(2.0),
        "Input should have at least 1 dimension i.e. satisfy `len(x.shape) > 0`, got scalar "
        "`array(2.)` instead.",
    ),
    "ragged": (
        [1, [1, 2], 1, 1, 1, 1],
        "sample_weight holds [1, 2] in row 1, which is not a number. Give one number for each row.",
    ),
    "too large": (
        [1, 10**400, 1, 1, 1, 1],
        "Input sample_weight contains infinity or a value too large for dtype('float64').",
    ),
}


@pytest.mark.parametrize("estimator", [DecisionTreeClassifier(), DecisionTreeRegressor()])
@pytest.mark.parametrize(("weights", "message"), REFUSED.values(), ids=REFUSED)
def test_weights_that_no_row_can_have_are_refused(estimator, weights, message):
    with pytest.raises(DataError) as error:
        estimator.fit(X, [1, 1, 1, 2, 2, 3], weights)
    assert str(error.value).splitlines()[0] == message


def test_classes_that_all_weigh_0_are_refused():
    with pytest.raises(DataError) as error:
        stump(class_weight={"a": 0, "b": 0, "c": 0}).fit(X, y)
    assert str(error.value) == "Sample weights must contain at least one non-zero number."


def test_weights_that_multiply_to_infinity_are_refused():
    with pytest.raises(DataError) as error:
        stump(class_weight={"a": 1, "b": 1e200, "c": 1}).fit(X, y, np.full(6, 1e200))
    assert str(error.value) == (
        "sample_weight times class_weight overflows in row 3. Scale one of them down."
    )


@pytest.mark.parametrize(
    "weight", [-1, np.inf, np.nan, "heavy", None, 10**309], ids=lambda weight: str(weight)[:9]
)
def test_a_weight_that_no_class_can_have_is_refused(weight):
    with pytest.raises(ParameterError) as error:
        stump(class_weight={"a": weight, "b": 1, "c": 1}).fit(X, y)
    assert str(error.value) == (
        f"class_weight={{'a': {weight!r}, 'b': 1, 'c': 1}} must give every class a finite weight, "
        "0 or more."
    )


def test_weights_of_classes_that_multiply_to_infinity_are_refused():
    with pytest.raises(ParameterError) as error:
        stump(class_weight=[{0: 1e200}, {0: 1e200}]).fit(X[:2], [[0, 0], [0, 0]])
    assert str(error.value) == (
        "class_weight=[{0: 1e+200}, {0: 1e+200}] is too large: its products overflow. "
        "Scale the weights down."
    )


def test_a_list_of_one_dict_is_for_one_output():
    tree = stump(class_weight=[{"a": 1, "b": 0, "c": 3}]).fit(X, y)
    assert shares(tree) == {"a": 0.5, "b": 0.0, "c": 0.5}


@pytest.mark.parametrize("wrong", ["equal", 3, [1, 2], ["balanced"], np.array([1, 2])], ids=repr)
def test_what_is_no_class_weight_is_refused(wrong):
    with pytest.raises(ParameterError) as error:
        stump(class_weight=wrong).fit(X, y)
    assert str(error.value) == (
        f"class_weight={wrong!r} is not valid. Give 'balanced', a dict with the weight of "
        "each class, or a list of dicts, one for each output."
    )


def test_a_list_must_have_a_dict_for_each_output():
    with pytest.raises(ParameterError) as error:
        stump(class_weight=[{0: 1, 1: 2}]).fit(X[:2], [[0, 0], [1, 1]])
    assert str(error.value) == (
        "For multi-output, number of elements in class_weight should match number of outputs. "
        "Got 1 element(s) while having 2 outputs."
    )


@pytest.mark.parametrize(
    "dtype", ["int8", "uint16", "int64", "uint64", "bool", "f2", "f4", ">f8", "O"]
)
@pytest.mark.parametrize(
    "make", [np.asarray, list, pd.Series, lambda each: np.repeat(each, 2)[::2]]
)
def test_weights_of_any_type_grow_the_same_tree(dtype, make):
    weights = make(np.array([1, 1, 0, 1, 0, 1]).astype(dtype))
    tree = DecisionTreeClassifier().fit(X, y, weights)
    assert tree.grown_tree_.n_rows[0] == 4
    assert tree.predict(X[[0, 1, 3, 5]]).tolist() == ["a", "a", "b", "c"]
    assert tree.score(X, y, [1.0, 1, 0, 1, 0, 1]) == 1


def test_weights_as_given_are_neither_kept_nor_changed():
    weights = np.array([1.0, 1, 1, 3, 3, 1])
    before = weights.copy()
    DecisionTreeClassifier(class_weight="balanced").fit(X, y, weights)
    np.testing.assert_array_equal(weights, before)
    weights[0] = 2  # no one keeps it from being written to
