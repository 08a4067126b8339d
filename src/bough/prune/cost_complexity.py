"""Pruning at a price for each leaf (Breiman et al., 1984, chapter 3)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from bough.prune.series import Series
from bough.tree import TIE, Node, Tree
from bough.walk import cut, fold


@dataclass(order=True)
class _Link:
    """A branch that becomes a leaf when leaves cost `alpha`."""

    alpha: float
    loss: float  # what the impurity grows by
    n_leaves: int  # how many leaves there are less


def by_cost_complexity(tree: Tree, ccp_alpha: float) -> Tree:
    """Return the smallest subtree of least cost, where each leaf costs `ccp_alpha`.

    The cost of a subtree is the impurity of its leaves, weighted by their share of the rows,
    plus `ccp_alpha` for each leaf. 0 prunes nothing.
    """
    if ccp_alpha == 0:
        return tree
    alphas, _ = _weakest_links(tree)
    return cut(tree, alphas <= ccp_alpha + _slack(tree))


def cost_complexity_path(tree: Tree) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return every `ccp_alpha` at which the pruned tree changes, and its impurity from there on.

    The first entry is the whole tree, at 0; the last is a single leaf.
    """
    return _path(tree, _weakest_links(tree)[1])


def series_by_cost(tree: Tree) -> tuple[NDArray[np.float64], Series]:
    """Return every `ccp_alpha` at which the pruned tree changes, and the trees from there on."""
    of_nodes, links = _weakest_links(tree)
    alphas, _ = _path(tree, links)
    first = np.searchsorted(alphas, of_nodes - _slack(tree), side="left")
    return alphas, Series(tree, np.minimum(first, len(alphas) - 1))


def _path(tree: Tree, links: list[_Link]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    is_leaf = tree.feature < 0
    share = tree.weight[is_leaf] / tree.weight[0]
    alphas, impurities = [0.0], [float(np.dot(share, tree.impurity[is_leaf]))]
    for link in sorted(links):
        impurity = impurities[-1] + link.loss
        if link.alpha > alphas[-1] + _slack(tree):
            alphas.append(link.alpha)
            impurities.append(impurity)
        else:  # links of one strength break together
            impurities[-1] = impurity
    return np.array(alphas), np.array(impurities)


def _slack(tree: Tree) -> float:
    """Return the difference up to which links are equally strong, so that rounding never shows."""
    return TIE * float(tree.impurity[0])


@dataclass
class _Pruned:
    """A subtree as it is pruned while the cost of a leaf falls from infinity to 0.

    Above the strongest link it is one leaf or, for the children of a branch taken together,
    `n_leaves` leaves of total impurity `impurity`. Each link that is put back takes its loss
    off the impurity and adds its leaves.
    """

    impurity: float
    n_leaves: int
    links: list[tuple[float, int, _Link]] = field(default_factory=list)  # strongest first


def _weakest_links(tree: Tree) -> tuple[NDArray[np.float64], list[_Link]]:
    """Return the `ccp_alpha` from which on each node is a leaf, and the links that matter.

    A node need not be visited again when a branch below it is cut, so the work is
    O(n log² n) for n nodes, also in a tree as deep as it is large.
    """
    alphas = np.zeros(len(tree))
    share = tree.weight / tree.weight[0]

    def leaf(node: Node) -> _Pruned:
        return _Pruned(float(share[node.id]) * node.impurity, 1)

    def branch(node: Node, below: Sequence[_Pruned]) -> _Pruned:
        whole = leaf(node)
        apart = _together(below)
        link = _weakest_link(whole.impurity, apart)
        alphas[node.id] = link.alpha
        heappush(apart.links, (-link.alpha, node.id, link))
        return _Pruned(whole.impurity, 1, apart.links)

    pruned = fold(tree, leaf, branch)
    return alphas, [link for _, _, link in pruned.links]


def _together(below: Sequence[_Pruned]) -> _Pruned:
    largest = max(below, key=lambda each: len(each.links))
    for each in below:
        if each is not largest:  # so that a link moves at most log₂ n times
            for link in each.links:
                heappush(largest.links, link)
    n_leaves = sum(each.n_leaves for each in below)
    return _Pruned(sum(each.impurity for each in below), n_leaves, largest.links)


def _weakest_link(impurity: float, apart: _Pruned) -> _Link:
    """Return the link of a branch to its children, and drop those that would break with it.

    With its children apart a branch costs `apart.impurity + alpha * apart.n_leaves`, without
    them `impurity + alpha`. Where the two are equal it becomes a leaf, unless that is below the
    strongest link further down, which then has not been broken yet.
    """
    while True:
        loss = max(impurity - apart.impurity, 0.0)  # rounding must not make a gain of 0 negative
        alpha = loss / (apart.n_leaves - 1)
        if not apart.links or alpha > -apart.links[0][0]:
            return _Link(alpha, loss, apart.n_leaves - 1)
        _, _, link = heappop(apart.links)
        apart.impurity -= link.loss
        apart.n_leaves += link.n_leaves
