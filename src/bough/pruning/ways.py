"""The ways to prune: at a depth, at a price for each leaf, by rows, by errors to fear, by merging; answers that no row gives."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.errors import ParameterError
from bough.loss_kinds import node_losses
from bough.predict import all_guesses
from bough.pruning.series import Series, dear_branches
from bough.settings import is_real, whole
from bough.tree import TIE, Tree
from bough.walk import answer_numbers, children, cut, depths, parents, some_nodes, trails

Floats = NDArray[np.float64]
RowLosses = Callable[[NDArray[Any], NDArray[Any]], Floats]
"""The losses of some rows, had they stopped at some nodes: `losses(rows, nodes)`."""
_MORE_ERRORS = 0.1  # errors that a leaf may have more than the branch in its place, as in C4.5
# C4.5 reads how many standard deviations a limit lies above off this table, by straight lines.
_CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
_DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def at_depth(tree: Tree, depth: int) -> Tree:
    """Return the tree in which every node at this depth is a leaf.

    It is the tree that would have been grown with `max_depth=depth`.
    """
    whole(0)("depth", depth)
    return cut(tree, depths(tree) >= depth)


def series_by_depth(tree: Tree) -> Series:
    """Return the trees cut at every depth, from the whole tree to its root alone."""
    depth = depths(tree)
    return Series(tree, depth.max() - depth)


def by_cost_complexity(tree: Tree, ccp_alpha: float) -> Tree:
    """Return the smallest subtree of least cost, where each leaf costs `ccp_alpha`.

    The cost of a subtree is the impurity of its leaves, weighted by their share of the rows, plus
    `ccp_alpha` for each leaf (Breiman et al., 1984, chapter 3). 0 prunes nothing.
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

    `losses` count as the impurity of each node.
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


def reduced_error(
    tree: Tree, stops: NDArray[np.integer], losses: RowLosses, weights: Floats | None = None
) -> Tree:
    """Return the smallest subtree of least loss on some rows (Quinlan, 1987).

    From the leaves up, a branch becomes a leaf where its own guess makes no more loss on the rows
    that reach it than what is left below it. A branch that no row reaches becomes a leaf, too. The
    rows should have taken no part in growing; given is where each stops in the whole tree, and
    `losses(rows, nodes)` of some rows, had they stopped at some nodes.
    """
    return cut(tree, branches_of_no_use(tree, stops, losses, weights))


def branches_of_no_use(
    tree: Tree, stops: NDArray[np.integer], losses: RowLosses, weights: Floats | None = None
) -> NDArray[np.bool_]:
    """Return which nodes are to be leaves."""
    starts, nodes = trails(tree, stops)
    row = np.repeat(np.arange(len(stops)), np.diff(starts))
    found = losses(row, nodes) * (1.0 if weights is None else weights[row])
    last = starts[1:] - 1  # a row that stops at a branch costs the same whatever lies below
    as_leaf, beside = (_sums(tree, nodes[some], found[some]) for some in (slice(None), last))
    return dear_branches(tree, as_leaf, beside, TIE * float(as_leaf[0]))


def _sums(tree: Tree, nodes: NDArray[np.integer], values: Floats) -> Floats:
    return np.bincount(nodes, values, minlength=len(tree)).astype(np.float64)


def pessimistic(tree: Tree, confidence: float = 0.25) -> Tree:
    """Return the tree in which every branch is a leaf that promises no fewer errors than a leaf.

    What a leaf promises is not the share of its training rows that it gets wrong, but the upper
    limit of what that share may truly be, which is higher the fewer rows there are: 1 wrong guess
    in 16 rows counts as 2.5 (C4.5; Quinlan, 1993). From the leaves up, a branch becomes a leaf
    where this costs no more than 0.1 errors, as in C4.5. Branches are replaced by leaves only, not
    by one of their children. The confidence, at most 0.5, is how likely the true share is still
    above the limit: the smaller, the more is pruned.

    Examples
    --------
    >>> pessimistic(play_tennis_tree).n_leaves, pessimistic(play_tennis_tree, 0.05).n_leaves
    (5, 1)
    """
    if not is_real(confidence) or not 0 < confidence <= 0.5:
        raise ParameterError(
            f"confidence={confidence!r} must be a number above 0 and at most 0.5. Smaller values prune "
            "more."
        )
    return cut(tree, fearful_branches(tree, confidence))


def fearful_branches(tree: Tree, confidence: float) -> NDArray[np.bool_]:
    """Return which nodes are to be leaves."""
    if not tree.schema.has_classes or len(tree.schema.labels) > 1:
        raise ParameterError(
            "Pessimistic pruning is for classification with one output. Prune this tree by 'depth' or "
            "'cost_complexity'."
        )
    losses = node_losses(tree, "error")
    assert losses is not None  # noqa: S101 - the tallies of classes tell it
    errors = tree.weight * limits(tree.weight * losses, tree.weight, confidence)
    return dear_branches(tree, errors, np.zeros(len(tree)), _MORE_ERRORS)


def limits(errors: Floats, weight: Floats, confidence: float) -> Floats:
    """Return the upper limits of shares of errors, as C4.5 works them out.

    Without an error it is exact. From one error on it is that of the normal distribution, with a
    correction since errors are counted; between none and one, as weights may give, it lies on the
    straight line.

    Examples
    --------
    >>> limits(np.array([0.0, 0.0, 0.0, 1.0]), np.array([6.0, 9.0, 1.0, 16.0]), 0.25).round(3)
    array([0.206, 0.143, 0.75 , 0.157])
    """
    of_none = 1 - confidence ** (1 / weight)
    of_some = _limits_of_some(np.maximum(errors, 1.0), weight, confidence)
    return np.asarray(of_none + np.minimum(errors, 1.0) * (of_some - of_none))


def _limits_of_some(errors: Floats, weight: Floats, confidence: float) -> Floats:
    squared = np.interp(confidence, _CONFIDENCES, _DEVIATIONS) ** 2
    more = np.minimum(errors + 0.5, weight)
    spread = np.sqrt(squared * (more * (1 - more / weight) + squared / 4))
    found = (more + squared / 2 + spread) / (weight + squared)
    nearly_all = (errors + 0.67 * (weight - errors)) / weight
    return np.where(errors + 0.5 >= weight, nearly_all, found)


def merged(tree: Tree, *, keep_probabilities: bool = True) -> Tree:
    """Return the tree in which no branch has only leaves below it that guess what it guesses itself.

    From the leaves up, such a branch becomes a leaf. No guess changes, that of a missing or unseen
    value neither: such a row stops at the branch and gets the branch's guess before and after.
    Leaves must also agree on how probable each class is, unless `keep_probabilities` is off: then
    rows get the shares of all that are merged.

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


def spliced(tree: Tree, stops: NDArray[np.integer]) -> Tree:
    """Return the tree without the leaves that no row reaches, the root alone if none reaches any.

    A query whose answers lead to one child only is not asked: that child takes its place. A value
    that loses its answer at an `EachValue` is unseen there. `n_rows` counts the rows that are
    given, but for those that stop at a branch; what else the nodes say stays as it is.
    """
    n_rows = _rows_of_leaves(tree, stops)
    old, below = _numbered(tree, n_rows)
    n_children = np.array([len(each) for each in below], np.int32)
    stays = n_children > 0
    first_child = np.where(stays, 1 + np.cumsum(n_children) - n_children, -1).astype(np.int32)
    codes, answers, n_codes = _codes(tree, old, below)
    missing_child = [
        first + kept.index(int(tree.missing_child[node]))
        if int(tree.missing_child[node]) in kept
        else -1
        for node, first, kept in zip(old, first_child.tolist(), below, strict=True)
    ]
    return some_nodes(
        tree,
        np.array(old),
        stays,
        codes=np.array(codes, np.int32),
        answers=np.array(answers, np.int32),
        codes_start=np.cumsum([0, *n_codes]).astype(np.int32),
        first_child=first_child,
        n_children=n_children,
        missing_child=np.array(missing_child, np.int32),
        n_rows=np.maximum(n_rows[old], 1),
    )


def _rows_of_leaves(tree: Tree, stops: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return how many rows reach a leaf at or below each node."""
    counts = np.bincount(stops, minlength=len(tree)) * (tree.feature < 0)
    for node in reversed(range(1, len(tree))):  # children come after their parent
        counts[parents(tree)[node]] += counts[node]
    return counts.astype(np.int64)


def _numbered(tree: Tree, n_rows: NDArray[np.int64]) -> tuple[list[int], list[list[int]]]:
    """Return the nodes that stay, breadth first, and the children by which rows leave each."""
    old, below = [_next(tree, n_rows, 0)[0]], []
    for node in old:  # grows while it is read
        _, reached = _next(tree, n_rows, node)
        below.append(reached)
        old += [_next(tree, n_rows, child)[0] for child in reached]
    return old, below


def _next(tree: Tree, n_rows: NDArray[np.int64], node: int) -> tuple[int, list[int]]:
    """Return the first node from here on at which rows part, or stop, and its reached children."""
    while len(reached := [child for child in children(tree, node) if n_rows[child]]) == 1:
        node = reached[0]
    return node, reached


def _codes(
    tree: Tree, old: list[int], below: list[list[int]]
) -> tuple[list[int], list[int], list[int]]:
    """Return the codes of the nodes that stay, their answers, and how many each node has."""
    codes: list[int] = []
    answers: list[int] = []
    n_codes = []
    for node, kept in zip(old, below, strict=True):
        before = len(codes)
        seen = slice(tree.codes_start[node], tree.codes_start[node + 1]) if kept else slice(0)
        place = {int(answer_numbers(tree)[child]): here for here, child in enumerate(kept)}
        for code, answer in zip(
            tree.codes[seen].tolist(), tree.answers[seen].tolist(), strict=True
        ):
            if answer in place:
                codes.append(code)
                answers.append(place[answer])
        n_codes.append(len(codes) - before)
    return codes, answers, n_codes
