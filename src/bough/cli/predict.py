"""`bough predict`: a table with a column of guesses."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter
from numpy.typing import NDArray

from bough.cli.model import by_name, read_model
from bough.cli.notes import ALL_CHECKS, Checks, plain_notes, print_notes
from bough.cli.pipe import PIPE
from bough.cli.reading import AS_FOUND, Reading
from bough.cli.terminal import AS_USUAL, FLAG, Terminal
from bough.draw.verdict import verdict_of
from bough.export.json import Model
from bough.learn.evaluate import columns_used, notes_on_new_rows
from bough.predict import guesses, probabilities, stops
from bough.ranking import places_of
from bough.split import cell_hashes
from bough.table import read_like
from bough.table.column import Choices, Column, Integers, Numbers, Source
from bough.table.file import read_file, write_table
from bough.tree import Tree
from bough.words import row_count

NAME = "prediction"
RANK = "rank"  # of a row in its query, by falling scores


def predict(
    model: Path,
    data: str,
    /,
    *,
    output: Annotated[str, Parameter(alias="-o", metavar="FILE")] = PIPE,
    proba: Annotated[bool, FLAG] = False,
    excel_safe: Annotated[bool, FLAG] = False,
    checks: Checks = ALL_CHECKS,
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
        The file to write: .csv, .tsv, .parquet or .jsonl, or .gz after these; '-' is stdout, as CSV.
    proba
        Add a column for each class: how probable it is.
    excel_safe
        Keep spreadsheets from running cells that look like formulas.
    """
    found, source = by_name(read_model(model)), read_file(data, **reading.options)
    table = read_like(source, found.tree.schema)
    nodes, n_formulas = stops(found.tree, table), 0
    if output != PIPE or not terminal.json:
        added = _added(found.tree, nodes, proba=proba) | _places(found, nodes, source)
        n_formulas = write_table(source, added, output, excel_safe=excel_safe)
    notes = checks.made(notes_on_new_rows(found, table))
    if terminal.json:
        content = {"output": output, "n_rows": source.n_rows, "notes": plain_notes(notes)}
        if output == PIPE:
            content |= {"output": None, "guesses": _plain(found.tree, nodes, proba=proba)}
        terminal.document("predict", content)
        return
    print_notes(terminal, notes)
    if n_formulas:
        terminal.remark(
            f"  {n_formulas:,} cells begin like formulas, which a spreadsheet would run (--excel-safe)"
        )
    wrote = "" if output == PIPE else f" · wrote {output}"
    terminal.remark(f"{row_count(source.n_rows)}{wrote}")


def _added(tree: Tree, nodes: NDArray[np.int32], *, proba: bool) -> dict[str, Column]:
    """Return the columns of guesses, by name."""
    found: dict[str, Column] = {}
    probable = probabilities(tree, nodes) if proba else None
    for output, label in enumerate(tree.schema.labels):
        name = NAME if len(tree.schema.labels) == 1 else f"{NAME}_{label.name}"
        guessed = guesses(tree, nodes)[:, output]
        if not label.classes:
            found[name] = Numbers(guessed)
            continue
        found[name] = Choices(label.classes, guessed.astype(np.int32))
        if probable is not None:
            for code, value in enumerate(label.classes):
                found[f"{name}_{value}"] = Numbers(np.ascontiguousarray(probable[:, output, code]))
    return found


def _places(model: Model, nodes: NDArray[np.int32], source: Source) -> dict[str, Column]:
    """Return the places of the rows in their queries, where the table says which these are."""
    group = columns_used(model).get("group")
    if model.tree.schema.task != "ranking" or group not in source.names:
        return {}
    queries = cell_hashes(source.column(source.names.index(group)))
    return {RANK: Integers(places_of(guesses(model.tree, nodes)[:, 0], queries), None)}


def _plain(tree: Tree, nodes: NDArray[np.int32], *, proba: bool) -> list[dict[str, Any]]:
    """Return the guess for each row as plain data."""
    said = {node: verdict_of(tree, node).as_dict() for node in np.unique(nodes).tolist()}
    if proba and tree.schema.has_classes and len(tree.schema.labels) == 1:
        classes = tree.schema.labels[0].classes
        for node, verdict in said.items():
            verdict["shares"] = [
                {"class": name, "share": share}
                for name, share in zip(classes, tree.probabilities[node, 0].tolist(), strict=True)
            ]
    return [said[node] for node in nodes.tolist()]
