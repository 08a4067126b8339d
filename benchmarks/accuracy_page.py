"""The page `docs/accuracy.md`: two halves, each rewritten by a script of its own."""

from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "accuracy.md"
SECOND = "## What one command gets"


def write_first(text):
    """Rewrite what stands above the second half."""
    PAGE.write_text(f"{text.strip()}\n\n{_halves()[1].strip()}\n", "utf-8")


def write_second(text):
    """Rewrite what stands below the heading of the second half."""
    PAGE.write_text(f"{_halves()[0].strip()}\n\n{SECOND}\n\n{text.strip()}\n", "utf-8")


def _halves():
    first, heading, second = PAGE.read_text("utf-8").partition(f"\n{SECOND}\n")
    return first, heading + second
