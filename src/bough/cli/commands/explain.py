"""`bough explain`: why a row gets its guess, and what would change it."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np
from cyclopts import Parameter

from bough.cli.arguments import AS_FOUND, AsTuned, ModelFile, Reading, pairs, read_model
from bough.cli.command_line import typed_with
from bough.cli.failures import UsageError
from bough.cli.terminal import AS_USUAL, Terminal
from bough.errors import BoughError
from bough.explain.row import explain as explained
from bough.predict import read_asked
from bough.table import Table, typed_row
from bough.table.column import row_word
from bough.tree import Tree


class RowPlace(NamedTuple):
    """Where a row is: which one it is, counted from 1, and on which line of a text file."""

    row: int
    where: str | None

    def __str__(self) -> str:
        return f"row {self.row:,}" + (f" ({self.where})" if self.where else "")


def explain(
    model: ModelFile,
    data: str | None = None,
    /,
    *,
    row: Annotated[list[int] | None, Parameter(metavar="N")] = None,
    set_: Annotated[list[str] | None, Parameter(name="--set", metavar="NAME=VALUE")] = None,
    missing: AsTuned = None,
    reading: Reading = AS_FOUND,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Explain a prediction.

    Parameters
    ----------
    data
        A table; '-' reads a pipe.
    row
        The row of the table to explain, counted from 1. May be repeated.
    set_
        A value of a row that you type, as NAME=VALUE; others are missing. May be repeated.
    """
    found = read_model(model).by_name()
    tree = found.tree
    if set_ and (data is not None or row):
        raise UsageError(
            "--set describes a row that you type, --row one of a table. Use one of them."
        )
    if set_:
        names = [feature.name for feature in tree.schema.features]
        places: Sequence[RowPlace | None] = [None]
        table = _typed(tree, pairs("--set", set_, names))
    elif data is not None and row:
        places, table = _taken(tree, data, row, reading)
    else:
        raise _nothing_to_explain(tree, data)
    explanations = explained(tree, table, digits=terminal.digits, missing=missing or found.missing)
    if terminal.json:
        rows = [
            {"row": place and place.row, "where": place and place.where, **each.as_dict()}
            for place, each in zip(places, explanations, strict=True)
        ]
        terminal.document("explain", {"rows": rows})
        return
    for place, each in zip(places, explanations, strict=True):
        terminal.say_lines(f"{place} → {each}" if place else str(each))


def _typed(tree: Tree, values: dict[str, str]) -> Table:
    """Return the row that was typed."""
    try:
        return typed_row(values, tree.schema)
    except BoughError as error:
        error.args = (f"--set {error}",)
        raise


def _taken(
    tree: Tree, data: str, numbers: Sequence[int], reading: Reading
) -> tuple[Sequence[RowPlace | None], Table]:
    source = reading.open(data, tree.schema.reading)
    for number in numbers:
        if not 1 <= number <= source.n_rows:
            raise UsageError(
                f"There is no row {number:,}: {data!r} has rows 1 to {source.n_rows:,}."
            )
    rows = np.array(numbers) - 1
    has_lines = source.where is not row_word  # and is no Parquet file
    places = [RowPlace(row, source.where(row - 1) if has_lines else None) for row in numbers]
    return places, read_asked(tree, source).rows(rows)


def _nothing_to_explain(tree: Tree, data: str | None) -> UsageError:
    error = UsageError(
        "Which row? Name one of a table with --row N, or type one with --set NAME=VALUE."
    )
    if data is not None:
        error.add_note(typed_with("--row", "1"))
    elif (query := tree[0].query) is not None and not query.feature.is_about_dates:
        value = query.feature.choices[0] if query.feature.choices else round(tree.pivot[0])
        error.add_note(typed_with("--set", f"{query.feature.name}={value}"))
    return error
