"""What the estimators offer to change a tree by hand: cut a branch, force a query."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from bough.edit import (
    cut_nodes,
    cut_words,
    force_query,
    force_words,
    read_wanted,
    refuse_other_rows,
)
from bough.evidence import Edit
from bough.grow import Ground
from bough.losses import difference
from bough.prune import by_cost_complexity
from bough.query import Query
from bough.tree import Tree

Dev = tuple[object, ArrayLike] | tuple[object, ArrayLike, ArrayLike]
"""Rows that took no part in growing: X, y and maybe sample_weight."""


class Editable:
    """A fitted tree of which changed copies can be made."""

    ccp_alpha: float
    evidence_: dict[str, Any] | None

    def cut(self, nodes: int | Sequence[int], *, dev: Dev | None = None) -> Self:
        """Return the tree with a leaf in the place of one branch, or of several.

        This tree stays as it is. `bough.draw(tree, ids=True)` shows the numbers of the nodes.

        Parameters
        ----------
        nodes : int or list of int
            The branches to cut, by number. Nodes of the new tree are numbered anew.
        dev : tuple of X, y and maybe sample_weight, default=None
            Rows to measure the change with. They must have taken no part in growing.

        Returns
        -------
        estimator
            A new one, whose `edit_` says what was done, and what it changed.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> tree = DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["a", "b", "a", "a"])
        >>> smaller = tree.cut(1, dev=([[2.5], [5]], ["a", "a"]))
        >>> smaller.get_n_leaves(), smaller.edit_.what
        (2, 'node 1 is a leaf')
        """
        tree = cut_nodes(self._tree, nodes)
        given = np.atleast_1d(np.asarray(nodes)).tolist()
        return self._edited(tree, cut_words(given), dev)

    def force(
        self,
        node: int,
        query: str | int | Query,
        X: object,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        below: object = None,
        one_of: Sequence[object] | None = None,
        is_missing: bool = False,
        dev: Dev | None = None,
    ) -> Self:
        """Return the tree in which a node asks something else, and grows again below that.

        All other nodes stay as they are. This tree does, too.

        Parameters
        ----------
        node : int
            The number of the node; it may be a leaf.
        query : str, int or Query
            The column to ask about, by its best query; or a query, as another node has it.
        X, y, sample_weight
            The rows that the tree was grown from.
        below : number, date or value, default=None
            The pivot to compare with.
        one_of : list of values, default=None
            The values that are one answer; all others are the other one.
        is_missing : bool, default=False
            Ask whether the value is missing.
        dev : tuple of X, y and maybe sample_weight, default=None
            Rows to measure the change with. They must have taken no part in growing.

        Returns
        -------
        estimator
            A new one, whose `edit_` says what was done, and what it changed.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> X = {"age": [4, 9, 34, 40], "sex": ["m", "f", "f", "m"]}
        >>> y = ["yes", "yes", "yes", "no"]
        >>> tree = DecisionTreeClassifier().fit(X, y)
        >>> for rule in tree.force(0, "sex", X, y).rules():
        ...     print(rule)
        sex = f → yes 100 % (2 rows)
        sex = m and age < 22 → yes 100 % (1 row)
        sex = m and age ≥ 22 → no 100 % (1 row)
        """
        wanted = read_wanted(
            self._tree.schema, query, below=below, one_of=one_of, is_missing=is_missing
        )
        ground = self._ground(X, y, sample_weight)
        refuse_other_rows(self._tree, ground)
        tree = force_query(self._tree, node, wanted, ground, self._pruned)
        return self._edited(tree, force_words(node, wanted), dev)

    def _edited(self, tree: Tree, what: str, dev: Dev | None) -> Self:
        edited: Any = self.__bough_pruned__(tree)
        edit = Edit(what) if dev is None else _measured(self, edited, what, dev)
        evidence = self.evidence_
        if evidence is not None:
            edits = [*evidence.get("edits", ()), asdict(edit)]
            edited.evidence_ = {**evidence, "edits": edits}
        edited.edit_ = edit
        return edited  # type: ignore[no-any-return]

    def _pruned(self, branch: Tree) -> Tree:
        whole, part = float(self._tree.weight[0]), float(branch.weight[0])
        return by_cost_complexity(branch, float(self.ccp_alpha) * whole / part)

    @property
    @abstractmethod
    def _tree(self) -> Tree:
        """The tree; an error if there is none yet."""

    @abstractmethod
    def _ground(self, X: object, y: ArrayLike, sample_weight: ArrayLike | None) -> Ground:
        """Return what the tree was grown from."""

    @abstractmethod
    def __bough_pruned__(self, tree: Tree) -> Self:
        """Return this estimator with another tree, of which nothing has been measured."""


def _measured(estimator: Any, edited: Any, what: str, dev: Dev) -> Edit:  # noqa: ANN401
    """Return an edit with what it changed on some rows."""
    X, y, sample_weight = dev if len(dev) == 3 else (*dev, None)
    losses = []
    for each in (estimator, edited):
        nodes, row_losses, weights = each.__bough_losses__(X, y, sample_weight)
        losses.append(row_losses(np.arange(len(nodes)), nodes))
    before, after = losses
    loss = "error" if estimator.task == "classification" else "squared_error"
    if edited.grown_tree_.schema.labels[0].costs:
        loss = "cost"
    change = difference(after, before, loss, weights=weights)
    return Edit(what, loss, float(np.average(before, weights=weights)), change)
