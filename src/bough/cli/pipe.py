"""`-`, which stands for what is piped in or out, though it looks like an option."""

from collections.abc import Sequence

from cyclopts import App, ArgumentCollection

PIPE = "-"
_HIDDEN = "\0"  # what no command line can hold


def hidden(typed: Sequence[str]) -> list[str]:
    """Return what was typed, so that the parser takes no lone '-' for an option."""
    return [_HIDDEN if word == PIPE else word for word in typed]


def shown(word: str) -> str:
    """Return a word as it was typed."""
    return PIPE if word == _HIDDEN else word


def show_all(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:  # noqa: ARG001
    """Let every argument have its words as they were typed."""
    for argument in arguments:
        argument.tokens[:] = [token.evolve(value=shown(token.value)) for token in argument.tokens]
