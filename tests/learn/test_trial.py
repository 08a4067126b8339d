"""Every tree that can be read off a growth is the tree that is delivered."""

import growths
import numpy as np
import pytest

from bough.learn.trial import Growth


@pytest.mark.parametrize("seed", range(60))
def test_a_tree_has_as_many_leaves_as_were_read_off(seed):
    growth = Growth(growths.random_growth(seed).tree)
    read_off = growth.read_off(growth.sizes, lambda series: series.n_leaves.astype(float))
    trees = [size.of(growth.tree) for size in growth.sizes]
    assert read_off.tolist() == [np.count_nonzero(tree.feature < 0) for tree in trees]
