"""Merging sibling leaves that guess alike."""

import numpy as np
from numpy.typing import NDArray

from bough.predict import all_guesses
from bough.tree import TIE, Tree
from bough.walk import cut, parents


def merged(tree: Tree, *, keep_probabilities: bool = True) -> Tree:
    """Return the tree in which no branch has only leaves below it that guess what it guesses itself.

    From the leaves up, such a branch becomes a leaf. No guess changes, that of a missing or unseen
    value neither: such a row stops at the branch and gets the branch's guess before and after.

    Parameters
    ----------
    keep_probabilities
        Whether leaves must also agree on how probable each class is, so that no probability changes.
        If not, all that guess alike are merged, and their rows get the shares of all together.

    Examples
    --------
    >>> import bough
    >>> penguins = bough.datasets.load("penguins")
    >>> tree = bough.DecisionTreeClassifier(max_depth=4).fit(penguins.features, penguins.labels)
    >>> tree.get_n_leaves(), merged(tree.grown_tree_, keep_probabilities=False).n_leaves
    (14, 13)
    """
    parent = np.maximum(parents(tree), 0)
    is_alike = np.all(all_guesses(tree) == all_guesses(tree)[parent], axis=1)
    if keep_probabilities and tree.schema.has_classes:
        for said in (tree.probabilities, tree.shares):  # which smoothing sets apart
            is_alike &= np.all(np.abs(said - said[parent]) <= TIE, axis=(1, 2))
    return cut(tree, _idle_branches(tree, parent, is_alike))


def _idle_branches(
    tree: Tree, parent: NDArray[np.int32], is_alike: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which branches have only leaves below them that are like them, from the leaves up."""
    is_leaf, is_idle = tree.feature < 0, np.ones(len(tree), bool)
    for node in range(len(tree) - 1, 0, -1):  # a child comes after its parent
        if not (is_idle[node] and is_alike[node]):
            is_idle[parent[node]] = False
    return is_idle & ~is_leaf
