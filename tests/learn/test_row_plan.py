"""Who learns, who chooses and who tests: groups, time and folds."""

from importlib import import_module

import made_tables as made
import numpy as np
import pytest

import bough
from bough import DataError
from bough.learn.look_at_columns import look
from bough.learn.request import Request
from bough.learn.row_plan import make_plan, target_of
from bough.table import open_source

protocol = import_module("bough.learn")


def test_groups_stay_together():
    table = made.classes()
    table["who"] = [f"w{row // 10}" for row in range(3000)]
    result = bough.fit(table, "label", group="who")
    assert "who" not in result.grown_tree_.schema.columns
    assert result.evidence.n_test % 10 == 0


def test_the_newest_rows_are_the_test_rows():
    table = made.numbers()
    table["day"] = list(range(3000))
    result = bough.fit(table, "y", time="day", ignore="B103")
    assert result.evidence.ranges["day"] == (0, 2399)


@pytest.mark.parametrize("split", [(0.7, 0.1, 0.2), (0.8, 0, 0.2)])
def test_rows_in_time_order_are_chosen_by_forward_in_time(split):
    source = open_source({**made.numbers(500), "day": [row // 7 for row in range(500)]})
    request = Request(target="y", time="day", split=split)
    seen = look([source], request)
    plan = make_plan(seen, request, target_of(seen, request))
    day = np.asarray(seen.columns["day"].values)[plan.numbers]
    assert len(plan.pairs) == 5
    assert all(day[train].max() < day[tried].min() for train, tried in plan.pairs)
    assert [len(train) for train, _ in plan.pairs] == pytest.approx(range(200, 400, 40), abs=4)


def test_rows_of_a_single_time_cannot_be_tried_forward_in_time():
    table = {**made.classes(100), "year": [2020] * 80 + [2021] * 20}
    with pytest.raises(DataError) as error:
        bough.fit(table, "label", time="year", split=(0.8, 0, 0.2))
    assert str(error.value) == (
        "All training rows have the same time, so none can be predicted from older ones. Give "
        "training rows of at least two times, or leave time=… out."
    )


@pytest.mark.usefixtures("large_from_2000")
def test_groups_are_counted_and_not_their_rows():
    table = {**made.classes(), "who": [f"w{row // 10}" for row in range(3000)]}
    assert bough.fit(table, "label", group="who").evidence.folds == 10
    assert bough.fit(table, "label").evidence.folds == 0


def test_there_are_no_more_folds_than_groups():
    table = {**made.classes(70), "who": [f"w{row // 10}" for row in range(70)]}
    assert bough.fit(table, "label", group="who").evidence.folds == 6  # one is for the test
