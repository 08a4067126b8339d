"""Grows a tree: first the queries that the user wants first, then all others; below leaves of another tree; and fills it anew from other rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.constraints import constraints_of
from bough.costs import altered_priors, usual_share
from bough.encode import Labels, core_labels, n_rows_with_weight
from bough.errors import Argument, DataError
from bough.grow.binning import Intervals, coded, intervals_of
from bough.grow.grow_branch import Ground, core_criterion
from bough.predict import stops
from bough.ranking import centred_gains
from bough.settings import Settings
from bough.table import Table, refuse_infinity
from bough.tree import Tree
from bough.walk import answer_numbers, cut, depths, parents
from bough.words import number, plain

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


def grow(
    table: Table,
    labels: Labels,
    settings: Settings,
    *,
    n_jobs: int = 1,
    match_by_name: bool = False,
    regime: Mapping[str, int] | None = None,
) -> Tree:
    """Return the tree that these settings grow from a table, the same for any number of threads.

    `regime` forces the core to search in another way than it would choose, for tests: with
    `use_fast_search`, `list_rows` and `list_rows_at_root` of `core/grow.hpp`. It never changes the
    tree.

    Where the label has costs, a class weighs as much more as wrong guesses cost while queries are
    chosen (`bough.costs.altered_priors`), and what nodes say comes from the weights as they are.
    """
    return grown(
        ground_of(
            table, labels, settings, n_jobs=n_jobs, match_by_name=match_by_name, regime=regime
        )
    )


def ground_of(
    table: Table,
    labels: Labels,
    settings: Settings,
    *,
    n_jobs: int = 1,
    match_by_name: bool = False,
    regime: Mapping[str, int] | None = None,
    intervals: Intervals | None = None,
) -> Ground:
    """Return the ground of a whole tree; labels and names in the settings are checked.

    Where growth is not exact, the table may be a part of one whose `intervals` are known.
    """
    if (n_rows := n_rows_with_weight(labels)) == 0:
        raise DataError("every row has weight 0, so no row is left to grow a tree from.")
    if settings.criterion == "poisson":
        refuse_other_than_counts(labels)
    labels = grown_labels(labels, settings.criterion)
    searched = altered_priors(labels)
    if searched is not labels:
        n_rows = n_rows_with_weight(searched)
    constraints = constraints_of(settings, table)
    # The core sees no column that is forbidden, but rows that are to be guessed have it.
    if len(constraints.allowed) < len(table.features):
        refuse_infinity(table.only(sorted({*range(len(table.features))} - {*constraints.allowed})))
    if settings.has_intervals and intervals is None:
        refuse_infinity(table)
        intervals = intervals_of(table, searched.weights)
    return Ground(
        table,
        labels,
        searched,
        settings,
        constraints,
        n_rows,
        n_jobs,
        match_by_name,
        regime,
        intervals=intervals,
        coded=coded(table, intervals) if intervals else None,
    )


def grown(ground: Ground) -> Tree:
    """Return the branch that grows from some ground: the whole tree, if that is at the root.

    On every trail the first of the columns `first` that has not been asked about, and has a query
    that may be asked, is the next one. Where there is none, growth is as usual from there on; where
    it asks about one of them all the same, which chance may do, they go on below.
    """
    if not ground.unasked:
        tree = ground.branch()
        is_told = ground.searched is ground.labels and ground.labels.relevance is None
        return tree if is_told else _kept_in_order(filled(tree, ground), tree, ground)
    table, _ = ground.own_rows
    tree, waiting = ground.leaf(), [0]
    while waiting:
        stumps: dict[int, Tree] = {}
        branches: dict[int, Tree] = {}
        for leaf, here in ground.at_each(tree, waiting, stops(tree, table, n_jobs=ground.n_jobs)):
            found, is_first = _first_query(here)
            (stumps if is_first else branches)[leaf] = found
        tree, moved = graft(tree, stumps | branches)
        waiting = [node for leaf in stumps for node in moved[leaf][1:].tolist()]
    return filled(tree, ground)


def filled(tree: Tree, ground: Ground) -> Tree:
    """Return a tree whose nodes say what the rows of some ground tell."""
    table, labels = ground.own_rows
    here = stops(tree, table, n_jobs=ground.n_jobs)
    return filled_by(tree, here, labels, ground.settings, n_jobs=ground.n_jobs)


def _kept_in_order(tree: Tree, as_grown: Tree, ground: Ground) -> Tree:
    """Return a tree that is filled, with the guesses that `monotonic_cst` has put in order."""
    if not ground.settings.is_monotonic:
        return tree
    if as_grown.share is None:  # ranked rows are filled from the labels that they grew from
        return replace(tree, guess=as_grown.guess)
    is_altered = ground.searched is not ground.labels
    share = usual_share(as_grown.share, ground.labels) if is_altered else as_grown.share
    return replace(tree, share=share)


def _first_query(ground: Ground) -> tuple[Tree, bool]:
    """Return a query about one of the columns to ask about first; the whole branch if there is none."""
    for column in ground.unasked:
        if len(stump := ground.stump(column)) > 1:
            return stump, True
    branch = ground.branch()
    query = branch[0].query
    if query is not None and query.feature.column in ground.unasked:
        return cut(branch, depths(branch) == 1), True
    return branch, False


def refuse_other_than_counts(labels: Labels) -> None:
    """Refuse labels of which no Poisson deviance is known, nearly in scikit-learn's words."""
    assert labels.values is not None  # noqa: S101 - the criterion is for numbers
    for label, values in zip(labels.labels, labels.values, strict=True):
        name = plain(label.name)
        if (least := values.min()) < 0:
            raise DataError(
                f"Some values of {name} are negative, which is not allowed for Poisson "
                f"regression: the least is {number(float(least))}. Use ",
                Argument("criterion", "squared_error"),
                " or 'absolute_error', or leave these rows out.",
            )
        if not np.any(values if labels.weights is None else values[labels.weights > 0]):
            raise DataError(
                f"The sum of {name} is not positive, which is necessary for Poisson regression: "
                "it is 0 in every row. Use ", Argument("criterion", "squared_error"), " or "
                "'absolute_error'.",
            )  # fmt: skip


def refilled(
    tree: Tree, stops: NDArray[np.int32], labels: Labels, settings: Settings, *, n_jobs: int = 1
) -> Tree:
    """Return the tree with the same queries, whose nodes say what other rows tell.

    Tallies, numbers of rows, guesses, impurities and gains are worked out anew, as growing does,
    but without the bounds of `monotonic_cst`, which are those of other rows. Rows that stop at a
    branch take no part, so that it stays the sum of its children. Every leaf needs a row that has
    weight.
    """
    return filled_by(tree, stops, grown_labels(labels, settings.criterion), settings, n_jobs=n_jobs)


def filled_by(
    tree: Tree, stops: NDArray[np.int32], labels: Labels, settings: Settings, *, n_jobs: int = 1
) -> Tree:
    """Return the same for labels that are as the criterion of the core takes them."""
    says = _said(tree, stops, labels, core_criterion(settings.criterion), settings.level, n_jobs)
    if labels.relevance is not None:  # its mean is the guess of a tree that guesses numbers
        counts = None if labels.weights is None else (labels.weights > 0).astype(np.float64)
        plain = replace(labels, values=labels.relevance[np.newaxis], weights=counts)
        guessed = _said(tree, stops, plain, "squared_error", settings.level, n_jobs)["guess"]
        says["relevance"] = guessed[:, 0].copy()
    return replace(tree, share=None, **says)


def filled_by_sums(tree: Tree, leaves: tuple[Any, ...], core_settings: dict[str, Any]) -> Tree:
    """Return the same from what the rows of each leaf add up to, as `_core.sum_nodes` gives it."""
    n_classes = [len(label.classes) for label in tree.schema.labels]
    links = (tree.first_child, tree.n_children)
    return replace(tree, **_core.finish_parts(*links, leaves, n_classes, core_settings))


def _said(  # noqa: PLR0917
    tree: Tree, stops: NDArray[np.int32], labels: Labels, criterion: str, level: float, n_jobs: int
) -> dict[str, Any]:
    return _core.refill(
        tree.first_child,
        tree.n_children,
        stops,
        core_labels(labels),
        {"criterion": criterion, "quantile": level},
        n_jobs,
    )


def grown_labels(labels: Labels, criterion: str) -> Labels:
    """Return the labels and weights that the core's criterion is for."""
    return centred_gains(labels) if criterion == "ndcg" else labels


def graft(tree: Tree, pieces: Mapping[int, Tree]) -> tuple[Tree, dict[int, NDArray[np.int32]]]:
    """Return the tree in which other trees grow in the place of some leaves.

    For each of these leaves also the ids that the nodes of its piece have in the larger tree.

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
