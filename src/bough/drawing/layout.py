"""Where each node lies on a plane: a tidy tree from left to right."""

from collections.abc import Sequence
from dataclasses import dataclass, field


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

    Boxes of one depth stand in a column, in order, at least a gap apart; a parent is level with
    the middle between its first and its last child; subtrees lie as close as their outlines allow
    (Reingold and Tilford). This takes time in proportion to the number of boxes.

    Parameters
    ----------
    parents
        For each box the number of its parent's, which comes before; -1 for the first. Siblings
        are in order.
    heights
        How high each box is.
    gap
        The distance between two boxes of a column.

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
