"""The gain ratio does not fall for a column of many values, as the entropy does."""

import numpy as np
import pytest

from bough import DecisionTreeClassifier

SEEDS = range(10)
N_ROWS = 400
N_TICKETS = 200


def made(seed):
    """Return rows whose label follows from the weather, but for noise, and a column of tickets."""
    rng = np.random.default_rng(seed)
    weather = rng.choice(["dry", "wet"], N_ROWS)
    table = {
        "ticket": np.char.add("T", rng.integers(N_TICKETS, size=N_ROWS).astype(str)),
        "weather": weather,
        "color": rng.choice(["blue", "green", "red"], N_ROWS),
        "day": rng.choice(["weekday", "weekend"], N_ROWS),
    }
    return table, rng.random(N_ROWS) < np.where(weather == "wet", 0.8, 0.2)


def grown(criterion, seed):
    tree = DecisionTreeClassifier(criterion=criterion, categorical="each", max_depth=2)
    return tree.fit(*made(seed))


def first_question(criterion, seed):
    return grown(criterion, seed).grown_tree_[0].query.feature.name


def error(criterion, seed):
    """Return the share of wrong guesses in rows that took no part in growing."""
    table, late = made(1000 + seed)
    return np.mean(grown(criterion, seed).predict(table) != late)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_entropy_asks_about_the_tickets_first(seed):
    assert first_question("entropy", seed) == "ticket"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_gain_ratio_asks_about_the_weather_first(seed):
    assert first_question("gain_ratio", seed) == "weather"


def test_the_gain_ratio_errs_less_on_other_rows():
    by_ratio, by_entropy = (
        np.mean([error(criterion, seed) for seed in SEEDS])
        for criterion in ("gain_ratio", "entropy")
    )
    assert by_ratio < by_entropy - 0.05
