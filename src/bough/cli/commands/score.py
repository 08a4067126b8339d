"""`bough score`: how well each column alone tells the labels apart."""

from dataclasses import asdict
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.text import Text

from bough.checks.note_words import plain_notes
from bough.cli.arguments import AS_FOUND, AS_SEEN, Columns, Reading
from bough.cli.printing import print_notes
from bough.cli.terminal import AS_USUAL, FLAG, Terminal
from bough.learn.score_columns import score as scored
from bough.learn.score_result import FIRST, HEADING, MORE, score_lines

STYLES = {HEADING: "dim", FIRST: "bold", MORE: "dim"}


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
        terminal.say(Text(line, STYLES.get(kind, "")))
