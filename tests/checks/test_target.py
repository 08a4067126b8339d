"""The target: labels that are missing, and whether they are classes or numbers."""

import datetime as dt

import pytest

from bough.checks.note_words import note_text
from bough.checks.target_labels import guess_task, missing_labels
from bough.errors import DataError
from bough.table import open_source


def guess(cells):
    task, notes = guess_task("y", open_source({"y": cells}).column(0))
    return task, [note_text(note, cli=True) for note in notes]


@pytest.mark.parametrize("cells", [["a", "b"], [True, False], [True, None]])
def test_text_and_booleans_are_classes_and_need_no_guess(cells):
    assert guess(cells) == ("classification", [])


def test_whole_numbers_with_few_values_are_classes():
    assert guess([0, 1, 1, 0]) == (
        "classification",
        ["y is predicted as 2 categories, not as an amount (--task regression)"],
    )


def test_twenty_whole_numbers_are_classes_and_one_more_is_not():
    assert guess(list(range(20)))[0] == "classification"
    assert guess(2 * list(range(21))) == (
        "regression",
        ["y is predicted as an amount, not as categories (--task classification)"],
    )


def test_whole_numbers_beside_missing_ones_are_classes():
    assert guess([0.0, 1.0, None, 1.0])[0] == "classification"


def test_numbers_that_are_not_whole_are_no_classes():
    assert guess([0.5, 1.0, 1.0]) == (
        "regression",
        ["y is predicted as an amount, not as categories"],
    )


def test_numbers_that_hardly_repeat_are_not_advised_to_be_classes():
    assert guess(list(range(21)))[1] == ["y is predicted as an amount, not as categories"]


def test_a_value_late_in_a_long_column_is_seen():
    assert guess([0.0] * 9999 + [0.5])[0] == "regression"
    assert guess([0] * 10_000 + list(range(21)))[0] == "regression"


def test_dates_are_refused():
    with pytest.raises(DataError) as caught:
        guess([dt.date(2024, 1, 1)])
    assert str(caught.value) == (
        "target 'y' has dates, which a tree does not predict. Turn them into numbers, of days for "
        "example, or into text."
    )


def test_missing_labels_are_counted_and_the_first_is_named():
    (note,) = missing_labels("y", 1, 1309, "row 9")
    assert note.text == "y is missing in 1 of 1,309 rows, first in row 9: these rows are left out"


def test_no_note_where_no_label_is_missing():
    assert missing_labels("y", 0, 14, "") == []


def test_hundreds_of_values_are_not_offered_as_classes():
    assert guess([*range(150)] * 10)[1] == ["y is predicted as an amount, not as categories"]
    assert "--task classification" in guess([*range(50)] * 10)[1][0]
