"""The list of subcommands, and the parser that is made from it."""

from typing import NamedTuple

from cyclopts import App, Group, Parameter

import bough
from bough.cli.configuration import configure
from bough.cli.pipe import show_all


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
        "Add a column of guesses to a table.",
        "bough predict survived.bough.json new.csv -o guessed.csv",
    ),
    "evaluate": Command(
        "Measure a tree on a table with known labels.",
        "bough evaluate survived.bough.json new.csv --at-least accuracy=0.8",
    ),
    "explain": Command(
        "See why a row gets its guess, and what would change it.",
        "bough explain survived.bough.json titanic.csv --row 17",
    ),
    "ask": Command(
        "Answer the tree's questions, and get its guess.",
        "bough ask survived.bough.json",
    ),
    "score": Command(
        "See how well each column alone tells the labels apart.",
        "bough score titanic.csv -t survived",
    ),
    "export": Command(
        "Write a tree in a format that other programs read.",
        "bough export survived.bough.json --to mermaid",
    ),
    "compare": Command(
        "Compare two trees on the same rows.",
        "bough compare one.bough.json other.bough.json new.csv",
    ),
}

_WELCOME = """\
Learn one decision tree from a table, and tell the truth about it.

Start with a file and the name of the column to be predicted:

    bough fit titanic.csv -t survived
"""


def make_app() -> App:
    """Return the parser of command lines."""
    options = Group("Options", sort_key=2)
    app = App(
        name="bough",
        help=_WELCOME,
        help_format="plaintext",
        help_epilogue="'bough COMMAND --help' says more about each.",
        version=lambda: bough.__version__,
        config=(show_all, configure),
        default_parameter=Parameter(negative=()),
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
        "bough.cli.completion:install_completion",
        name="--install-completion",
        help="Teach your shell to complete the words of bough.",
        group=options,
    )
    return app
