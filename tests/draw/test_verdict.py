import doctest
import importlib

import handmade

from bough.draw.verdict import Verdict, verdict_of


def test_a_class_has_its_share():
    verdict = verdict_of(handmade.play_tennis(), 0)
    assert (verdict.guess, verdict.share, verdict.spread) == ("Yes", 9 / 14, None)
    assert verdict.in_full == "Yes 64 % (14 rows)"


def test_a_number_has_its_spread():
    verdict = verdict_of(handmade.one_of(), 3, digits=3)
    assert (verdict.guess, verdict.share, verdict.spread) == (300.25, None, 9.75)
    assert verdict.in_full == "300 ± 9.75 (2 rows)"


def test_several_guesses_stand_alone():
    assert str(verdict_of(handmade.two_outputs(), 1)) == "0, a"


def test_a_verdict_is_plain_data():
    assert verdict_of(handmade.two_outputs(), 1).as_dict() == {"guess": [0, "a"], "rows": 2}
    assert Verdict(2.5, None, 0.5, 3).as_dict() == {"guess": 2.5, "spread": 0.5, "rows": 3}


def test_hostile_guesses_stay_on_their_line():
    assert str(verdict_of(handmade.awkward_names(), 0)) == r"no\u2028way 50 %"


def test_the_example_runs():
    module = importlib.import_module("bough.draw.verdict")
    found = doctest.testmod(module, extraglobs={"play_tennis_tree": handmade.play_tennis()})
    assert (found.attempted, found.failed) == (1, 0)
