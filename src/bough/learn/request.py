"""What the user asks of `fit`: every argument, checked before rows are read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bough.arguments import Argument
from bough.checks.codes import CHECKS
from bough.costs import Costs
from bough.errors import ParameterError, did_you_mean, listed
from bough.learn.columns import number_of
from bough.monotonic import refuse_other_shares
from bough.predict import check_missing
from bough.pruning import several_leaves
from bough.settings import check_level, one_of
from bough.table import Types
from bough.table.column import Source
from bough.table.types_argument import IGNORE

USUAL = ("depth", "cost_complexity")
BY_DEV = "reduced_error"
PRUNINGS = (*USUAL, "pessimistic", BY_DEV, "merge")
WAYS_TO_CHOOSE = ("best", "simple")
ROLES = ("target", "group", "time", "weight")


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Which column is the target, and which ones are more than features."""

    target: str | None = None
    task: str = "auto"
    types: Types | None = None
    ignore: str | Sequence[str] = ()
    """Columns to leave out, and codes of checks not to make."""
    group: str | None = None
    time: str | None = None
    weight: str | None = None

    def __post_init__(self) -> None:
        names = [self.ignore] if isinstance(self.ignore, str) else self.ignore
        if not isinstance(names, Iterable):
            raise ParameterError(
                Argument("ignore", names),
                " must be a list of columns and codes, such as ['id', 'B104'].",
            )
        object.__setattr__(self, "ignore", tuple(names))
        object.__setattr__(self, "task", "ranking" if self.task == "rank" else self.task)

    def checked(self, source: Source) -> "Roles":
        """Return the roles, if the table has these columns, and each has one role."""
        named = {role: getattr(self, role) for role in ROLES if getattr(self, role) is not None}
        for role, name in named.items():
            number_of(source, name, role)
            first = self.role_of(name)
            if first != role:
                raise ParameterError(
                    f"{first} and {role} are both {name!r}. Give each a column of its own."
                )
        if "group" in named and "time" in named:
            raise ParameterError(
                "group and time both say which rows stay together. Give one of them."
            )
        if self.task == "ranking" and self.target is not None and self.group is None:
            raise ParameterError(
                Argument("task", "rank"),
                " needs ",
                Argument("group", ...),
                ", the column that says which query a row is of: only rows of one query are "
                f"ranked. Columns: {listed(source.names, most=12)}.",
            )
        self._check_ignored(source)
        return self

    def _check_ignored(self, source: Source) -> None:
        kinds = self.types if isinstance(self.types, Mapping) else {}
        if self.target is not None and (
            self.target in self.ignore or kinds.get(self.target) == IGNORE
        ):
            raise ParameterError(
                Argument("target", self.target), " is to be ignored, too. Ignore another column."
            )
        for name in self.ignore:
            if name not in source.names and name not in CHECKS:
                raise ParameterError(
                    Argument("ignore"),
                    f" has {name!r}, which is neither a column nor the code of a check."
                    f"{did_you_mean(str(name), [*source.names, *CHECKS])} "
                    f"Columns: {listed(source.names, most=12)}.",
                )

    def may_be_asked(self, name: str) -> bool:
        """Return whether queries may ask about a column: about the time, too."""
        return self.role_of(name) in ("", "time")

    def role_of(self, name: str) -> str:
        """Return the role of a column, or nothing."""
        return next((role for role in ROLES if getattr(self, role) == name), "")

    @property
    def not_features(self) -> set[str]:
        """The columns that queries must not ask about. The time may be asked about."""
        roles = (self.target, self.group, self.weight)
        return {name for name in roles if name is not None} | set(self.ignore)

    @property
    def ignored_codes(self) -> set[str]:
        """The codes of the checks that are not made."""
        return set(self.ignore) & CHECKS.keys()


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
    def needs_dev(self) -> Argument | None:
        """What uses up development rows, so that there must be some; None: nothing."""
        if BY_DEV in self.prune:
            return Argument("prune", BY_DEV)
        return Argument("probability", "honest") if self.is_honest else None

    def refits(self, *, is_folded: bool) -> bool:
        """Return whether the chosen tree is grown again from training and development rows."""
        return self.refit and not is_folded and not self.needs_dev

    def __post_init__(self) -> None:
        check_way(self.choose)
        one_of("raw", "laplace", "honest")("probability", self.probability)
        refuse_other_shares(self.monotonic_cst, self.probability)
        check_level("quantile", self.quantile)
        check_missing(self.missing)
        if self.is_honest and BY_DEV in self.prune:
            raise ParameterError(
                Argument("prune", BY_DEV),
                " takes away what does badly on the development rows, so that leaves filled "
                "with them, ",
                Argument("probability", "honest"),
                ", would look better than they are. Use one of them.",
            )
        if self.missing == "weigh" and (ways := {BY_DEV, "merge"} & set(self.prune)):
            raise several_leaves(Argument("prune", min(ways)))
        if not isinstance(self.refit, bool):
            raise ParameterError(Argument("refit", self.refit), " must be True or False.")
        if not isinstance(self.seed, int) or isinstance(self.seed, bool) or self.seed < 0:
            raise ParameterError(Argument("seed", self.seed), " must be a whole number, 0 or more.")


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
        if not isinstance(each, str) or each not in PRUNINGS:
            hint = did_you_mean(str(each), PRUNINGS)
            raise ParameterError(
                Argument("prune", each), f" is not known.{hint} Known: {listed(PRUNINGS)}."
            )
    named = tuple(dict.fromkeys(given))
    sizes = [each for each in named if each != "merge"]
    if BY_DEV in sizes and len(sizes) > 1:
        raise ParameterError(
            Argument("prune", "reduced_error"),
            " is made from the development rows, so that no other tree does better on them and "
            "none would be chosen. Name it alone, or leave it out.",
        )
    return named if sizes else (*USUAL, *named)


def check_way(choose: str) -> None:
    """Refuse a way to choose that is not known."""
    if choose not in WAYS_TO_CHOOSE:
        raise ParameterError(
            Argument("choose", choose),
            f" is not known.{did_you_mean(str(choose), WAYS_TO_CHOOSE)} Known: "
            f"{listed(WAYS_TO_CHOOSE)}.",
        )
