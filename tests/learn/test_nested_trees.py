"""Every tree that can be read off a growth is the tree that is delivered."""

import growths
import pytest

from bough.learn.labelled_rows import LabelledRows
from bough.learn.nested_trees import CONFIDENCES, Growth, Prunings, Size
from bough.loss_kinds import row_losses
from bough.predict import stops
from bough.pruning.ways import at_depth, by_cost_complexity, merged, pessimistic

EVERY_WAY = ("depth", "cost_complexity", "pessimistic", "reduced_error")
FOR_NUMBERS = ("depth", "cost_complexity", "reduced_error")
CLASSES = range(1, 60, 2)


def random_growth(seed, ways=None):
    found = growths.random_growth(seed)
    order = found.rng.permutation(found.n_rows)[: found.n_rows // 2]
    dev = LabelledRows(found.take(order).table, found.take(order).labels)
    loss = "error" if found.is_classes else "squared_error"
    if ways is None:
        ways = EVERY_WAY if found.is_classes else FOR_NUMBERS
    return Growth(found.tree, Prunings(ways, dev, loss))


def loss_of(tree, rows, loss):
    losses = row_losses(tree, loss, stops(tree, rows.table), rows.answers)
    return losses.sum() if rows.weights is None else losses @ rows.weights


@pytest.mark.parametrize("seed", range(60))
def test_a_tree_has_as_many_leaves_as_were_read_off(seed):
    growth = random_growth(seed)
    read_off = growth.read_off(growth.sizes, lambda series: series.n_leaves.astype(float))
    assert read_off.tolist() == [growth.of(size).n_leaves for size in growth.sizes]


@pytest.mark.parametrize("seed", CLASSES)
def test_a_tree_is_the_one_that_its_pruning_gives(seed):
    growth = random_growth(seed)
    tree, total = growth.tree, growth.tree.weight[0]
    for size in growth.sizes:
        if size.depth is not None:
            expected = at_depth(tree, size.depth)
        elif size.pruned_by == "impurity":
            expected = by_cost_complexity(tree, size.price / total)
        elif size.pruned_by == "pessimistic":
            expected = pessimistic(tree, size.price)
        else:
            continue
        assert growths.differences(growth.of(size), expected) == []


@pytest.mark.parametrize("seed", range(60))
def test_reduced_error_makes_no_more_loss_than_any_other_size(seed):
    growth = random_growth(seed)
    dev, loss = growth.prunings.dev, growth.prunings.loss
    losses = {size: loss_of(growth.of(size), dev, loss) for size in growth.sizes}
    assert losses[Size(pruned_by="reduced_error")] <= min(losses.values()) + 1e-9


def test_leaves_that_guess_alike_are_merged_in_a_tree_of_any_size():
    n_smaller = 0
    for seed in CLASSES:
        plain, merging = (random_growth(seed, (*EVERY_WAY, *more)) for more in ((), ("merge",)))
        for size in plain.sizes:
            tree = plain.of(size)
            expected = merged(tree, keep_probabilities=False)
            assert growths.differences(merging.of(size), expected) == []
            n_smaller += len(expected) < len(tree)
    assert n_smaller > 20


def test_merging_is_no_size():
    plain, merging = (random_growth(1, ways) for ways in (("depth",), ("depth", "merge")))
    assert list(merging.sizes) == list(plain.sizes)


def test_pessimistic_pruning_is_tried_with_a_few_confidences():
    assert [size.price for size in random_growth(1, ("pessimistic",)).sizes] == list(CONFIDENCES)
