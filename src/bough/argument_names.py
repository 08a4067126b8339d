"""Arguments as messages name them: as Python has them, or as options of the command line."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_OPTIONS = {  # others: their own name
    "types": "type",
    "missing_marks": "missing",
    "missing": "when_missing",
    "n_jobs": "jobs",
    "repeats": "repeat",
    "costs": "cost",
    "monotonic_cst": "monotonic",
    "min_rows_per_leaf": "min_rows",
    "format": "to",
}
_AT_ONCE = {"split"}  # options whose values follow each other; others are repeated for each
_WITHOUT_VALUE = object()


@dataclass(frozen=True)
class Argument:
    """An argument in a message, with its value; … stands for one that the user is to choose.

    Examples
    --------
    >>> date = Argument("types", {"day": "date"})
    >>> str(date), date.as_option
    ("types={'day': 'date'}", '--type day=date')
    >>> print(Argument("time", "day"), Argument("dev", ...), Argument("forbid"))
    time='day' dev=… forbid
    """

    name: str
    value: Any = _WITHOUT_VALUE

    def __str__(self) -> str:
        if self.value is _WITHOUT_VALUE:
            return self.name
        return f"{self.name}={'…' if self.value is ... else repr(self.value)}"

    @property
    def as_option(self) -> str:
        """The same on the command line."""
        if isinstance(self.value, bool | Mapping | list | tuple):
            return as_option({self.name: self.value})
        value = str(self).removeprefix(self.name).replace("=", " ", 1)
        return f"--{option_name(self.name)}{value}"


Words = str | Argument
"""A part of a message."""


def option_name(argument: str) -> str:
    """Return what an argument is called on the command line.

    Examples
    --------
    >>> option_name("n_jobs"), option_name("short_rows")
    ('jobs', 'short-rows')
    """
    return _OPTIONS.get(argument, argument).replace("_", "-")


def as_option(fix: Mapping[str, Any]) -> str:
    """Return what to type on the command line.

    Examples
    --------
    >>> as_option({"types": {"zip": "category", "home dest": "ignore"}})
    "--type zip=category --type 'home dest=ignore'"
    >>> as_option({"costs": {("ill", "well"): 20}})
    '--cost ill well 20'
    """
    words = []
    for name, value in fix.items():
        typed = f"--{option_name(name)}"
        if isinstance(value, bool):
            words.append(typed if value else f"--no-{option_name(name)}")
        elif name in _AT_ONCE:
            words += [typed, *_items(value)]
        elif name == "costs" and not isinstance(value, Mapping):
            words += [typed, "…"]
        elif name == "costs":
            words += [each for pair, cost in value.items() for each in (typed, *pair, cost)]
        else:
            words += [each for item in _items(value) for each in (typed, item)]
    return " ".join(shlex.quote(str(each)) for each in words)


def as_argument(fix: Mapping[str, Any]) -> str:
    """Return what to type in Python, as in "types={'zip': 'category'}, time='when'"."""
    return ", ".join(f"{name}={value!r}" for name, value in fix.items())


def _items(value: object) -> list[str]:
    """Return the texts that follow an option; an empty cell is missing without being named."""
    if isinstance(value, Mapping):
        return [f"{name}={_one(kind)}" for name, kind in value.items()]
    if isinstance(value, list | tuple):
        return [str(each) for each in value if each != ""]
    return [str(value)]


def _one(value: object) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return f"{value:+d}" if isinstance(value, int) else str(value)  # a direction, or a kind
