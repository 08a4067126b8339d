"""What the user asks of `fit`: every argument, checked before rows are hashed and split."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, cast, get_args

import numpy as np

from bough.checks.list_of_checks import CHECKS
from bough.constraints import constraints_of, read_directions, refuse_other_shares
from bough.costs import Costs, read_costs
from bough.datasets import Teaching
from bough.encode import Labels
from bough.errors import Argument, ParameterError, Words, did_you_mean, listed, refuse_unknown
from bough.file_options import FileOptions, reading_of
from bough.holdout import SHARES, check_shares
from bough.loss_kinds import known_loss
from bough.machine_limits import read_size, threads
from bough.predict import check_missing
from bough.pruning import BY_DEV, USUAL, check_combinations, check_prunings, ways_of
from bough.schema import Probability, Task
from bough.settings import (
    Check,
    Settings,
    check_criterion,
    check_level,
    check_pivots,
    check_truth,
    read_columns,
    whole,
)
from bough.table import Table, TableLike
from bough.table.source import IGNORE, Source, Types

Progress = Callable[[str, float], None]

WAYS_TO_CHOOSE = ("best", "simple")
ROLES = ("target", "group", "time", "weight")
CATEGORICAL = ("each", "group")
LEFT_OUT = "left out"  # what looks say of a column that is a constant or an identifier
Names = str | Sequence[str] | None


def _truth(name: str, value: object) -> None:
    check_truth(name, bool(value) if isinstance(value, np.bool_) else value)


PLAIN: dict[str, tuple[Check, type]] = {  # arguments that are one number, or a truth
    "quantile": (check_level, float),
    "exact": (_truth, bool),
    "refit": (_truth, bool),
    "seed": (whole(0), int),
    "repeats": (whole(1), int),
    "min_rows_per_leaf": (whole(1), int),
    "max_depth": (whole(0, none=True), int),
    "max_leaves": (whole(1, none=True), int),
}


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
        for role in ROLES:
            if isinstance(name := getattr(self, role), str):
                object.__setattr__(self, role, str(name))  # of NumPy's text, too

    def checked(self, source: Source) -> Self:
        """Return the roles, if the table has these columns, and each has one role."""
        named = {role: getattr(self, role) for role in ROLES if getattr(self, role) is not None}
        for role, name in named.items():
            source.number_of(name, role)
            first = self.role_of(name)
            if first != role:
                raise ParameterError(
                    f"{first} and {role} are both {name!r}. Name a different column for each."
                )
        if "group" in named and "time" in named:
            raise ParameterError(
                "group and time cannot be combined: both decide which rows stay together. Use one of them."
            )
        if self.task == "ranking" and self.target is not None and self.group is None:
            raise ParameterError(
                Argument("task", "rank"), " needs ", Argument("group", ...), ", the column that "
                "names the group: rows are ranked within it. Columns: "
                f"{listed(source.names, most=12)}.",
            )  # fmt: skip
        self._check_ignored(source)
        return self

    def _check_ignored(self, source: Source) -> None:
        kinds = self.types if isinstance(self.types, Mapping) else {}
        if self.target is not None and (
            self.target in self.ignore or kinds.get(self.target) == IGNORE
        ):
            raise ParameterError(
                Argument("target", self.target), " is also ignored. Ignore another column."
            )
        for name in self.ignore:
            if name not in source.names and name not in CHECKS:
                raise ParameterError(
                    Argument("ignore"), f" has {name!r}, which is neither a column nor the code of "
                    f"a check.{did_you_mean(str(name), [*source.names, *CHECKS])} Columns: "
                    f"{listed(source.names, most=12)}.",
                )  # fmt: skip

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


def carried_roles(
    table: object, target: str | None, ignore: str | Sequence[str]
) -> tuple[str | None, str | Sequence[str]]:
    """Return the target, and what to ignore: a teaching table says it where the user does not."""
    table = table.teaching if isinstance(table, Source) else table
    if not isinstance(table, Teaching) or not isinstance(ignore, Sequence):
        return target, ignore
    named = (ignore,) if isinstance(ignore, str) else tuple(ignore)
    return table.target if target is None else target, (*named, *table.ignore)


@dataclass(frozen=True, kw_only=True)
class Request(Roles):
    """Every argument of `fit`, checked: alone, with the names of the columns, and with the task.

    What no argument says stands for itself in the request that `resolved` gives: the criteria that
    are tried, the loss, the costs of all guesses, the columns of `first`, `forbid` and
    `monotonic_cst`.
    """

    # Types are those of checked arguments: what may be given is said by `fit`.
    table: TableLike = ()
    dev: TableLike | None = None
    test: TableLike | None = None
    reading: FileOptions = field(default_factory=FileOptions)
    split: Sequence[float] = SHARES
    criterion: tuple[str, ...] | None = None
    categorical: tuple[str, ...] | None = None
    loss: str | None = None
    quantile: float | None = None
    missing: str = "stop"
    costs: Costs = None
    probability: str | None = None
    monotonic_cst: Mapping[str, int] | tuple[int, ...] | None = None
    first: Names = None
    forbid: Names = None
    pivots: str = "round"
    exact: bool = True
    choose: str = "best"
    prune: tuple[str, ...] = USUAL
    max_depth: int | None = None
    max_leaves: int | None = None
    min_rows_per_leaf: int = 1
    refit: bool = True
    seed: int = 0
    repeats: int = 1
    n_jobs: int = 1
    max_memory: int | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "prune", ways_of(self.prune))
        object.__setattr__(self, "n_jobs", threads(self.n_jobs))
        object.__setattr__(self, "max_memory", read_size(self.max_memory))
        reading_of(self.reading, "fit")
        refuse_unknown("choose", self.choose, WAYS_TO_CHOOSE)
        if self.probability is not None:
            refuse_unknown("probability", self.probability, (*get_args(Probability), "honest"))
        for name in ("criterion", "categorical"):
            object.__setattr__(self, name, _listed_once(name, getattr(self, name)))
        for each in self.categorical or ():
            refuse_unknown("categorical", each, CATEGORICAL)
        refuse_other_shares(self.monotonic_cst, self.probability or "raw")
        check_missing(self.missing)
        check_pivots("pivots", self.pivots)
        check_combinations(self.prune, self.missing, self.probability)
        self._check_split()
        for name, (check, plain) in PLAIN.items():
            check(name, value := getattr(self, name))
            if value is not None:  # what NumPy gives is kept as what can be saved
                object.__setattr__(self, name, plain(value))
        self._check_repeats()

    def _check_repeats(self) -> None:
        """Refuse to repeat what no seed changes."""
        has_all = self.dev is not None and self.test is not None
        if self.repeats > 1 and (self.time is not None or has_all):
            why = (
                "own tables of development and test rows"
                if self.time is None
                else "a split by time"
            )
            raise ParameterError(
                Argument("repeats", self.repeats), f" and {why} cannot be combined: another seed would "
                "give the same split. Leave ", Argument("repeats"), " out.",
            )  # fmt: skip

    def _check_split(self) -> None:
        if isinstance(self.split, np.ndarray):
            object.__setattr__(self, "split", self.split.tolist())
        check_shares(self.split)
        if self.needs_dev and self.split[1] == 0 and self.dev is None:
            raise ParameterError(
                Argument("split", tuple(self.split)), " leaves no development rows, which ",
                self.needs_dev, " needs. Give them a share, or a separate table: ",
                Argument("dev", ...),
            )  # fmt: skip
        if self.split[2] == 0 and self.test is None:
            raise ParameterError(
                Argument("split", tuple(self.split)), " leaves no test rows. Give them a share, "
                "or a separate table: ", Argument("test", ...),
            )  # fmt: skip

    @property
    def directions(self) -> tuple[int, ...] | None:
        """Which way guesses go along each column, once they are known."""
        return self.monotonic_cst if isinstance(self.monotonic_cst, tuple) else None

    @property
    def is_honest(self) -> bool:
        """Whether shares come from the development rows."""
        return self.probability == "honest"

    @property
    def label_probability(self) -> Probability:
        """How the shares of a node become probabilities."""
        if self.probability is None:  # smoothing may break the order that was asked for
            return "raw" if any(self.directions or ()) else "laplace"
        return "raw" if self.is_honest else cast(Probability, self.probability)

    @property
    def tables(self) -> dict[str, TableLike]:
        """The tables of rows, by what messages call them."""
        given = {"training": self.table, "development": self.dev, "test": self.test}
        return {name: table for name, table in given.items() if table is not None}

    @property
    def needs_dev(self) -> Argument | None:
        """What uses up development rows, so that there must be some; None: nothing."""
        if BY_DEV in self.prune:
            return Argument("prune", BY_DEV)
        return Argument("probability", "honest") if self.is_honest else None

    def refits(self, *, is_folded: bool) -> bool:
        """Return whether the chosen tree is grown again from training and development rows."""
        return self.refit and not is_folded and not self.needs_dev

    def checked(self, source: Source) -> Self:
        """Return the request, if the table has all columns that it names."""
        for parameter in ("first", "forbid"):
            for name in read_columns(parameter, getattr(self, parameter)):
                source.number_of(name, parameter)
        if self.target is not None and self.target in read_columns("forbid", self.forbid):
            raise ParameterError(
                Argument("forbid"),
                f" has {self.target!r}, the target, which is never asked about. Leave it out.",
            )
        if self.monotonic_cst is not None and not isinstance(self.monotonic_cst, Mapping):
            raise ParameterError(
                Argument("monotonic_cst", self.monotonic_cst), " must be a dict of columns and "
                f"their directions, such as { {source.names[0]: 1} }.",
            )  # fmt: skip
        for name in self.monotonic_cst or ():
            source.number_of(name, "monotonic_cst")
        return super().checked(source)

    def resolved(
        self, columns: Mapping[str, str], table: Table, labels: Labels, task: Task
    ) -> Self:
        """Return the request for a task, and a table whose columns have these roles."""
        criteria = self.criterion or task.criteria
        for each in criteria:
            check_criterion(each, task)
        if not task.has_classes and (
            self.costs is not None or self.probability not in (None, "raw")
        ):
            raise _needs_classes(self, labels, task)
        costs = read_costs(self.costs, labels.labels[0].classes) if task.has_classes else ()
        loss = known_loss(self.loss, task, criteria, self.quantile, has_costs=bool(costs))
        if self.quantile is not None and loss != "pinball" and "quantile" not in criteria:
            raise ParameterError(
                Argument("quantile", self.quantile), " is only used by ",
                Argument("criterion", "quantile"), " and ", Argument("loss", "pinball"), ". Use one "
                "of them, or leave the quantile out.",
            )  # fmt: skip
        check_prunings(self.prune, task, loss)
        asked = self._asked(columns, table, labels)
        for each in criteria:
            level = self.quantile if each == "quantile" else None
            constraints_of(Settings(criterion=each, quantile=level, **asked), table)
        return replace(self, criterion=criteria, loss=loss, costs=costs or None, **asked)

    def _asked(self, columns: Mapping[str, str], table: Table, labels: Labels) -> dict[str, Any]:
        """Return what is wanted of the columns that may be asked about, as `Settings` have it."""
        first, forbid = (read_columns(each, getattr(self, each)) for each in ("first", "forbid"))
        for name in first:
            if name not in table.columns:
                raise ParameterError(
                    Argument("first"), f" has {name!r}, which cannot be asked about: it is ",
                    *_why_not(str(name), self.role_of(str(name)), columns),
                )  # fmt: skip
        return {
            "first": first,
            "forbid": tuple(name for name in forbid if name in table.columns),
            "monotonic_cst": self._directions(columns, table, labels),
        }

    def _directions(
        self, columns: Mapping[str, str], table: Table, labels: Labels
    ) -> tuple[int, ...] | None:
        """Return the direction of each column; one that is left out, as a constant is, needs none."""
        asked = {}
        for name, direction in dict(self.monotonic_cst or {}).items():  # type: ignore[arg-type]
            if name in table.columns:
                asked[name] = direction
            elif columns.get(name) != LEFT_OUT:
                role = self.role_of(name)
                raise ParameterError(
                    Argument("monotonic_cst"),
                    f" has {name!r}, which is {f'the {role}' if role else 'ignored'} and never asked "
                    "about. Leave it out.",
                )
        return read_directions(asked, table, labels) if asked else None


def _why_not(name: str, role: str, columns: Mapping[str, str]) -> tuple[Words, ...]:
    if role:
        return (f"the {role}. Leave it out.",)
    if name in columns:
        what = "left out as a constant or an identifier. Leave it out, or name its kind, as in "
        return what, Argument("types", {name: "category"}), "."
    return ("ignored. Leave it out, or do not ignore it.",)


def _needs_classes(request: Request, labels: Labels, task: Task) -> ParameterError:
    how = "ranked by" if task.ranks else "predicted as a number"
    return ParameterError(
        Argument("probability" if request.costs is None else "costs", ...), " is for classes, but "
        f"{labels.labels[0].name!r} is {how}. Leave it out, or predict classes: ",
        Argument("task", "classification"), ".",
    )  # fmt: skip


def _listed_once(name: str, given: object) -> tuple[str, ...] | None:
    """Return the names that an argument lists, each once; refuse what is none and no list of them."""
    if given is None or isinstance(given, str):
        return None if given is None else (given,)
    names = tuple(given) if isinstance(given, Iterable) else (given,)
    if not all(isinstance(each, str) for each in names):
        raise ParameterError(Argument(name, given), " must be a name, a list of names, or None.")
    if not names:
        raise ParameterError(Argument(name, given), " must name at least one way, or be None.")
    return tuple(dict.fromkeys(names))
