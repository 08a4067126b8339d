"""The ways to prune that a user may name, and which of them go together."""

from collections.abc import Sequence
from typing import Any

from bough.errors import Argument, ParameterError, refuse_unknown
from bough.losses import LOSSES
from bough.pruning import several_leaves
from bough.schema import Task

USUAL = ("depth", "cost_complexity")
BY_DEV = "reduced_error"
PRUNINGS = (*USUAL, "pessimistic", BY_DEV, "merge")


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
