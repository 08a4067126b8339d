"""Edits by hand: a branch becomes a leaf, or asks something else and grows again below."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from bough.edit.wanted_query import Wanted as Wanted
from bough.edit.wanted_query import read_wanted as read_wanted
from bough.encode import n_rows_with_weight
from bough.errors import Argument, DataError, ParameterError
from bough.graft import graft
from bough.grow import Ground, filled, grown
from bough.predict import stops
from bough.settings import is_whole
from bough.tree import Tree
from bough.walk import cut, is_below
from bough.words import plain, row_count

Pruned = Callable[[Tree], Tree]
"""A branch as it is pruned after it has grown."""


def listed_nodes(tree: Tree, nodes: int | Sequence[int]) -> list[int]:
    """Return branches to cut, each once, as a user gives them: one, or a list."""
    given = list(nodes) if isinstance(nodes, Iterable) else [nodes]
    for node in given:
        check_node(tree, node)
        if tree[int(node)].is_leaf:
            raise ParameterError(f"node {node} is already a leaf. Give the number of a branch.")
    if not given:
        raise ParameterError(
            "the list of nodes to cut is empty. Give the number of at least one branch."
        )
    return sorted({int(node) for node in given})


def cut_nodes(tree: Tree, nodes: int | Sequence[int]) -> Tree:
    """Return the tree in which some branches are leaves; all other nodes stay as they are."""
    return cut(tree, np.isin(np.arange(len(tree)), listed_nodes(tree, nodes)))


def cut_words(nodes: Sequence[int]) -> str:
    """Return that some nodes have been cut.

    Examples
    --------
    >>> cut_words([7]), cut_words([3, 5])
    ('node 7 is a leaf', 'nodes 3, 5 are leaves')
    """
    if len(nodes) == 1:
        return f"node {nodes[0]} is a leaf"
    return f"nodes {', '.join(map(str, nodes))} are leaves"


def force_words(node: int, wanted: Wanted) -> str:
    """Return that a node asks something else."""
    return f"node {node} asks about {plain(wanted.feature.name)}"


def check_node(tree: Tree, node: object) -> None:
    """Refuse what is not the number of a node of the tree."""
    if not is_whole(node) or not 0 <= node < len(tree):  # type: ignore[operator]
        raise ParameterError(
            f"node={node!r} is not a node of the tree, whose nodes are 0 to {len(tree) - 1:,}."
        )


def force_query(tree: Tree, node: int, wanted: Wanted, ground: Ground, pruned: Pruned) -> Tree:
    """Return the tree in which a node asks what is wanted, and what grows below it then.

    All other nodes stay as they are, to the last bit.

    `ground` is what the tree was grown from; branches are `pruned` after they have grown.
    """
    check_node(tree, node)
    _refuse_what_cannot_be(wanted, ground)
    here = ground_at(ground, tree, node)
    branch = forced_branch(here, wanted, pruned)
    if branch is None:
        raise ParameterError(_why_not(wanted, node, n_rows_with_weight(here.own_searched)))
    # What nodes said may have come from other rows than the branch: honest leaves do.
    bare = filled(cut(tree, np.arange(len(tree)) == node), ground)
    return filled(graft(bare, {node: branch})[0], ground)


def forced_branch(ground: Ground, wanted: Wanted, pruned: Pruned) -> Tree | None:
    """Return a branch that asks first what is wanted; None if that does not tell the rows apart."""
    stump = wanted.stump(ground)
    if stump is None:
        return None
    table, _ = ground.own_rows
    pieces = {}
    for leaf, here in ground.at_each(stump, range(1, len(stump)), stops(stump, table)):
        pieces[leaf] = pruned(grown(here))
    return filled(graft(stump, pieces)[0], ground)


def ground_at(ground: Ground, tree: Tree, node: int) -> Ground:
    """Return the ground of a node of a tree: the rows that get there."""
    table, _ = ground.own_rows
    return ground.at(tree, node, rows_at(tree, node, stops(tree, table, n_jobs=ground.n_jobs)))


def rows_at(tree: Tree, node: int, stops: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the rows that get to a node, from where each of them stops."""
    is_here = np.arange(len(tree)) == node
    return np.flatnonzero((is_here | is_below(tree, is_here))[stops])


def refuse_other_rows(tree: Tree, ground: Ground) -> None:
    """Refuse rows from which the tree was not grown."""
    table, labels = ground.own_rows
    here = stops(tree, table, n_jobs=ground.n_jobs)
    counted = here if labels.weights is None else here[labels.weights > 0]
    n_rows = np.bincount(counted, minlength=len(tree))
    is_same = np.array_equal(n_rows, np.where(tree.feature < 0, tree.n_rows, 0))
    if is_same and np.array_equal(filled(tree, ground).tally, tree.tally):
        return
    raise DataError(
        "these are not the rows that the tree was grown from. "
        f"Give the same {tree.n_rows[0]:,} rows, with the same labels and weights."
    )


def _refuse_what_cannot_be(wanted: Wanted, ground: Ground) -> None:
    settings = ground.settings
    if settings.max_leaf_nodes is not None:
        raise ParameterError(
            f"a tree with max_leaf_nodes={settings.max_leaf_nodes!r} cannot grow one branch again: the "
            "limit holds for the whole tree. Fit without it; max_depth and ccp_alpha also limit a tree."
        )
    if settings.is_monotonic:
        raise ParameterError(
            "a tree with ", Argument("monotonic_cst"), " cannot grow one branch again: the order of "
            "predictions holds for the whole tree. Fit without it.",
        )  # fmt: skip
    allowed = {ground.table.features[number].column for number in ground.constraints.allowed}
    if wanted.feature.column not in allowed:
        raise ParameterError(
            f"{wanted.feature.name!r} is forbidden: ",
            Argument("forbid", list(settings.forbid or ())), ". Ask about another column.",
        )  # fmt: skip


def _why_not(wanted: Wanted, node: int, n_rows: int) -> str:
    name = wanted.feature.name
    if wanted.query is None:
        return (
            f"node {node} cannot ask about {name!r}: no query about it splits the {row_count(n_rows)} "
            "there and respects min_samples_leaf and min_weight_fraction_leaf. Ask about another "
            "column."
        )
    return (
        f"node {node} cannot ask this about {name!r}: one answer would get none of the {n_rows:,} "
        "rows there. Choose another pivot or other values."
    )
