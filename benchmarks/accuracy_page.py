"""The page `docs/accuracy.md`: three parts, each rewritten by a script of its own."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "accuracy.md"
COMMAND = "## What one command gets"
GRID = "## Beside a grid search"
HEADINGS = ("", COMMAND, GRID)  # of the parts, in their order; the first has the page's own


def write_part(heading, text):
    """Rewrite the part below a heading, and leave the others as they are."""
    parts = _parts() | {heading: text.strip()}
    pieces = [f"{each}\n\n{parts[each]}".strip() for each in HEADINGS if parts.get(each)]
    PAGE.write_text("\n\n".join(pieces) + "\n", "utf-8")


def _parts():
    marks = "|".join(map(re.escape, HEADINGS[1:]))
    first, *others = re.split(f"^({marks})$", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    found = dict(zip(others[::2], others[1::2], strict=True))
    return {heading: text.strip() for heading, text in {"": first, **found}.items()}
