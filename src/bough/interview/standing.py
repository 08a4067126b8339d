"""`Standing`: the nodes where a row may be, given what is known of it, and how likely each is."""

from collections.abc import Set
from functools import cached_property, reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from bough.draw.verdict import Verdict, mixed_verdict
from bough.predict import EVERY, next_nodes
from bough.schema import Value
from bough.table import Table
from bough.tree import Tree
from bough.walk import features_above, parents, products


class Standing:
    """Where a row may be of which only some features are known.

    At a query about a known feature it goes where the tree leads it; at one about a feature that
    stays unknown it goes every way, weighed by the rows; at one that is still to be asked it waits.

    Parameters
    ----------
    tree
        The tree.
    table
        The row; what is not known of it counts for nothing.
    known
        The numbers of the features that are known.
    unknown
        The numbers of the features that stay unknown.
    missing
        Where a missing value goes, as `bough.predict.said_of` has it.
    """

    def __init__(
        self, tree: Tree, table: Table, known: Set[int], unknown: Set[int], missing: str = "stop"
    ) -> None:
        self.table = table
        self._tree = tree
        n_features = len(tree.schema.features)
        is_known = _marks(known, n_features)[tree.feature]  # of leaves too, where it says nothing
        is_unknown = _marks(unknown, n_features)[tree.feature]
        is_branch = tree.feature >= 0
        goes_to = next_nodes(tree, table, 0, missing=missing)
        goes_every_way = is_unknown | (is_known & (goes_to == EVERY))
        stops = ~is_branch | (is_known & (goes_to < 0) & ~goes_every_way)
        above = np.maximum(parents(tree), 0)
        share = np.where(is_known[above], goes_to[above] == np.arange(len(tree)), 0.0)
        share = np.where(goes_every_way[above], tree.flow, share)
        share[0] = 1.0
        self._is_open = is_branch & ~is_known & ~is_unknown
        self._mass = np.where(self._is_open | stops, products(tree, share), 0.0)
        self._is_asked_below = self._is_open[above]
        self._may_reach = products(tree, np.where(self._is_asked_below, 1.0, share)) > 0

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """The nodes where the row may be."""
        return np.flatnonzero(self._mass)

    @cached_property
    def asked(self) -> int | None:
        """The feature to ask about: the one that most of the row waits for; None: there is none."""
        waiting = self.places[self._is_open[self.places]]
        if not len(waiting):
            return None
        return int(np.argmax(np.bincount(self._tree.feature[waiting], self._mass[waiting])))

    @property
    def asking(self) -> list[int]:
        """The nodes that ask about it, the likeliest first."""
        here = self.places[self._tree.feature[self.places] == self.asked]
        asks = here[self._is_open[here]]
        return [int(node) for node in asks[np.argsort(-self._mass[asks], kind="stable")]]

    @property
    def most_left(self) -> int:
        """How many questions may still be asked at most, if all are answered."""
        is_counted = self._is_asked_below.copy()
        is_counted[0] = False
        to_ask = features_above(self._tree, is_counted)
        reached = [to_ask[node] for node in np.flatnonzero(self._may_reach).tolist()]
        if len(self.places) == 1:
            return max(features.bit_count() for features in reached)
        return reduce(or_, reached).bit_count()  # each place may ask about others

    def shares(self) -> dict[Value, float]:
        """Return the share of each class; none for numbers."""
        if not self._tree.schema.has_classes:
            return {}
        classes = self._tree.schema.labels[0].classes
        return dict(zip(classes, self._mean(self._tree.shares[:, 0]).tolist(), strict=True))

    def verdict(self, digits: int | None) -> Verdict:
        """Return the guess if no more is asked."""
        return mixed_verdict(self._tree, self.places, self._mass[self.places], digits)

    def _mean(self, of_nodes: NDArray[np.float64]) -> NDArray[np.float64]:
        mass = self._mass[self.places]
        return np.asarray(np.average(of_nodes[self.places], axis=0, weights=mass))


def _marks(features: Set[int], n_features: int) -> NDArray[np.bool_]:
    """Return for each feature, and for none at the end, whether it is in the set."""
    marks = np.zeros(n_features + 1, np.bool_)
    marks[list(features)] = True
    return marks
