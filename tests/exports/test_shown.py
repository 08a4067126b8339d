"""The numbers that a file wants printed in place of its pivots, and files as they were once written."""

from pathlib import Path

import numpy as np
import pytest

import bough
from bough import walk
from bough.errors import ModelFormatError
from bough.exports import check_shown
from bough.exports.model_file import dumps, load, loads


@pytest.mark.parametrize(
    ("name", "n_leaves"), [("penguins", 6), ("penguins_mass", 4), ("penguins_estimator", 14)]
)
def test_a_file_of_the_second_format_loads_for_ever(name, n_leaves):
    # Of what `fit` and an estimator wrote: never written again, either.
    path = Path(__file__).parents[1] / "golden" / "format_2" / f"{name}.bough.json"
    model = load(path)
    assert model.tree.n_leaves == n_leaves
    assert dumps(model).splitlines()[3:] == path.read_bytes().splitlines()[3:]


def test_a_number_shown_is_the_pivot_rounded():
    tree = bough.DecisionTreeClassifier().fit([[1.0], [2.25], [7.0]], [0, 1, 0])
    good = dumps(tree.__bough_model__())
    assert b'"pivot": [1.625, null, 4.625, null, null]' in good
    assert b'"shown": [2.0, null, 5.0, null, null]' in good
    for shown, says in {
        b"[2.0, null, 7.0, null, null]": "node 2: shown is 7.0, which is not its pivot 4.625 rounded.",
        b"[2.0, null, 0.0, null, null]": "node 2: its pivot 4.625, shown as 0.0, contradicts what is asked above it.",
        b"[10.0, null, 5.0, null, null]": "node 0: shown is 10.0, which is not its pivot 1.625 rounded.",
        b"[1.6, null, 4.6, null, null]": None,
    }.items():  # fmt: skip
        data = good.replace(b"[2.0, null, 5.0, null, null]", shown)
        if says is None:
            loads(data)
        else:
            with pytest.raises(ModelFormatError) as error:
                loads(data, "m.json")
            assert str(error.value) == f"'m.json' is damaged: {says}"


@pytest.mark.parametrize("seed", range(4))
def test_ends_above_are_found_alike_in_flat_and_in_deep_trees(seed, monkeypatch):
    chance = np.random.default_rng(seed)
    X = chance.normal(size=(300, 3))
    X[chance.random(X.shape) < 0.1] = np.nan
    tree = bough.DecisionTreeRegressor().fit(X, chance.normal(size=300)).grown_tree_
    is_below = ~np.isnan(tree.pivot)
    climbed = walk.ends_above(tree, tree.pivot, tree.pivot)
    monkeypatch.setattr(walk, "FEW_STEPS", -1)
    walked = walk.ends_above(tree, tree.pivot, tree.pivot)
    for one, other in zip(climbed, walked, strict=True):
        np.testing.assert_array_equal(one[is_below], other[is_below])


def test_numbers_taken_for_rounded_together_are_so_one_by_one():
    chance = np.random.default_rng(0)
    X = chance.normal(size=(400, 2)) * [1e-9, 1e12]
    tree = bough.DecisionTreeRegressor().fit(X, chance.normal(size=400)).grown_tree_
    off = chance.choice([-1.0, -0.5, 0.0, 0.3, 1.0, 2.0], len(tree))
    digits = chance.integers(1, 17, len(tree)).tolist()
    near = tree.shown + (tree.pivot - tree.shown) * off
    for shown in (
        tree.shown,
        np.array([float(f"{a:.{d}g}") for a, d in zip(near, digits, strict=True)]),
    ):
        found = check_shown._are_short(tree, shown)
        both = zip(shown.tolist(), tree.pivot.tolist(), strict=True)
        single = [check_shown._is_rounded(tree, node, *pair) for node, pair in enumerate(both)]
        assert found.any()
        assert not (found & ~np.array(single)).any()
