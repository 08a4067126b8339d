"""The page about a tree: where it is written, and how it is opened."""

import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bough.cli.terminal import FLAG, Terminal
from bough.learn import Result


@Parameter(name="*")
@dataclass(frozen=True)
class Pages:
    """Whether a page about the tree is written, and opened."""

    report: Annotated[bool, FLAG, Parameter(negative="--no-report")] = True
    """Write a page about the tree beside the model file, as is usual: TARGET.html."""
    open: Annotated[bool, FLAG] = False
    """Open that page in a browser."""

    def write(self, result: Result, model: Path, *, digits: int) -> Path | None:
        """Write the page beside the model file, and return where it is; None: it is not wanted."""
        page = page_beside(model) if self.report or self.open else None
        if page is not None:
            result.report(page, digits=digits)
        return page


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
