"""Reads the model file that a command is given."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from bough.errors import did_you_mean
from bough.export.json import Model, load

Rule = Literal["stop", "weigh"]  # where a missing value goes
WHEN_MISSING = Parameter(name="--when-missing")
WhenMissing = Annotated[Rule | None, WHEN_MISSING]


def read_model(path: Path) -> Model:
    """Return the model in a file; if there is no such file, say which one may be meant."""
    try:
        return load(path)
    except FileNotFoundError as error:
        beside = [each.name for each in path.absolute().parent.glob("*.json")]
        error.args = (f"{error}{did_you_mean(path.name, beside)}",)
        raise
