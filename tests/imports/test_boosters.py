"""One tree of LightGBM or XGBoost gives the score that the library gives."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ParameterError

RANDOM = np.random.default_rng(11)


def table(n=600, *, missing):
    X = RANDOM.normal(size=(n, 4))
    X[RANDOM.random(X.shape) < 0.05] = 0.0
    if missing:
        X[RANDOM.random(X.shape) < 0.1] = np.nan
    filled = np.nan_to_num(X)
    return X, filled[:, 0] + filled[:, 1] ** 2


@pytest.mark.parametrize("missing", [False, True])
def test_lightgbm(missing):
    lightgbm = pytest.importorskip("lightgbm")
    X, y = table(missing=missing)
    model = lightgbm.LGBMRegressor(n_estimators=3, verbose=-1, n_jobs=1).fit(X, y)
    others, _ = table(missing=True)
    rows = pd.DataFrame(others, columns=model.booster_.feature_name())
    for number in range(3):
        ours = bough.from_lightgbm(model, number).predict(rows)
        theirs = model.booster_.predict(
            others, raw_score=True, start_iteration=number, num_iteration=1
        )
        assert np.array_equal(ours, theirs)


def test_lightgbm_with_categories():
    lightgbm = pytest.importorskip("lightgbm")
    color = RANDOM.choice(["blue", "green", "red"], 300)
    X = pd.DataFrame({"age": RANDOM.normal(size=300), "color": pd.Categorical(color)})
    y = (color == "red") * 3.0 + (X["age"] > 0)
    options = {"min_child_samples": 2, "min_data_per_group": 1, "cat_smooth": 0}
    model = lightgbm.LGBMRegressor(n_estimators=1, verbose=-1, n_jobs=1, **options).fit(X, y)
    ours = bough.from_lightgbm(model)
    assert np.array_equal(ours.predict(X), model.booster_.predict(X, raw_score=True))
    assert "color = red" in bough.draw(ours)


@pytest.mark.parametrize("missing", [False, True])
def test_xgboost(missing):
    xgboost = pytest.importorskip("xgboost")
    X, y = table(missing=missing)
    model = xgboost.XGBRegressor(n_estimators=1, base_score=0.0, n_jobs=1).fit(X, y)
    others, _ = table(missing=True)
    ours = bough.from_xgboost(model)
    theirs = model.predict(others, output_margin=True)
    assert np.array_equal(ours.predict(others).astype(np.float32), theirs)
    with pytest.raises(ParameterError) as error:
        bough.from_xgboost(model, 1)
    assert str(error.value) == "tree=1, but the model has 1 trees, from 0."
