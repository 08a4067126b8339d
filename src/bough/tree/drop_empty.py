"""Takes answers out of a tree that no row gives."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bough.tree.tree import Tree


def spliced(tree: Tree, stops: NDArray[np.integer]) -> Tree:
    """Return the tree without the leaves that no row reaches, the root alone if none reaches any.

    A query whose answers lead to one child only is not asked: that child takes its place. A value
    that loses its answer at an `EachValue` is unseen there. `n_rows` counts the rows that are given;
    what else the nodes say stays as it is.

    Parameters
    ----------
    tree
        The tree; it stays as it is.
    stops
        The node where each row stops. Those that stop at a branch count for nothing.
    """
    n_rows = _n_rows(tree, stops)
    old, below = _numbered(tree, n_rows)
    n_children = np.array([len(each) for each in below], np.int32)
    stays = n_children > 0
    first_child = np.where(stays, 1 + np.cumsum(n_children) - n_children, -1).astype(np.int32)
    codes, answers, n_codes = _codes(tree, old, below)
    missing_child = [
        first + children.index(int(tree.missing_child[node]))
        if int(tree.missing_child[node]) in children
        else -1
        for node, first, children in zip(old, first_child.tolist(), below, strict=True)
    ]
    whole = None if tree.pivot_int is None else tree.pivot_int[old]
    return replace(
        tree,
        feature=np.where(stays, tree.feature[old], -1).astype(np.int32),
        query_kind=np.where(stays, tree.query_kind[old], 0).astype(np.uint8),
        pivot=np.where(stays, tree.pivot[old], np.nan),
        pivot_int=whole if np.any(stays & tree.has_integer_pivot[old]) else None,
        codes=np.array(codes, np.int32),
        answers=np.array(answers, np.int32),
        codes_start=np.cumsum([0, *n_codes]).astype(np.int32),
        first_child=first_child,
        n_children=n_children,
        missing_child=np.array(missing_child, np.int32),
        tally=tree.tally[old],
        guess=None if tree.guess is None else tree.guess[old],
        relevance=None if tree.relevance is None else tree.relevance[old],
        share=None if tree.share is None else tree.share[old],
        shown=tree.shown_at(old, stays),
        n_rows=np.maximum(n_rows[old], 1),
        impurity=tree.impurity[old],
        gain=np.where(stays, tree.gain[old], 0.0),
    )


def _n_rows(tree: Tree, stops: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return how many rows reach a leaf at or below each node."""
    counts = np.bincount(stops, minlength=len(tree)) * (tree.feature < 0)
    for node in reversed(range(len(tree))):  # children come after their parent
        for child in tree[node].children:
            counts[node] += counts[child]
    return counts.astype(np.int64)


def _numbered(tree: Tree, n_rows: NDArray[np.int64]) -> tuple[list[int], list[list[int]]]:
    """Return the nodes that stay, breadth first, and the children by which rows leave each."""
    old, below = [_next(tree, n_rows, 0)[0]], []
    for node in old:  # grows while it is read
        _, children = _next(tree, n_rows, node)
        below.append(children)
        old += [_next(tree, n_rows, child)[0] for child in children]
    return old, below


def _next(tree: Tree, n_rows: NDArray[np.int64], node: int) -> tuple[int, list[int]]:
    """Return the first node from here on at which rows part, or stop, and its reached children."""
    children = [child for child in tree[node].children if n_rows[child]]
    while len(children) == 1:
        node = children[0]
        children = [child for child in tree[node].children if n_rows[child]]
    return node, children


def _codes(
    tree: Tree, old: list[int], below: list[list[int]]
) -> tuple[list[int], list[int], list[int]]:
    """Return the codes of the nodes that stay, their answers, and how many each node has."""
    codes: list[int] = []
    answers: list[int] = []
    n_codes = []
    for node, children in zip(old, below, strict=True):
        before = len(codes)
        seen = slice(tree.codes_start[node], tree.codes_start[node + 1]) if children else slice(0)
        place = {child - int(tree.first_child[node]): here for here, child in enumerate(children)}
        for code, answer in zip(
            tree.codes[seen].tolist(), tree.answers[seen].tolist(), strict=True
        ):
            if answer in place:
                codes.append(code)
                answers.append(place[answer])
        n_codes.append(len(codes) - before)
    return codes, answers, n_codes
