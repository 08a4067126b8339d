"""`Given`: the tables that a user gives, read and shared out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bough.learn.label import with_label
from bough.learn.look import look
from bough.learn.plan import Problem, Split, make_plan
from bough.learn.roles import Roles
from bough.learn.wishes import Wishes
from bough.table import open_source


@dataclass(frozen=True, kw_only=True)
class Given:
    """The tables that a user gives, and how their rows are to be shared out."""

    table: object
    dev: object
    test: object
    missing_marks: str | Sequence[str]
    split: Sequence[float]

    def problem(self, roles: Roles, wishes: Wishes) -> Problem:
        """Return what is to be learnt from which rows."""
        given = [self.table, *(each for each in (self.dev, self.test) if each is not None)]
        marks = self.missing_marks
        marks = [marks] if isinstance(marks, str) else marks
        sources = [open_source(each, missing_marks=marks) for each in given]
        looked = look(sources, roles.checked(sources[0]))
        split = Split(
            shares=self.split,
            seed=wishes.seed,
            has_dev=self.dev is not None,
            has_test=self.test is not None,
            needs_dev=wishes.needs_dev,
        )
        plan = with_label(make_plan(looked, roles, split), wishes.costs, wishes.probability)
        return Problem(_name(self.table), sources[0], looked, roles, plan)


def _name(table: object) -> str:
    if isinstance(table, str | Path):
        return "the standard input" if str(table) == "-" else Path(table).name
    return "table"
