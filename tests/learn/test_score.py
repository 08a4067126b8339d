"""The first question, as the textbook works it out."""

import made_tables as made
import pytest

import bough
from bough.learn.score import score


def scores(name, **options):
    table = bough.datasets.load(name)
    return score({**table.features, "label": table.labels}, "label", **options)


def test_gains_are_those_of_the_book():
    gains = {
        each.feature: each.gain for each in scores("play_tennis", criterion="entropy").features
    }
    assert gains == pytest.approx(
        {"outlook": 0.247, "temperature": 0.029, "humidity": 0.152, "wind": 0.048}, abs=5e-4
    )


def test_majority_scores_are_those_of_the_book():
    right = {each.feature: each.n_right for each in scores("play_tennis").features}
    assert right == {"outlook": 10, "temperature": 9, "humidity": 10, "wind": 9}


def test_the_histogram_of_a_value_has_every_class():
    outlook = scores("play_tennis").features[0]
    assert [(each.words, each.tally) for each in outlook.answers] == [
        ("= Overcast", (0, 4)),
        ("= Rain", (2, 3)),
        ("= Sunny", (3, 2)),
    ]


def test_the_first_question_is_named():
    assert scores("play_tennis", criterion="entropy").first == "outlook"


def test_a_constant_has_gain_0_and_is_not_asked():
    table = {**made.classes(100), "same": ["x"] * 100}
    same = next(each for each in score(table, "label").features if each.feature == "same")
    assert (same.gain, same.answers) == (0, ())


def test_impurity_is_remainder_and_gain():
    found = scores("play_tennis", criterion="gini")
    for each in found.features:
        assert each.remainder + each.gain == pytest.approx(found.impurity)


def test_a_number_is_scored_at_its_best_pivot():
    found = score(made.numbers(500), "y")
    x = next(each for each in found.features if each.feature == "x")
    assert len(x.answers) == 2
    assert x.gain > 0.5


def test_a_quantile_is_for_its_criterion():
    table = {"n": [1, 2, 3, 4], "y": [1.5, 2.5, 3.5, 9.5]}
    median = score(table, "y", ignore="B103", criterion="quantile", quantile=0.5)
    assert (
        median.impurity == score(table, "y", ignore="B103", criterion="absolute_error").impurity / 2
    )
    with pytest.raises(bough.ParameterError) as error:
        score(table, "y", quantile=0.5)
    assert str(error.value) == (
        "quantile=0.5 does not work with the criterion "
        "'squared_error'. Use criterion='quantile', or leave the quantile out."
    )


def test_rows_without_a_group_are_refused_as_in_a_fit():
    table = made.queries()
    table["query"][3] = None
    with pytest.raises(bough.DataError) as error:
        score(table, "stars", task="rank", group="query")
    assert str(error.value) == (
        "group='query' is missing in 1 rows. Fill it in, or leave these rows out."
    )
