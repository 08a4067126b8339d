"""The command `bough`."""

import sys
from collections.abc import Sequence

INTERRUPTED = 130  # the exit status
WRONG = 2
EXTRA = ("cyclopts", "rich")  # which an install of the estimators alone does not have


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
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:
            raise
        sys.stderr.write(
            f"error: the command line needs the package {error.name}. "
            "Install what it needs: pip install 'bough[cli]'.\n"
        )
        return WRONG
