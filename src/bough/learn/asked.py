"""Which columns the user wants to be asked about first, and which never."""

from bough.errors import ParameterError
from bough.learn.columns import number_of
from bough.learn.plan import Problem
from bough.learn.wishes import Names, Wishes
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
                f"first has {name!r}, which is not asked about: it is {_why_not(problem, name)}"
            )
    if problem.roles.target in forbid:
        raise ParameterError(
            f"forbid has {problem.roles.target!r}, which is the target and so never asked about. "
            "Leave it out."
        )
    return tuple(first), tuple(name for name in forbid if name in features)


def _listed(problem: Problem, parameter: str, names: Names) -> list[str]:
    columns = problem.source.names
    return [
        columns[number_of(problem.source, name, parameter)]
        for name in read_columns(parameter, names)
    ]


def _why_not(problem: Problem, name: str) -> str:
    if role := problem.roles.role_of(name):
        return f"the {role}. Leave it out."
    if name in [column.name for column in problem.look.seen]:
        return (
            "left out as a constant or an identifier. Leave it out, or say what it is, as "
            f"in types={{{name!r}: 'category'}}."
        )
    return "ignored. Leave it out, or do not ignore it."
