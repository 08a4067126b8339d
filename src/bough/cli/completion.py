"""`bough --install-completion`: the shell completes the words of bough."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.completion import ShellDetectionError

from bough.cli.app import make_app
from bough.cli.messages import UsageError
from bough.cli.terminal import AS_USUAL, Terminal


def install_completion(
    *,
    shell: Literal["bash", "zsh", "fish", "powershell"] | None = None,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Write the completion script.

    Parameters
    ----------
    shell
        Your shell; detected if not given.
    output
        Write the script to this file, and leave the start-up file of the shell alone.
    """
    try:
        path = make_app().install_completion(
            shell=shell, output=output, add_to_startup=output is None
        )
    except ShellDetectionError:
        error = UsageError("bough cannot tell which shell this is. Name it with --shell.")
        error.add_note("bough --install-completion --shell bash")
        raise error from None
    if terminal.json:
        terminal.document(None, {"output": str(path)})
    else:
        terminal.remark(f"wrote {path}; completion works in new shells")
