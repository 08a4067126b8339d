"""`bough evaluate`: how well a tree does on a table with known labels."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import isfinite, nan
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from bough.cli.arguments import AS_FOUND, Reading, Rule, pairs, read_model
from bough.cli.messages import DONE, GATE_FAILED, UsageError
from bough.cli.printing import ALL_CHECKS, Checks, estimates_table, print_notes
from bough.cli.terminal import AS_USUAL, Terminal
from bough.errors import did_you_mean, listed
from bough.evidence import Estimate
from bough.learn.evaluate import evaluate as evaluated
from bough.words import row_count


@dataclass(frozen=True)
class Gate:
    """What a loss or score must reach."""

    name: str
    least: float | None
    most: float | None
    passed: bool

    def __str__(self) -> str:
        limit = f"at least {self.least:g}" if self.least is not None else f"at most {self.most:g}"
        return f"{'passed' if self.passed else 'FAILED'}: {self.name} must be {limit}"


def evaluate(
    model: Path,
    data: str,
    /,
    *,
    at_least: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="NAME=VALUE")] = (),
    at_most: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="NAME=VALUE")] = (),
    missing: Rule | None = None,
    checks: Checks = ALL_CHECKS,
    reading: Reading = AS_FOUND,
    terminal: Terminal = AS_USUAL,
) -> int:
    """Measure a tree.

    Parameters
    ----------
    model
        A model file, as 'bough fit' writes it.
    data
        A table with the target; '-' reads a pipe.
    at_least
        The least a score must be, as in accuracy=0.8; below it, the exit status is 1. May be repeated.
    at_most
        The most a loss may be, as in rmse=2.5; above it, the exit status is 1. May be repeated.
    missing
        Missing values, if not as the model was tuned: stop follows the branch they took in training, else predicts there; weigh follows every branch and averages.
    """
    learnt = read_model(model)
    found = evaluated(learnt, reading.open(data, learnt.tree.schema.reading), missing=missing)
    found = replace(found, notes=checks.made(found.notes))
    gates = [
        *_gates("--at-least", at_least, found.estimates),
        *_gates("--at-most", at_most, found.estimates),
    ]
    if terminal.json:
        terminal.document("evaluate", {**asdict(found), "gates": [*map(asdict, gates)]})
    else:
        print_notes(terminal, found.notes)
        headings = {
            row_count(found.n_rows): found.estimates,
            found.task.baseline if found.task.ranks else "baseline": found.baseline,
        }
        terminal.say(estimates_table(headings, terminal.digits))
        for gate in gates:
            terminal.say(Text(str(gate), "" if gate.passed else "bold red"))
    return DONE if all(gate.passed for gate in gates) else GATE_FAILED


def _gates(option: str, words: tuple[str, ...], estimates: Mapping[str, Estimate]) -> list[Gate]:
    gates = []
    for name, limit in pairs(option, words).items():
        if name not in estimates:
            raise UsageError(
                f"{option} {name!r} is not known.{did_you_mean(name, estimates)} "
                f"Known: {listed(estimates)}."
            )
        value = estimates[name].value
        try:
            bound = float(limit)
        except ValueError:
            bound = nan
        if not isfinite(bound):
            raise UsageError(f"{option} {name}={limit!r} must be a number.")
        if option == "--at-least":
            gates.append(Gate(name, bound, None, value >= bound))
        else:
            gates.append(Gate(name, None, bound, value <= bound))
    return gates
