"""The command `bough`."""

from collections.abc import Sequence

INTERRUPTED = 130  # the exit status


def main(words: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status.

    Parameters
    ----------
    words
        What was typed after `bough`; None takes it from the process.
    """
    try:
        from bough.cli.app import run  # takes a moment, in which Ctrl-C may be pressed

        return run(words)
    except KeyboardInterrupt:
        return INTERRUPTED
