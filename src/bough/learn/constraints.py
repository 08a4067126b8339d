"""The columns that `first`, `forbid` and `monotonic_cst` name, found in the table."""

from collections.abc import Mapping

from bough.arguments import Argument, Words
from bough.errors import ParameterError
from bough.learn.columns import number_of
from bough.learn.plan import Problem
from bough.learn.request import Names, Wishes
from bough.monotonic import read_directions
from bough.settings import read_columns


def asked_columns(problem: Problem, wishes: Wishes) -> tuple[tuple[str, ...], ...]:
    """Return the columns `first` and `forbid`, if the table has them.

    What is left out of the tree anyway need not be forbidden.
    """
    first = _listed(problem, "first", wishes.first)
    forbid = _listed(problem, "forbid", wishes.forbid)
    features = problem.look.features.columns
    for name in first:
        if name not in features:
            raise ParameterError(
                Argument("first"),
                f" has {name!r}, which is not asked about: it is ",
                *_why_not(problem, name),
            )
    if problem.roles.target in forbid:
        raise ParameterError(
            Argument("forbid"),
            f" has {problem.roles.target!r}, which is the target and so never asked about. "
            "Leave it out.",
        )
    return tuple(first), tuple(name for name in forbid if name in features)


def _listed(problem: Problem, parameter: str, names: Names) -> list[str]:
    columns = problem.source.names
    return [
        columns[number_of(problem.source, name, parameter)]
        for name in read_columns(parameter, names)
    ]


def _why_not(problem: Problem, name: str) -> tuple[Words, ...]:
    if role := problem.roles.role_of(name):
        return (f"the {role}. Leave it out.",)
    if name in [column.name for column in problem.look.seen]:
        return (
            "left out as a constant or an identifier. Leave it out, or say what it is, as in ",
            Argument("types", {name: "category"}),
            ".",
        )
    return ("ignored. Leave it out, or do not ignore it.",)


def directions_of(given: Mapping[str, int] | None, problem: Problem) -> tuple[int, ...] | None:
    """Return the direction of each column that may be asked about.

    A column that is left out for what it holds, as a constant is, needs none.
    """
    if given is None:
        return None
    rows = problem.plan.rows
    if not isinstance(given, Mapping):
        raise ParameterError(
            Argument("monotonic_cst", given),
            " must be a dict with the direction of each column that has one, such as "
            f"{ {rows.table.columns[0]: 1} }.",
        )
    left_out = {seen.name for seen in problem.look.seen if seen.role == "left out"}
    for name in given:
        number_of(problem.source, name, "monotonic_cst")
        if name not in left_out and name not in rows.table.columns:
            role = problem.roles.role_of(name)
            what = f"the {role}" if role else "ignored"
            raise ParameterError(
                Argument("monotonic_cst"),
                f" has the column {name!r}, which is {what}, so that nothing is asked "
                "about it. Give it no direction.",
            )
    asked = {name: given[name] for name in given if name not in left_out}
    return read_directions(asked, rows.table, rows.labels) if asked else None
