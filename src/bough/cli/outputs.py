"""The files that commands write: whatever speaks against it is said before any work is done."""

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from errno import EACCES, EISDIR, ENOENT
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bough.cli.before_parsing import PIPE
from bough.cli.messages import UsageError
from bough.cli.terminal import FLAG
from bough.files import raise_clearly

_START = 4096  # bytes that tell what a file is
_OURS = re.compile(
    rb'\A\s*\{\s*"bough"\s*:|<meta name="generator" content="bough |\A<svg [^>]*class="bough'
)


def is_ours(path: Path) -> bool:
    """Return whether a file is a model, a page or a picture that bough has written."""
    with path.open("rb") as file:
        return _OURS.search(file.read(_START)) is not None


@Parameter(name="*")
@dataclass(frozen=True)
class Outputs:
    """Whether files that are there may be overwritten."""

    force: Annotated[bool, FLAG] = False
    """Overwrite a file that bough did not write, or that this command reads."""

    def check(
        self,
        path: Path,
        inputs: Iterable[str | Path | None],
        may_replace: Callable[[Path], bool] = is_ours,
    ) -> None:
        """Refuse a file that cannot be written, or that would be lost and nobody has said so.

        Parameters
        ----------
        path
            The file to write.
        inputs
            What the command reads; None and '-' are no files.
        may_replace
            Whether a file that is there is one that bough wrote before.
        """
        _check_place(path)
        if self.force or not path.is_file() or not path.stat().st_size:
            return
        read = (Path(each) for each in inputs if each is not None and str(each) != PIPE)
        if any(each.exists() and each.samefile(path) for each in read):
            raise UsageError(
                f"{str(path)!r} is a file that this command reads. Name another file with -o, or "
                "add --force to overwrite it."
            )
        if not may_replace(path):
            raise UsageError(
                f"{str(path)!r} already exists and does not look like a file of bough. Name another "
                "file with -o, or add --force to overwrite it."
            )


NOTHING_LOST = Outputs()


def _check_place(path: Path) -> None:
    folder = path.absolute().parent
    if path.is_dir():
        errno = EISDIR
    elif not folder.is_dir():
        errno = ENOENT
    elif not path.exists() and not os.access(folder, os.W_OK):
        errno = EACCES
    else:
        return
    raise_clearly(OSError(errno, os.strerror(errno)), f"cannot save {str(path)!r}")
