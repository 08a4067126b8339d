"""Which columns matter by what they have gained."""

from dataclasses import replace

import handmade
import numpy as np
import pytest

from bough import DecisionTreeClassifier
from bough.explain.importances_and_shap_values import importances


def test_importances_are_those_of_the_estimator_by_name():
    X = {"a": [1, 2, 3, 4], "b": ["x", "y", "x", "y"]}
    model = DecisionTreeClassifier().fit(X, [0, 0, 1, 0])
    assert importances(model.grown_tree_) == dict(
        zip(["a", "b"], model.feature_importances_, strict=True)
    )


def test_importances_add_up_to_1():
    assert sum(importances(handmade.beyond_float()).values()) == pytest.approx(1)


def test_the_parts_of_a_date_add_up_to_its_column():
    tree = handmade.beyond_float()
    assert list(importances(tree)) == ["id", "when", "size"]


def test_nothing_matters_to_a_leaf():
    assert not np.any(list(importances(handmade.one_leaf()).values()))


def test_a_file_with_a_gain_below_nothing_and_a_weight_beyond_the_root_has_shares():
    tree = handmade.play_tennis()
    tally, gain = tree.tally.copy(), tree.gain.copy()
    tally[1], gain[0] = 1e308, -1e308
    shares = list(importances(replace(tree, tally=tally, gain=gain)).values())
    assert sum(shares) == pytest.approx(1)
    assert min(shares) >= 0
