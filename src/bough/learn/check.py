"""What bough sees in a table: the kind of each column, and problems with what to type."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from bough.checks.columns import file_notes
from bough.checks.notes import gathered, is_information, note_lines
from bough.evidence import Note
from bough.learn.look_at_columns import ColumnLook, look
from bough.learn.notes import notes_on_rows
from bough.learn.request import Request, carried_roles
from bough.learn.row_plan import Problem, make_plan, target_of
from bough.reading import FileOptions
from bough.schema import Task
from bough.table import TableLike, Types, open_source
from bough.words import plain, row_count, table_rows


@dataclass(frozen=True)
class Checked:
    """What was seen of a table."""

    n_rows: int
    task: Task | None
    """The task that the target sets; None without a target."""
    columns: tuple[ColumnLook, ...]
    n_distinct: dict[str, int]
    """How many values each column has."""
    notes: tuple[Note, ...]

    @property
    def is_fine(self) -> bool:
        """Whether no note asks for anything."""
        return all(map(is_information, self.notes))

    def lines(self, width: int | None = None) -> list[list[str]]:
        """Return a heading and the lines of each column, as the terminal shows them."""
        lines = [["column", "kind", "values", "missing", "used as"]]
        for column in self.columns:
            role = f"target: {self.task}" if column.role == "target" else column.role
            missing = f"{column.n_missing:,}" if column.n_missing else ""
            values = f"{self.n_distinct[column.name]:,}"
            lines.append([plain(column.name), column.kind, values, missing, role])
        return table_rows(lines, "<<>><", width)

    def __str__(self) -> str:
        size = f"{row_count(self.n_rows)} × {len(self.columns):,} columns"
        notes = note_lines(self.notes)
        fine = ["", "Nothing looks wrong."] if self.is_fine else [""] if notes else []
        table = [line for lines in self.lines() for line in lines]
        return "\n".join([size, "", *table, *fine, *notes])


def check(
    table: TableLike,
    target: str | None = None,
    *,
    task: str = "auto",
    types: Types | None = None,
    ignore: str | Sequence[str] = (),
    group: str | None = None,
    seed: int = 0,
    **reading: Unpack[FileOptions],
) -> Checked:
    """Look for problems in a table, as `bough.fit` does before it learns.

    Labels are read from training rows only.

    Parameters
    ----------
    table, target, task, types, ignore, group, seed, reading
        As for `bough.fit`. Without a target, only the columns are checked.

    Returns
    -------
    Checked
        The kind and the role of each column, and notes on what looks wrong; `print` shows them.

    Examples
    --------
    >>> found = check({"id": list(range(100)), "age": [30, 40] * 50})
    >>> [(column.name, column.kind, column.role) for column in found.columns]
    [('id', 'number', 'left out'), ('age', 'number', 'feature')]
    """
    target, ignore = carried_roles(table, target, ignore)
    source = open_source(table, **reading)
    given = {"task": task, "types": types, "ignore": ignore, "group": group, "seed": seed}
    request = Request(target=target, **given).checked(source)  # type: ignore[arg-type]
    looked = look([source], request)
    found: Task | None = None
    if target is None:
        notes = [*file_notes(source.remarks), *looked.notes]
    else:
        plan = make_plan(looked, request, target_of(looked, request))
        notes = notes_on_rows(Problem("", source, looked, request, plan))
        found = plan.task
    kept = [note for note in notes if note.code not in request.ignored_codes]
    n_distinct = {name: each.n_distinct() for name, each in looked.columns.items()}
    return Checked(source.n_rows, found, looked.seen, n_distinct, gathered(kept))
