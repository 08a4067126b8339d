"""What is worked out once for an object, and remembered with it."""

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Found = TypeVar("Found")
More = ParamSpec("More")


class Kept(dict[object, Any]):
    """What goes with an object, but not into its copies and pickles."""

    def __reduce__(self) -> tuple[type["Kept"], tuple[()]]:
        return Kept, ()


class Remembering:
    """An object that never changes, of which functions remember what they have found."""

    @cached_property
    def kept(self) -> Kept:
        """What was worked out of it once."""
        return Kept()


Owner = TypeVar("Owner", bound=Remembering)


def once(
    find: Callable[Concatenate[Owner, More], Found],
) -> Callable[Concatenate[Owner, More], Found]:
    """Return a function of an object, or a method of it, that remembers with it what it has found."""

    @wraps(find)
    def found(owner: Owner, /, *args: More.args, **options: More.kwargs) -> Found:
        key, kept = (find, args, *options.items()), owner.kept
        if key not in kept:
            kept[key] = find(owner, *args, **options)
        remembered: Found = kept[key]
        return remembered

    return found
