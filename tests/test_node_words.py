"""What a node says, in words."""

import handmade
import numpy as np
import pytest

import bough
from bough.node_words import Verdict, verdict_of


def test_a_score_has_its_sign_and_no_rounding():
    scores = [Verdict(each, None, None, 3, 3, is_score=True) for each in (0.3125, -2.0, -1e-18)]
    assert [str(score) for score in scores] == ["score +0.312", "score -2", "score 0"]


def test_a_class_has_its_share():
    verdict = verdict_of(handmade.play_tennis(), 0)
    assert (verdict.guess, verdict.share, verdict.spread) == ("Yes", 9 / 14, None)
    assert verdict.in_full == "Yes 64 % (14 rows)"


def test_a_number_has_its_spread():
    verdict = verdict_of(handmade.one_of(), 3, digits=3)
    assert (verdict.guess, verdict.share, verdict.spread) == (300.25, None, 9.75)
    assert verdict.in_full == "300 ± 9.75 (2 rows)"


@pytest.mark.parametrize(
    ("choices", "guess"),
    [
        ({"criterion": "squared_error"}, 4),
        ({"criterion": "absolute_error"}, 2),
        ({"criterion": "poisson"}, 4),
        ({"criterion": "quantile", "quantile": 0.9}, 10),
    ],
)
def test_the_spread_is_the_root_of_the_mean_square_around_any_guess(choices, guess):
    y = np.array([1.0, 1.0, 2.0, 6.0, 10.0])
    tree = bough.DecisionTreeRegressor(max_depth=0, **choices).fit(np.zeros((5, 1)), y)
    verdict = verdict_of(tree.grown_tree_, 0)
    assert verdict.guess == guess
    assert verdict.spread == pytest.approx(np.sqrt(np.mean((y - guess) ** 2)))


def test_a_spread_far_below_the_labels_has_all_its_digits():
    y = np.array([1e6 - 1e-6, 1e6 + 1e-6])
    tree = bough.DecisionTreeRegressor(max_depth=0).fit(np.zeros((2, 1)), y)
    assert verdict_of(tree.grown_tree_, 0).spread == pytest.approx(1e-6, rel=1e-3)


def test_several_guesses_stand_alone():
    assert str(verdict_of(handmade.two_outputs(), 1)) == "0, a"


def test_a_verdict_is_plain_data():
    assert verdict_of(handmade.two_outputs(), 1).as_dict() == {"guess": [0, "a"], "rows": 2}
    assert Verdict(2.5, None, 0.5, 3).as_dict() == {"guess": 2.5, "spread": 0.5, "rows": 3}


def test_hostile_guesses_stay_on_their_line():
    assert str(verdict_of(handmade.awkward_names(), 0)) == r"no\u2028way 50 %"
