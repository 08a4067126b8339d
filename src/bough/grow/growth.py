"""Grows a tree: first the queries that the user wants first, then all others; and fills it anew from other rows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.costs import altered_priors, usual_share
from bough.encode import Labels, core_labels, n_rows_with_weight
from bough.errors import Argument, DataError
from bough.graft import graft
from bough.grow.ground import Ground, constraints_of, core_criterion
from bough.grow.intervals import Intervals, coded, intervals_of
from bough.predict import stops
from bough.ranking import centred_gains
from bough.settings import Settings
from bough.table import Table, refuse_infinity
from bough.tree import Tree
from bough.walk import cut, depths
from bough.words import number, plain


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
    but without the bounds of `monotonic_cst`, which are those of other rows.

    Parameters
    ----------
    stops
        The node where each of the rows stops. Those that stop at a branch take no part, so that it
        stays the sum of its children. Every leaf needs a row that has weight.
    labels
        The labels and the weights of the rows.
    settings
        How the tree was grown; the criterion tells how mixed labels are.
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
        **core_labels(labels),
        criterion=criterion,
        quantile=level,
        n_threads=n_jobs,
    )


def grown_labels(labels: Labels, criterion: str) -> Labels:
    """Return the labels and weights that the core's criterion is for."""
    return centred_gains(labels) if criterion == "ndcg" else labels
