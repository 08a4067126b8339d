"""The mean relevance of the rows of a tree that ranks."""

from dataclasses import replace

import numpy as np
import pytest

import bough
from bough.exports.model_file import Model, dumps, loads
from bough.node_words import verdict_of
from bough.pruning.ways import at_depth
from bough.walk import parents

RNG = np.random.default_rng(0)
GROUP = np.repeat(np.arange(40), 10)
X = np.round(RNG.normal(size=(400, 3)), 1)
RELEVANCE = np.clip(np.round(X[:, 0] + RNG.normal(size=400)), 0, 4)
RELEVANCE[:10] = 0
COUNTS = np.bincount(GROUP, RELEVANCE)[GROUP] > 0  # a query without a relevant row takes no part
TREE = bough.DecisionTreeRanker(max_depth=4).fit(X, RELEVANCE, group=GROUP)


def mean_relevance(estimator):
    """Return the mean over the rows of each node, by following them one after the other."""
    tree = estimator.grown_tree_
    above, sums, counts = parents(tree), np.zeros(len(tree)), np.zeros(len(tree))
    for stop, relevance in zip(estimator.apply(X)[COUNTS], RELEVANCE[COUNTS], strict=True):
        trail = [stop]
        while trail[-1] > 0:
            trail.append(above[trail[-1]])
        sums[trail] += relevance
        counts[trail] += 1
    return sums / counts


def test_it_is_the_mean_over_the_rows_that_take_part():
    assert TREE.grown_tree_.relevance == pytest.approx(mean_relevance(TREE))


def test_rows_count_once_whatever_they_weigh():
    weights = RNG.uniform(0.5, 2, 400)
    tree = bough.DecisionTreeRanker(max_depth=3).fit(X, RELEVANCE, weights, group=GROUP)
    assert tree.grown_tree_.relevance == pytest.approx(mean_relevance(tree))


def test_columns_that_are_asked_first_do_not_change_what_it_is():
    tree = bough.DecisionTreeRanker(max_depth=3, first=[2]).fit(X, RELEVANCE, group=GROUP)
    assert tree.grown_tree_.relevance == pytest.approx(mean_relevance(tree))


def test_a_smaller_tree_keeps_it():
    shallow = bough.DecisionTreeRanker(max_depth=2).fit(X, RELEVANCE, group=GROUP).grown_tree_
    assert at_depth(TREE.grown_tree_, 2).relevance.tolist() == shallow.relevance.tolist()


def test_the_model_file_keeps_it():
    model = Model(TREE.grown_tree_, {})
    assert loads(dumps(model)).tree.relevance.tolist() == TREE.grown_tree_.relevance.tolist()


def test_a_file_without_it_loads():
    bare = replace(TREE.grown_tree_, relevance=None)
    assert loads(dumps(Model(bare, {}))).tree.relevance is None


def test_other_trees_have_none():
    assert bough.DecisionTreeRegressor().fit(X, RELEVANCE).grown_tree_.relevance is None


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_what_cannot_be_a_relevance_is_refused(wrong):
    relevance = TREE.grown_tree_.relevance.copy()
    relevance[1] = wrong
    with pytest.raises(bough.ModelFormatError) as error:
        replace(TREE.grown_tree_, relevance=relevance)
    assert str(error.value) == (
        f"node 1: relevance is {wrong}; it must be a finite number, 0 or more."
    )


def test_a_tree_that_does_not_rank_cannot_have_one():
    tree = bough.DecisionTreeRegressor(max_depth=1).fit(X, RELEVANCE).grown_tree_
    with pytest.raises(bough.ModelFormatError) as error:
        replace(tree, relevance=np.zeros(len(tree)))
    assert str(error.value) == (
        "a tree has a relevance where its label is ranked by, and only there."
    )


def test_drawings_show_it():
    stump = at_depth(TREE.grown_tree_, 0)
    assert "relevance 0.513" in bough.draw(stump)
    assert ">relevance 0.513<" in bough.draw(stump, "svg")


def test_it_follows_the_score_in_words():
    assert str(verdict_of(at_depth(TREE.grown_tree_, 0), 0, 3)) == "score 0, relevance 0.513"
