"""The commands that look at a table before a tree is grown.

`bough check`: what bough sees in it; `bough score`: how well each column alone tells the labels apart.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.text import Text

from bough.checks.note_words import plain_notes
from bough.cli.arguments import AS_FOUND, AS_SEEN, Columns, Reading, TableFile, plain_column
from bough.cli.command_line import typed_with
from bough.cli.printing import note_words, print_notes
from bough.cli.terminal import AS_USUAL, FLAG, Terminal, at_least
from bough.learn.check_table import Checked
from bough.learn.check_table import check as checked
from bough.learn.score_columns import score as scored
from bough.learn.score_result import FIRST, HEADING, MORE, score_lines
from bough.words import plain, row_count

ROLE_STYLES = {"target": "bold", "left out": "dim"}
LINE_STYLES = {HEADING: "dim", FIRST: "bold", MORE: "dim"}


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
    styles = ["dim", *(ROLE_STYLES.get(column.role, "") for column in found.columns)]
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


def score(
    data: str,
    /,
    *,
    criterion: str | None = None,
    quantile: float | None = None,
    categorical: Literal["each", "group"] = "each",
    at: Annotated[tuple[str, ...], Parameter(show_default=False, metavar="CONDITION")] = (),
    pivots: Annotated[bool, FLAG] = False,
    full: Annotated[bool, FLAG] = False,
    jobs: int | None = None,
    columns: Columns = AS_SEEN,
    reading: Reading = AS_FOUND,
    terminal: Terminal = AS_USUAL,
) -> None:
    """Score first questions.

    Parameters
    ----------
    data
        A table, or the name of a teaching table; '-' reads a pipe.
    criterion
        How splits are scored: gini, entropy, error or gain_ratio; for numbers squared_error, absolute_error, poisson or quantile; for rankings ndcg; all shows the usual ones side by side.
    quantile
        For --criterion quantile: which quantile to predict, between 0 and 1.
    categorical
        How to split a category: one branch for each value, or two groups of values.
    at
        Score the rows of a node: the condition that leads to it, as in "outlook = Sunny". May be repeated.
    pivots
        List every midpoint between the values of a number with its gain.
    full
        Show every answer, class and pivot.
    jobs
        Number of threads; all cores by default. It never changes the result.
    """
    source = reading.open(data)
    scores = scored(
        source,
        columns.chosen_target(source, data, terminal),
        **columns.given(source),
        criterion=criterion,
        quantile=quantile,
        categorical=categorical,
        at=at,
        pivots=pivots,
        n_jobs=jobs,
    )
    if terminal.json:
        terminal.document("score", {**asdict(scores), "notes": plain_notes(scores.notes)})
        return
    print_notes(terminal, scores.notes)
    lines = score_lines(scores, terminal.digits, full=full, more="--full", width=terminal.width)
    for kind, line in lines:
        terminal.say(Text(line, LINE_STYLES.get(kind, "")))
