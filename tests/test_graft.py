"""Trees that grow in the place of leaves of other trees."""

from dataclasses import replace

import handmade
import numpy as np
import pytest

from bough.grow import graft
from bough.walk import cut, parents, walk


def steps(tree):
    return [
        (step.depth, step.answer, step.node.query, step.node.guess, step.node.n_rows)
        for step in walk(tree)
    ]


def pieces_for(tree, seed):
    """Give some leaves a piece: the tree itself, or a part of it."""
    rng = np.random.default_rng(seed)
    leaves = np.flatnonzero(tree.feature < 0)
    chosen = rng.permutation(leaves)[: rng.integers(0, 1 + len(leaves))]
    return {int(leaf): cut(tree, rng.random(len(tree)) < 0.3) for leaf in chosen}


@pytest.mark.parametrize("seed", range(20))
def test_a_piece_reads_in_its_leaf_s_place_as_it_read_before(tree, seed):
    pieces = pieces_for(tree, seed)
    expected = []
    for step in walk(tree):
        if step.node.id not in pieces:
            expected.append(
                (step.depth, step.answer, step.node.query, step.node.guess, step.node.n_rows)
            )
            continue
        (_, _, *root), *others = steps(pieces[step.node.id])
        expected.append((step.depth, step.answer, *root))
        expected += [(step.depth + depth, *says) for depth, *says in others]
    assert [each[:4] for each in expected] == [each[:4] for each in steps(joined(tree, pieces)[0])]


def joined(tree, pieces):
    return graft(with_enough_rows(tree, pieces), pieces)


def with_enough_rows(tree, pieces):
    """Return the tree with as many rows at each leaf as its piece has: a tree is refused otherwise."""
    n_rows = np.where(tree.feature < 0, tree.n_rows, 0)
    for leaf, piece in pieces.items():
        n_rows[leaf] = piece.n_rows[0]
    for node, parent in reversed(list(enumerate(parents(tree).tolist()))[1:]):
        n_rows[parent] += n_rows[node]
    return replace(tree, n_rows=n_rows)


@pytest.mark.parametrize("seed", range(20))
def test_every_node_of_a_piece_is_found_by_its_new_number(tree, seed):
    pieces = pieces_for(tree, seed)
    larger, ids = joined(tree, pieces)
    assert ids.keys() == pieces.keys()
    for leaf, piece in pieces.items():
        found = [larger[node].query for node in ids[leaf].tolist()]
        assert found == [node.query for node in piece]


def test_a_whole_tree_may_take_the_place_of_a_single_leaf():
    tree = handmade.play_tennis()
    larger, ids = graft(cut(tree, np.ones(len(tree), bool)), {0: tree})
    assert steps(larger) == steps(tree)
    assert ids[0].tolist() == list(range(len(tree)))


def test_without_pieces_nothing_changes(tree):
    assert steps(graft(tree, {})[0]) == steps(tree)
