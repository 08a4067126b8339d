"""The files that commands write: their names, and what speaks against them before any work is done."""

import os
import re
import webbrowser
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from errno import EACCES, EISDIR, ENOENT
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bough.cli.before_parsing import PIPE
from bough.cli.messages import UsageError
from bough.cli.terminal import FLAG, Terminal
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


LONGEST_NAME = 100  # bytes of the name of a file, before its ending


def file_name(target: str) -> str:
    """Return what is left of a target in the name of a file."""
    kept = re.sub(r"[^\w.-]", "", target).lstrip(".-")
    return kept.encode()[:LONGEST_NAME].decode(errors="ignore") or "tree"


@Parameter(name="*")
@dataclass(frozen=True)
class Pages:
    """Whether a page about the tree is written, and opened."""

    report: Annotated[bool, FLAG, Parameter(negative="--no-report")] = True
    """Write a page about the tree next to the model file: TARGET.html. The default."""
    open: Annotated[bool, FLAG] = False
    """Open the page in a browser."""

    def page_of(self, model: Path) -> Path | None:
        """Return the file of the page beside a model file; None: it is not wanted."""
        return page_beside(model) if self.report or self.open else None


AS_A_RULE = Pages()


def page_beside(model: Path) -> Path | None:
    """Return the file of the page that belongs to a model file; none beside a pipe or a device.

    Examples
    --------
    >>> print(page_beside(Path("trees/species.bough.json")))
    trees/species.html
    """
    if model.exists() and not model.is_file():
        return None
    return model.with_name(f"{model.name.removesuffix('.json').removesuffix('.bough')}.html")


def open_page(page: Path, terminal: Terminal) -> None:
    """Open a page in the browser, or say that there is none."""
    if not webbrowser.open(page.absolute().as_uri()):
        terminal.remark(f"No browser can be opened from here. Open {page} yourself.")
