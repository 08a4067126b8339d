"""The page about a tree: where it is written, and how it is opened."""

import webbrowser
from pathlib import Path

from bough.cli.terminal import Terminal


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
