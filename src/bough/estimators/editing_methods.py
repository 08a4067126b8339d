"""What the estimators offer to change a tree by hand."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import asdict
from inspect import signature
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bough.edit import (
    cut_nodes,
    cut_words,
    force_query,
    force_words,
    listed_nodes,
    read_wanted,
    refuse_other_rows,
)
from bough.errors import ParameterError
from bough.estimators.explaining_methods import Explainable
from bough.evidence import Edit
from bough.losses.intervals import difference
from bough.pruning.ways import by_cost_complexity
from bough.query import Query
from bough.table import TableLike
from bough.tree import Tree

Dev = tuple[Any, ...]
"""Rows that took no part in growing: X, y, maybe sample_weight, and in a ranking maybe group."""
Losses = tuple[NDArray[np.float64], NDArray[np.float64] | None]
"""What guesses cost in some rows or groups, and how much these count."""


class Editable(Explainable):
    """A fitted tree of which copies with shorter branches can be made."""

    def cut(self, nodes: int | Sequence[int], *, dev: Dev | None = None) -> Self:
        """Return a copy of the tree in which one or more branches are leaves.

        Its `edit_` says what was done and how it changed the loss on `dev`. `bough.draw(tree, ids=True)`
        shows the numbers of the nodes.

        Parameters
        ----------
        nodes : int or list of int
            Numbers of the branches to cut. The new tree numbers its nodes afresh.
        dev : tuple of X, y and maybe sample_weight, default=None
            Rows to measure the change on, which the tree was not grown from. A ranker takes group as
            a fourth entry.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> tree = DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["a", "b", "a", "a"])
        >>> smaller = tree.cut(1, dev=([[2.5], [5]], ["a", "a"]))
        >>> smaller.get_n_leaves(), smaller.edit_.what
        (2, 'node 1 is a leaf')
        """
        tree = cut_nodes(self._tree, nodes)
        return self._edited(tree, cut_words(listed_nodes(self._tree, nodes)), dev)

    def _edited(self, tree: Tree, what: str, dev: Dev | None) -> Self:
        edited: Any = self.__bough_pruned__(tree)
        edit = Edit(what) if dev is None else self._measured(edited, what, dev)
        edits, evidence = (*self.edits_, edit), self.evidence_
        if evidence is not None:
            evidence = {**evidence, "edits": [asdict(each) for each in edits]}
        edited._take(tree, self.settings_, evidence, edits)  # noqa: SLF001
        return edited  # type: ignore[no-any-return]

    def _measured(self, edited: Any, what: str, dev: Dev) -> Edit:  # noqa: ANN401 - as self is
        """Return an edit with what it changed on some rows."""
        names = list(signature(self._losses_on).parameters)
        if not isinstance(dev, tuple) or not 2 <= len(dev) <= len(names):
            is_tuple = isinstance(dev, tuple)
            given = f"has length {len(dev)}" if is_tuple else f"is of type {type(dev).__name__!r}"
            raise ParameterError(
                f"dev {given}. Give rows that the tree was not grown from: "
                f"dev=(X, y) or dev=({', '.join(names)})."
            )
        before, weights = self._losses_on(*dev)
        after, _ = edited._losses_on(*dev)  # noqa: SLF001
        loss = "cost" if self._tree.schema.labels[0].costs else self.task.loss
        change = difference(after, before, loss, weights=weights)
        return Edit(what, loss, float(np.average(before, weights=weights)), change)

    @abstractmethod
    def _losses_on(
        self, X: TableLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Losses:
        """Return what guesses cost on other rows."""


class Forceable(Editable):
    """A fitted tree of which copies that ask something else can be made, too."""

    def force(
        self,
        node: int,
        query: str | int | Query,
        X: TableLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        below: object = None,
        one_of: Sequence[object] | None = None,
        is_missing: bool = False,
        dev: Dev | None = None,
    ) -> Self:
        """Return a copy of the tree in which one node asks another query.

        Everything below that node is grown again. All other nodes stay as they are. The copy's `edit_`
        says what was done and how it changed the loss on `dev`.

        Parameters
        ----------
        node : int
            Number of the node; a leaf is fine, too.
        query : str, int or Query
            The column to ask about, by its best query unless `below`, `one_of` or `is_missing` names
            one; or the query of another node.
        X, y, sample_weight
            The training rows of this tree.
        below : number, date or value, default=None
            The pivot to compare with.
        one_of : list of values, default=None
            The values of the first answer; all others are the second.
        is_missing : bool, default=False
            Ask whether the value is missing.
        dev : tuple of X, y and maybe sample_weight, default=None
            Rows to measure the change on, which the tree was not grown from.

        Examples
        --------
        >>> from bough import DecisionTreeClassifier
        >>> X = {"age": [4, 9, 34, 40], "sex": ["m", "f", "f", "m"]}
        >>> y = ["yes", "yes", "yes", "no"]
        >>> tree = DecisionTreeClassifier().fit(X, y)
        >>> for rule in tree.force(0, "sex", X, y).rules():
        ...     print(rule)
        sex = f → yes 100 % (2 rows)
        sex = m and age < 20 → yes 100 % (1 row)
        sex = m and age ≥ 20 → no 100 % (1 row)
        """
        wanted = read_wanted(
            self._tree.schema, query, below=below, one_of=one_of, is_missing=is_missing
        )
        ground = self._ground(X, y, sample_weight)
        refuse_other_rows(self._tree, ground)
        tree = force_query(self._tree, node, wanted, ground, self._pruned)
        return self._edited(tree, force_words(node, wanted), dev)

    def _pruned(self, branch: Tree) -> Tree:
        whole, part = float(self._tree.weight[0]), float(branch.weight[0])
        return by_cost_complexity(branch, float(self.ccp_alpha) * whole / part)
