"""Copies of training rows among the test rows, and classes out of balance."""

import numpy as np
from audit import class_labels, number_labels

from bough.checks.copies_and_imbalance import equal_rows, imbalance
from bough.checks.note_words import note_text

HASHES = np.random.default_rng(0).integers(0, 2**64, 11_000, dtype=np.uint64)
TRAIN, TEST = HASHES[:10_000], HASHES[10_000:]


def test_test_rows_that_are_equal_to_training_rows_are_counted():
    test = np.append(TEST[:900], TRAIN[:100])
    assert [note.text for note in equal_rows(TRAIN, test)] == [
        "100 of 1,000 test rows are copies of training rows: the estimate is too good unless new rows are copies, too. Remove the copies from the table"
    ]


def test_a_copy_counts_as_often_as_it_is_tested():
    assert equal_rows(TRAIN, np.repeat(TRAIN[:1], 50))[0].text.startswith("50 of 50 test rows")


def test_one_copy_in_a_hundred_is_no_note():
    assert equal_rows(TRAIN, np.append(TEST[:990], TRAIN[:10])) == []
    assert len(equal_rows(TRAIN, np.append(TEST[:989], TRAIN[:11]))) == 1


def test_rows_that_share_some_bits_are_not_equal():
    assert equal_rows(TRAIN, TRAIN ^ np.uint64(2**40)) == []


def test_no_test_rows_are_no_copies():
    assert equal_rows(TRAIN, TRAIN[:0]) == []


def test_a_class_that_nine_rows_in_ten_have_is_named():
    (note,) = imbalance(class_labels(["no"] * 900 + ["yes"] * 100))
    assert note_text(note, cli=True) == (
        "y0: 90 % of 1,000 training rows are no, so always predicting it scores well. Consider tuning for log loss (--loss log_loss)"
    )


def test_a_class_that_fewer_rows_have_is_not():
    assert imbalance(class_labels(["no"] * 899 + ["yes"] * 101)) == []


def test_classes_with_hardly_any_row_are_named():
    labels = class_labels(["a"] * 100 + ["b"] * 100 + ["c"] * 9 + ["d"])
    assert [note_text(note, cli=True) for note in imbalance(labels)] == [
        "y0: too few training rows to learn some classes well: c (9), d (1)"
    ]


def test_at_most_five_such_classes_are_named():
    labels = class_labels(["a"] * 200 + list("bcdefgh") + ["z"] * 200)
    assert imbalance(labels)[0].text.endswith("b (1), c (1), d (1), e (1), f (1), 2 more")


def test_ten_rows_of_each_class_are_enough():
    assert imbalance(class_labels(["a", "b", "c"] * 10)) == []


def test_in_a_small_table_no_class_is_rare():
    assert imbalance(class_labels(["yes"] * 9 + ["no"] * 5)) == []


def test_numbers_are_never_out_of_balance():
    assert imbalance(number_labels([0] * 99 + [1])) == []
