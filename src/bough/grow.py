"""Encoded table + settings → tree."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bough import _core
from bough.costs import altered_priors
from bough.encode import Labels, core_columns, core_labels, n_rows_with_weight
from bough.errors import DataError
from bough.monotonic import feature_directions
from bough.predict import stops
from bough.ranking import centred_gains
from bough.schema import Kind, Schema
from bough.settings import Settings, columns_drawn, rows_needed
from bough.table import Table, refuse_infinity
from bough.tree import Tree
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
    `use_fast_search`, `use_general_bounds`, `list_rows`, `list_rows_at_root` and `kept_bytes` of
    `core/grow.hpp`. It never changes the tree.

    Where the label has costs, a class weighs as much more as wrong guesses cost while queries are
    chosen (`bough.costs.altered_priors`), and what nodes say comes from the weights as they are.
    """
    if n_rows_with_weight(labels) == 0:
        raise DataError("every row has weight 0, so that there is none to grow from.")
    if settings.criterion == "poisson":
        refuse_other_than_counts(labels)
    labels = _grown_labels(labels, settings)
    altered = altered_priors(labels)
    arrays = _core.grow(
        core_columns(table),
        [len(f.choices) if f.kind is Kind.CHOICE else -1 for f in table.features],
        **core_labels(altered),
        settings={
            **_core_settings(settings, len(table.features), n_rows_with_weight(altered)),
            "directions": feature_directions(settings.monotonic_cst, table.features),
            **(regime or {}),
        },
        n_threads=n_jobs,
    )
    if not arrays:
        refuse_infinity(table)
    is_below = (arrays["query_kind"] == 0) & (arrays["feature"] >= 0)
    if not np.any(is_below & np.isnan(arrays["pivot"])):
        arrays["pivot_int"] = None
    names = table.columns, table.features, labels.labels, table.named
    tree = Tree(schema=Schema(*names, match_by_name=match_by_name), **arrays)
    if altered is labels:
        return tree
    return refilled(tree, stops(tree, table, n_jobs=n_jobs), labels, settings, n_jobs=n_jobs)


def refilled(
    tree: Tree, stops: NDArray[np.int32], labels: Labels, settings: Settings, *, n_jobs: int = 1
) -> Tree:
    """Return the tree with the same queries, whose nodes say what other rows tell.

    Tallies, numbers of rows, guesses, impurities and gains are worked out anew, as growing does.

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
    says = _core.refill(
        tree.first_child,
        tree.n_children,
        stops,
        **core_labels(_grown_labels(labels, settings)),
        criterion=_core_criterion(settings),
        quantile=_level(settings),
        n_threads=n_jobs,
    )
    return replace(tree, **says)


def refuse_other_than_counts(labels: Labels) -> None:
    """Refuse labels of which no Poisson deviance is known, nearly in scikit-learn's words."""
    assert labels.values is not None  # noqa: S101 - the criterion is for numbers
    for label, values in zip(labels.labels, labels.values, strict=True):
        name = plain(label.name)
        if (least := values.min()) < 0:
            raise DataError(
                f"Some values of {name} are negative, which is not allowed for Poisson regression: "
                f"the least is {number(float(least))}. Use criterion='squared_error' or "
                "'absolute_error', or leave these rows out."
            )
        if not np.any(values if labels.weights is None else values[labels.weights > 0]):
            raise DataError(
                f"The sum of {name} is not positive, which is necessary for Poisson regression: "
                "every row has 0. Use criterion='squared_error' or 'absolute_error'."
            )


def _grown_labels(labels: Labels, settings: Settings) -> Labels:
    """Return the labels and weights that the core's criterion is for."""
    return centred_gains(labels) if settings.criterion == "ndcg" else labels


def _core_criterion(settings: Settings) -> str:
    return "squared_error" if settings.criterion == "ndcg" else settings.criterion


def _core_settings(settings: Settings, n_features: int, n_rows: int) -> dict[str, object]:
    drawn = columns_drawn(settings.max_features, n_features)
    return {
        "criterion": _core_criterion(settings),
        "quantile": _level(settings),
        "group_choices": settings.categorical == "group",
        "draw_pivots": settings.splitter == "random",
        "max_depth": -1 if settings.max_depth is None else min(int(settings.max_depth), 2**62),
        "min_samples_split": min(rows_needed(settings.min_samples_split, n_rows, 2), 2**62),
        "min_samples_leaf": min(rows_needed(settings.min_samples_leaf, n_rows, 1), 2**62),
        "min_weight_fraction_leaf": float(settings.min_weight_fraction_leaf),
        "min_impurity_decrease": float(settings.min_impurity_decrease),
        "max_leaf_nodes": int(settings.max_leaf_nodes or 0),
        "max_features": 0 if drawn >= n_features else drawn,
        "seed": int(settings.random_state) % 2**64,
    }


def _level(settings: Settings) -> float:
    return 0.5 if settings.quantile is None else float(settings.quantile)
