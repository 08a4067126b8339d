"""Groups of rows that depend on each other: they are what is counted, not their rows."""

import numpy as np
import pytest

import bough
from bough.learn import row_plan


def patients(n_groups=40, n_rows=25, seed=0):
    """A table whose rows share most of their noise within a group."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(n_groups), n_rows)
    x = rng.normal(size=len(group))
    y = np.where(x > 0, 1.0, 0.0) + rng.normal(size=n_groups)[group] + 0.1 * rng.normal(size=len(x))
    return {"who": [f"p{seed}_{each}" for each in group], "x": x.tolist(), "y": y.tolist()}


def fitted(weighed=None, **wishes):
    table, dev = patients(), patients(n_groups=12, seed=1)
    if weighed is not None:
        for each in (table, dev):
            each["w"] = weighed.uniform(0.2, 3, len(each["x"])).tolist()
    return dev, bough.fit(table, "y", group="who", dev=dev, refit=False, **wishes)


@pytest.mark.parametrize("wishes", [{}, {"missing": "weigh"}])
@pytest.mark.parametrize("is_weighed", [False, True])
def test_the_standard_error_of_a_size_is_one_over_groups(is_weighed, wishes):
    weighed = np.random.default_rng(3) if is_weighed else None
    wishes = {**wishes, "weight": "w"} if is_weighed else wishes
    dev, result = fitted(weighed, **wishes)
    losses = (result.model.predict({"x": dev["x"]}) - dev["y"]) ** 2
    weights = np.array(dev.get("w", np.ones(len(losses))))
    mean = np.average(losses, weights=weights)
    _, group = np.unique(dev["who"], return_inverse=True)
    excess = np.bincount(group, weights * (losses - mean))
    expected = np.sqrt(np.sum(excess**2) * 12 / 11) / weights.sum()
    assert result.evidence.chosen.dev == pytest.approx(mean)
    assert result.evidence.chosen.dev_error == pytest.approx(expected)


def test_the_standard_error_counts_rows_with_missing_values_that_are_weighed():
    table, dev = patients(), patients(n_groups=12, seed=1)
    for each in (table, dev):
        each["x"] = [None if row % 7 == 0 else x for row, x in enumerate(each["x"])]
    result = bough.fit(table, "y", group="who", dev=dev, refit=False, missing="weigh")
    losses = (result.model.predict({"x": dev["x"]}) - dev["y"]) ** 2
    _, group = np.unique(dev["who"], return_inverse=True)
    excess = np.bincount(group, losses - losses.mean())
    expected = np.sqrt(np.sum(excess**2) * 12 / 11) / len(losses)
    assert result.evidence.chosen.dev_error == pytest.approx(expected)


def test_folds_count_groups(monkeypatch):
    monkeypatch.setattr(row_plan, "SMALL", 100)
    result = bough.fit(patients(n_groups=31, n_rows=40), "y", group="who")
    assert result.evidence.folds == 10  # 31 groups of 1,240 rows
    few = bough.fit(patients(n_groups=8, n_rows=40), "y", group="who")
    assert few.evidence.folds == 7  # and a group of test rows


def test_a_learning_curve_leaves_out_whole_groups():
    _, result = fitted()
    n_rows = [n for n, _ in result.evidence.learning]
    whole = n_rows[-1] // 25
    assert n_rows == [25 * round(0.25 * whole), 25 * round(0.5 * whole), 25 * whole]
