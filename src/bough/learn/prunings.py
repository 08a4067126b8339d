"""`Prunings`: how trees are made smaller, as the user says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError, did_you_mean, listed
from bough.learn.plan import Plan
from bough.learn.rows import LabelledRows
from bough.losses import row_losses
from bough.predict import stops
from bough.prune import branches_of_no_use
from bough.tree import Tree

USUAL = ("depth", "cost_complexity")
BY_DEV = "reduced_error"
OF_SHARES = ("log_loss", "brier")  # losses that tell leaves apart which guess alike
WAYS = (*USUAL, "pessimistic", BY_DEV, "merge")


@dataclass(frozen=True, eq=False)
class Prunings:
    """The ways in which trees are made smaller, and what they need to know."""

    ways: tuple[str, ...] = USUAL
    dev: LabelledRows | None = None
    """The rows that 'reduced_error' prunes by."""
    loss: str = "error"
    """What it makes small on them."""
    quantile: float | None = None

    def branches_of_no_use(self, tree: Tree) -> NDArray[np.bool_]:
        """Return which nodes are to be leaves, by the development rows."""
        dev = self.dev
        assert dev is not None  # noqa: S101 - `BY_DEV` comes with rows

        def losses(rows: NDArray[np.intp], nodes: NDArray[np.intp]) -> NDArray[np.float64]:
            return row_losses(tree, self.loss, nodes, dev.answers[rows], quantile=self.quantile)

        return branches_of_no_use(tree, stops(tree, dev.table), losses, dev.weights)


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
    named: tuple[Any, ...] = (prune,) if is_one else tuple(dict.fromkeys(prune))
    if not named:
        raise ParameterError("prune must name at least one way, or be None for the usual ones.")
    for each in named:
        if each not in WAYS:
            hint = did_you_mean(str(each), WAYS)
            raise ParameterError(f"prune={each!r} is not known.{hint} Known: {listed(WAYS)}.")
    sizes = [each for each in named if each != "merge"]
    if BY_DEV in sizes and len(sizes) > 1:
        raise ParameterError(
            "prune='reduced_error' is made from the development rows, so that no other tree does "
            "better on them and none would be chosen. Name it alone, or leave it out."
        )
    return named if sizes else (*USUAL, *named)


def prunings_for(plan: Plan, ways: tuple[str, ...], loss: str, quantile: float | None) -> Prunings:
    """Return the prunings with what they need to know; refuse those that are not for the task."""
    if "pessimistic" in ways and plan.task != "classification":
        raise ParameterError(
            f"prune='pessimistic' counts errors, so that it is for classes, not for {plan.task}. Use "
            "'depth' or 'cost_complexity'."
        )
    if BY_DEV in ways and plan.task == "ranking":
        raise ParameterError(
            "prune='reduced_error' counts what guesses cost in each row, but a ranking is measured by "
            "its queries. Use 'depth' or 'cost_complexity'."
        )
    if "merge" in ways and loss in OF_SHARES:
        raise ParameterError(
            f"prune='merge' gives leaves that guess alike the same shares, but loss={loss!r} "
            "measures shares. Use loss='error', or leave 'merge' out."
        )
    dev = plan.rows.take(plan.pairs[0][1]) if BY_DEV in ways else None
    return Prunings(ways, dev, loss, quantile)
