"""`bough score`: how well each column alone tells the labels apart."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from bough.cli.arguments import AS_FOUND, AS_SEEN, Columns, Reading
from bough.cli.printing import plain_notes, print_notes
from bough.cli.terminal import AS_USUAL, FLAG, Terminal
from bough.learn.score import Answer, FeatureScore, Scores
from bough.learn.score import score as scored
from bough.teach.arithmetic import SIGNS
from bough.teach.step_pages import criterion_word, tie_sentence
from bough.words import guess_word, number, plain, row_count

MOST_ANSWERS = 8  # of one feature
MOST_CLASSES = 6
MOST_PIVOTS = 50


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
        columns.chosen_target(source, "score", data, terminal),
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
    terminal.say(Text(_heading(scores, terminal.digits)))
    terminal.say("")
    if scores.beside:
        terminal.say(_side_by_side(scores, terminal.digits))
    else:
        terminal.say(_table(scores, terminal.digits, full=full))
    for each in scores.features:
        if each.pivots:
            terminal.say(Text(f"\npivots of {plain(each.feature)}\n"))
            terminal.say(_pivots(each, scores, terminal.digits, full=full))
    terminal.say("")
    for line in _conclusion(scores, terminal.digits):
        terminal.say(Text(line))


def _conclusion(scores: Scores, digits: int) -> Iterator[str]:
    """Give what a tree would ask, and the tie that decided."""
    where = "first" if not scores.at else "here"
    if scores.tied:
        best = next(each for each in scores.features if each.feature == scores.first)
        is_ratio = scores.criterion == "gain_ratio"
        value = _figure(scores, best.gain_ratio if is_ratio else best.gain, digits)
        names = [plain(each) for each in scores.tied]
        yield tie_sentence(names, value, plain(scores.tie_reason), is_ratio=is_ratio)
    asked = {each.criterion: each.first for each in (scores, *scores.beside) if each.first}
    if len(set(asked.values())) == 1:
        yield f"A tree would ask about {plain(next(iter(asked.values())))} {where}."
    elif asked:
        by_name = {
            name: [by for by, each in asked.items() if each == name] for name in asked.values()
        }
        said = (
            f"{plain(name)} by {' and '.join(map(criterion_word, by))}"
            for name, by in by_name.items()
        )
        yield f"A tree would ask {where} about {'; '.join(said)}."


def _heading(scores: Scores, digits: int) -> str:
    """Return the labels of the rows, how mixed they are, and which rows these are."""
    at = f"at {plain(' and '.join(scores.at))}\n" if scores.at else ""
    return f"{at}{_labels_heading(scores, digits)}"


def _labels_heading(scores: Scores, digits: int) -> str:
    sign = f"{SIGNS[scores.criterion]} = " if scores.criterion in SIGNS else ""
    impurity = f"impurity {sign}{_figure(scores, scores.impurity, digits)} ({scores.criterion})"
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
    predict = ["predict"] if scores.classes else []
    right = ["right"] if scores.classes else []
    sign = SIGNS.get(scores.criterion, "impurity")
    for heading in ("rows", *labels, *predict, sign, *right, "remainder", "gain"):
        is_number = heading not in predict
        table.add_column(heading, justify="right" if is_number else "left", no_wrap=True)
    blanks = [""] * (2 + len(labels) + len(predict))
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
    guess = [plain(guess_word(answer.guess))] if scores.classes else []
    labels = [*counts, *guess] if scores.classes else [number(_mean(answer.tally), digits)]
    impurity = _figure(scores, answer.impurity, digits)
    return [f"  {plain(answer.words)}", f"{answer.n_rows:,}", *labels, impurity]


def _side_by_side(scores: Scores, digits: int) -> Table:
    """Return what each feature gains by every criterion; a mark is at what it would ask."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("feature", overflow="fold")
    columns: list[list[str]] = []
    for by in (scores, *scores.beside):
        is_ratio = by.criterion == "gain_ratio"
        if is_ratio:
            table.add_column("split entropy", justify="right")
            columns.append([_figure(by, each.split_entropy, digits) for each in by.features])
        table.add_column(criterion_word(by.criterion), justify="right")
        columns.append(
            [
                ("▶ " if each.feature == by.first else "")
                + _figure(by, each.gain_ratio if is_ratio else each.gain, digits)
                for each in by.features
            ]
        )
    for place, feature in enumerate(scores.features):
        table.add_row(plain(feature.feature), *(column[place] for column in columns))
    return table


def _pivots(feature: FeatureScore, scores: Scores, digits: int, *, full: bool) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("pivot", "rows below", "gain"):
        table.add_column(heading, justify="right")
    shown = feature.pivots if full else feature.pivots[:MOST_PIVOTS]
    most = max(each.gain for each in feature.pivots)
    for each in shown:
        style = "bold" if each.gain >= most - 1e-12 else ""
        gain = _figure(scores, each.gain, digits)
        table.add_row(plain(each.words), f"{each.n_below:,}", gain, style=style)
    if (n_more := len(feature.pivots) - len(shown)) > 0:
        table.add_row(f"{n_more:,} more: --full", style="dim")
    return table


def _figures(feature: FeatureScore, scores: Scores, digits: int) -> list[str]:
    right = [f"{feature.n_right:,}/{scores.n_rows:,}"] if feature.n_right is not None else []
    return [*right, *(_figure(scores, each, digits) for each in (feature.remainder, feature.gain))]


def _figure(scores: Scores, value: float, digits: int) -> str:
    """Return an impurity, those of classes with as many decimals each, as books have them."""
    return f"{value:.{digits}f}" if scores.classes else number(value, digits)


def _mean(tally: tuple[float, ...]) -> float:
    weight, total, _ = tally
    return total / weight
