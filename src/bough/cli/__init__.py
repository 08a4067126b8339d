"""The command `bough`, its subcommands, and the lone '-' among what is typed."""

import sys
from collections.abc import Sequence
from typing import NamedTuple

INTERRUPTED = 130  # the exit status
WRONG = 2
EXTRA = ("cyclopts", "rich")  # which an install of the estimators alone does not have
PIPE = "-"
_HIDDEN = "\0"  # what no command line can hold


class Command(NamedTuple):
    """What the help says about a subcommand, and the file of its function in `commands/`."""

    file: str
    sentence: str
    example: str


# The function of a subcommand has its name; its file is imported when it is asked for.
COMMANDS = {
    "check": Command(
        "check_and_score",
        "See how bough reads a table, and what looks wrong with it.",
        "bough check titanic.csv -t survived",
    ),
    "fit": Command(
        "fit",
        "Learn a tree, and measure it on rows it has never seen.",
        "bough fit titanic.csv -t survived",
    ),
    "show": Command(
        "show_and_export",
        "Draw a tree.",
        "bough show survived.bough.json --depth 2",
    ),
    "predict": Command(
        "predict",
        "Add a column of predictions to a table.",
        "bough predict survived.bough.json new.csv -o predicted.csv",
    ),
    "evaluate": Command(
        "evaluate_and_compare",
        "Measure a tree on a table whose answers are known.",
        "bough evaluate survived.bough.json new.csv --at-least accuracy=0.8",
    ),
    "explain": Command(
        "explain_and_ask",
        "See why a row gets its prediction, and what would change it.",
        "bough explain survived.bough.json titanic.csv --row 17",
    ),
    "ask": Command(
        "explain_and_ask",
        "Answer the tree's questions, and get its prediction.",
        "bough ask survived.bough.json",
    ),
    "score": Command(
        "check_and_score",
        "See how well each column on its own predicts the target.",
        "bough score titanic.csv -t survived",
    ),
    "teach": Command(
        "teach",
        "Walk through the growth of a small tree, with all the arithmetic.",
        "bough teach play_tennis",
    ),
    "lesson": Command(
        "lesson",
        "Run an experiment about trees, for a class.",
        "bough lesson order",
    ),
    "export": Command(
        "show_and_export",
        "Write a tree in a format for other programs.",
        "bough export survived.bough.json --to mermaid",
    ),
    "compare": Command(
        "evaluate_and_compare",
        "Compare two trees on the same rows.",
        "bough compare one.bough.json other.bough.json new.csv",
    ),
}


def main(words: Sequence[str] | None = None) -> int:
    """Run one command line, by default that of the process, and return its exit status."""
    try:
        from bough.cli.command_line import run  # takes a moment, in which Ctrl-C may be pressed

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


def hidden(typed: Sequence[str]) -> list[str]:
    """Return what was typed, so that the parser takes no lone '-' for an option."""
    return [_HIDDEN if word == PIPE else word for word in typed]


def shown(word: str) -> str:
    """Return a word as it was typed."""
    return PIPE if word == _HIDDEN else word
