"""Numbers that are guessed otherwise than by their mean: medians, quantiles and counts."""

import numpy as np
import pytest

import bough
from bough.errors import DataError, ParameterError

N_ROWS = 300


@pytest.fixture(scope="module")
def table():
    """Give a table of counts, and of a number whose upper values are far away."""
    rng = np.random.default_rng(0)
    x = rng.uniform(size=N_ROWS)
    return {
        "x": x,
        "noise": rng.normal(size=N_ROWS),
        "visits": rng.poisson(1 + 20 * x).astype(float) + 0.0,
        "price": np.exp(3 * x + rng.normal(size=N_ROWS)),
    }


def fit(table, target="price", **choices):
    others = {name: each for name, each in table.items() if name in ("x", "noise", target)}
    return bough.fit(others, target, task="regression", n_jobs=1, **choices)


@pytest.mark.parametrize(
    ("choices", "loss"),
    [
        ({"criterion": "absolute_error"}, "absolute_error"),
        ({"criterion": "poisson"}, "poisson"),
        ({"criterion": "quantile", "quantile": 0.9}, "pinball"),
        ({"criterion": ["squared_error", "absolute_error"]}, "squared_error"),
        ({"criterion": "poisson", "loss": "squared_error"}, "squared_error"),
        ({"loss": "pinball", "quantile": 0.2}, "pinball"),
    ],
)
def test_what_is_to_be_small_is_what_the_criterion_makes_small(table, choices, loss):
    evidence = fit(table, "visits", **choices).evidence
    assert evidence.loss == loss
    assert evidence.test[loss].value < evidence.baseline[loss].value


def test_nine_of_ten_labels_lie_below_their_guess(table):
    result = fit(table, criterion="quantile", quantile=0.9)
    below = np.mean(table["price"] <= result.model.predict(result_columns(table)))
    assert 0.8 < below < 1


def result_columns(table):
    return {name: table[name] for name in ("x", "noise")}


def test_a_model_remembers_its_quantile(table, tmp_path):
    result = fit(table, criterion="quantile", quantile=0.9)
    result.save(tmp_path / "price.bough.json")
    assert bough.load(tmp_path / "price.bough.json").quantile == 0.9


@pytest.mark.parametrize(
    ("choices", "line"),
    [
        ({"criterion": "absolute_error"}, "Expected absolute error on new rows: "),
        ({"criterion": "poisson"}, "Expected Poisson loss on new rows: "),
        ({"criterion": "quantile", "quantile": 0.9}, "Expected pinball loss on new rows: "),
    ],
)
def test_the_estimate_is_that_of_the_loss(table, choices, line):
    assert line in str(fit(table, **choices))


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (
            {"criterion": "quantile", "quantile": 1.5},
            "quantile=1.5 must be a number between 0 and 1, or None.",
        ),
        (
            {"criterion": "quantile"},
            "loss='pinball' needs a quantile between 0 and 1: quantile=0.9 predicts what nine of ten labels do not exceed.",
        ),
        (
            {"criterion": "quantile", "loss": "absolute_error"},
            (
                "criterion='quantile' needs a quantile, a number between 0 and 1. "
                "quantile=0.9 predicts a value that nine of ten labels do not exceed."
            ),
        ),
        (
            {"quantile": 0.5},
            "quantile=0.5 is only used by criterion='quantile' and loss='pinball'. Use one of them, or leave the quantile out.",
        ),
    ],
)
def test_a_wrong_quantile_is_refused(table, choices, message):
    with pytest.raises(ParameterError) as error:
        fit(table, **choices)
    assert str(error.value) == message


def test_negative_numbers_are_no_counts(table):
    with pytest.raises(DataError) as error:
        fit(table, "noise", criterion="poisson")
    assert str(error.value).startswith(
        "Some values of noise are negative, which is not allowed for Poisson regression: the least "
    )
