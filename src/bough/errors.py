"""The exceptions of bough and the wording that they share; arguments as messages name them, in Python and as options."""

import shlex
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
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


class BoughError(Exception):
    """Any error that bough raises on purpose; its parts are text, and arguments that it is about."""

    def __init__(self, *parts: Words) -> None:
        super().__init__(*parts)

    def __str__(self) -> str:
        return "".join(map(str, self.args))

    def __reduce__(self) -> tuple[Any, ...]:
        # What an argument holds may be anything, and need not go through a pickle.
        return type(self), (str(self),), self.__dict__


class DataError(BoughError, ValueError):
    """The table holds something that a tree cannot be grown from."""


class DataTypeError(DataError, TypeError):
    """The table holds objects of a type that bough does not read."""

    def __init__(self, *parts: Words, column: str | None = None, found: str = "") -> None:
        super().__init__(*parts)
        self.column, self.found = column, found


class SchemaError(DataError):
    """The table does not have the columns that the tree was grown with."""


class ParameterError(BoughError, ValueError):
    """A setting has a value that it cannot have."""


class ModelFormatError(BoughError, ValueError):
    """The bytes are not a whole and valid model file."""


class ExportError(BoughError, ValueError):
    """An export does not predict what its tree predicts."""


class BudgetError(BoughError, MemoryError):
    """The work needs more memory than it may use."""


class DistributedError(BoughError, RuntimeError):
    """The cluster could not finish the work."""


class BoughDeprecationWarning(FutureWarning):
    """Something works as before, but a later version will not have it."""


def warn_deprecated(what: str, instead: str, ends: str) -> None:
    """Warn the caller of the function that calls this; see docs/stability.md."""
    message = f"{what} is deprecated and ends with version {ends}. Use {instead}."
    warnings.warn(message, BoughDeprecationWarning, stacklevel=3)


def needs_package(package: str, install: str) -> str:
    """Return the end of a sentence about something that a package is missing for.

    Examples
    --------
    >>> needs_package("jinja2", "'bough[cli]'")
    " needs the package jinja2. Install it with pip install 'bough[cli]'"
    """
    return f" needs the package {package}. Install it with pip install {install}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return " Did you mean 'x'?" for the nearest known word, or nothing."""
    nearest = get_close_matches(word, list(known), n=1)
    return f" Did you mean {nearest[0]!r}?" if nearest else ""


def listed(names: Iterable[object], most: int = 5) -> str:
    """Return names quoted and joined as in a sentence, at most a few of them."""
    quoted = [repr(name) for name in names]
    if len(quoted) > most:
        quoted = [*quoted[:most], f"{len(quoted) - most:,} more"]
    if len(quoted) < 2:
        return "".join(quoted)
    return ", ".join(quoted[:-1]) + " and " + quoted[-1]


def refuse_unknown(name: str, value: object, known: Iterable[str], where: str = "") -> None:
    """Refuse the value of an argument that is none of the known ones."""
    names = list(known)
    if not isinstance(value, str) or value not in names:
        hint = did_you_mean(str(value), names)
        raise ParameterError(
            Argument(name, value),
            f" is not known{where}.{hint} Known: {listed(names, most=len(names))}.",
        )
