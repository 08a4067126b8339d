"""`max_depth`, `max_leaves` and `min_rows_per_leaf` of `bough.fit`: no tree goes beyond them."""

import made_tables as made
import numpy as np
import pytest

import bough
from bough.walk import depths

NOISY = made.classes(noise=0.25)


def trees_of(result):
    """Return the tree, the simpler one if any, and one after an edit."""
    found = [result.grown_tree_, result.force(0, "junk").grown_tree_]
    return found if result.simpler is None else [*found, result.simpler.grown_tree_]


@pytest.mark.parametrize("wishes", [{}, {"refit": False}, {"choose": "simple"}])
@pytest.mark.parametrize("most", [0, 1, 3])
def test_no_tree_is_deeper(most, wishes):
    result = bough.fit(NOISY, "label", max_depth=most, **wishes)
    assert max(each.depth or 0 for each in result.curve) <= most
    trees = trees_of(result) if most else [result.grown_tree_]
    assert all(depths(tree).max() <= most for tree in trees)


@pytest.mark.parametrize(
    "wishes",
    [
        {},
        {"refit": False},
        {"prune": "pessimistic"},
        {"prune": "reduced_error"},
        {"prune": "depth"},
    ],
)
@pytest.mark.parametrize("most", [1, 2, 5, 30])
def test_no_tree_has_more_leaves(most, wishes):
    result = bough.fit(NOISY, "label", max_leaves=most, **wishes)
    assert max(each.n_leaves for each in result.curve) <= most
    assert result.grown_tree_.n_leaves <= most


@pytest.mark.usefixtures("large_from_2000")
def test_a_tree_grown_again_from_more_rows_has_no_more_leaves():
    for seed in range(4):
        table = made.classes(noise=0.1, seed=seed)
        result = bough.fit(table, "label", max_leaves=6)
        assert result.evidence.refit
        assert result.grown_tree_.n_leaves <= 6


def test_leaves_of_the_limit_are_used():
    found = [bough.fit(made.classes(), "label", max_leaves=most) for most in (2, 4)]
    two, four = (each.test["accuracy"].value for each in found)
    assert four > two + 0.1
    assert found[1].grown_tree_.n_leaves in (3, 4)


def test_an_edited_tree_has_no_more_leaves():
    result = bough.fit(NOISY, "label", max_leaves=6, categorical="group")
    edited = result.force(0, "junk")
    assert edited.grown_tree_.n_leaves <= 6
    assert edited.edits[-1].change is not None


def test_an_edit_that_cannot_keep_to_the_limit_is_refused():
    result = bough.fit(NOISY, "label", max_leaves=2, categorical="each")
    with pytest.raises(bough.ParameterError, match="The tree would have 3 leaves") as refused:
        result.force(0, "color")
    assert str(refused.value) == (
        "The tree would have 3 leaves, but at most 2 are allowed: max_leaves=2. Cut another branch "
        "first, or fit with a higher limit."
    )


@pytest.mark.parametrize("least", [2, 40, 300])
def test_no_leaf_has_fewer_rows(least):
    for wishes in ({}, {"refit": False}):
        result = bough.fit(NOISY, "label", min_rows_per_leaf=least, **wishes)
        assert {each.categorical for each in result.curve} == {"group"}
        for tree in trees_of(result):
            assert tree.n_rows[tree.feature < 0].min() >= least
        wanted = sorted({max(each, least) for each in (1, 5, 20)})
        assert sorted({each.smallest_leaf for each in result.curve}) == wanted


def test_rows_are_counted_whatever_they_weigh():
    weights = np.random.default_rng(0).exponential(size=3000).tolist()
    table = {**NOISY, "w": weights}
    result = bough.fit(table, "label", weight="w", min_rows_per_leaf=40)
    tree = result.grown_tree_
    assert tree.n_rows[tree.feature < 0].min() >= 40


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"max_depth": -1}, "max_depth=-1 must be a whole number, 0 or more, or None."),
        ({"max_depth": 2.5}, "max_depth=2.5 must be a whole number, 0 or more, or None."),
        ({"max_leaves": 0}, "max_leaves=0 must be a whole number, 1 or more, or None."),
        ({"max_leaves": "8"}, "max_leaves='8' must be a whole number, 1 or more, or None."),
        ({"min_rows_per_leaf": 0}, "min_rows_per_leaf=0 must be a whole number, 1 or more."),
        ({"min_rows_per_leaf": True}, "min_rows_per_leaf=True must be a whole number, 1 or more."),
    ],
)
def test_what_is_no_limit_is_refused(wishes, message):
    with pytest.raises(bough.ParameterError) as refused:
        bough.fit(made.classes(100), "label", **wishes)
    assert str(refused.value) == message


def test_numbers_of_numpy_can_be_saved(tmp_path):
    limits = {"max_depth": np.int64(3), "max_leaves": np.int64(9), "min_rows_per_leaf": np.int8(2)}
    result = bough.fit(made.classes(300), "label", **limits)
    result.save(tmp_path / "label.bough.json")
    assert bough.load(tmp_path / "label.bough.json").get_depth() <= 3
