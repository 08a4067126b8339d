"""Training, development and test rows, and folds: by hashes, whatever the order of rows."""

import numpy as np
import pytest

from bough.errors import DataError, ParameterError
from bough.holdout import folds, folds_in_time, row_hashes, split_rows
from bough.table.column import Integers

RANDOM = np.random.default_rng(4)
N_ROWS = 1000
HASHES = row_hashes({"x": Integers(np.arange(N_ROWS))})
CLASSES = np.repeat([0, 1, 2, 3], [600, 390, 7, 3])
GROUP = row_hashes({"who": Integers(np.repeat(np.arange(100), 10))})
TIME = RANDOM.integers(0, 50, N_ROWS)
WAYS = {
    "chance": {},
    "classes": {"classes": CLASSES},
    "group": {"group": GROUP},
    "time": {"time": TIME},
}


def sizes(found):
    return len(found.train), len(found.dev), len(found.test)


def part_of_rows(found, n_rows=N_ROWS):
    result = np.full(n_rows, -1)
    for number, rows in enumerate((found.train, found.dev, found.test)):
        result[rows] = number
    return result


@pytest.mark.parametrize("way", WAYS)
def test_every_row_is_in_one_part(way):
    found = split_rows(HASHES, **WAYS[way])
    assert sorted([*found.train, *found.dev, *found.test]) == list(range(N_ROWS))


@pytest.mark.parametrize("way", WAYS)
def test_the_order_of_rows_does_not_matter(way):
    order = RANDOM.permutation(N_ROWS)
    turned = {name: values[order] for name, values in WAYS[way].items()}
    before, after = split_rows(HASHES, **WAYS[way]), split_rows(HASHES[order], **turned)
    assert (part_of_rows(before)[order] == part_of_rows(after)).all()


@pytest.mark.parametrize("way", WAYS)
def test_shares_are_met_to_a_unit(way):
    assert sizes(split_rows(HASHES, **WAYS[way])) == pytest.approx((700, 100, 200), abs=20)


def test_rows_are_numbered_upwards():
    found = split_rows(HASHES)
    assert all((np.diff(rows) > 0).all() for rows in (found.train, found.dev, found.test))


def test_each_part_has_its_share_of_each_class():
    found = split_rows(HASHES, classes=CLASSES)
    counts = [
        np.bincount(CLASSES[rows], minlength=4).tolist()
        for rows in (found.train, found.dev, found.test)
    ]
    wanted = np.outer((0.7, 0.1, 0.2), [600, 390, 7, 3])
    assert np.abs(np.array(counts) - wanted).max() < 2


def test_rows_of_rare_classes_are_test_rows_as_often_as_others():
    classes = np.maximum(np.arange(N_ROWS) - 499, 0)  # 500 of one class, and 500 alone in theirs
    found = split_rows(HASHES, classes=classes)
    common, rare = np.bincount((classes[found.test] > 0).astype(int)).tolist()
    assert common == 100
    assert 75 < rare < 125


def test_classes_that_would_leave_a_part_empty_are_left_aside():
    shares = (0.98, 0.01, 0.01)
    assert sizes(split_rows(HASHES[:40], shares=shares, classes=np.arange(40) // 2)) == (38, 1, 1)


def test_a_row_that_is_added_moves_hardly_any_other():
    before = split_rows(HASHES[:-1], classes=CLASSES[:-1])
    after = split_rows(HASHES, classes=CLASSES)
    assert np.mean(np.isin(before.test, after.test)) > 0.99


def test_copies_of_a_row_spread_over_the_parts():
    assert sizes(split_rows(np.full(100, 7, np.uint64))) == (70, 10, 20)


def test_rows_of_a_group_stay_together():
    part = part_of_rows(split_rows(HASHES, group=GROUP))
    assert (part.reshape(100, 10) == part[::10, np.newaxis]).all()


def test_large_groups_are_test_rows_as_often_as_small_ones():
    who = np.repeat(np.arange(20), np.arange(1, 21))
    tested = []
    for seed in range(300):
        hashes = row_hashes({"who": Integers(who)}, seed)
        tested.append(np.isin(np.arange(20), who[split_rows(hashes, group=hashes).test]))
    small, large = np.mean(tested, axis=0).reshape(2, 10).mean(axis=1)
    assert (small, large) == pytest.approx((0.2, 0.2), abs=0.03)


def test_training_rows_are_older_than_test_rows():
    found = split_rows(HASHES, time=TIME)
    assert (
        TIME[found.train].max()
        < TIME[found.dev].min()
        <= TIME[found.dev].max()
        < TIME[found.test].min()
    )


@pytest.mark.parametrize("shares", [(0.8, 0.0, 0.2), (0.9, 0.1, 0.0), (1.0, 0.0, 0.0)])
@pytest.mark.parametrize("way", WAYS)
def test_a_part_without_a_share_has_no_rows(way, shares):
    found = sizes(split_rows(HASHES, shares=shares, **WAYS[way]))
    assert [n > 0 for n in found] == [share > 0 for share in shares]


@pytest.mark.parametrize("n_groups", [3, 4, 5, 9])
def test_each_part_gets_a_group_where_there_are_three(n_groups):
    group = RANDOM.integers(0, 2**63, n_groups).astype(np.uint64)
    assert min(sizes(split_rows(HASHES[:n_groups], group=group))) == 1


def test_three_rows_are_one_for_each_part():
    assert sizes(split_rows(HASHES[:3])) == (1, 1, 1)


@pytest.mark.parametrize(
    ("way", "units"),
    [({}, "rows"), ({"group": HASHES[:2]}, "groups"), ({"time": np.arange(2)}, "different times")],
)
def test_too_few_rows_are_refused(way, units):
    with pytest.raises(DataError) as error:
        split_rows(HASHES[:2], **way)
    assert str(error.value) == (
        f"The table has 2 {units}, too few to be split into 3 parts. Give more rows."
    )


@pytest.mark.parametrize("shares", [(0.7, 0.3), (0.7, 0.1, 0.3), (0.0, 0.5, 0.5), (1.2, -0.4, 0.2)])
def test_shares_that_are_none_are_refused(shares):
    with pytest.raises(ParameterError) as error:
        split_rows(HASHES, shares=shares)
    assert str(error.value) == (
        f"split={shares!r} must be three shares that add up to 1, for training, development "
        "and test rows, as in split=(0.7, 0.1, 0.2)."
    )


def test_group_and_time_together_are_refused():
    with pytest.raises(ParameterError) as error:
        split_rows(HASHES, group=GROUP, time=TIME)
    assert str(error.value) == (
        "group and time cannot be combined: both decide how to split the rows. Give one of them."
    )


FOLD_WAYS = {name: way for name, way in WAYS.items() if name != "time"}


@pytest.mark.parametrize("way", FOLD_WAYS)
def test_the_order_of_rows_does_not_matter_to_folds(way):
    order = RANDOM.permutation(N_ROWS)
    turned = {name: values[order] for name, values in FOLD_WAYS[way].items()}
    before, after = folds(HASHES, 10, **FOLD_WAYS[way]), folds(HASHES[order], 10, **turned)
    assert (before[order] == after).all()


@pytest.mark.parametrize("way", FOLD_WAYS)
def test_folds_are_equally_large(way):
    assert np.bincount(folds(HASHES, 10, **FOLD_WAYS[way])).tolist() == [100] * 10


def test_folds_have_equal_parts_of_each_class():
    found = folds(HASHES, 10, classes=CLASSES)
    counts = np.array([np.bincount(found[each == CLASSES], minlength=10) for each in range(4)])
    assert (np.ptp(counts, axis=1) <= 1).all()


def test_a_group_is_in_one_fold():
    found = folds(HASHES, 7, group=GROUP).reshape(100, 10)
    assert (found == found[:, :1]).all()


def test_groups_of_all_sizes_make_folds_that_are_nearly_equal():
    who = np.repeat(np.arange(20), np.arange(1, 21))
    hashes = row_hashes({"who": Integers(who)})
    assert np.bincount(folds(hashes, 3, group=hashes)).tolist() == [71, 70, 69]


@pytest.mark.parametrize(("way", "units"), [({}, "rows"), ({"group": HASHES[:4]}, "groups")])
def test_too_few_rows_for_the_folds_are_refused(way, units):
    with pytest.raises(DataError) as error:
        folds(HASHES[:4], 5, **way)
    assert str(error.value) == (
        f"4 {units} are too few for 5 folds. Give more rows, or a table of development rows."
    )


def test_folds_in_time_go_forward_and_keep_times_together():
    time = RANDOM.integers(0, 40, N_ROWS)
    found = folds_in_time(time, 5)
    assert found.max() == 5
    order = np.argsort(time, kind="stable")
    assert (np.diff(found[order]) >= 0).all()
    assert all(len(np.unique(found[time == each])) == 1 for each in range(40))
    assert np.bincount(found).tolist() == pytest.approx([500] + 5 * [100], abs=50)


@pytest.mark.parametrize("sizes", [(1, 99), (99, 1), (98, 1, 1), (1, 98, 1), (50, 50)])
def test_two_times_are_enough_to_learn_from_one_and_try_the_other(sizes):
    found = folds_in_time(np.repeat(np.arange(len(sizes)), sizes), 5)
    assert found[0] == 0
    assert found[-1] == found.max() >= 1
    assert (np.bincount(found) > 0).all()
