"""`Roles`: which column of a table is what, as the user says."""

from collections.abc import Sequence
from dataclasses import dataclass

from bough.checks.codes import CHECKS
from bough.errors import ParameterError, did_you_mean, listed
from bough.learn.columns import number_of
from bough.table import Types
from bough.table.column import Source


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Which column is the target, and which ones are more than features."""

    target: str | None = None
    task: str = "auto"
    types: Types | None = None
    ignore: Sequence[str] = ()
    """Columns to leave out, and codes of checks not to make."""
    group: str | None = None
    time: str | None = None
    weight: str | None = None

    def checked(self, source: Source) -> "Roles":
        """Return the roles, if the table has these columns."""
        for role in ("target", "group", "time", "weight"):
            if (name := getattr(self, role)) is not None:
                number_of(source, name, role)
        if self.group is not None and self.time is not None:
            raise ParameterError(
                "group and time both say which rows stay together. Give one of them."
            )
        for name in self.ignore:
            if name not in source.names and name not in CHECKS:
                raise ParameterError(
                    f"ignore has {name!r}, which is neither a column nor the code of a check."
                    f"{did_you_mean(str(name), [*source.names, *CHECKS])} "
                    f"Columns: {listed(source.names, most=12)}."
                )
        return self

    @property
    def not_features(self) -> set[str]:
        """The columns that queries must not ask about. The time may be asked about."""
        roles = (self.target, self.group, self.weight)
        return {name for name in roles if name is not None} | set(self.ignore)

    @property
    def ignored_codes(self) -> set[str]:
        """The codes of the checks that are not made."""
        return set(self.ignore) & CHECKS.keys()
