"""The exceptions of bough and the wording that they share."""

import warnings
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from bough.argument_names import Argument as Argument  # noqa: PLC0414 - who raises needs it, too
from bough.argument_names import Words as Words  # noqa: PLC0414


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
