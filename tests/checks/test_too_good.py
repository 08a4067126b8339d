"""B112: columns that tell so much that one should ask whether they will be known."""

import doctest

import numpy as np
import pytest

import bough
from bough.checks import too_good as module
from bough.checks.too_good import too_good
from bough.encode import Labels
from bough.schema import Label
from bough.table import read


def class_labels(names, target="y"):
    classes, codes = np.unique(names, return_inverse=True)
    return Labels(
        (Label(target, tuple(classes.tolist())),), codes[np.newaxis].astype(np.int32), None
    )


def number_labels(numbers, target="y"):
    return Labels((Label(target),), None, np.asarray(numbers, np.float64)[np.newaxis])


def texts(columns, labels, **but):
    return [note.text for note in too_good(read(columns), labels, **but)]


RANDOM = np.random.default_rng(0)
YES = np.where(RANDOM.random(400) < 0.4, "yes", "no")


def test_the_example_of_the_check():
    assert doctest.testmod(module).failed == 0


def test_one_question_about_a_number_that_removes_nearly_all_errors():
    days = np.where(YES == "yes", 10, 0) + RANDOM.integers(0, 9, 400)
    days[:5] = 4
    (text,) = texts({"days": days, "junk": RANDOM.normal(size=400)}, class_labels(YES))
    assert text == (
        "Will you know days when you predict? One question about days removes 98 % of the "
        "baseline's errors. If not, leave it out"
    )


def test_one_question_about_a_category_of_amounts():
    kind = RANDOM.choice(["a", "b", "c"], 400)
    amount = np.where(kind == "a", 100.0, 0.0) + RANDOM.normal(size=400)
    (text,) = texts({"kind": kind}, number_labels(amount))
    assert text.startswith(
        "Will you know kind when you predict? One question about kind removes >99 % of the baseline's squared error"
    )


def test_a_value_that_fixes_the_commonest_label():
    refund = np.where((YES == "no") & (RANDOM.random(400) < 0.3), "paid", "none")
    (text,) = texts({"refund": refund}, class_labels(YES, "returned"))
    n_rows = np.count_nonzero(refund == "paid")
    assert text == (
        f"Will you know refund when you predict? Where refund is paid ({n_rows} training rows), "
        "returned is always no. If not, leave it out"
    )


def test_a_value_that_excludes_the_label_of_most_rows():
    refund = np.where((YES == "yes") & (RANDOM.random(400) < 0.5), 20.0, 0.0)
    (text,) = texts({"refund": refund}, class_labels(YES, "returned"))
    n_rows = np.count_nonzero(refund)
    assert f"Where refund is 20 ({n_rows} training rows), returned is never no." in text


def test_excluding_one_of_many_labels_says_nothing():
    labels = RANDOM.integers(0, 10, 2000)
    assert texts({"odd": np.where(labels > 4, "a", "b")}, class_labels(labels.astype(str))) == []


def test_columns_without_a_sign_are_not_named():
    columns = {"x": RANDOM.normal(size=400), "k": RANDOM.choice(["a", "b"], 400)}
    assert texts(columns, class_labels(YES)) == []


def test_a_value_of_few_rows_tells_nothing():
    home = [f"h{row // 2}" for row in range(400)]
    assert texts({"home": home}, class_labels(np.repeat(YES[:200], 2))) == []


def test_the_three_strongest_are_named():
    columns = {
        f"c{number}": np.where((YES == "no") & (RANDOM.random(400) < number / 10), "a", "b")
        for number in range(3, 9)
    }
    (note,) = too_good(read(columns), class_labels(YES))
    assert note.columns == ("c8", "c7", "c6")
    assert note.fix == {"types": {"c8": "ignore", "c7": "ignore", "c6": "ignore"}}
    assert note.text.startswith("Will you know c8, c7 and c6 when you predict? ")
    assert note.text.endswith(" If not, leave them out")
    assert not note.is_loud


N = 4000
CHURNED = RANDOM.random(N) < 0.27
CHURN = class_labels(np.where(CHURNED, "yes", "no"), "churned")
REASONS = RANDOM.choice(["price", "service", "moved"], N)


def only_note(column, labels=CHURN):
    columns = {"months": RANDOM.integers(0, 72, N), "told": column, "bill": RANDOM.normal(size=N)}
    (note,) = too_good(read(columns), labels)
    assert note.columns == ("told",)
    return note


def test_a_refund_that_only_some_of_the_churned_get():
    refund = np.where(CHURNED & (RANDOM.random(N) < 0.6), RANDOM.gamma(2, 20, N).round(2) + 1, 0)
    note = only_note(refund)
    says = f"Where told is anything but 0 ({np.count_nonzero(refund):,} training rows), churned is never no."
    assert says in note.text
    assert not note.is_loud


def test_a_refund_that_all_of_the_churned_get_is_a_loud_question():
    note = only_note(np.where(CHURNED, RANDOM.gamma(2, 20, N) + 1, 0))
    assert "One question about told removes 100 % of the baseline's errors" in note.text
    assert note.is_loud


def test_a_reason_that_is_not_applicable_to_those_who_stay():
    assert only_note(np.where(CHURNED, REASONS, "not applicable")).is_loud
    often = np.where(CHURNED | (RANDOM.random(N) < 0.2), REASONS, "not applicable")
    assert "Where told is not applicable" in only_note(often).text
    seldom = np.where(CHURNED & (RANDOM.random(N) < 0.5), REASONS, "not applicable")
    assert "Where told is anything but not applicable" in only_note(seldom).text


def test_a_score_that_separates():
    assert only_note(np.where(CHURNED, 0.5, 0) + RANDOM.uniform(0, 0.5, N)).is_loud


@pytest.mark.parametrize("names", [("N", "Y"), (0, 1)])
def test_a_copy_with_a_little_noise(names):
    note = only_note(np.where(CHURNED ^ (RANDOM.random(N) < 0.005), names[1], names[0]))
    assert "One question about told removes 9" in note.text
    assert note.is_loud


CLASS = RANDOM.integers(0, 4, N)


@pytest.mark.parametrize(
    "column",
    [
        CLASS + RANDOM.uniform(-0.5, 0.499, N),
        np.where(CLASS == 2, "c!", RANDOM.choice(["x", "y"], N)),
        np.where(CLASS == 0, -9, 9) + RANDOM.normal(size=N),
    ],
)
def test_one_class_of_many_that_one_question_finds(column):
    note = only_note(column, class_labels(np.array([*"abcd"])[CLASS], "kind"))
    assert "One question about told finds 100 % of the rows where kind is " in note.text
    assert not note.is_loud


def test_a_class_that_is_found_by_half_or_mixed_with_others_says_nothing():
    kinds = class_labels(np.array([*"abcd"])[CLASS])
    half = np.where((CLASS == 2) & (RANDOM.random(N) < 0.5), "c!", "x")
    mixed = np.where((CLASS == 2) | (RANDOM.random(N) < 0.02), "c!", "x")
    assert texts({"half": half, "mixed": mixed}, kinds) == []


def test_a_class_of_nearly_all_rows_is_not_found_by_chance():
    rare = class_labels(np.where(RANDOM.random(N) < 0.005, "yes", "no"))
    assert texts({"x": RANDOM.normal(size=N), "k": RANDOM.choice([*"ab"], N)}, rare) == []


def test_a_number_with_a_little_noise():
    amount = RANDOM.gamma(2, 50, N)
    note = only_note(1.1 * amount + RANDOM.normal(size=N), number_labels(amount, "sold"))
    assert "told alone explains 99 % of the variance of sold." in note.text
    assert note.is_loud
    assert texts({"far": amount + 30 * RANDOM.normal(size=N)}, number_labels(amount)) == []


@pytest.mark.parametrize("n_rows", [200, 1000])
def test_a_copy_with_noise_in_a_small_table_is_a_loud_question(n_rows):
    amount = RANDOM.lognormal(8, 2, n_rows)
    copied = amount * (1 + 0.005 * RANDOM.normal(size=n_rows))
    (note,) = too_good(read({"copied": copied}), number_labels(amount))
    assert "copied alone explains >99 % of the " in note.text
    assert note.is_loud
    less = {"related": amount * RANDOM.lognormal(0, 1, n_rows), "junk": RANDOM.normal(size=n_rows)}
    assert texts(less, number_labels(amount)) == []


def test_numbers_of_any_size():
    amount = 1e300 * RANDOM.gamma(2, 50, N) / 1e5
    assert texts({"x": RANDOM.normal(size=N)}, number_labels(amount)) == []


def test_what_has_been_called_a_leak_is_not_named_again():
    columns = {"same": YES}
    assert len(texts(columns, class_labels(YES))) == 1
    assert texts(columns, class_labels(YES), but={"same"}) == []


@pytest.mark.parametrize(
    "labels", [class_labels(["a"] * 400), class_labels(["a"] * 395 + ["b"] * 5)]
)
def test_labels_that_hardly_differ_say_nothing(labels):
    assert texts({"x": np.arange(400) >= 395}, labels) == []


def test_many_rows_are_screened_first():
    labels = RANDOM.integers(0, 2, 50_000)
    days = 10 * labels + RANDOM.integers(0, 9, 50_000)
    assert len(texts({"days": days}, class_labels(labels.astype(str)))) == 1


def test_a_result_asks_and_keeps_the_column():
    refund = np.where((YES == "no") & (RANDOM.random(400) < 0.5), "paid", "none")
    result = bough.fit({"refund": refund, "x": RANDOM.normal(size=400), "y": YES}, "y")
    assert ("B112", ("refund",)) in [(note.code, note.columns) for note in result.notes]
    assert "refund" in result.grown_tree_.schema.columns
    quiet = bough.fit(
        {"refund": refund, "x": RANDOM.normal(size=400), "y": YES}, "y", ignore="B112"
    )
    assert "B112" not in [note.code for note in quiet.notes]
