"""Trees that grow in the place of leaves of another tree."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.tree import Tree
from bough.walk import answer_numbers, depths, parents

AS_THEY_ARE = (
    "feature",
    "query_kind",
    "pivot",
    "n_children",
    "tally",
    "n_rows",
    "impurity",
    "gain",
)


def graft(tree: Tree, pieces: Mapping[int, Tree]) -> tuple[Tree, dict[int, NDArray[np.int32]]]:
    """Return the tree in which other trees grow in the place of some leaves.

    Parameters
    ----------
    tree
        The tree; it stays as it is.
    pieces
        The tree that takes the place of each of these leaves, with the same schema.

    Returns
    -------
    tree
        The larger tree.
    ids
        For each of the leaves, the ids that the nodes of its piece have in the larger tree.

    Examples
    --------
    >>> from bough.walk import cut
    >>> leaf = cut(play_tennis_tree, depths(play_tennis_tree) == 0)
    >>> tree, ids = graft(leaf, {0: play_tennis_tree})
    >>> len(tree), ids[0].tolist()
    (8, [0, 1, 2, 3, 4, 5, 6, 7])
    """
    trees, leaves = [tree, *pieces.values()], np.array([*pieces], np.intp)
    starts = np.cumsum([0, *map(len, trees)])  # the nodes of all trees in one list
    roots = starts[1:-1]
    parent = np.concatenate(
        [parents(each) + start for each, start in zip(trees, starts[:-1], strict=True)]
    )
    answer = np.concatenate([answer_numbers(each) for each in trees])
    depth = np.concatenate([depths(each) for each in trees])
    depth += np.repeat([0, *depth[leaves]], np.diff(starts)).astype(np.int32)
    parent[roots], answer[roots] = parent[leaves], answer[leaves]
    nodes = np.delete(np.arange(starts[-1]), leaves)
    order = _breadth_first(nodes, parent, answer, depth)
    new_id = np.empty(starts[-1], np.int32)
    new_id[order] = np.arange(len(order))
    bounds = zip(pieces, starts[1:-1], starts[2:], strict=True)
    return _joined(trees, order), {leaf: new_id[start:end] for leaf, start, end in bounds}


def _breadth_first(
    nodes: NDArray[np.intp],
    parent: NDArray[np.int64],
    answer: NDArray[np.int32],
    depth: NDArray[np.int32],
) -> NDArray[np.intp]:
    """Return nodes in the order in which a tree counts them."""
    rank = np.zeros(len(parent), np.intp)
    by_depth = nodes[np.argsort(depth[nodes], kind="stable")]
    n_ranked, levels = 0, []
    for level in np.split(by_depth, np.flatnonzero(np.diff(depth[by_depth])) + 1):
        in_order = level[np.lexsort((answer[level], rank[parent[level]]))]
        rank[in_order] = np.arange(n_ranked, n_ranked + len(level))
        n_ranked += len(level)
        levels.append(in_order)
    return np.concatenate(levels)


def _joined(trees: Sequence[Tree], order: NDArray[np.intp]) -> Tree:
    """Return one tree of nodes of several, which are given breadth first."""

    def taken(name: str) -> Any:  # noqa: ANN401 - an array of any type
        return np.concatenate([getattr(each, name) for each in trees])[order]

    arrays = {name: taken(name) for name in AS_THEY_ARE}
    n_children = arrays["n_children"]
    first = np.where(n_children > 0, 1 + np.cumsum(n_children) - n_children, -1)
    missing = taken("missing_child")
    answer = missing - taken("first_child")
    return replace(
        trees[0],
        **arrays,
        **_joined_codes(trees, order),
        first_child=first.astype(np.int32),
        missing_child=np.where(missing < 0, -1, first + answer).astype(np.int32),
        pivot_int=_joined_integers(trees, order),
        guess=None if trees[0].guess is None else taken("guess"),
        relevance=None if any(each.relevance is None for each in trees) else taken("relevance"),
        share=None if any(each.share is None for each in trees) else taken("share"),
        shown=_joined_shown(trees, order),
    )


def _joined_codes(trees: Sequence[Tree], order: NDArray[np.intp]) -> dict[str, Any]:
    offsets = np.cumsum([0, *(len(each.codes) for each in trees)])[:-1]
    pairs = zip(trees, offsets, strict=True)
    begin = np.concatenate([each.codes_start[:-1] + offset for each, offset in pairs])[order]
    counts = np.concatenate([np.diff(each.codes_start) for each in trees])[order]
    codes_start = np.append(0, np.cumsum(counts))
    places = np.repeat(begin - codes_start[:-1], counts) + np.arange(codes_start[-1])
    codes, answers = (
        np.concatenate([getattr(each, name) for each in trees])[places]
        for name in ("codes", "answers")
    )
    return {"codes": codes, "answers": answers, "codes_start": codes_start.astype(np.int32)}


def _joined_integers(trees: Sequence[Tree], order: NDArray[np.intp]) -> NDArray[np.int64] | None:
    if all(each.pivot_int is None for each in trees):
        return None
    whole = [
        np.zeros(len(each), np.int64) if each.pivot_int is None else each.pivot_int
        for each in trees
    ]
    return np.concatenate(whole)[order]


def _joined_shown(trees: Sequence[Tree], order: NDArray[np.intp]) -> NDArray[np.float64] | None:
    shown = [np.full(len(each), np.nan) if each.shown is None else each.shown for each in trees]
    found = np.concatenate(shown)[order]
    return None if np.isnan(found).all() else found
