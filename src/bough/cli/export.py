"""`bough export`: a tree in a format that other programs read."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bough.cli.model import read_model
from bough.cli.terminal import AS_USUAL, Terminal
from bough.export import FORMATS
from bough.export import export as exported
from bough.files import write_file


def export(
    model: Path,
    /,
    *,
    to: Annotated[str, Parameter(choices=FORMATS)],
    output: Annotated[Path | None, Parameter(alias="-o", metavar="FILE")] = None,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Write a tree.

    Parameters
    ----------
    model
        A model file, as 'bough fit' writes it.
    to
        The format.
    output
        The file to write; stdout if there is none.
    """
    text = exported(read_model(model), to).removesuffix("\n") + "\n"
    if output is not None:
        write_file(output, text.encode())
        terminal.remark(f"wrote {output}")
    if terminal.json:
        written = {"text": text} if output is None else {"output": str(output)}
        terminal.document("export", {"format": to, **written})
    elif output is None:
        sys.stdout.buffer.write(text.encode())
