"""The numbers that a model file wants printed in place of its pivots."""

import numpy as np
import pytest

import bough
from bough import walk
from bough.errors import ModelFormatError
from bough.exports.model_file import dumps, loads
from bough.tree.check import check_shown


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


def is_rounded(shown, pivot):
    """Whether a number is the pivot rounded to the last place that its shortest digits have."""
    if shown == 0:
        return True
    digits, _, exponent = repr(shown).partition("e")
    whole, _, decimals = digits.removesuffix(".0").partition(".")
    place = int(exponent or 0) - len(decimals)
    if not decimals:
        place += len(whole) - len(whole.rstrip("0"))
    return abs(shown - pivot) <= 0.5 * float(f"1e{place}") * (1 + 1e-9)


def refused(tree, shown):
    """What is said of a tree with other numbers shown; None: it is taken."""
    try:
        check_shown(tree.schema, {**vars(tree), "shown": shown})
    except ModelFormatError as error:
        return str(error)
    return None


def test_numbers_are_rounded_where_their_digits_say_so():
    chance = np.random.default_rng(0)
    X = chance.normal(size=(400, 2)) * [1e-9, 1e12]
    tree = bough.DecisionTreeRegressor().fit(X, chance.normal(size=400)).grown_tree_
    assert refused(tree, tree.shown) is None
    off = chance.choice([-1.0, -0.5, 0.0, 0.3, 1.0, 2.0], len(tree))
    digits = chance.integers(1, 17, len(tree)).tolist()
    near = tree.shown + (tree.pivot - tree.shown) * off
    found = []
    for node in np.flatnonzero(~np.isnan(tree.shown)).tolist():
        shown = tree.shown.copy()
        shown[node] = float(f"{near[node]:.{digits[node]}g}")
        is_taken = "rounded" not in (refused(tree, shown) or "")
        assert is_taken == is_rounded(float(shown[node]), float(tree.pivot[node]))
        found.append(is_taken)
    assert 0.1 < np.mean(found) < 0.9


@pytest.mark.parametrize("seed", range(4))
def test_a_number_shown_lies_within_what_is_asked_above(seed):
    chance = np.random.default_rng(seed)
    X = chance.normal(size=(300, 3))
    X[chance.random(X.shape) < 0.1] = np.nan
    tree = bough.DecisionTreeRegressor().fit(X, chance.normal(size=300)).grown_tree_
    above = walk.parents(tree)
    found = []
    for node in np.flatnonzero(~np.isnan(tree.shown)).tolist():
        shown = tree.shown.copy()
        shown[node] = 0.0  # a rounding of any number
        said = np.where(np.isnan(shown), tree.pivot, shown)

        def contradicts(here, said=said):
            child, up = here, above[here]
            while up >= 0:
                if tree.feature[up] == tree.feature[here]:
                    pair, ends = (said[here], tree.pivot[here]), (said[up], tree.pivot[up])
                    is_first = child == tree.first_child[up]
                    if max(pair) >= min(ends) if is_first else min(pair) <= max(ends):
                        return True
                child, up = up, above[up]
            return False

        is_wrong = any(map(contradicts, np.flatnonzero(tree.feature >= 0).tolist()))
        assert ("contradicts" in (refused(tree, shown) or "")) == is_wrong
        found.append(is_wrong)
    assert 0.1 < np.mean(found) < 0.9
