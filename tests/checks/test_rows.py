"""Copies of training rows among the test rows, and classes out of balance."""

import numpy as np
import pytest
from audit import class_labels, number_labels

from bough.checks.note_words import note_mark, note_text
from bough.checks.rows import RowHashes, equal_rows, imbalance
from bough.holdout import hashes_but_one, row_hashes
from bough.table import open_source

HASHES = np.random.default_rng(0).integers(0, 2**64, 11_000, dtype=np.uint64)


def hashes_of(rows, but_one=()):
    return RowHashes(rows, rows, lambda: iter(but_one))


def equal(learnt, sealed):
    return equal_rows(hashes_of(learnt), hashes_of(sealed))


TRAIN, TEST = HASHES[:10_000], HASHES[10_000:]


def test_test_rows_that_are_equal_to_training_rows_are_counted():
    test = np.append(TEST[:900], TRAIN[:100])
    assert [note.text for note in equal(TRAIN, test)] == [
        "100 of 1,000 test rows are copies of training rows: the estimate is too good unless new rows are copies, too. Remove the copies from the table"
    ]


def test_a_copy_counts_as_often_as_it_is_tested():
    assert equal(TRAIN, np.repeat(TRAIN[:1], 50))[0].text.startswith("50 of 50 test rows")


def test_one_copy_in_a_hundred_is_no_note():
    assert equal(TRAIN, np.append(TEST[:990], TRAIN[:10])) == []
    assert len(equal(TRAIN, np.append(TEST[:989], TRAIN[:11]))) == 1


def test_rows_that_share_some_bits_are_not_equal():
    assert equal(TRAIN, TRAIN ^ np.uint64(2**40)) == []


def test_no_test_rows_are_no_copies():
    assert equal(TRAIN, TRAIN[:0]) == []


def test_one_copy_is_one():
    (note,) = equal(TRAIN, np.append(TEST[:49], TRAIN[:1]))
    assert note.text.startswith("1 of 50 test rows is a copy of a training row: ")


def test_rows_that_differ_in_a_column_that_is_not_used_are_no_copies():
    learnt, sealed = hashes_of(TRAIN), hashes_of(np.append(TEST[:900], TRAIN[:100]))
    (note,) = equal_rows(learnt._replace(whole=~TRAIN), sealed)
    assert note.text == (
        "100 of 1,000 test rows are equal to a training row in every column that is used"
    )
    assert note_mark(note) == "  "


@pytest.mark.parametrize(("n_values", "is_copied"), [(2, False), (10**6, True)])
def test_rows_of_few_possible_values_are_equal_by_chance(n_values, is_copied):
    values = np.random.default_rng(0).integers(0, n_values, (2000, 8))
    values[1900:] = values[:100]
    source = open_source({f"x{at}": column.tolist() for at, column in enumerate(values.T)})
    columns = {name: source.column(at) for at, name in enumerate(source.names)}
    hashes, but_one = row_hashes(columns), list(hashes_but_one(columns))
    learnt, sealed = (
        hashes_of(hashes[rows], [each[rows] for each in but_one])
        for rows in (slice(1500), slice(1500, None))
    )
    (note,) = equal_rows(learnt, sealed)
    assert ("copies" in note.text) == is_copied
    assert note.informs != is_copied


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
