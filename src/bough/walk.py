"""The ways through a tree. No other module follows the links between nodes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bough.remembered import once
from bough.tree import Node, Tree

T = TypeVar("T")

# What arrays of branches have at a leaf.
AT_A_LEAF = {"feature": -1, "query_kind": 0, "pivot": np.nan, "pivot_int": 0, "gain": 0.0}


class Step(NamedTuple):
    """One node met on a walk, and how the walk came to it."""

    node: Node
    depth: int = 0
    parent: Node | None = None
    answer: str = ""  # the parent's answer that leads here


def walk(
    tree: Tree,
    max_depth: int | None = None,
    closed: NDArray[np.bool_] | None = None,
) -> Iterator[Step]:
    """Visit every node once: parents before children, siblings in order.

    What lies below `max_depth` is left out, and all below nodes that are `closed`.

    Examples
    --------
    >>> [step.answer for step in walk(play_tennis_tree, max_depth=1)]
    ['', '= Overcast', '= Rain', '= Sunny']
    """
    waiting = [Step(tree[0])]
    while waiting:
        step = waiting.pop()
        yield step
        if step.depth != max_depth and (closed is None or not closed[step.node.id]):
            waiting.extend(reversed(list(_steps_below(tree, step))))


def fold(
    tree: Tree,
    leaf: Callable[[Node], T],
    branch: Callable[[Node, Sequence[T]], T],
) -> T:
    """Work from the leaves up: each branch combines the results of its children.

    Examples
    --------
    >>> fold(play_tennis_tree, lambda leaf: 1, lambda branch, leaves: sum(leaves))
    5
    """
    results: dict[int, T] = {}
    for node_id in reversed(range(len(tree))):  # children come after their parent
        node = tree[node_id]
        below = [results.pop(child) for child in node.children]
        results[node_id] = branch(node, below) if below else leaf(node)
    return results[0]


def steps_below(tree: Tree, node_id: int) -> list[Step]:
    """List the steps from one node to its children; none from a leaf."""
    return list(_steps_below(tree, Step(tree[node_id])))


def children(tree: Tree, node_id: int) -> range:
    """Return the nodes right below one node, which lie side by side; none below a leaf."""
    first = int(tree.first_child[node_id])
    return range(first, first + int(tree.n_children[node_id]))


def two_children(tree: Tree) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the first and the second child of each node, where no node has more; -1 at a leaf."""
    return tree.first_child, np.where(tree.first_child < 0, -1, tree.first_child + 1)


def trail(tree: Tree, node_id: int) -> list[Step]:
    """List the steps from the root to one node, which is the last of them."""
    steps = [Step(tree[0])]
    for child in way(tree, node_id)[1:]:
        here = steps[-1]
        assert here.node.query is not None  # noqa: S101 - a branch asks
        answer = here.node.query.answers[child - here.node.children.start]
        steps.append(Step(tree[child], here.depth + 1, here.node, answer))
    return steps


def way(tree: Tree, node_id: int) -> list[int]:
    """List the nodes from the root to one node, which is the last of them."""
    above, nodes = parents(tree).data, [int(node_id)]
    while nodes[-1] > 0:
        nodes.append(above[nodes[-1]])
    nodes.reverse()
    return nodes


def leaves_one_change_away(
    tree: Tree, goes_to: NDArray[np.int32], most: int
) -> list[tuple[int, int, int]]:
    """Return the leaves where a row comes if one feature is changed; none if they are more ways than `most`.

    With each leaf comes the feature, and the last node on the way that is below one that asks about
    it. `goes_to` is the child that the row goes to from each node; negative: none, or all.
    """
    found = []
    # Single entries, of which there are too few for NumPy's speed.
    asks, first, n_children = tree.feature.data, tree.first_child.data, tree.n_children.data
    next_node, none = goes_to.data, -1
    waiting = [(0, none)]
    for start, changed in waiting:  # and those that are added on the way
        node = below = start
        while (feature := asks[node]) >= 0:
            child = next_node[node]
            if changed in (feature, none):
                below, begin = child, first[node]
                for other in range(begin, begin + n_children[node]):
                    if other != child:
                        waiting.append((other, feature))  # noqa: PERF401 - here it is the faster
                if len(waiting) > most:
                    return []
            if child < 0:
                break
            node = child
        else:
            found.append((node, changed, below))
    return [each for each in found if each[1] != none]


def trails(tree: Tree, node_ids: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the nodes from the root to each of these nodes, one trail after the other.

    Before them, where each trail begins; there is one more such entry than there are trails.
    """
    here = np.asarray(node_ids, dtype=np.int32)
    parent = parents(tree)
    starts = np.zeros(len(here) + 1, dtype=np.int64)
    np.cumsum(depths(tree)[here] + np.int64(1), out=starts[1:])
    nodes = np.empty(starts[-1], dtype=np.int32)
    place = starts[1:] - 1
    while len(here):  # one step up at a time, all trails together
        nodes[place] = here
        is_below_root = here > 0
        here, place = parent[here[is_below_root]], place[is_below_root] - 1
    return starts, nodes


@once
def parents(tree: Tree) -> NDArray[np.int32]:
    """Return the id of each node's parent; -1 at the root."""
    found = np.full(len(tree), -1, dtype=np.int32)
    # Breadth first, the children of one branch follow those of the branch before.
    found[1:] = np.repeat(np.arange(len(tree), dtype=np.int32), tree.n_children)
    found.flags.writeable = False
    return found


@once
def depths(tree: Tree) -> NDArray[np.int32]:
    """Return how many queries lie above each node."""
    above = np.maximum(parents(tree), 0)
    depth = np.ones(len(tree), dtype=np.int32)
    depth[0] = 0
    while above.any():  # each round doubles the distance that is looked up
        depth += depth[above]
        above = above[above]
    depth.flags.writeable = False
    return depth


@once
def _starts_of_levels(tree: Tree) -> list[int]:
    """Return where the nodes of each depth begin, and the end."""
    depth = depths(tree)
    starts: list[int] = np.searchsorted(depth, np.arange(int(depth[-1]) + 2)).tolist()
    return starts


@once
def sizes_below(tree: Tree) -> NDArray[np.int64]:
    """Return how many nodes lie below each node."""
    found, parent = np.zeros(len(tree), np.int64), parents(tree)
    starts = _starts_of_levels(tree)
    for above, first, end in reversed([*zip(starts, starts[1:], starts[2:], strict=False)]):
        n_below = found[first:end] + 1
        totals = np.bincount(parent[first:end] - above, n_below, minlength=first - above)
        found[above:first] = totals.astype(np.int64)
    found.flags.writeable = False
    return found


@once
def answer_numbers(tree: Tree) -> NDArray[np.int32]:
    """Return which answer of its parent's query leads to each node; 0 at the root."""
    numbers = np.arange(len(tree), dtype=np.int32)
    numbers[1:] -= tree.first_child[parents(tree)[1:]]
    numbers.flags.writeable = False
    return numbers


def features_above(tree: Tree, is_counted: NDArray[np.bool_]) -> list[int]:
    """Return for each node a set of the features that were asked about above it: bit f stands for feature f.

    Queries count that lead to a node which `is_counted`; the root has none.
    """
    parent = parents(tree)
    found = [0] * len(tree)
    for node in np.flatnonzero(is_counted).tolist():
        found[node] = 1 << int(tree.feature[parent[node]])
    for node, above in enumerate(parent.tolist()[1:], 1):  # a child comes after its parent
        found[node] |= found[above]
    return found


def products(tree: Tree, factors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each node the product of the factors of the nodes on the trail to it."""
    found = factors.tolist()
    for node, above in enumerate(parents(tree).tolist()[1:], 1):  # a child comes after its parent
        found[node] *= found[above]
    return np.array(found)


def is_below(tree: Tree, is_marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for each node whether a marked one lies above it."""
    above = np.maximum(parents(tree), 0)
    found: NDArray[np.bool_] = is_marked[above]
    found[0] = False
    while above.any():  # each round doubles the distance that is looked up
        found |= found[above]
        above = above[above]
    return found


def marked_above(tree: Tree, is_marked: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return for each node the nearest marked one, itself or above it; the root if there is none."""
    found = np.where(is_marked, np.arange(len(tree), dtype=np.int32), np.maximum(parents(tree), 0))
    for first, end in pairwise(_starts_of_levels(tree)[1:]):
        here = slice(first, end)
        np.copyto(found[here], found[found[here]], where=~is_marked[here])
    return found


def cut(tree: Tree, leaves: ArrayLike) -> Tree:
    """Return the tree in which the marked nodes are leaves and nothing lies below them.

    Marking a leaf, or a node below a marked one, changes nothing.

    Examples
    --------
    >>> len(cut(play_tennis_tree, depths(play_tennis_tree) == 1))
    4
    """
    is_marked = np.asarray(leaves, dtype=bool)
    is_kept = ~is_below(tree, is_marked)
    stays = (tree.n_children > 0) & ~is_marked & is_kept  # a branch that stays a branch
    new_id = np.cumsum(is_kept, dtype=np.int32) - np.int32(1)
    n_codes = np.where(stays, np.diff(tree.codes_start), 0)
    has_codes = np.repeat(stays, np.diff(tree.codes_start))
    missing_child = np.where(tree.missing_child >= 0, new_id[tree.missing_child], -1)
    links = {
        "first_child": np.where(stays, new_id[tree.first_child], -1),
        "n_children": np.where(stays, tree.n_children, 0),
        "missing_child": np.where(stays, missing_child, -1),
    }
    return some_nodes(
        tree,
        np.flatnonzero(is_kept),
        stays[is_kept],
        **{name: each[is_kept].astype(np.int32) for name, each in links.items()},
        codes=tree.codes[has_codes],
        answers=tree.answers[has_codes],
        codes_start=np.append(0, np.cumsum(n_codes[is_kept])).astype(np.int32),
    )


def some_nodes(
    tree: Tree, nodes: NDArray[np.integer], asks: NDArray[np.bool_], **links: NDArray[Any]
) -> Tree:
    """Return the tree of some nodes, all of which say what they said, and of which some still ask.

    `links` are the arrays of where their children lie and which code leads to which.
    """
    found: dict[str, Any] = {
        name: None if (array := getattr(tree, name)) is None else array[nodes]
        for name in ("tally", "guess", "relevance", "share", "n_rows", "impurity")
    }
    found |= {
        name: np.where(asks, array[nodes], none).astype(array.dtype)
        for name, none in AT_A_LEAF.items()
        if (array := getattr(tree, name)) is not None
    }
    if tree.pivot_int is not None and not np.any(asks & tree.has_integer_pivot[nodes]):
        found["pivot_int"] = None
    return replace(tree, **found | {"shown": tree.shown_at(nodes, asks)} | links)


def _steps_below(tree: Tree, step: Step) -> Iterator[Step]:
    if (query := step.node.query) is not None:
        for child, answer in zip(step.node.children, query.answers, strict=True):
            yield Step(tree[child], step.depth + 1, step.node, answer)
