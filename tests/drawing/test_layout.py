"""Where boxes lie: nothing overlaps, order is kept, and it takes no longer than it must."""

from itertools import pairwise
from time import process_time

import numpy as np
import pytest

from bough.drawing.layout import centers

GAP = 7.0


def random_tree(seed, n_boxes=60):
    """Return parents, before their children and siblings in order, and heights."""
    rng = np.random.default_rng(seed)
    children = [[]]
    for box in range(1, n_boxes):
        # Few parents have many children, so that subtrees differ in depth.
        children[int(box * rng.random() ** 2)].append(box)
        children.append([])
    parents, waiting = [], [(0, -1)]
    while waiting:
        box, parent = waiting.pop()
        waiting.extend((child, len(parents)) for child in reversed(children[box]))
        parents.append(parent)
    return parents, rng.integers(10, 90, size=n_boxes).astype(float).tolist()


def depths_of(parents):
    depths = []
    for parent in parents:
        depths.append(0 if parent < 0 else depths[parent] + 1)
    return depths


def columns(parents):
    """Return the boxes of each depth, from the first to the last."""
    depths = depths_of(parents)
    return [[box for box, each in enumerate(depths) if each == depth] for depth in set(depths)]


@pytest.mark.parametrize("seed", range(30))
def test_boxes_of_a_column_are_in_order_and_a_gap_apart(seed):
    parents, heights = random_tree(seed)
    middles = centers(parents, heights, GAP)
    for column in columns(parents):
        for upper, lower in pairwise(column):
            room = middles[lower] - middles[upper] - (heights[upper] + heights[lower]) / 2
            assert room >= GAP - 1e-9


@pytest.mark.parametrize("seed", range(30))
def test_a_parent_is_level_with_the_middle_of_its_children(seed):
    parents, heights = random_tree(seed)
    middles = centers(parents, heights, GAP)
    for box in set(parents) - {-1}:
        below = [middles[child] for child, parent in enumerate(parents) if parent == box]
        assert middles[box] == pytest.approx((below[0] + below[-1]) / 2)


@pytest.mark.parametrize("seed", range(30))
def test_the_highest_box_touches_the_top(seed):
    parents, heights = random_tree(seed)
    middles = centers(parents, heights, GAP)
    tops = [middle - height / 2 for middle, height in zip(middles, heights, strict=True)]
    assert min(tops) == pytest.approx(0)


def test_subtrees_lie_as_close_as_their_outlines_allow():
    # Both leaves of the last box find room below the first box, beside the second.
    middles = centers([-1, 0, 1, 0, 0, 4, 4], [10.0] * 7, gap=0.0)
    assert middles == [15.0, 5.0, 5.0, 15.0, 25.0, 20.0, 30.0]


def test_a_single_box_lies_at_the_top():
    assert centers([-1], [30.0], GAP) == [15.0]


SHAPES = {
    "chain": lambda n: range(-1, n - 1),
    "comb": lambda n: [-1, *(2 * ((box - 1) // 2) for box in range(1, n))],
    "star": lambda n: [-1] + [0] * (n - 1),
    "bush": lambda n: random_tree(0, n)[0],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_hundred_thousand_boxes_are_laid_out_at_once(shape):
    parents = list(SHAPES[shape](100_000))
    begin = process_time()
    centers(parents, [20.0] * len(parents), GAP)
    assert process_time() - begin < 10  # minutes, were it in proportion to the square
