"""What happens to a command line before it is understood: options from a file, and the lone '-'."""

import shlex
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from cyclopts import App, ArgumentCollection

from bough.argument_names import option_name
from bough.errors import ParameterError

# Where the options stand in each file; of two in one folder the first counts.
_FILES: dict[str, tuple[str, ...]] = {"bough.toml": (), "pyproject.toml": ("tool", "bough")}


def configure(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Take options that were not typed from the nearest file that has any.

    `[fit]` in `bough.toml`, or `[tool.bough.fit]` in `pyproject.toml`, is for one subcommand; what
    stands above such tables is for all.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        for name, keys in _FILES.items():
            options = _options(folder / name, keys)
            if options is not None:
                from cyclopts.config import Dict

                for_all = _of_this_command(options, arguments)
                for found, for_one in ((options, True), (for_all, False)):
                    source = Dict(found, use_commands_as_keys=for_one, source=str(folder / name))
                    source(app, commands, arguments)
                return


def _of_this_command(options: dict[str, Any], arguments: ArgumentCollection) -> dict[str, Any]:
    """Return options without those that only other commands have."""
    from bough.cli.commands import COMMANDS

    own = _names(arguments)
    strange = {name for name in options if _as_typed(name) not in own and name not in COMMANDS}
    if not strange:
        return options
    known = set().union(*map(_options_of, COMMANDS))
    return {
        name: value
        for name, value in options.items()
        if name not in strange or _as_typed(name) not in known
    }


def _options_of(command: str) -> set[str]:
    from bough.cli.app import make_app  # which imports this file

    app = make_app()
    return _names(
        app[command].assemble_argument_collection(default_parameter=app.default_parameter)
    )


def _names(arguments: ArgumentCollection) -> set[str]:
    return {name for argument in arguments for name in argument.names}


def _as_typed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _options(path: Path, keys: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the options of a file, or None if it is not there or not about bough."""
    if not path.is_file():
        return None
    import tomllib

    try:
        found: Any = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ParameterError(f"cannot read the options in {str(path)!r}: {error}.") from error
    for key in keys:
        found = found.get(key, {})
        if not isinstance(found, dict):
            raise ParameterError(f"{key!r} in {str(path)!r} must be a table of options.")
    return found or None


_TYPED: ContextVar[tuple[str, ...]] = ContextVar("typed", default=())


def remember(typed: Sequence[str]) -> None:
    """Keep what was typed after `bough`, for hints that repeat it."""
    _TYPED.set(tuple(typed))


def typed_with(*more: str, instead: Sequence[str] = (), command: str = "") -> str:
    """Return what was typed with some more words, as a shell takes it.

    Parameters
    ----------
    more
        The words at the end.
    instead
        The names of an option that they replace, as in `("--target", "-t")`.
    command
        The command, if it is another one.
    """
    first, *others = _TYPED.get()
    words, kept = iter(others), [command or first]
    for word in words:
        if word in instead:
            next(words, None)
        elif not word.startswith(tuple(f"{each}=" for each in instead)):
            kept.append(word)
    return shlex.join(["bough", *kept, *more])


def has_options(names: Iterable[str]) -> bool:
    """Return whether the command that was typed has options for some arguments of `bough.fit`."""
    own = _options_of(_TYPED.get()[0])
    return all(f"--{option_name(name)}" in own for name in names)


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
