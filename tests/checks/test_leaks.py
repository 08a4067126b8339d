"""Leaks: found where they are, and nowhere else."""

import datetime as dt

import numpy as np
import pytest
from audit import class_labels, number_labels

from bough.checks.leaks import leaks
from bough.checks.note_words import note_text
from bough.table import read

N = 1000
RANDOM = np.random.default_rng(0)
CLASSES = RANDOM.integers(0, 2, N)
NUMBERS = RANDOM.normal(size=N) * 100
NOISE = RANDOM.normal(size=N)
COIN = RANDOM.integers(0, 2, N)


def says(columns, labels):
    """Return what the notes about leaks say; all of them are loud."""
    notes = leaks(read(columns), labels)
    assert all(note.code == "B101" and note.is_loud for note in notes)
    return [note_text(note, cli=True) for note in notes]


def changed(values, n_rows):
    """Return values of which some, spread over the rows, are those of other rows."""
    values = np.array(values)
    places = np.linspace(0, len(values) - 1, n_rows).astype(int)
    values[places] = 1 - values[places] if values.dtype.kind == "i" else values[places] + 1000
    return values


def known_where(is_known, values):
    return [value if known else None for known, value in zip(is_known, values, strict=True)]


# --- The target in disguise --------------------------------------------------------------------------


def test_a_column_that_is_the_target_under_other_names_is_a_leak():
    names = np.array(["free", "guilty"])[CLASSES]
    assert says({"noise": NOISE, "verdict": names}, class_labels(CLASSES)) == [
        "verdict gives y0 away: it has the same values under other names in all 1,000 training rows. Leave it out unless you know it before y0 (--type verdict=ignore)"
    ]


def test_one_row_in_a_thousand_may_differ():
    assert says({"copy": changed(CLASSES, 1)}, class_labels(CLASSES)) == [
        "copy gives y0 away: it has the same values under other names in 999 of 1,000 training rows. Leave it out unless you know it before y0 (--type copy=ignore)"
    ]


def test_two_rows_in_a_thousand_may_not():
    assert says({"copy": changed(CLASSES, 2)}, class_labels(CLASSES)) == []


def test_a_copy_with_missing_cells_is_a_leak():
    is_known = RANDOM.random(N) < 0.8
    assert len(says({"copy": known_where(is_known, CLASSES)}, class_labels(CLASSES))) == 1


def test_a_column_that_tells_more_than_the_target_is_no_leak():
    finer = np.array(["a", "b", "c", "d"])[2 * CLASSES + COIN]
    assert says({"finer": finer}, class_labels(CLASSES)) == []


def test_columns_in_which_hardly_any_value_repeats_are_not_alike():
    assert says({"name": [f"n{row}" for row in range(N)]}, class_labels(CLASSES)) == []


def test_two_columns_that_are_nearly_constant_are_not_alike():
    rare, other = np.zeros(20_000, int), np.zeros(20_000, int)
    rare[:10], other[100:110] = 1, 1
    assert says({"other": other}, class_labels(rare)) == []


def test_a_rare_class_in_disguise_is_a_leak():
    rare = np.zeros(20_000, int)
    rare[:10] = 1
    assert len(says({"copy": rare + 5}, class_labels(rare))) == 1


def test_in_few_rows_nothing_is_a_leak():
    few = CLASSES[:29]
    assert says({"copy": few}, class_labels(few)) == []


def test_a_number_in_another_unit_is_a_leak():
    assert says({"cents": NUMBERS * 100 + 7, "noise": NOISE}, number_labels(NUMBERS)) == [
        "cents gives y0 away: it is the same number, perhaps in another unit, in all 1,000 training rows. Leave it out unless you know it before y0 (--type cents=ignore)"
    ]


def test_a_number_in_another_unit_may_differ_in_one_row_of_a_thousand():
    assert len(says({"cents": changed(NUMBERS, 1)}, number_labels(NUMBERS))) == 1
    assert says({"cents": changed(NUMBERS, 2)}, number_labels(NUMBERS)) == []


def test_a_feature_that_is_nearly_the_label_is_no_leak():
    assert says({"near": NUMBERS + 0.5 * NOISE}, number_labels(NUMBERS)) == []


def test_numbers_under_other_names_are_a_leak():
    labels = RANDOM.integers(0, 30, N)
    names = [f"floor {number}" for number in labels]
    assert len(says({"floor": names}, number_labels(labels))) == 1


def test_a_date_that_rises_with_the_label_is_no_leak():
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=day) for day in range(N)]
    assert says({"day": days}, number_labels(np.arange(N))) == []


# --- Columns that are filled in afterwards -----------------------------------------------------------


def test_a_column_whose_presence_tells_the_class_is_a_leak():
    boat = known_where(changed(CLASSES, 20), RANDOM.integers(0, 9, N).tolist())
    assert says({"boat": boat}, class_labels(CLASSES)) == [
        "boat gives y0 away: whether it is filled in predicts 980 of 1,000 training rows correctly. Leave it out unless you know it before y0 (--type boat=ignore)"
    ]


def test_presence_that_leaves_more_than_a_tenth_of_the_loss_is_no_leak():
    boat = known_where(changed(CLASSES, 80), NOISE)
    assert says({"boat": boat}, class_labels(CLASSES)) == []


def test_a_column_whose_presence_fixes_the_label_is_a_leak():
    is_known = (CLASSES == 0) & (RANDOM.random(N) < 0.1)
    assert says({"body": known_where(is_known, NOISE)}, class_labels(CLASSES)) == [
        f"body gives y0 away: y0 is 0 in all {is_known.sum()} training rows where body is filled "
        "in. Leave it out unless you know it before y0 (--type body=ignore)"
    ]


def test_a_column_whose_absence_fixes_the_label_is_a_leak():
    is_known = (CLASSES == 0) | (RANDOM.random(N) < 0.9)
    (note,) = says({"end": known_where(is_known, NOISE)}, class_labels(CLASSES))
    assert f"y0 is 1 in all {N - is_known.sum()} training rows where end is missing" in note


def test_fewer_than_thirty_rows_fix_nothing():
    is_known = (CLASSES == 0) & (np.cumsum(CLASSES == 0) <= 29)
    assert says({"body": known_where(is_known, NOISE)}, class_labels(CLASSES)) == []


def test_rows_whose_label_most_rows_have_fix_nothing():
    labels = (RANDOM.random(N) < 0.02).astype(int)
    is_known = (labels == 0) & (np.arange(N) % 10 == 0)
    assert says({"x": known_where(is_known, NOISE)}, class_labels(labels)) == []


def test_cells_missing_by_chance_are_no_leak():
    assert says({"x": known_where(COIN, NOISE)}, class_labels(CLASSES)) == []
    assert says({"x": known_where(COIN, NOISE)}, number_labels(NUMBERS)) == []


def test_a_column_whose_presence_tells_the_number_is_a_leak():
    labels = 100 * COIN + NOISE
    assert says({"x": known_where(COIN, RANDOM.random(N))}, number_labels(labels)) == [
        "x gives y0 away: whether it is filled in removes >99 % of the squared error. Leave it out unless you know it before y0 (--type x=ignore)"
    ]


def test_one_far_label_is_no_leak():
    labels = NOISE.copy()
    labels[3] = 1e6
    is_known = np.arange(N) != 3
    assert says({"x": known_where(is_known, RANDOM.random(N))}, number_labels(labels)) == []


def test_a_column_whose_presence_fixes_the_number_is_a_leak():
    labels = np.where(COIN, 0, NOISE + 5)
    is_known = COIN.astype(bool) & (np.arange(N) % 3 == 0)
    (note,) = says({"x": known_where(is_known, RANDOM.random(N))}, number_labels(labels))
    assert f"y0 is 0 in all {is_known.sum()} training rows where x is filled in" in note


# --- Sums --------------------------------------------------------------------------------------------


def test_the_parts_of_a_sum_are_a_leak():
    columns = {"noise": NOISE, "casual": NUMBERS, "registered": NOISE * 7}
    assert says(columns, number_labels(NUMBERS + NOISE * 7)) == [
        "casual and registered give y0 away: y0 = casual + registered in all 1,000 training rows. Leave them out unless you know them before y0 "
        "(--type casual=ignore --type registered=ignore)"
    ]


@pytest.mark.parametrize("order", [("revenue", "cost"), ("cost", "revenue")])
def test_the_parts_of_a_difference_are_a_leak(order):
    columns = {"revenue": NUMBERS, "cost": NOISE}
    (note,) = says({name: columns[name] for name in order}, number_labels(NUMBERS - NOISE))
    assert note.startswith("revenue and cost give y0 away: y0 = revenue - cost in all 1,000")


def test_decimals_that_add_up_on_paper_add_up():
    tenths = RANDOM.integers(1, 100, (2, N)) / 10
    columns = {"a": tenths[0], "b": tenths[1]}
    assert len(says(columns, number_labels(np.round(tenths.sum(axis=0), 1)))) == 1


def test_classes_that_are_numbers_may_be_sums():
    goals = RANDOM.integers(0, 4, (2, N))
    assert len(says({"home": goals[0], "away": goals[1]}, class_labels(goals.sum(axis=0)))) == 1


def test_parts_with_missing_cells_are_a_leak():
    casual = np.where(RANDOM.random(N) < 0.2, np.nan, NUMBERS)
    (note,) = says({"a": casual, "b": NOISE}, number_labels(NUMBERS + NOISE))
    assert f"y0 = a + b in all {np.count_nonzero(~np.isnan(casual))} training rows" in note


def test_a_sum_that_fails_in_two_rows_of_a_thousand_is_no_leak():
    labels = changed(NUMBERS + NOISE, 2)
    assert says({"a": NUMBERS, "b": NOISE}, number_labels(labels)) == []


def test_zeros_that_are_differences_of_equal_numbers_are_no_leak():
    labels = np.zeros(20_000)
    labels[:15] = 3
    same = np.random.default_rng(1).integers(0, 3, 20_000)
    assert says({"a": same, "b": same}, number_labels(labels)) == []


def test_a_copy_beside_zeros_is_one_leak():
    columns = {"copy": NUMBERS, "zeros": np.where(np.arange(N) < 5, 1, 0)}
    (note,) = leaks(read(columns), number_labels(NUMBERS))
    assert note.columns == ("copy",)


def test_integers_beyond_doubles_are_looked_at():
    large = 2**60 + RANDOM.integers(0, 2**50, N)
    assert leaks(read({"large": large, "noise": NOISE}), number_labels(NUMBERS)) == []


def test_infinite_numbers_are_left_to_the_core_to_refuse():
    infinite = np.where(COIN, np.inf, NOISE)
    assert says({"x": infinite, "noise": NOISE}, number_labels(NUMBERS)) == []


def test_hostile_names_stay_on_one_line():
    (note,) = says({"a\nb\x1b[2J": CLASSES}, class_labels(CLASSES))
    assert note.isprintable()


@pytest.mark.parametrize("seed", range(20))
def test_tables_made_by_chance_have_no_leak(seed):
    random = np.random.default_rng(seed)
    n = int(random.integers(30, 300))
    columns = {f"n{i}": random.integers(0, 2 + i, n) for i in range(6)}
    columns |= {f"f{i}": random.normal(size=n).round(i) for i in range(4)}
    columns |= {f"m{i}": known_where(random.random(n) < 0.5, random.random(n)) for i in range(4)}
    columns |= {f"t{i}": random.choice(list("abcdef"), n) for i in range(4)}
    assert says(columns, class_labels(random.integers(0, 2, n))) == []
    assert says(columns, class_labels(random.integers(0, 6, n))) == []
    assert says(columns, number_labels(random.integers(0, 40, n))) == []
