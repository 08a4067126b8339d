"""Pruning at a price for each leaf (Breiman et al., 1984, chapter 3)."""

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.errors import ParameterError
from bough.pruning.series import Series
from bough.settings import is_real
from bough.tree import TIE, Tree
from bough.walk import cut, parents

Floats = NDArray[np.float64]


def by_cost_complexity(tree: Tree, ccp_alpha: float) -> Tree:
    """Return the smallest subtree of least cost, where each leaf costs `ccp_alpha`.

    The cost of a subtree is the impurity of its leaves, weighted by their share of the rows,
    plus `ccp_alpha` for each leaf. 0 prunes nothing.
    """
    check_alpha(ccp_alpha)
    if ccp_alpha == 0:
        return tree
    alpha_of, _, _ = _path(tree, tree.impurity)
    return cut(tree, alpha_of <= ccp_alpha + _slack(tree.impurity))


def check_alpha(ccp_alpha: object) -> None:
    """Refuse a price that is not a number, 0 or more."""
    if not is_real(ccp_alpha) or ccp_alpha < 0:  # type: ignore[operator]
        raise ParameterError(f"ccp_alpha={ccp_alpha!r} must be a number, 0 or more.")


def cost_complexity_path(tree: Tree) -> tuple[Floats, Floats]:
    """Return every `ccp_alpha` at which the pruned tree changes, and its impurity from there on.

    The first entry is the whole tree, at 0; the last is a single leaf.
    """
    _, alphas, impurities = _path(tree, tree.impurity)
    return alphas, impurities


def series_by_cost(tree: Tree, losses: Floats) -> tuple[Floats, Series]:
    """Return every `ccp_alpha` at which the pruned tree changes, and the trees from there on.

    Parameters
    ----------
    losses
        What counts as the impurity of each node.
    """
    alpha_of, alphas, _ = _path(tree, losses)
    first = np.searchsorted(alphas, alpha_of - _slack(losses), side="left")
    return alphas, Series(tree, np.minimum(first, len(alphas) - 1))


def _path(tree: Tree, losses: Floats) -> tuple[Floats, ...]:
    """Return the price from which on each node is a leaf, and what changes at which price."""
    share = tree.weight / tree.weight[0]
    return _core.pruning_path(parents(tree), share * losses, _slack(losses))


def _slack(losses: Floats) -> float:
    """Return the difference up to which links are equally strong, so that rounding never shows."""
    return TIE * float(losses[0])
