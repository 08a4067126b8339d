"""The same tree from a table that lies in parts, on any engine that can map and reduce.

`Engine` is what such an engine has to do; here is also what adds up what it finds in the parts.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Protocol

from bough.errors import BoughError

Function = Callable[..., Any]
Parts = Any  # of a table, as an engine holds them: only it knows how
Message = Any  # what functions take and give: it can be pickled


class Engine(Protocol):
    """Runs functions where the parts of a table lie.

    All functions are pure and take and give what can be pickled, so that an engine may run any of
    them again, anywhere. Nothing else is asked of it: no state, no order, no messages between tasks.
    """

    def map(self, function: Function, parts: Parts, *shared: Message, keep: bool = False) -> Parts:
        """Return the parts that a function makes of each part and of values that all share.

        They may be worked out only when they are reduced; `keep` says that this is done many times.
        """

    def reduce(self, add: Function, parts: Parts, n: int, then: Function) -> list[Message]:
        """Return n values, from parts that are lists of n pieces each.

        The pieces of the same number are added up two by two, in any order, where they lie; None is
        a piece of nothing. `then(number, sum)` is worked out there, too; only its value comes back.
        """

    def share(self, value: Message) -> Message:
        """Return a value as `map` takes it to all parts."""


class InProcess:
    """Parts in a list, in this process: what an engine does, for tests and to read."""

    def map(
        self,
        function: Function,
        parts: Sequence[Any],
        *shared: Message,
        keep: bool = False,  # noqa: ARG002 - a list stays anyway
    ) -> list[Any]:
        return [function(part, *shared) for part in parts]

    def reduce(
        self, add: Function, parts: Sequence[Sequence[Any]], n: int, then: Function
    ) -> list[Any]:
        return [then(number, added(add, [part[number] for part in parts])) for number in range(n)]

    def share(self, value: Message) -> Message:
        return value


def as_it_is(_: int, value: Message) -> Message:
    """Return a sum itself: the `then` of those that are small, and wanted where the tree is."""
    return value


def over_all_parts(
    engine: Engine, function: Function, add: Function, parts: Parts, *shared: Message
) -> Message:
    """Return what a function finds in each part, added up; an error that it found is raised."""
    mapped = engine.map(function, parts, *map(engine.share, shared))
    return raised(engine.reduce(add, mapped, 1, as_it_is)[0])


def added(add: Function, pieces: Sequence[Message]) -> Message:
    """Return the sum of pieces; None is nothing."""
    some = [piece for piece in pieces if piece is not None]
    return reduce(add, some) if some else None


def raised(found: Message) -> Message:
    """Return what was found; an error, which is a value until it is here, is raised."""
    if isinstance(found, BoughError):
        raise found
    return found
