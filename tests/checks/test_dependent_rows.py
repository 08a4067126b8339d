"""Rows that are not drawn independently: drift with time, and repeated entities."""

import datetime as dt

import numpy as np
import pytest
from audit import class_labels, number_labels

from bough.checks.note_words import note_text
from bough.checks.rows import drift, repeated_entities
from bough.table import open_source, read

N = 2000
DAYS = [dt.date(2020, 1, 1) + dt.timedelta(days=day % 700) for day in range(N)]
LATER = np.array([(day - DAYS[0]).days for day in DAYS]) / 700
RANDOM = np.random.default_rng(0)
NOISE = RANDOM.normal(size=N)
DRIFTING = (RANDOM.random(N) < 0.2 + 0.5 * LATER).astype(int)


def drifts(labels, **columns):
    return [note_text(note, cli=True) for note in drift(read({"when": DAYS} | columns), labels)]


def repeats(labels, rows=None, **columns):
    source = open_source(columns)
    named = {name: source.column(number) for number, name in enumerate(source.names)}
    rows = np.arange(source.n_rows) if rows is None else rows
    return [note_text(note, cli=True) for note in repeated_entities(named, rows, labels)]


# --- Drift -------------------------------------------------------------------------------------------


def test_numbers_that_drift_with_a_date_are_named():
    (note,) = drifts(number_labels(100 * LATER + NOISE))
    assert note == (
        "The mean of y0 varies between 4.7 and 92.9 over time (by tenths of when). To predict future rows, split by time (--time when)"
    )


def test_classes_that_drift_with_a_date_are_named():
    (note,) = drifts(class_labels(DRIFTING))
    assert note == (
        "The share of y0 = 1 varies between 22 % and 66 % over time (by tenths of when). To predict future rows, split by time (--time when)"
    )


def test_the_order_of_the_rows_does_not_matter_to_drift():
    order = RANDOM.permutation(N)
    days = [DAYS[row] for row in order]
    assert drifts(class_labels(DRIFTING[order]), when=days) == drifts(class_labels(DRIFTING))


def test_labels_without_drift_are_not_named():
    assert drifts(number_labels(NOISE)) == []
    assert drifts(class_labels(RANDOM.integers(0, 4, N))) == []


def test_a_slight_drift_in_many_rows_is_not_named():
    assert drifts(number_labels(0.3 * LATER + NOISE)) == []


def test_the_date_that_labels_drift_with_most_is_named():
    other = [DAYS[row] for row in RANDOM.permutation(N)]
    (note,) = drifts(class_labels(DRIFTING), other=other)
    assert note.endswith("(--time when)")


def test_a_constant_date_or_label_has_no_drift():
    assert drifts(class_labels(DRIFTING), when=[DAYS[0]] * N) == []
    assert drifts(number_labels(np.ones(N))) == []


def test_a_date_that_most_rows_lack_has_no_drift():
    days = [day if row < N // 2 - 1 else None for row, day in enumerate(DAYS)]
    assert drifts(class_labels(DRIFTING), when=days) == []


def test_dates_of_which_most_are_equal_are_cut_where_they_differ():
    days = [DAYS[0]] * 1600 + [DAYS[1]] * 400
    (note,) = drifts(number_labels(np.repeat([0.0, 1.0], [1600, 400])), when=days)
    assert note.startswith("The mean of y0 varies between 0 and 1 over time (by tenths of when)")


@pytest.mark.parametrize("seed", range(20))
def test_chance_does_not_drift(seed):
    random = np.random.default_rng(seed)
    n = int(random.integers(100, 400))
    table = read({"when": [DAYS[row] for row in random.integers(0, N, n)]})
    assert drift(table, class_labels(random.integers(0, 3, n))) == []
    assert drift(table, number_labels(random.lognormal(size=n))) == []


# --- Entities ----------------------------------------------------------------------------------------

PATIENTS = [f"p{row // 4}" for row in range(N)]
OF_PATIENT = np.repeat(np.random.default_rng(1).normal(size=N // 4), 4)


def test_rows_of_one_entity_with_like_labels_are_named():
    (note,) = repeats(class_labels((OF_PATIENT > 0).astype(int)), patient=PATIENTS)
    assert note == (
        "Rows with the same patient are far more alike in y0 than random pairs (100 % less variation; 2,000 of 2,000 training rows share theirs). If new rows will have other values of patient, keep rows of the same patient together (--group patient)"
    )


def test_rows_of_one_entity_with_like_numbers_are_named():
    (note,) = repeats(number_labels(OF_PATIENT + NOISE), patient=PATIENTS)
    assert "than random pairs (49 % less variation" in note


def test_entities_may_be_whole_numbers_if_their_name_says_so():
    numbers = np.arange(N) // 4
    labels = number_labels(OF_PATIENT)
    assert len(repeats(labels, patient_id=numbers)) == 1
    assert repeats(labels, height=numbers) == []


def test_only_training_rows_are_looked_at():
    rows = np.arange(0, N, 4)  # one of each patient
    assert repeats(number_labels(OF_PATIENT[rows]), rows, patient=PATIENTS) == []


def test_entities_without_labels_of_their_own_are_not_named():
    assert repeats(class_labels(RANDOM.integers(0, 2, N)), patient=PATIENTS) == []
    assert repeats(number_labels(NOISE), patient=PATIENTS) == []


def test_a_category_with_many_rows_each_is_no_entity():
    towns = [f"t{row % 40}" for row in range(N)]
    assert repeats(class_labels(np.arange(N) % 40 % 2), town=towns) == []


def test_rows_without_an_entity_are_not_of_one_entity():
    patients = [f"p{row}" if row % 20 else None for row in range(N)]
    assert repeats(number_labels(np.arange(N) % 20 == 0), patient=patients) == []


def test_the_entity_whose_rows_are_most_alike_is_named():
    pairs = [f"q{row // 2}" for row in RANDOM.permutation(N)]
    (note,) = repeats(number_labels(OF_PATIENT), pair=pairs, patient=PATIENTS)
    assert note.endswith("(--group patient)")


def test_many_classes_of_many_entities_are_counted_rightly():
    labels = class_labels(np.arange(N) // 8)
    (note,) = repeats(labels, patient=PATIENTS)
    assert "(100 % less variation" in note
