"""`bough predict`: a table with a column of predictions."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bough import datasets
from bough.checks.note_words import plain_notes
from bough.cli.arguments import ALL_CHECKS, AS_FOUND, Checks, Reading, Rule, is_teaching, read_model
from bough.cli.before_parsing import PIPE
from bough.cli.outputs import NOTHING_LOST, Outputs
from bough.cli.prediction_columns import USUAL, Added, Predictions
from bough.cli.printing import print_notes
from bough.cli.terminal import AS_USUAL, FLAG, Terminal
from bough.errors import BoughError
from bough.learn.evaluate import evidence_in, notes_on_new_rows
from bough.predict import read_asked
from bough.table.file import read_file, write_table
from bough.words import row_count


def predict(
    model: Path,
    data: str,
    /,
    *,
    output: Annotated[str, Parameter(alias="-o", metavar="FILE")] = PIPE,
    added: Added = USUAL,
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
    missing
        Missing values, if not as the model was tuned: stop follows the branch they took in training, else predicts there; weigh follows every branch and averages.
    excel_safe
        Keep spreadsheets from running cells that look like formulas.
    """
    found = read_model(model).by_name()
    source = read_file(_file(data), like=found.tree.schema.reading, **reading.options)
    table, evidence, n_formulas = read_asked(found.tree, source), evidence_in(found), 0
    made = Predictions(found.tree, evidence, table, missing or found.missing, added)
    if output != PIPE or not terminal.json:
        columns = made.columns(source)
        names = (*source.names, *columns)
        if output != PIPE:
            outputs.check(Path(output), [model, data], lambda old: _has_columns(old, names))
        n_formulas = write_table(source, columns, output, excel_safe=excel_safe)
    notes = checks.made(notes_on_new_rows(found.tree, evidence, table))
    if terminal.json:
        content = {"output": output, "n_rows": source.n_rows, "notes": plain_notes(notes)}
        if output == PIPE:
            content |= {"output": None, "guesses": made.plain(source)}
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


def _file(data: str) -> str:
    """Return the file of a teaching table, or what was typed."""
    return datasets.path(data) if is_teaching(data) else data


def _has_columns(path: Path, names: tuple[str, ...]) -> bool:
    """Return whether a file is a table of these columns, as bough wrote it before."""
    try:
        return read_file(path).names == names
    except BoughError:
        return False
