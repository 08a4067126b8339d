"""The command line before it is understood: its subcommands, options from a file, and the lone '-'."""

import shlex
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from cyclopts import App, ArgumentCollection

from bough.errors import ParameterError, option_name


class Command(NamedTuple):
    """What the help says about a subcommand."""

    sentence: str
    example: str


# The file `NAME.py` beside this one holds the function `NAME`; it is imported when it is asked for.
COMMANDS = {
    "check": Command(
        "See how bough reads a table, and what looks wrong with it.",
        "bough check titanic.csv -t survived",
    ),
    "fit": Command(
        "Learn a tree, and measure it on rows it has never seen.",
        "bough fit titanic.csv -t survived",
    ),
    "show": Command(
        "Draw a tree.",
        "bough show survived.bough.json --depth 2",
    ),
    "predict": Command(
        "Add a column of predictions to a table.",
        "bough predict survived.bough.json new.csv -o predicted.csv",
    ),
    "evaluate": Command(
        "Measure a tree on a table whose answers are known.",
        "bough evaluate survived.bough.json new.csv --at-least accuracy=0.8",
    ),
    "explain": Command(
        "See why a row gets its prediction, and what would change it.",
        "bough explain survived.bough.json titanic.csv --row 17",
    ),
    "ask": Command(
        "Answer the tree's questions, and get its prediction.",
        "bough ask survived.bough.json",
    ),
    "score": Command(
        "See how well each column on its own predicts the target.",
        "bough score titanic.csv -t survived",
    ),
    "teach": Command(
        "Walk through the growth of a small tree, with all the arithmetic.",
        "bough teach play_tennis",
    ),
    "lesson": Command(
        "Run an experiment about trees, for a class.",
        "bough lesson order",
    ),
    "export": Command(
        "Write a tree in a format for other programs.",
        "bough export survived.bough.json --to mermaid",
    ),
    "compare": Command(
        "Compare two trees on the same rows.",
        "bough compare one.bough.json other.bough.json new.csv",
    ),
}


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


@cache  # the parser takes its time, and every note asks
def _options_of(command: str) -> frozenset[str]:
    from bough.cli.app import make_app  # which imports this file

    app = make_app()
    arguments = app[command].assemble_argument_collection(default_parameter=app.default_parameter)
    return frozenset(_names(arguments))


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
