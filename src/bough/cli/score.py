"""`bough score`: how well each column alone tells the labels apart."""

from dataclasses import asdict
from typing import Annotated, Literal

from rich.table import Table
from rich.text import Text

from bough.checks.note_words import plain_notes
from bough.cli.arguments import AS_FOUND, AS_SEEN, Columns, Reading
from bough.cli.printing import print_notes
from bough.cli.terminal import AS_USUAL, FLAG, Terminal
from bough.learn.score import Answer, FeatureScore, Scores
from bough.learn.score import score as scored
from bough.words import guess_word, number, plain, row_count

MOST_ANSWERS = 8  # of one feature
MOST_CLASSES = 6


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
        columns.chosen_target(source, "score", data, terminal),
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
    terminal.say(Text(_heading(scores, terminal.digits)))
    terminal.say("")
    terminal.say(_table(scores, terminal.digits, full=full))
    if scores.first is not None:
        terminal.say(Text(f"\nA tree would ask about {plain(scores.first)} first."))


def _heading(scores: Scores, digits: int) -> str:
    impurity = f"impurity {_figure(scores, scores.impurity, digits)} ({scores.criterion})"
    if scores.task.ranks:
        return f"{plain(scores.target)}: {row_count(scores.n_rows)}\n{impurity}"
    if not scores.classes:
        mean = number(_mean(scores.tally), digits)
        return f"{plain(scores.target)}: {row_count(scores.n_rows)}, mean {mean}\n{impurity}"
    counts = [
        f"{number(count)} {plain(guess_word(name))}"
        for name, count in zip(scores.classes, scores.tally, strict=True)
    ]
    if len(counts) > MOST_CLASSES:
        counts = [*counts[:MOST_CLASSES], f"{len(counts) - MOST_CLASSES:,} more classes"]
    right = f"{number(max(scores.tally))}/{scores.n_rows:,} right without any question"
    return f"{plain(scores.target)}: {', '.join(counts)}\n{impurity}, {right}"


def _table(scores: Scores, digits: int, *, full: bool) -> Table:
    """Return a line for each feature with its figures, and below it a line for each answer."""
    n_classes = len(scores.classes) if full else min(len(scores.classes), MOST_CLASSES)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("feature", overflow="fold")
    labels = [plain(guess_word(each)) for each in scores.classes[:n_classes]] or [
        "score" if scores.task.ranks else "mean"
    ]
    right = ["right"] if scores.classes else []
    for heading in ("rows", *labels, *right, "remainder", "gain"):
        table.add_column(heading, justify="right", no_wrap=True)
    blanks = [""] * (1 + len(labels))
    for feature in scores.features:
        style = "bold" if feature.feature == scores.first else ""
        figures = _figures(feature, scores, digits)
        table.add_row(plain(feature.feature), *blanks, *figures, style=style)
        answers = feature.answers if full else feature.answers[:MOST_ANSWERS]
        for answer in answers:
            table.add_row(*_labels(answer, scores, n_classes, digits), style=style)
        if (n_more := len(feature.answers) - len(answers)) > 0:
            table.add_row(f"  {n_more:,} more: --full", style="dim")
        if not answers:
            table.add_row("  no split", style="dim")
    return table


def _labels(answer: Answer, scores: Scores, n_classes: int, digits: int) -> list[str]:
    """Return an answer in words, its rows, and its labels: a count for each class, or the mean."""
    counts = [number(count) for count in answer.tally[:n_classes]]
    labels = counts if scores.classes else [number(_mean(answer.tally), digits)]
    return [f"  {plain(answer.words)}", f"{answer.n_rows:,}", *labels]


def _figures(feature: FeatureScore, scores: Scores, digits: int) -> list[str]:
    right = [f"{feature.n_right:,}/{scores.n_rows:,}"] if feature.n_right is not None else []
    return [*right, *(_figure(scores, each, digits) for each in (feature.remainder, feature.gain))]


def _figure(scores: Scores, value: float, digits: int) -> str:
    """Return an impurity, those of classes with as many decimals each, as books have them."""
    return f"{value:.{digits}f}" if scores.classes else number(value, digits)


def _mean(tally: tuple[float, ...]) -> float:
    weight, total, _ = tally
    return total / weight
