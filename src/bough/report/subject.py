"""`Subject`: what a report is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bough.evidence import Evidence
from bough.report.stops import Stops
from bough.tree import Tree


@dataclass(frozen=True)
class ColumnFacts:
    """What was seen of one column of the table."""

    name: str
    kind: str
    role: str
    n_missing: int
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Subject:
    """A tree, and what is known about it."""

    tree: Tree
    evidence: Evidence | None = None
    """What was measured; None: nothing was."""
    table: str = ""
    """What the table is called, if that is known."""
    columns: Sequence[ColumnFacts] = ()
    """What was seen of its columns, if that is known."""
    missing: str = "stop"
    """Where a missing value goes, as `bough.predict.said_of` has it."""
    digits: int = 3
    """How many significant digits numbers have at least."""

    @cached_property
    def stops(self) -> Stops | None:
        """Where the test rows went; None: that is not known, as of a tree edited since."""
        if self.evidence is None or not self.evidence.stops or self.evidence.edits:
            return None
        return Stops(self.tree, self.evidence.stops)
