"""`bough predict`: a table with a column of guesses."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter
from numpy.typing import NDArray

from bough.cli.arguments import AS_FOUND, Reading, Rule, read_model
from bough.cli.before_parsing import PIPE
from bough.cli.outputs import NOTHING_LOST, Outputs
from bough.cli.printing import ALL_CHECKS, Checks, plain_notes, print_notes
from bough.cli.terminal import AS_USUAL, FLAG, Terminal
from bough.errors import BoughError
from bough.evidence import Evidence
from bough.learn.evaluate import columns_used, evidence_in, notes_on_new_rows
from bough.node_words import mixed_verdict, verdict_of
from bough.predict import guesses, parts_of, probabilities, said_of
from bough.ranking import places_of
from bough.schema import Kind
from bough.table import Table, column_of, read_like
from bough.table.column import Column
from bough.table.file import read_file, write_table
from bough.table.lazy_table import Source
from bough.tree import Guessing, Tree
from bough.words import row_count

NAME = "prediction"
Places = NDArray[np.integer]
RANK = "rank"  # of a row in its group, by falling scores


def predict(
    model: Path,
    data: str,
    /,
    *,
    output: Annotated[str, Parameter(alias="-o", metavar="FILE")] = PIPE,
    proba: Annotated[bool, FLAG] = False,
    missing: Rule | None = None,
    excel_safe: Annotated[bool, FLAG] = False,
    outputs: Outputs = NOTHING_LOST,
    checks: Checks = ALL_CHECKS,
    reading: Reading = AS_FOUND,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Predict.

    Parameters
    ----------
    model
        A model file, as 'bough fit' writes it.
    data
        A table; '-' reads a pipe.
    output
        The file to write: .csv, .tsv, .parquet or .jsonl, with .gz if compressed; '-' is stdout, as CSV.
    proba
        Add a column for each class with its probability.
    missing
        Missing values, if not as the model was tuned: stop follows the branch they took in training, else predicts there; weigh follows every branch and averages.
    excel_safe
        Keep spreadsheets from running cells that look like formulas.
    """
    found = read_model(model).by_name()
    source = read_file(data, like=found.tree.schema.reading, **reading.options)
    table = read_like(source, found.tree.schema)
    guessing, places = said_of(found.tree, table, missing=missing or found.missing)
    evidence, n_formulas = evidence_in(found), 0
    if output != PIPE or not terminal.json:
        added = _added(guessing, places, proba=proba)
        added |= _ranks(evidence, guessing, places, source)
        names = (*source.names, *added)
        if output != PIPE:
            outputs.check(Path(output), [model, data], lambda old: _has_columns(old, names))
        n_formulas = write_table(source, added, output, excel_safe=excel_safe)
    notes = checks.made(notes_on_new_rows(found.tree, evidence, table))
    if terminal.json:
        content = {"output": output, "n_rows": source.n_rows, "notes": plain_notes(notes)}
        if output == PIPE:
            rows = _plain(found.tree, table, guessing, places, proba=proba)
            for column in _ranks(evidence, guessing, places, source).values():
                ranked = zip(rows, column.cells.tolist(), strict=True)
                rows = [{**row, RANK: place} for row, place in ranked]
            content |= {"output": None, "guesses": rows}
        terminal.document("predict", content)
        return
    print_notes(terminal, notes)
    if n_formulas:
        cells = (
            "1 cell looks like a formula"
            if n_formulas == 1
            else f"{n_formulas:,} cells look like formulas"
        )
        terminal.remark(f"  {cells}, which a spreadsheet would run (--excel-safe)")
    wrote = "" if output == PIPE else f" · wrote {output}"
    terminal.remark(f"{row_count(source.n_rows)}{wrote}")


def _has_columns(path: Path, names: tuple[str, ...]) -> bool:
    """Return whether a file is a table of these columns, as bough wrote it before."""
    try:
        return read_file(path).names == names
    except BoughError:
        return False


def _added(guessing: Guessing, places: Places, *, proba: bool) -> dict[str, Column]:
    """Return the columns of guesses, by name."""
    found: dict[str, Column] = {}
    labels = guessing.schema.labels
    probable = probabilities(guessing, places) if proba else None
    for output, label in enumerate(labels):
        name = NAME if len(labels) == 1 else f"{NAME}_{label.name}"
        guessed = guesses(guessing, places)[:, output]
        if not label.classes:
            found[name] = column_of(guessed, Kind.NUMBER)
            continue
        found[name] = column_of(guessed.astype(np.int32), Kind.CHOICE, label.classes)
        if probable is not None:
            for code, value in enumerate(label.classes):
                shares = np.ascontiguousarray(probable[:, output, code])
                found[f"{name}_{value}"] = column_of(shares, Kind.NUMBER)
    return found


def _ranks(
    evidence: Evidence | None, guessing: Guessing, places: Places, source: Source
) -> dict[str, Column]:
    """Return the places of the rows in their groups, where the table says which these are."""
    group = columns_used(evidence).get("group")
    if not guessing.schema.task.ranks or group not in source.names:
        return {}
    groups = source.column(source.names.index(group)).hashes()
    ranks = places_of(guesses(guessing, places)[:, 0], groups)
    return {RANK: column_of(ranks, Kind.INTEGER)}


def _plain(
    tree: Tree, table: Table, guessing: Guessing, places: Places, *, proba: bool
) -> list[dict[str, Any]]:
    """Return the guess for each row as plain data."""
    nodes, in_parts = np.unique(places[places < len(tree)]), np.flatnonzero(places >= len(tree))
    said = {node: verdict_of(tree, node).as_dict() for node in nodes.tolist()}
    for row in in_parts.tolist():
        met = parts_of(tree, table, np.array([row]))
        verdict = mixed_verdict(tree, met.nodes[met.stops], met.shares[met.stops])
        said[int(places[row])] = verdict.as_dict()
    if proba and tree.schema.has_classes and len(tree.schema.labels) == 1:
        classes = tree.schema.labels[0].classes
        for place, plain in said.items():
            plain["shares"] = [
                {"class": name, "share": share}
                for name, share in zip(
                    classes, guessing.probabilities[place, 0].tolist(), strict=True
                )
            ]
    return [said[place] for place in places.tolist()]
