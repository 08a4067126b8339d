"""Which nodes of a large tree are drawn, those that most rows come to; and where each lies on a plane: a tidy tree from left to right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bough.tree import Node, Tree
from bough.walk import children, depths, parents, sizes_below, walk

FEWEST_ANSWERS = 6  # of a question with many answers are drawn, if there is room for them


class Drawn(NamedTuple):
    """A node that is drawn, or what stands for the answers of a question that are not."""

    node: Node | None  # None: it stands for answers
    depth: int
    parent: Node | None
    answer: str
    n_rows: int
    is_last: bool  # of what is drawn below its parent
    n_more: int  # nodes below that are not drawn; answers, if it stands for them

    @property
    def is_end(self) -> bool:
        """Whether nothing is drawn below it."""
        return self.node is None or self.node.is_leaf or self.n_more > 0


class _Folding:
    """Opens branches, those with most rows first, as long as there is room."""

    def __init__(self, tree: Tree, max_depth: int | None, max_nodes: int | None) -> None:
        self.tree, depth = tree, depths(tree)
        is_branch = tree.feature >= 0
        may_open = is_branch if max_depth is None else is_branch & (depth < max_depth)
        is_in_reach = np.ones(len(tree), bool) if max_depth is None else depth <= max_depth
        self.is_left_out = np.zeros(len(tree), dtype=bool)
        if max_nodes is None or np.count_nonzero(is_in_reach) <= max_nodes:
            self.is_open = may_open
            return
        self.is_open = np.zeros(len(tree), dtype=bool)
        self._open(may_open, max_nodes)

    def _open(self, may_open: NDArray[np.bool_], max_nodes: int) -> None:
        most = max(max_nodes // 4, FEWEST_ANSWERS)
        room = max_nodes - 1
        waiting = [(0, 0)]  # no child has more rows than its parent, so that parents come first
        while waiting and room >= 2:  # for two answers
            _, node = heappop(waiting)
            if self.is_left_out[node] or not may_open[node]:
                continue
            answers = children(self.tree, node)
            n_drawn = len(answers)
            if n_drawn > min(most, room):  # one place stands for those that are left out
                n_drawn = min(most, room - 1)
                if n_drawn < 2 or (len(answers) <= most and node > 0):
                    continue
                self._leave_out(node, n_drawn)
                room -= 1
            self.is_open[node] = True
            room -= n_drawn
            for child in answers:
                heappush(waiting, (-int(self.tree.n_rows[child]), child))

    def _leave_out(self, node: int, n_drawn: int) -> None:
        """Draw only the answers that most rows give."""
        answers = np.array(children(self.tree, node))
        order = np.argsort(-self.tree.n_rows[answers], kind="stable")
        self.is_left_out[answers[order[n_drawn:]]] = True


def drawn_nodes(tree: Tree, max_depth: int | None, max_nodes: int | None) -> Iterator[Drawn]:
    """Visit what is drawn: parents before children, siblings in order.

    A node whose children are not drawn knows how many nodes lie below it, and one more place stands
    for answers left out.
    """
    folding = _Folding(tree, max_depth, max_nodes)
    n_below = sizes_below(tree)
    parent, is_left_out = parents(tree), folding.is_left_out
    n_left_out = np.bincount(parent[1:][is_left_out[1:]], minlength=len(tree))
    rows_left_out = np.bincount(
        parent[is_left_out], weights=tree.n_rows[is_left_out], minlength=len(tree)
    )
    is_last = np.append(parent[1:] != parent[:-1], True)  # siblings lie side by side
    is_last[1:] &= n_left_out[parent[1:]] == 0
    waiting: list[Drawn] = []  # for the nodes that are drawn before them
    for node, depth, above, answer in walk(tree, closed=~folding.is_open):
        if is_left_out[node.id]:
            continue
        while waiting and waiting[-1].depth > depth:
            yield waiting.pop()
        n_more = 0 if folding.is_open[node.id] else int(n_below[node.id])
        yield Drawn(node, depth, above, answer, node.n_rows, bool(is_last[node.id]), n_more)
        if n := int(n_left_out[node.id]):
            n_rows = int(rows_left_out[node.id])
            waiting.append(Drawn(None, depth + 1, node, "", n_rows, is_last=True, n_more=n))
    yield from reversed(waiting)


@dataclass
class _Edge:
    """The upper or the lower outline of a subtree: a height for each level.

    Levels stand deepest first, so that a level is added at the end when a parent is put on top.
    Heights are kept without `shift`, so that a whole subtree moves at once.
    """

    levels: list[float] = field(default_factory=list)
    shift: float = 0.0

    def at(self, depth: int) -> float:
        return self.levels[-1 - depth] + self.shift

    def put_on_top(self, height: float) -> None:
        self.levels.append(height - self.shift)

    def replace(self, other: "_Edge") -> None:
        """Take over the levels of an outline that is no deeper."""
        for depth in range(len(other.levels)):
            self.levels[-1 - depth] = other.at(depth) - self.shift


@dataclass
class _Outline:
    """A subtree, or several side by side, as others may come close to them."""

    top: _Edge = field(default_factory=_Edge)
    bottom: _Edge = field(default_factory=_Edge)

    @property
    def n_levels(self) -> int:
        return len(self.top.levels)

    def move(self, distance: float) -> None:
        self.top.shift += distance
        self.bottom.shift += distance

    def room_needed(self, below: "_Outline") -> float:
        """Return how far another subtree must move to lie below this one without a gap."""
        n_common = min(self.n_levels, below.n_levels)
        return max(self.bottom.at(depth) - below.top.at(depth) for depth in range(n_common))

    def joined(self, below: "_Outline") -> "_Outline":
        """Return the outline of both. It takes time for the levels that both have, and no more."""
        if self.n_levels >= below.n_levels:
            self.bottom.replace(below.bottom)
            return self
        below.top.replace(self.top)
        return below


def centers(parents: Sequence[int], heights: Sequence[float], gap: float) -> list[float]:
    """Return how far down the middle of each box lies.

    Boxes of one depth stand in a column, in order, at least a gap apart; a parent is level with the
    middle between its first and its last child; subtrees lie as close as their outlines allow
    (Reingold and Tilford). This takes time in proportion to the number of boxes. `parents` has for
    each box the number of its parent's, which comes before; -1 for the first.

    Examples
    --------
    >>> centers([-1, 0, 0], heights=[10.0, 10.0, 20.0], gap=2.0)
    [13.5, 5.0, 22.0]
    """
    children: list[list[int]] = [[] for _ in parents]
    for box, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(box)
    offsets = [0.0] * len(parents)  # from the parent's middle
    outlines: list[_Outline | None] = [None] * len(parents)
    for box in reversed(range(len(parents))):
        outline = _beside_each_other(children[box], offsets, outlines, gap)
        outline.top.put_on_top(-heights[box] / 2)
        outline.bottom.put_on_top(heights[box] / 2)
        outlines[box] = outline
    return _absolute(parents, heights, offsets)


def _beside_each_other(
    children: list[int], offsets: list[float], outlines: list[_Outline | None], gap: float
) -> _Outline:
    """Put subtrees below each other, and their parent in the middle; return their outline."""
    whole = _Outline()
    for child in children:
        outline = outlines[child] or _Outline()
        outlines[child] = None
        if whole.n_levels:
            offsets[child] = whole.room_needed(outline) + gap
            outline.move(offsets[child])
            whole = whole.joined(outline)
        else:
            whole = outline
    if children:
        middle = (offsets[children[0]] + offsets[children[-1]]) / 2
        whole.move(-middle)
        for child in children:
            offsets[child] -= middle
    return whole


def _absolute(
    parents: Sequence[int], heights: Sequence[float], offsets: list[float]
) -> list[float]:
    found = [0.0] * len(parents)
    for box, parent in enumerate(parents):
        found[box] = offsets[box] + (found[parent] if parent >= 0 else 0.0)
    top = min(middle - height / 2 for middle, height in zip(found, heights, strict=True))
    return [middle - top for middle in found]
