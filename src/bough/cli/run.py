"""Runs a command line: finds the subcommand and reports errors."""

import codecs
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from bough.cli.app import COMMANDS, make_app
from bough.cli.failure import DONE, failure_of
from bough.cli.pipe import hidden
from bough.cli.terminal import OpenConsole, Terminal
from bough.words import TO_ASCII


def run(words: Sequence[str] | None) -> int:
    """Run one command line and return its exit status; see `bough.cli.main`."""
    given = list(sys.argv[1:] if words is None else words)
    command = given[0] if given and given[0] in COMMANDS else None
    terminal = Terminal(json="--json" in given)  # until the words are understood
    _show_any_name()
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
