"""The command `bough`: finds the subcommand, runs it and reports errors."""

import codecs
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Group, Parameter

import bough
from bough.cli.command_line import COMMANDS, configure, hidden, remember, show_all
from bough.cli.messages import AS_USUAL, DONE, OpenConsole, Terminal, UsageError, failure_of
from bough.errors import option_name
from bough.words import TO_ASCII

_WELCOME = """\
Learn one decision tree from a table, and measure honestly how good it is.

Start with a file and the name of the column to predict:

    bough fit titanic.csv -t survived
"""


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
            f"bough.cli.{name}:{name}",
            name=name,
            help=command.sentence,
            help_epilogue=f"Example:  {command.example}",
            sort_key=place,
        )
    for flag in ("--help", "--version"):
        app[flag].group = (options,)
    app.command(
        "bough.cli.app:install_completion",
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
        _let_go_of_stdout()
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


def _let_go_of_stdout() -> None:
    """Keep Python from writing to a closed pipe once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
