"""Edits of a result by hand, and what they change on rows that took no part in growing.

The tree of a result has often learnt from the development rows, too. So an edit is made again where
they took no part: for each pair of training and development rows, the branch that is edited is
grown from the training rows that get to it, once as it was and once as it is to be, and both are
tried on the development rows that get to it. For all other rows nothing changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from bough.edit import Wanted, cut_nodes, force_query, forced_branch, rows_at
from bough.errors import Argument, ParameterError
from bough.evidence import Estimate
from bough.grow import filled, ground_of, grown
from bough.grow.grow_branch import ROOT, Ground
from bough.learn.labelled_rows import LabelledRows
from bough.learn.measure import groups_of
from bough.learn.nested_trees import Growth, Prunings, Size
from bough.learn.tried_sizes import Setting
from bough.learn.tuning import with_honest_leaves
from bough.loss_kinds import LOSSES, row_losses
from bough.losses.intervals import difference
from bough.predict import guesses, stops
from bough.pruning import BY_DEV
from bough.table.column import Rows
from bough.tree import Tree

CUT = None  # what is wanted of a node that is to be a leaf
Floats = NDArray[np.float64]
ByHand = Mapping[tuple[int, ...], Wanted | None]


@dataclass(frozen=True, eq=False)
class Made:
    """What a result was made from: rows, which stay in memory with it and are never saved."""

    rows: LabelledRows
    """All rows that may be learnt from."""
    learnt: Rows
    """Which of them the tree was grown from."""
    pairs: list[tuple[Rows, Rows]]
    """Rows to grow from, and rows to try the growth on."""
    setting: Setting
    size: Size
    prunings: Prunings
    loss: str
    n_jobs: int
    is_honest: bool = False
    """Whether what nodes say comes from the development rows."""
    by_hand: ByHand = field(default_factory=dict)
    """What has been wanted so far, by the answers that lead to a node."""
    most_below: int | None = None
    """The most leaves of each branch below a question that is wanted; None: any number."""

    def ground(self, rows: Rows) -> Ground:
        """Return some rows, and how a tree grows from them."""
        some = self.rows.take(rows)
        settings = self.setting.settings(self.size.depth, some)
        return ground_of(some.table, some.labels, settings, n_jobs=self.n_jobs, match_by_name=True)

    def values(self, tree: Tree, nodes: NDArray[np.int32], rows: LabelledRows) -> Floats:
        """Return what rows lose that stop at these nodes; in a ranking their scores."""
        if LOSSES[self.loss].task.ranks:
            return np.asarray(guesses(tree, nodes)[:, 0])
        return row_losses(tree, self.loss, nodes, rows.answers, quantile=self.setting.quantile)

    def difference(self, before: Floats, after: Floats, rows: LabelledRows) -> Estimate:
        """Return by how much the loss is greater, from what `values` gave for some rows."""
        if LOSSES[self.loss].task.ranks:
            groups = groups_of(rows)
            before, after = (1 - groups.ndcg(scores) for scores in (before, after))
            return difference(after, before, self.loss, weights=groups.weights)
        return difference(after, before, self.loss, weights=rows.weights, groups=rows.group)

    def finished(self, tree: Tree) -> Tree:
        """Return a tree that has grown, with the shares of the development rows if wanted."""
        if not self.is_honest:
            return tree
        dev = self.rows.take(self.pairs[0][1])
        settings = self.setting.settings(self.size.depth, dev)
        return with_honest_leaves(tree, dev, settings, self.n_jobs)

    def pruned(self, branch: Tree) -> Tree:
        """Return a branch as it is pruned after it has grown."""
        return Growth(branch, self.prunings).of(self.size)

    def pruned_below(self, branch: Tree) -> Tree:
        """Return the same for a branch below a question that is wanted."""
        limits = [each for each in (self.prunings.max_leaves, self.most_below) if each is not None]
        prunings = replace(self.prunings, max_leaves=min(limits, default=None))
        return Growth(branch, prunings).of(self.size)


def edited(made: Made, tree: Tree, node: int, wanted: Wanted | None) -> tuple[Tree, Made]:
    """Return the tree in which a node is a leaf, or asks something else, and how that was made."""
    if wanted is CUT:
        return cut_nodes(tree, node), made
    if made.size.pruned_by == BY_DEV:
        raise ParameterError(
            Argument("prune", "reduced_error"),
            " has pruned the whole tree by the development rows: no branch can grow again on its "
            "own. Fit with another way to prune, or cut the branch.",
        )
    ground, most = made.ground(made.learnt), made.prunings.max_leaves
    while True:
        found = made.finished(force_query(tree, node, wanted, ground, made.pruned_below))
        if most is None or found.n_leaves <= most:
            return found, made
        if made.most_below == 1:
            raise ParameterError(
                f"The tree would have {found.n_leaves:,} leaves, but at most {most:,} are allowed: ",
                Argument("max_leaves", most), ". Cut another branch first, or fit with a higher limit.",
            )  # fmt: skip
        made = replace(made, most_below=max((made.most_below or most) // 2, 1))


def noted(made: Made, tree: Tree, node: int, wanted: Wanted | None) -> Made:
    """Return what the edited tree is made from: with the edit, without those that it undoes."""
    trail = _trail(tree, node)
    kept = {at: each for at, each in made.by_hand.items() if at[: len(trail)] != trail}
    return replace(made, by_hand={**kept, trail: wanted})


def change_of(made: Made, tree: Tree, node: int, wanted: Wanted | None) -> Estimate | None:
    """Return by how much an edit makes the loss on development rows greater.

    None if it is not known, since something below the node has been edited before, or since these
    rows have pruned the tree or may come to the node in parts.
    """
    trail = _trail(tree, node)
    if made.size.pruned_by == BY_DEV or made.setting.missing == "weigh":
        return None
    if any(at[: len(trail)] == trail and at != trail for at in made.by_hand):
        return None
    here = stops(tree, made.rows.table, n_jobs=made.n_jobs)
    is_here = np.zeros(len(made.rows), bool)
    is_here[rows_at(tree, node, here)] = True
    before = made.values(tree, here, made.rows)  # stay for rows that do not get there
    after = before.copy()
    for train, tried in made.pairs:
        if not (is_here[train].any() and is_here[tried].any()):
            continue
        ground = made.ground(train).at(tree, node, np.flatnonzero(is_here[train]))
        rows = tried[is_here[tried]]
        for branch, values in (
            (_as_it_is(made, ground, tree[node].is_leaf), before),
            (_as_wanted(made, ground, wanted), after),
        ):
            some = made.rows.take(rows)
            values[rows] = made.values(branch, stops(branch, some.table), some)
    tried = np.concatenate([rows for _, rows in made.pairs])
    return made.difference(before[tried], after[tried], made.rows.take(tried))


def _as_it_is(made: Made, ground: Ground, is_leaf: bool) -> Tree:  # noqa: FBT001
    """Return the branch of a node as it grows from other rows."""
    if is_leaf:
        return filled(ground.leaf(), ground)
    if ground.place.trail in made.by_hand:
        return _as_wanted(made, ground, made.by_hand[ground.place.trail])
    return made.pruned(grown(ground))


def _as_wanted(made: Made, ground: Ground, wanted: Wanted | None) -> Tree:
    branch = None if wanted is CUT else forced_branch(ground, wanted, made.pruned_below)
    return branch or filled(ground.leaf(), ground)


def _trail(tree: Tree, node: int) -> tuple[int, ...]:
    return ROOT.below(tree, [node])[0].trail
