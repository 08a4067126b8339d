"""The first question, as the textbook works it out."""

import made_tables as made
import pytest

import bough
from bough.learn.score_columns import score


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
    table = made.relevances()
    table["search"][3] = None
    with pytest.raises(bough.DataError) as error:
        score(table, "stars", task="rank", group="search")
    assert str(error.value) == (
        "group='search' is missing in 1 row. Fill it in, or leave these rows out."
    )


def test_a_node_is_scored_by_the_conditions_that_lead_to_it():
    found = scores("commute", criterion="entropy", at="tired = Tired")
    assert (found.n_rows, found.at, found.first) == (9, ("tired = Tired",), "bringing")
    gains = {each.feature: each.gain for each in found.features}
    assert gains == pytest.approx(
        {"raining": 0.3244, "leaving": 0.2516, "bringing": 0.9183, "tired": 0}, abs=5e-5
    )


def test_answers_have_their_impurity():
    outlook = scores("play_tennis", criterion="entropy").features[0]
    assert [round(each.impurity, 3) for each in outlook.answers] == [0, 0.971, 0.971]


def test_ties_are_told_with_the_rule_that_decides():
    found = scores("office_rooms", criterion="entropy", at="status = faculty")
    assert (found.tied, found.tie_reason) == (
        ("floor", "department"),
        "floor is the earlier column",
    )
    table = {"a": [0, 0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 1, 1], "y": list("nynnyn")}
    by_error = score(table, "y", criterion="error", ignore="B103")
    assert by_error.first == by_error.tied[0] == "b"
    assert by_error.tie_reason == "b has the larger Gini gain"
    assert scores("play_tennis", criterion="entropy").tied == ()


def test_all_criteria_are_scored_at_once():
    found = scores("office_rooms", criterion="all", at="status = faculty")
    assert {each.criterion: each.first for each in (found, *found.beside)} == {
        "entropy": "floor",
        "error": "floor",
        "gini": "floor",
        "gain_ratio": "department",
    }
    assert found.beside[-1].features[2].gain_ratio == pytest.approx(1)


@pytest.mark.parametrize("criterion", ["entropy", "gini", "error"])
def test_the_best_pivot_gains_what_the_question_gains(criterion):
    penguins = bough.datasets.load("penguins")
    for each in score(penguins, criterion=criterion, pivots=True).features:
        if each.pivots:
            assert max(one.gain for one in each.pivots) == pytest.approx(each.gain, abs=1e-12)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_numbers_have_pivots_too(criterion):
    table = made.numbers(120)
    for each in score(table, "y", criterion=criterion, pivots=True).features:
        if each.pivots:
            best = max(one.gain for one in each.pivots)
            assert best == pytest.approx(each.gain, rel=1e-9, abs=1e-12)


def test_pivots_are_listed_by_criteria_that_sums_tell():
    with pytest.raises(bough.ParameterError) as error:
        score({"n": [1, 2, 3, 4], "y": [1.5, 2.5, 3.5, 9.5]}, "y", criterion="poisson", pivots=True)
    assert str(error.value) == (
        "Pivots cannot be listed by criterion='poisson'. Use another criterion."
    )
