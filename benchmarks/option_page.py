"""What the timing of options found, in a line, and as a section of `docs/performance.md`."""

from dataclasses import dataclass
from typing import Any

from option_tables import Option
from performance_page import markdown

SLOWER = 3  # times bough's default: the most that an option may cost
ALIKE = 1.5  # times the leaves: trees of about the same size
TEXT = """One tree by scikit-learn and one by bough with the same option, both with one thread: *times* is
the processor time of scikit-learn divided by bough's, wanted at least the figure beside it. With its
threads bough gains besides: *clock* is its time by the clock with all {threads}. *÷ default* is
bough's time divided by that of its own default, wanted at most {slower} where the trees are about as
large. The loss is that of the rows that the tree was grown from: the share that is wrong, or the
mean loss of the criterion. scikit-learn was given up after five minutes (*> 300 s*).

Trees differ where ties, drawn columns, float32 or categories make them: scikit-learn reads
strings through its `OrdinalEncoder`, which counts, as an order that they do not have.

Measured on {machine}, commit {commit}, {time}. Written by `benchmarks/options.py --write`.
"""
LARGER = """The same for tables of more rows and columns, measured in the same way.

Measured on {machine}, commit {commit}, {time}. Written by `benchmarks/options.py --large --write`.
"""


@dataclass(frozen=True)
class Entry:
    """One option, task and depth: the records of both libraries and of bough's default."""

    option: Option
    task: str
    depth: int | None
    ours: dict[str, Any] | None
    theirs: dict[str, Any] | None
    default: dict[str, Any] | None

    @property
    def records(self):
        return [record for record in (self.ours, self.theirs) if record is not None]

    @property
    def is_timed(self):
        return self.ours is not None and "processor" in self.ours

    @property
    def has_peer(self):
        return self.theirs is not None and "processor" in self.theirs

    @property
    def times(self):
        """The processor time of scikit-learn ÷ bough's, or None."""
        if not self.is_timed or not self.has_peer:
            return None
        return self.theirs["processor"] / self.ours["processor"]

    @property
    def cost(self):
        """bough's time ÷ that of its default, or None."""
        if not self.is_timed or self.default is None or "processor" not in self.default:
            return None
        return self.ours["processor"] / self.default["processor"]

    @property
    def is_as_large(self):
        """Whether the tree is about as large as the default's, and of as large a table."""
        if self.cost is None or not self.option.is_default_table:
            return False
        sizes = self.ours["leaves"], self.default["leaves"]
        return max(sizes) <= ALIKE * min(sizes)

    @property
    def misses(self):
        """What is wanted and was not reached."""
        if not self.is_timed:
            return ["bough failed or was given up"]
        found = []
        if self.times is not None and self.times < self.option.wanted:
            found.append("times")
        if self.is_as_large and self.cost > SLOWER:
            found.append("÷ default")
        return found

    @property
    def cells(self):
        depth = "any" if self.depth is None else str(self.depth)
        ours, theirs = self.ours or {}, self.theirs or {}
        given_up = "> 300" if theirs.get("is_given_up") else ""
        return (
            self.option.title,
            self.task,
            depth,
            shown(theirs.get("processor")) or given_up,
            shown(ours.get("processor")),
            shown(ours.get("clock")),
            shown(self.times),
            f"{self.option.wanted:g}",
            shown(self.cost),
            pair(ours.get("leaves"), theirs.get("leaves"), "{:,}"),
            pair(ours.get("loss"), theirs.get("loss"), "{:.4g}"),
            "missed: " + ", ".join(self.misses) if self.misses else "",
        )

    def line(self):
        widths = (42, 9, 5, 9, 9, 9, 9, 4, 7, 20, 20, 0)
        cells = zip(self.cells, widths, strict=True)
        return " ".join(f"{cell:<{width}}" for cell, width in cells).rstrip()


HEADS = ("option", "labels", "depth", "scikit-learn, s", "bough, s", "clock, s", "times", "wanted")
HEADS += ("÷ default", "leaves, bough / scikit-learn", "loss, bough / scikit-learn", "")


def shown(figure):
    if figure is None:
        return ""
    return f"{figure:.0f}" if figure >= 100 else f"{figure:.3g}"


def pair(ours, theirs, form):
    if ours is None:
        return ""
    alone = form.format(ours)
    return alone if theirs is None else f"{alone} / {form.format(theirs)}"


def title_of(size):
    return f"{size[0]:,} × {size[1]}"


def section(entries, size, about, *, is_large=False):
    """Return the text of the section for tables of one size."""
    import os

    text = (LARGER if is_large else TEXT).format(**about, slower=SLOWER, threads=os.cpu_count())
    rows = [entry.cells for entry in entries]
    return f"{text}\n### {title_of(size)}\n\n{markdown(HEADS, rows, n_text=3)}"
