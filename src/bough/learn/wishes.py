"""`Wishes`: what the user wants of the tree, checked once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bough.costs import Costs
from bough.errors import ParameterError
from bough.learn.choose import check_way
from bough.learn.plan import Plan
from bough.learn.prunings import BY_DEV, USUAL
from bough.monotonic import refuse_other_shares
from bough.predict import check_missing
from bough.prune import several_leaves
from bough.settings import check_level, one_of

Names = str | Sequence[str] | None


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What the user wants of the tree."""

    criterion: str | Sequence[str] | None
    categorical: str | Sequence[str] | None
    loss: str | None
    quantile: float | None
    costs: Costs = None
    probability: str = "raw"
    missing: str = "stop"
    monotonic_cst: Mapping[str, int] | None = None
    first: Names = None
    forbid: Names = None
    choose: str
    refit: bool
    seed: int
    n_jobs: int
    prune: tuple[str, ...] = USUAL
    """The ways in which trees are made smaller."""

    @property
    def is_honest(self) -> bool:
        """Whether shares come from the development rows."""
        return self.probability == "honest"

    @property
    def needs_dev(self) -> str:
        """What uses up development rows, so that there must be some; empty: nothing."""
        if BY_DEV in self.prune:
            return f"prune={BY_DEV!r}"
        return "probability='honest'" if self.is_honest else ""

    def refits(self, plan: Plan) -> bool:
        """Return whether the chosen tree is grown again from training and development rows."""
        return self.refit and not plan.is_folded and not self.needs_dev

    def __post_init__(self) -> None:
        check_way(self.choose)
        one_of("raw", "laplace", "honest")("probability", self.probability)
        refuse_other_shares(self.monotonic_cst, self.probability)
        check_level("quantile", self.quantile)
        check_missing(self.missing)
        if self.is_honest and BY_DEV in self.prune:
            raise ParameterError(
                f"prune={BY_DEV!r} takes away what does badly on the development rows, so that leaves "
                "filled with them, probability='honest', would look better than they are. Use one of "
                "them."
            )
        if self.missing == "weigh" and (ways := {BY_DEV, "merge"} & set(self.prune)):
            raise ParameterError(several_leaves(f"prune={min(ways)!r}"))
        if not isinstance(self.refit, bool):
            raise ParameterError(f"refit={self.refit!r} must be True or False.")
        if not isinstance(self.seed, int) or isinstance(self.seed, bool) or self.seed < 0:
            raise ParameterError(f"seed={self.seed!r} must be a whole number, 0 or more.")
