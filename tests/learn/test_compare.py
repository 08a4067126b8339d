"""Two models on the same rows."""

import made_tables as made
import pytest

import bough
from bough.learn.compare import compare

TABLE = made.classes()
GOOD = bough.fit(TABLE, "label").saved
POOR = bough.fit(TABLE, "label", ignore=["color", "junk"]).saved
FRESH = made.classes(1000, seed=5)


def test_the_better_model_is_named():
    assert compare(POOR, GOOD, FRESH).better == "second"
    assert compare(GOOD, POOR, FRESH).better == "first"


def test_a_model_does_not_differ_from_itself():
    found = compare(GOOD, GOOD, FRESH)
    assert found.better is None
    assert (found.difference.value, found.share_other_guess) == (0, 0)


def test_the_difference_is_that_of_the_losses():
    found = compare(POOR, GOOD, FRESH)
    apart = found.second["error"].value - found.first["error"].value
    assert found.difference.value == pytest.approx(apart)


def test_models_of_different_columns_are_refused():
    other = bough.fit(made.numbers(), "y").saved
    with pytest.raises(bough.ParameterError) as error:
        compare(GOOD, other, FRESH)
    assert str(error.value) == (
        "the first model guesses 'label' and the second 'y'. "
        "Compare models that guess the same column, as classes or as numbers."
    )
