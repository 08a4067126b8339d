"""`bough score`: how well each column alone tells the labels apart."""

from dataclasses import asdict
from typing import Annotated, Literal

from rich.text import Text

from bough.cli.arguments import AS_FOUND, AS_SEEN, Columns, Reading
from bough.cli.printing import plain_notes, print_notes
from bough.cli.terminal import AS_USUAL, FLAG, Terminal
from bough.learn.score import score as scored
from bough.learn.scores import FIRST, HEADING, MORE, score_lines

STYLES = {HEADING: "dim", FIRST: "bold", MORE: "dim"}


def score(
    data: str,
    /,
    *,
    criterion: str | None = None,
    quantile: float | None = None,
    categorical: Literal["each", "group"] = "each",
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
        A table; '-' reads a pipe.
    criterion
        How splits are scored: gini, entropy, error or gain_ratio; for numbers squared_error, absolute_error, poisson or quantile; for rankings ndcg.
    quantile
        For --criterion quantile: which quantile to predict, between 0 and 1.
    categorical
        How to split a category: one branch for each value, or two groups of values.
    full
        Show every answer and every class.
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
        n_jobs=jobs,
    )
    if terminal.json:
        terminal.document("score", {**asdict(scores), "notes": plain_notes(scores.notes)})
        return
    print_notes(terminal, scores.notes)
    lines = score_lines(scores, terminal.digits, full=full, more="--full", width=terminal.width)
    for kind, line in lines:
        terminal.say(Text(line, STYLES.get(kind, "")))
