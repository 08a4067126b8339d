"""`bough export`: a tree in a format that other programs read."""

import sys
from pathlib import Path
from typing import Annotated, cast

from cyclopts import Parameter

from bough.cli.arguments import (
    AS_FOUND,
    NOTHING_LOST,
    ModelFile,
    Outputs,
    Reading,
    is_ours,
    read_model,
)
from bough.cli.command_line import typed_with
from bough.cli.failures import UsageError
from bough.cli.terminal import AS_USUAL, FLAG, Terminal
from bough.exports import DIALECTS, FORMATS, ExportOptions
from bough.exports import export as exported
from bough.files import write_file
from bough.words import row_count


def export(
    model: ModelFile,
    /,
    *,
    to: Annotated[str, Parameter(choices=FORMATS)],
    output: Annotated[Path | None, Parameter(alias="-o", metavar="FILE")] = None,
    check: Annotated[str | None, Parameter(metavar="DATA")] = None,
    dialect: Annotated[str | None, Parameter(choices=DIALECTS)] = None,
    expression: Annotated[bool, FLAG] = False,
    table: Annotated[str | None, Parameter(metavar="NAME")] = None,
    with_test: Annotated[bool, FLAG] = False,
    reading: Reading = AS_FOUND,
    outputs: Outputs = NOTHING_LOST,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Write a tree.

    Parameters
    ----------
    to
        The format.
    output
        The file to write; stdout if none is named.
    check
        A table on which the export is run first; if it differs from the tree anywhere, nothing is written and the exit status is 1.
    dialect
        The database of the SQL: duckdb if not given.
    expression
        Write only the SQL expression that is the prediction, no query.
    table
        The table that the SQL query reads: data if not given.
    with_test
        Let the program test itself when it is run.
    """
    learnt = read_model(model)
    typed = {"dialect": dialect, "expression": expression, "table": table, "with_test": with_test}
    options = cast(ExportOptions, {name: each for name, each in typed.items() if each})
    rows = None if check is None else reading.open(check, learnt.tree.schema.reading)
    given = learnt if rows is None else learnt.by_name()  # a file may have more columns
    found = exported(given, to, check=rows, **options)
    if rows is not None:
        terminal.remark(f"checked on {row_count(rows.n_rows)}: the same predictions as the tree")
    text = found.removesuffix("\n") + "\n" if isinstance(found, str) else None
    content = found if isinstance(found, bytes) else (text or "").encode()
    if output is not None:
        outputs.check(output, [model], lambda old: is_ours(old) or old.read_bytes() == content)
        write_file(output, content)
        terminal.remark(f"wrote {output}")
    elif text is None and (terminal.json or sys.stdout.isatty()):
        error = UsageError(f"{to.upper()} is binary: write it to a file with -o.")
        error.add_note(typed_with("-o", f"tree.{to}"))
        raise error
    if terminal.json:
        written = {"text": text} if output is None else {"output": str(output)}
        terminal.document("export", {"format": to, **written})
    elif output is None:
        sys.stdout.buffer.write(content)
