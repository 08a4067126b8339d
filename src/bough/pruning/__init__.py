"""Tree → smaller tree: the table of prunings, name → function; and which ways may be named, alone and together."""

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import ArrayLike

from bough.errors import Argument, ParameterError, listed, refuse_unknown
from bough.loss_kinds import LOSSES
from bough.pruning.ways import at_depth, by_cost_complexity, merged, pessimistic, reduced_error
from bough.schema import Task
from bough.table import TableLike
from bough.tree import Tree, TreeLike, tree_of

OPTIONS = {  # what each way of pruning can be told
    "depth": ("depth",),
    "cost_complexity": ("ccp_alpha",),
    "reduced_error": ("X", "y", "sample_weight"),
    "pessimistic": ("confidence",),
    "merge": ("keep_probabilities",),
}
NEEDED = {"depth": ("depth",), "cost_complexity": ("ccp_alpha",), "reduced_error": ("X", "y")}

USUAL = ("depth", "cost_complexity")
BY_DEV = "reduced_error"
PRUNINGS = (*USUAL, "pessimistic", BY_DEV, "merge")
_OF_TREES: dict[str, Callable[..., Tree]] = {
    "depth": at_depth,
    "cost_complexity": by_cost_complexity,
    "pessimistic": pessimistic,
    "merge": merged,
}


def prune(
    model: TreeLike,
    how: str,
    *,
    depth: int | None = None,
    ccp_alpha: float | None = None,
    X: TableLike | None = None,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    confidence: float | None = None,
    keep_probabilities: bool | None = None,
) -> Any:  # noqa: ANN401 - a tree for a tree, an estimator for an estimator
    """Return a smaller tree of the same kind; the model itself does not change.

    Parameters
    ----------
    model
        A `Tree`, a fitted estimator, or the `Result` of `bough.fit`, for which an estimator is
        returned. The estimates of the larger tree are dropped, since they do not hold any more.
    how
        - 'depth': keep at most `depth` levels of queries;
        - 'cost_complexity': a branch must save `ccp_alpha` of impurity per extra leaf;
        - 'reduced_error': a branch must lower the loss on rows that the tree was not grown from;
        - 'pessimistic': a branch must promise fewer errors, as in C4.5;
        - 'merge': sibling leaves with the same prediction become one.
    depth
        For 'depth': 0 leaves a single leaf.
    ccp_alpha
        For 'cost_complexity': the parameter of the estimators.
    X, y, sample_weight
        For 'reduced_error': the rows, their labels and weights. The loss is the share of wrong
        predictions, the mean cost if the classifier has `costs`, or the mean squared error.
    confidence
        For 'pessimistic': above 0 and at most 0.5, by default 0.25. Smaller values prune more.
    keep_probabilities
        For 'merge': True, the default, merges only leaves that also agree on all probabilities.
        Predictions never change.

    Examples
    --------
    >>> import bough
    >>> penguins = bough.datasets.load("penguins")
    >>> X, y = penguins.features, penguins.labels
    >>> tree = bough.DecisionTreeClassifier().fit(X, y)
    >>> tree.get_n_leaves(), bough.prune(tree, "pessimistic").get_n_leaves()
    (17, 13)
    """
    given: dict[str, Any] = {
        "depth": depth, "ccp_alpha": ccp_alpha, "X": X, "y": y, "sample_weight": sample_weight,
        "confidence": confidence, "keep_probabilities": keep_probabilities,
    }  # fmt: skip
    options = {name: value for name, value in given.items() if value is not None}
    _check_options(how, options)
    tree = tree_of(model)
    estimator: Any = getattr(model, "__bough_estimator__", model)  # a result has one
    if _rests_on_one_leaf(how, tree, options) and getattr(estimator, "missing", "") == "weigh":
        raise several_leaves(Argument("how", how))
    if how == "reduced_error":
        pruned = _by_rows(estimator, **options)
    else:
        pruned = _OF_TREES[how](tree, **options)
    return pruned if model is tree else estimator.__bough_pruned__(pruned)


def several_leaves(way: Argument) -> ParameterError:
    """Return the error of a way of pruning that is not for predictions from several leaves."""
    return ParameterError(
        way, " and ", Argument("missing", "weigh"), " cannot be combined: a prediction then comes from "
        "several leaves. Use ", Argument("missing", "stop"), ", or prune in another way.",
    )  # fmt: skip


def _rests_on_one_leaf(how: str, tree: Tree, options: dict[str, Any]) -> bool:
    keeps_shares = options.get("keep_probabilities", True) or not tree.schema.has_classes
    return how == "reduced_error" or (how == "merge" and not keeps_shares)


def _check_options(how: str, options: dict[str, Any]) -> None:
    refuse_unknown("how", how, OPTIONS)
    for name in options:
        if name not in OPTIONS[how]:
            raise ParameterError(
                f"{name} does not work with how={how!r}, which takes {listed(OPTIONS[how])}."
            )
    keeps = options.get("keep_probabilities", True)
    if not isinstance(keeps, bool):
        raise ParameterError(f"keep_probabilities={keeps!r} must be True or False.")
    needed = NEEDED.get(how, ())
    for name in needed:
        if name not in options:
            call = ", ".join(["model", repr(how), *(f"{each}=…" for each in needed)])
            raise ParameterError(f"how={how!r} needs {name}: bough.prune({call}).")


def _by_rows(
    model: Any,  # noqa: ANN401 - an estimator, which lies above this folder
    X: TableLike,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
) -> Tree:
    if not hasattr(model, "__bough_losses__"):
        raise ParameterError(
            "how='reduced_error' needs a classifier, a regressor or the result of bough.fit, not a "
            f"{type(model).__name__}."
        )
    return reduced_error(tree_of(model), *model.__bough_losses__(X, y, sample_weight))


def check_prunings(ways: Sequence[str], task: Task, loss: str) -> None:
    """Refuse ways to prune that are not for the task or the loss."""
    if "pessimistic" in ways and not task.has_classes:
        raise ParameterError(
            Argument("prune", "pessimistic"), " counts errors and is only for classes, not for "
            f"{task}. Use 'depth' or 'cost_complexity'.",
        )  # fmt: skip
    if BY_DEV in ways and task.ranks:
        raise ParameterError(
            Argument("prune", "reduced_error"), " compares the loss row by row, but a ranking is "
            "measured by its groups. Use 'depth' or 'cost_complexity'.",
        )  # fmt: skip
    if "merge" in ways and LOSSES[loss].of_shares:
        raise ParameterError(
            Argument("prune", "merge"), " gives leaves with the same prediction the same shares, but ",
            Argument("loss", loss), " measures shares. Use ", Argument("loss", "error"), ", or "
            "leave 'merge' out.",
        )  # fmt: skip


def check_combinations(ways: Sequence[str], missing: str, probability: str | None) -> None:
    """Refuse ways to prune that do not go together with how rows are predicted."""
    if probability == "honest" and BY_DEV in ways:
        raise ParameterError(
            Argument("prune", BY_DEV), " and ", Argument("probability", "honest"), " cannot be combined: "
            "leaves chosen by the development rows look too good on them. Use one of them.",
        )  # fmt: skip
    if missing == "weigh" and (some := {BY_DEV, "merge"} & set(ways)):
        raise several_leaves(Argument("prune", min(some)))


def ways_of(prune: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the ways of pruning that a user names, checked; the usual ones if none.

    Examples
    --------
    >>> ways_of(None), ways_of("merge"), ways_of(["pessimistic", "depth"])
    (('depth', 'cost_complexity'), ('depth', 'cost_complexity', 'merge'), ('pessimistic', 'depth'))
    """
    if prune is None:
        return USUAL
    is_one = isinstance(prune, str) or not isinstance(prune, Sequence)
    given: tuple[Any, ...] = (prune,) if is_one else tuple(prune)
    if not given:
        raise ParameterError("prune must name at least one way, or be None for the usual ones.")
    for each in given:
        refuse_unknown("prune", each, PRUNINGS)
    named = tuple(dict.fromkeys(given))
    sizes = [each for each in named if each != "merge"]
    if BY_DEV in sizes and len(sizes) > 1:
        raise ParameterError(
            Argument("prune", "reduced_error"),
            " cannot be combined with other ways: it is fitted to the development rows, so it would "
            "always win. Use it alone, or leave it out.",
        )
    return named if sizes else (*USUAL, *named)
