"""Along which columns guesses may go one way only, as the user names them."""

from collections.abc import Mapping

from bough.errors import ParameterError
from bough.learn.columns import number_of
from bough.learn.plan import Problem
from bough.monotonic import read_directions


def directions_of(given: Mapping[str, int] | None, problem: Problem) -> tuple[int, ...] | None:
    """Return the direction of each column that may be asked about.

    A column that is left out for what it holds, as a constant is, needs none.
    """
    if given is None:
        return None
    rows = problem.plan.rows
    if not isinstance(given, Mapping):
        raise ParameterError(
            f"monotonic_cst={given!r} must be a dict with the direction of each column that has "
            f"one, such as {{{rows.table.columns[0]!r}: 1}}."
        )
    left_out = {seen.name for seen in problem.look.seen if seen.role == "left out"}
    for name in given:
        number_of(problem.source, name, "monotonic_cst")
        if name not in left_out and name not in rows.table.columns:
            role = problem.roles.role_of(name)
            what = f"the {role}" if role else "ignored"
            raise ParameterError(
                f"monotonic_cst has the column {name!r}, which is {what}, so that nothing is asked "
                "about it. Give it no direction."
            )
    asked = {name: given[name] for name in given if name not in left_out}
    return read_directions(asked, rows.table, rows.labels) if asked else None
