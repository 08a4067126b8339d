"""`Roles`: which column of a table is what, as the user says."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bough.checks.codes import CHECKS
from bough.errors import ParameterError, did_you_mean, listed
from bough.learn.columns import number_of
from bough.table import Types
from bough.table.column import Source
from bough.table.retype import IGNORE

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
                f"ignore={names!r} must be a list of columns and codes, such as ['id', 'B104']."
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
                "task='rank' needs group=…, the column that says which query a row is of: only rows "
                f"of one query are ranked. Columns: {listed(source.names, most=12)}."
            )
        self._check_ignored(source)
        return self

    def _check_ignored(self, source: Source) -> None:
        kinds = self.types if isinstance(self.types, Mapping) else {}
        if self.target is not None and (
            self.target in self.ignore or kinds.get(self.target) == IGNORE
        ):
            raise ParameterError(
                f"target={self.target!r} is to be ignored, too. Ignore another column."
            )
        for name in self.ignore:
            if name not in source.names and name not in CHECKS:
                raise ParameterError(
                    f"ignore has {name!r}, which is neither a column nor the code of a check."
                    f"{did_you_mean(str(name), [*source.names, *CHECKS])} "
                    f"Columns: {listed(source.names, most=12)}."
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
