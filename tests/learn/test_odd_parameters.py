"""Parameters of `bough.fit` as NumPy and pandas give them, and of types that they cannot have."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough import BudgetError, DataError, ParameterError

TABLE = {
    "size": [float(number * 7 % 31) for number in range(60)],
    "kind": ["a", "b", "c"] * 20,
    "heavy": [1.0, 2.0] * 30,
    "y": [number % 2 for number in range(60)],
}


def fit(**options):
    return bough.fit(TABLE, options.pop("target", "y"), n_jobs=1, **options)


def message(error_type, **options):
    with pytest.raises(error_type) as error:
        fit(**options)
    return str(error.value)


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ({"seed": np.int64(3)}, {"seed": 3}),
        ({"refit": np.False_}, {"refit": False}),
        ({"split": np.array([0.7, 0.1, 0.2])}, {}),
        ({"target": np.str_("y")}, {}),
        ({"weight": np.str_("heavy")}, {"weight": "heavy"}),
        ({"first": pd.Index(["kind"])}, {"first": "kind"}),
        ({"forbid": pd.Series(["kind"])}, {"forbid": "kind"}),
        ({"missing_marks": ["NA"]}, {"missing_marks": "NA"}),
        (
            {"task": "regression", "criterion": "quantile", "quantile": np.float32(0.5)},
            {"task": "regression", "criterion": "quantile", "quantile": 0.5},
        ),
    ],
)
def test_values_of_numpy_and_pandas_are_those_of_python(given, plain):
    assert bough.export(fit(**given), "json") == bough.export(fit(**plain), "json")


@pytest.mark.parametrize("value", [5, [5], 0.5])
@pytest.mark.parametrize("name", ["criterion", "categorical"])
def test_a_way_must_be_a_name(name, value):
    assert message(ParameterError, **{name: value}) == (
        f"{name}={value!r} must be a name, a list of names, or None."
    )


@pytest.mark.parametrize("marks", [None, 5, [5]])
def test_marks_must_be_texts(marks):
    assert message(ParameterError, missing_marks=marks) == (
        f"missing_marks={marks!r} must be a list of texts, such as ('', 'NA')."
    )


@pytest.mark.parametrize("seed", [1.0, "0", None, True, -1, np.float64(1)])
def test_a_seed_must_be_a_whole_number(seed):
    assert message(ParameterError, seed=seed) == (
        f"seed={seed!r} must be a whole number, 0 or more."
    )


@pytest.mark.parametrize(("weight", "word"), [(1e-310, "1e-310"), (1e300, "1e+300")])
def test_weights_whose_squares_are_no_numbers_are_refused(weight, word):
    table = {**TABLE, "heavy": [1.0, weight] * 30}
    with pytest.raises(DataError) as error:
        bough.fit(table, "y", weight="heavy")
    assert str(error.value) == (
        f"weight='heavy' has the weight {word}. Weights must be 0, or from 1e-100 to 1e+100: "
        "multiply all of them by the same number."
    )


def test_formats_and_widths_must_be_of_their_types():
    result = fit()
    for action, complaint in (
        (lambda: bough.draw(result, ["svg"]), "format=['svg'] is not known. Did you mean 'svg'? "),
        (lambda: bough.export(result, ["svg"]), "format=['svg'] is not known. Did you mean 'svg'?"),
        (lambda: result.text(width="a"), "width='a' must be a whole number, 1 or more."),
        (lambda: result.report(digits="a"), "digits='a' must be a whole number, 1 or more."),
    ):
        with pytest.raises(ParameterError) as error:
            action()
        assert str(error.value).startswith(complaint)


@pytest.mark.parametrize("label", [3.5, 0.0, 1e300, 5e-324])
def test_constant_labels_have_a_page(label):
    table, other = {"x": [0, 1, 2] * 10, "y": [label] * 30}, {"x": [0, 1], "y": [label, 1.0]}
    result = bough.fit(table, "y", task="regression", test=other)
    assert "<svg" in result.report()


@pytest.mark.parametrize(
    ("labels", "task", "word"),
    [
        (["a"] * 30, "auto", "'a' in all 30 rows"),
        (["a"] * 29 + [None], "auto", "'a' in all 29 rows that have one"),
        ([7] * 30, "auto", "7 in all 30 rows"),
        ([2.5] * 30, "regression", "2.5 in all 30 rows"),
        ([True] * 30, "auto", "True in all 30 rows"),
    ],
)
def test_a_constant_target_is_refused(labels, task, word):
    for learn in (bough.fit, bough.check):
        with pytest.raises(DataError) as error:
            learn({"x": [0, 1, 2] * 10, "y": labels}, "y", task=task)
        assert str(error.value) == (
            f"The target 'y' is {word}, so there is nothing to learn. Name another column, or add rows "
            "with another answer."
        )


def test_labels_whose_squares_are_no_numbers_are_learnt_from_and_saved(tmp_path):
    labels = [1e300, 1e-300, 1.0, -1e300, 1.7e308] * 8
    table = {"x": list(range(40)), "z": ["a", "b"] * 20, "y": labels}
    result = bough.fit(table, "y", types={"x": "number"})
    assert str(result)
    assert result.report()
    result.save(tmp_path / "model.json")
    loaded = bough.load(tmp_path / "model.json")
    assert loaded.predict(table).tolist() == result.model.predict(table).tolist()


@pytest.mark.parametrize(
    ("n_rows", "n_classes", "said"),
    [
        (30_000, 10_000, "10,000 classes in 24,029 rows to learn from"),
        (15_000, 3_000, "3,000 classes in 12,000 rows to learn from"),  # which are cross-validated
    ],
)
def test_more_classes_than_memory_holds_counts_of_are_refused_before_anything_is_grown(
    n_rows, n_classes, said
):
    classes = [f"k{number % n_classes}" for number in range(n_rows)]
    with pytest.raises(BudgetError) as error:
        bough.fit({"x": range(n_rows), "z": [1, 2, 3] * (n_rows // 3), "y": classes}, "y")
    assert str(error.value) == (
        f"'y' has {said}. Trees count every class at every node, which may take "
        f"{20 if n_rows == 30_000 else 18} GB here. Join rare classes into one, such as 'other', or "
        "learn from fewer rows."
    )
