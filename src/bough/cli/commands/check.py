"""`bough check`: what bough sees in a table."""

from pathlib import Path
from typing import Annotated

from rich.text import Text

from bough.checks.note_words import plain_notes
from bough.cli.arguments import AS_FOUND, AS_SEEN, Columns, Reading, TableFile, plain_column
from bough.cli.command_line import typed_with
from bough.cli.printing import note_words
from bough.cli.terminal import AS_USUAL, Terminal, at_least
from bough.learn.check import Checked
from bough.learn.check import check as checked
from bough.words import plain, row_count

STYLES = {"target": "bold", "left out": "dim"}


def check(
    data: TableFile,
    /,
    *,
    seed: Annotated[int, at_least(0)] = 0,
    columns: Columns = AS_SEEN,
    reading: Reading = AS_FOUND,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Look at a table.

    Parameters
    ----------
    seed
        Seed of the random split, as for 'bough fit'. Labels are read from training rows only.
    """
    source = reading.open(data)
    target = columns.target
    if target is not None:
        target = columns.chosen_target(source, data, terminal)
    found = checked(
        source,
        target,
        **columns.given(source),
        seed=seed,
    )
    if terminal.json:
        terminal.document("check", _plain(found))
        return
    name = plain(Path(data).name)
    terminal.say(Text(f"{name} · {row_count(found.n_rows)} × {len(source.names):,} columns"))
    terminal.say("")
    styles = ["dim", *(STYLES.get(column.role, "") for column in found.columns)]
    for style, lines in zip(styles, found.lines(terminal.width), strict=True):
        for line in lines:
            terminal.say(Text(line, style))
    terminal.say("\nNothing looks wrong." if found.is_fine else "")
    for note in found.notes:
        terminal.say(note_words(note))
    more = () if target is not None else ("-t", source.names[-1])
    terminal.remark(Text.assemble(("next: ", "dim"), plain(typed_with(*more, command="fit"))))


def _plain(found: Checked) -> dict[str, object]:
    columns = [
        {**plain_column(column), "n_distinct": found.n_distinct[column.name]}
        for column in found.columns
    ]
    notes = plain_notes(found.notes)
    return {"n_rows": found.n_rows, "task": found.task, "columns": columns, "notes": notes}
