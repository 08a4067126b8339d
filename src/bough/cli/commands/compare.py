"""`bough compare`: two trees on the same rows."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from rich.text import Text

from bough.cli.arguments import ALL_CHECKS, AS_FOUND, Checks, ModelFile, Reading, read_model
from bough.cli.printing import print_notes
from bough.cli.terminal import AS_USUAL, FLAG, Beside, Terminal
from bough.learn.compare import compare as compared
from bough.learn.compare_result import MOST_RULES
from bough.words import plain


def compare(
    model: ModelFile,
    other: Path,
    data: str | None = None,
    /,
    *,
    full: Annotated[bool, FLAG] = False,
    checks: Checks = ALL_CHECKS,
    reading: Reading = AS_FOUND,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Compare two trees.

    Parameters
    ----------
    other
        Another one that predicts the same column.
    data
        A table with the target, if possible of rows that neither tree has seen; '-' reads a pipe. Without one, only rules are compared.
    full
        List every rule that changed.
    """
    one, two = (read_model(path) for path in (model, other))
    table = None if data is None else reading.open(data, one.tree.schema.reading)
    found = compared(one, two, table, digits=terminal.digits)
    found = replace(found, notes=checks.made(found.notes))
    if terminal.json:
        terminal.document("compare", found.as_dict())
        return
    print_notes(terminal, found.notes)
    names = [plain(path.name.removesuffix(".bough.json")) for path in (model, other)]
    if names[0] == names[1]:
        names = ["the first", "the second"]
    most = None if full else MOST_RULES
    for line in found.lines(names, terminal.digits, most, "--full", terminal.width):
        indent = line[: len(line) - len(line.lstrip())]
        terminal.say(
            Beside(Text(indent), Text(line.removeprefix(indent))) if indent else Text(line)
        )
