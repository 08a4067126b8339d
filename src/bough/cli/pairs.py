"""Options such as `--type zip=category`, which name something and say something about it."""

from collections.abc import Iterable

from bough.cli.failure import UsageError


def pairs(option: str, words: Iterable[str], names: Iterable[str] = ()) -> dict[str, str]:
    """Return what was said about each name.

    Parameters
    ----------
    option
        What the user typed before, for messages.
    words
        What was typed, each as NAME=VALUE.
    names
        Names that are known and may hold a '=' themselves.
    """
    found = {}
    for word in words:
        name = max((each for each in names if word.startswith(f"{each}=")), key=len, default=None)
        if name is None:
            name = word.partition("=")[0]
        if "=" not in word:
            raise UsageError(f"{option} {word!r} says nothing about it. Type {option} NAME=VALUE.")
        if name in found:
            raise UsageError(f"{option} has {name!r} twice. Type {option} once for each.")
        found[name] = word[len(name) + 1 :]
    return found
