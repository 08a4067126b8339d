"""`bough predict`: a table with a column of guesses."""

from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import Parameter
from numpy.typing import NDArray

from bough.cli.failure import UsageError
from bough.cli.model import read_model
from bough.cli.reading import AS_FOUND, Reading, rows_of
from bough.cli.terminal import AS_USUAL, FLAG, Terminal
from bough.predict import stops
from bough.table.column import Choices, Column, Numbers, Source
from bough.tree import Tree
from bough.words import guess_word

NAME = "prediction"


def predict(
    model: Path,
    data: str,
    /,
    *,
    output: Annotated[str, Parameter(alias="-o")] = "-",
    proba: Annotated[bool, FLAG] = False,
    reading: Reading = AS_FOUND,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Guess.

    Parameters
    ----------
    model
        A model file, as 'bough fit' writes it.
    data
        A table; '-' is what is piped in.
    output
        The file to write: .csv, .tsv, .parquet or .jsonl; '-' is stdout, as CSV.
    proba
        Add a column with the share of each class, too.
    """
    found = read_model(model)
    source = reading.open(data)
    table = rows_of(found.tree, source)
    nodes = stops(found.tree, table)
    added = _added(found.tree, nodes, proba=proba)
    for name in added:
        if name in source.names:
            raise UsageError(
                f"{data!r} has a column {name!r} already. Rename it, so that nothing is overwritten."
            )
    columns = [source.column(number) for number in range(len(source.names))]
    write_table([*source.names, *added], [*columns, *added.values()], output)
    notes = prediction_notes(found, table, nodes)
    if terminal.json:
        terminal.document(
            "predict", {"output": output, "n_rows": source.n_rows, "notes": plain_notes(notes)}
        )
        return
    print_notes(terminal, notes)
    terminal.remark(f"{row_count(source.n_rows)}" + ("" if output == "-" else f"   wrote {output}"))


def _added(tree: Tree, nodes: NDArray[np.int32], *, proba: bool) -> dict[str, Column]:
    """Return the columns of guesses, by name."""
    found: dict[str, Column] = {}
    for output, label in enumerate(tree.schema.labels):
        name = NAME if len(tree.schema.labels) == 1 else f"{NAME}_{label.name}"
        guesses_here = guesses(tree, nodes)[:, output]
        if not label.classes:
            found[name] = Numbers(guesses_here)
            continue
        found[name] = Choices(label.classes, guesses_here.astype(np.int32))
        if proba:
            for code, value in enumerate(label.classes):
                share = np.ascontiguousarray(shares(tree, nodes)[:, output, code])
                found[f"{name}_{value}"] = Numbers(share)
    return found
