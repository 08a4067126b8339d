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


def test_rows_that_the_models_have_seen_are_noted_for_each():
    found = compare(GOOD, POOR, TABLE)
    assert [(note.code, note.text.split(": ")[0]) for note in found.notes] == [
        ("B207", "the first tree"),
        ("B206", "the first tree"),
        ("B207", "the second tree"),
        ("B206", "the second tree"),
    ]


def test_new_rows_are_not_noted():
    assert compare(GOOD, POOR, FRESH).notes == ()


def test_a_weight_that_both_models_were_measured_by_counts():
    weighted = {**TABLE, "weight": [1, 3] * (len(TABLE["label"]) // 2)}
    one, two = (bough.fit(weighted, "label", weight="weight", seed=seed).saved for seed in (0, 1))
    n_rows = len(FRESH["label"])
    is_first_half = {**FRESH, "weight": [1] * (n_rows // 2) + [0] * (n_rows - n_rows // 2)}
    assert compare(one, two, is_first_half).n_rows == n_rows // 2
    assert compare(one, GOOD, is_first_half).n_rows == n_rows
