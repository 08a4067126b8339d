"""`bough export`: a tree in a format that other programs read."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bough.cli.arguments import read_model
from bough.cli.before_parsing import typed_with
from bough.cli.messages import UsageError
from bough.cli.outputs import NOTHING_LOST, Outputs, is_ours
from bough.cli.terminal import AS_USUAL, Terminal
from bough.exports import FORMATS
from bough.exports import export as exported
from bough.files import write_file


def export(
    model: Path,
    /,
    *,
    to: Annotated[str, Parameter(choices=FORMATS)],
    output: Annotated[Path | None, Parameter(alias="-o", metavar="FILE")] = None,
    outputs: Outputs = NOTHING_LOST,
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
        The file to write; stdout if none is named.
    """
    found = exported(read_model(model), to)
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
