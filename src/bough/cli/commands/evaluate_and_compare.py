"""The commands that measure trees on a table.

`bough evaluate`: how well one does where labels are known; `bough compare`: two on the same rows.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from math import isfinite, nan
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from bough.checks.note_words import plain_notes
from bough.cli.arguments import (
    ALL_CHECKS,
    AS_FOUND,
    AsTuned,
    Checks,
    ModelFile,
    Reading,
    pairs,
    read_model,
)
from bough.cli.command_line import typed_with
from bough.cli.failures import DONE, GATE_FAILED, UsageError
from bough.cli.printing import print_notes
from bough.cli.terminal import AS_USUAL, FLAG, Beside, Terminal
from bough.errors import listed
from bough.figure_words import figure_of, figures_of_classes
from bough.learn.compare import compare as compared
from bough.learn.compare_result import MOST_RULES
from bough.learn.evaluate import Evaluation
from bough.learn.evaluate import evaluate as evaluated
from bough.words import amount, guess_word, plain


@dataclass(frozen=True)
class Gate:
    """What a loss or score must reach."""

    name: str
    least: float | None
    most: float | None
    passed: bool
    value: float | None = None
    """What it is; None: these rows do not tell, as the recall of a class that none of them has."""

    def __str__(self) -> str:
        limit = f"at least {self.least:g}" if self.least is not None else f"at most {self.most:g}"
        unknown = ", but these rows cannot measure it" if self.value is None else ""
        known = "" if self.value is None else f" and is {amount(self.value, 6)}"
        passed = "passed" if self.passed else "FAILED"
        return f"{passed}: {plain(self.name)} must be {limit}{known}{unknown}"


def evaluate(
    model: ModelFile,
    data: str,
    /,
    *,
    at_least: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="NAME=VALUE")] = (),
    at_most: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="NAME=VALUE")] = (),
    missing: AsTuned = None,
    checks: Checks = ALL_CHECKS,
    reading: Reading = AS_FOUND,
    terminal: Terminal = AS_USUAL,
) -> int:
    """Measure a tree.

    Parameters
    ----------
    data
        A table with the target; '-' reads a pipe.
    at_least
        The least a figure must be, as in accuracy=0.8, auc=0.7 or recall:yes=0.6; below it, the exit status is 1. May be repeated.
    at_most
        The most a figure may be, as in rmse=2.5; above it, the exit status is 1. May be repeated.
    """
    learnt = read_model(model)
    found = evaluated(learnt, reading.open(data, learnt.tree.schema.reading), missing=missing)
    found = replace(found, notes=checks.made(found.notes))
    gates = [
        *_gates("--at-least", at_least, found),
        *_gates("--at-most", at_most, found),
    ]
    if terminal.json:
        terminal.document(
            "evaluate",
            {**asdict(found), "notes": plain_notes(found.notes), "gates": [*map(asdict, gates)]},
        )
    else:
        print_notes(terminal, found.notes)
        for number, line in enumerate(found.lines(terminal.digits, "--json", terminal.width)):
            terminal.say(Text(line, "" if number else "dim"))
        for gate in gates:
            terminal.say(Text(str(gate), "" if gate.passed else "bold red"))
    return DONE if all(gate.passed for gate in gates) else GATE_FAILED


def _all_of(names: Iterable[str]) -> str:
    """Return names of figures, those of classes once, as in "'recall:CLASS'"."""
    kinds = {name: figure_of(name).name for name in names}
    shown = [name if name == kind else f"{kind}:CLASS" for name, kind in kinds.items()]
    return listed(dict.fromkeys(shown), most=len(shown))


def _unknown(option: str, name: str, limit: str, known: Iterable[str], *, only: bool) -> UsageError:
    """Return what to say about a figure that there is not, with what to type instead."""
    near = [each for each in known if each.startswith(f"{name}:")]
    if near:
        error = UsageError(f"{option} {name!r} needs a class: {listed(near)} are known.")
    else:
        near = get_close_matches(name, list(known), n=1)
        error = UsageError(f"{option} {name!r} is not known. Known: {_all_of(known)}.")
    if near:
        gate = f"{near[-1]}={limit}"
        error.add_note(typed_with(option, gate, instead=(option,)) if only else f"{option} {gate}")
    return error


def _gates(option: str, words: tuple[str, ...], found: Evaluation) -> list[Gate]:
    gates = []
    classes = () if found.confusion is None else found.confusion.classes
    names = [guess_word(each) for each in classes]
    known = dict.fromkeys([*found.estimates, *figures_of_classes(names)])
    for name, limit in pairs(option, words, known).items():
        if name not in known:
            raise _unknown(option, name, limit, known, only=len(words) == 1)
        value = found.estimates[name].value if name in found.estimates else None
        try:
            bound = float(limit)
        except ValueError:
            bound = nan
        if not isfinite(bound):
            raise UsageError(f"{option} {name}={limit!r} must be a number.")
        if option == "--at-least":
            gates.append(Gate(name, bound, None, value is not None and value >= bound, value))
        else:
            gates.append(Gate(name, None, bound, value is not None and value <= bound, value))
    return gates


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
