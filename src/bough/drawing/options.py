"""The options of drawings, and which nodes of a large tree are drawn: those that most rows come to."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from inspect import signature
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from bough.errors import Argument, ParameterError, did_you_mean, listed
from bough.settings import whole
from bough.tree import Node, Tree
from bough.walk import depths, parents, sizes_below, walk

LEAST = {"digits": 1, "max_depth": 0, "max_nodes": 1, "scale": 1, "width": 1}
MAY_BE_NONE = {"max_depth", "max_nodes", "width"}
FEWEST_ANSWERS = 6  # of a question with many answers are drawn, if there is room for them


class DrawingOptions(TypedDict, total=False):
    """What drawings and other formats can be told; each has some of these."""

    digits: int | None
    max_depth: int | None
    max_nodes: int | None
    width: int | None
    ascii: bool
    color: bool
    ids: bool
    theme: str
    legend: bool
    scale: int
    features: Sequence[str] | None
    ranges: Mapping[str, tuple[float, float]] | None


def check_options(**options: object) -> None:
    """Refuse options that are no whole numbers, or too small."""
    for name, value in options.items():
        if value is None and name in MAY_BE_NONE:
            continue
        whole(LEAST[name])(name, value)


def check_names(format: str, write: Callable[..., Any], options: Mapping[str, object]) -> None:  # noqa: A002
    """Refuse options that a format does not have."""
    known = [
        each.name for each in signature(write).parameters.values() if each.kind is each.KEYWORD_ONLY
    ]
    for name in options:
        if name not in known:
            has = f"It has {listed(known, most=len(known))}." if known else "It has none."
            raise ParameterError(
                Argument("format", format),
                f" has no option {name!r}.{did_you_mean(name, known)} {has}",
            )


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
        self.n_rows = tree.n_rows
        self.parent = parents(tree)
        depth = depths(tree)
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
            answers = self._children(node)
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
                heappush(waiting, (-int(self.n_rows[child]), child))

    def _children(self, node: int) -> range:
        first, end = np.searchsorted(self.parent[1:], (node, node + 1)) + 1  # breadth first
        return range(int(first), int(end))

    def _leave_out(self, node: int, n_drawn: int) -> None:
        """Draw only the answers that most rows give."""
        answers = np.array(self._children(node))
        order = np.argsort(-self.n_rows[answers], kind="stable")
        self.is_left_out[answers[order[n_drawn:]]] = True


def drawn_nodes(tree: Tree, max_depth: int | None, max_nodes: int | None) -> Iterator[Drawn]:
    """Visit what is drawn: parents before children, siblings in order.

    Parameters
    ----------
    max_depth
        The depth below which nodes are left out; None: no depth.
    max_nodes
        How many nodes are drawn at most; None: any number. A node whose children are not drawn
        knows how many nodes lie below it, and one more place stands for answers left out.
    """
    folding = _Folding(tree, max_depth, max_nodes)
    n_below = sizes_below(tree)
    parent, is_left_out = folding.parent, folding.is_left_out
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
