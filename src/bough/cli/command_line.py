"""The command line: finds the subcommand, takes options from a file, runs it and reports errors; what was typed."""

import codecs
import os
import shlex
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, ArgumentCollection, Group, Parameter

import bough
from bough.cli import COMMANDS, hidden, shown
from bough.cli.failures import DONE, UsageError, failure_of
from bough.cli.terminal import AS_USUAL, OpenConsole, Terminal
from bough.errors import ParameterError, option_name
from bough.words import TO_ASCII

_WELCOME = """\
Learn one decision tree from a table, and measure honestly how good it is.

Start with a file and the name of the column to predict:

    bough fit titanic.csv -t survived
"""

# Where the options stand in each file; of two in one folder the first counts.
_FILES: dict[str, tuple[str, ...]] = {"bough.toml": (), "pyproject.toml": ("tool", "bough")}
_TYPED: ContextVar[tuple[str, ...]] = ContextVar("typed", default=())


def make_app() -> App:
    """Return the parser of command lines."""
    options = Group("Options", sort_key=2)
    app = App(
        name="bough",
        help=_WELCOME,
        help_format="plaintext",
        help_epilogue="'bough COMMAND --help' says more about a command.",
        version=lambda: bough.__version__,
        config=(show_all, configure),
        default_parameter=Parameter(negative=(), name_transform=option_name),
        group_parameters=options,
        suppress_keyboard_interrupt=False,
    )
    for place, (name, command) in enumerate(COMMANDS.items()):
        app.command(
            f"bough.cli.commands.{command.file}:{name}",
            name=name,
            help=command.sentence,
            help_epilogue=f"Example:  {command.example}",
            sort_key=place,
        )
    for flag in ("--help", "--version"):
        app[flag].group = (options,)
    app.command(
        "bough.cli.command_line:install_completion",
        name="--install-completion",
        help="Let your shell complete commands and options of bough.",
        group=options,
    )
    return app


def run(words: Sequence[str] | None) -> int:
    """Run one command line and return its exit status; see `bough.cli.main`."""
    given = list(sys.argv[1:] if words is None else words)
    command = given[0] if given and given[0] in COMMANDS else None
    terminal = Terminal(json="--json" in given)  # until the words are understood
    _show_any_name()
    remember(given)
    try:
        function, bound, _ = make_app().parse_args(
            hidden(given), console=OpenConsole(), print_error=False, exit_on_error=False
        )
        terminal = bound.arguments.get("terminal", terminal)
        with _warnings_as_remarks(terminal):
            status = function(*bound.args, **bound.kwargs)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read along has read enough
        # Keep Python from writing to a closed pipe once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (Exception, KeyboardInterrupt) as error:
        failure = failure_of(error)
        terminal.report(failure, command)
        return failure.status
    return status if isinstance(status, int) else DONE


@contextmanager
def _warnings_as_remarks(terminal: Terminal) -> Iterator[None]:
    """Print what Python would warn its users of, without the place in the source."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda message, *_, **__: terminal.remark(f"  {message}")
        yield


def _show_any_name() -> None:
    """Let every sign be printed, in a way that the terminal knows."""
    codecs.register_error("bough", _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # a stream that something else has put there
            stream.reconfigure(errors="bough")  # type: ignore[union-attr]


def _in_ascii(error: UnicodeError) -> tuple[str | bytes, int]:
    assert isinstance(error, UnicodeEncodeError)  # noqa: S101 - nothing else is asked for
    signs = error.object[error.start : error.end]
    return signs.translate(TO_ASCII).encode("ascii", "backslashreplace"), error.end


def install_completion(
    *,
    shell: Literal["bash", "zsh", "fish", "powershell"] | None = None,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Write the completion script.

    Parameters
    ----------
    shell
        Your shell; detected if not given.
    output
        Write the script to this file, and leave the start-up file of the shell alone.
    """
    from cyclopts.completion import ShellDetectionError

    try:
        path = make_app().install_completion(
            shell=shell, output=output, add_to_startup=output is None
        )
    except ShellDetectionError:
        error = UsageError("bough cannot tell which shell this is. Name it with --shell.")
        error.add_note("bough --install-completion --shell bash")
        raise error from None
    if terminal.json:
        terminal.document(None, {"output": str(path)})
    else:
        terminal.remark(f"wrote {path}; completion works in new shells")


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


def remember(typed: Sequence[str]) -> None:
    """Keep what was typed after `bough`, for hints that repeat it."""
    _TYPED.set(tuple(typed))


def typed_with(*more: str, instead: Sequence[str] = (), command: str = "") -> str:
    """Return what was typed with some more words at the end, as a shell takes it.

    They replace an option that has the names `instead`, as in `("--target", "-t")`.
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


def show_all(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:  # noqa: ARG001
    """Let every argument have its words as they were typed."""
    for argument in arguments:
        argument.tokens[:] = [token.evolve(value=shown(token.value)) for token in argument.tokens]
