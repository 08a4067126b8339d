"""The scores of first questions, as data and in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from bough.checks.note_words import note_text
from bough.evidence import Note
from bough.schema import Value
from bough.shorten import table_rows
from bough.tree_task import Task
from bough.words import guess_word, number, plain, row_count

MOST_ANSWERS = 8  # of one feature
MOST_CLASSES = 6
HEADING, FIRST, MORE = "heading", "first", "more"  # kinds of lines that stand out


@dataclass(frozen=True)
class Answer:
    """The rows that give one answer."""

    words: str
    n_rows: int
    tally: tuple[float, ...]
    """The weight of each class; for numbers the weight, the sum and the sum of squares."""
    guess: Value


@dataclass(frozen=True)
class FeatureScore:
    """What a first question about one feature would do."""

    feature: str
    answers: tuple[Answer, ...]
    """There are none where the feature tells no two rows apart."""
    n_right: int | None
    """How many rows the predictions of the answers get right; None for numbers."""
    remainder: float
    gain: float


@dataclass(frozen=True)
class Scores:
    """The first question that could be asked of each feature, in column order."""

    target: str
    task: Task
    criterion: str
    classes: tuple[Value, ...]
    n_rows: int
    tally: tuple[float, ...]
    impurity: float
    features: tuple[FeatureScore, ...]
    first: str | None
    """The feature that a tree would ask about first."""
    notes: tuple[Note, ...]

    def __str__(self) -> str:
        notes = [f"{note.code}  {note_text(note, cli=False)}" for note in self.notes]
        lines = (line for _, line in score_lines(self, more="features"))
        return "\n".join([*notes, *lines])


def score_lines(
    scores: Scores, digits: int = 3, *, full: bool = False, more: str, width: int | None = None
) -> Iterator[tuple[str, str]]:
    """Give lines, each with its kind, or nothing.

    Parameters
    ----------
    scores
        What was scored.
    digits
        How many digits numbers have.
    full
        Whether every answer and every class are shown.
    more
        Where the others are.
    width
        How long lines may be.
    """
    for line in _heading(scores, digits).splitlines():
        yield "", line
    yield "", ""
    kinds, rows = zip(*_rows(scores, digits, full=full, more=more), strict=True)
    for kind, lines in zip(
        kinds, table_rows(rows, "<" + ">" * (len(rows[0]) - 1), width), strict=True
    ):
        yield from ((kind, line) for line in lines)
    if scores.first is not None:
        yield "", ""
        yield "", f"A tree would ask about {plain(scores.first)} first."


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


def _rows(scores: Scores, digits: int, *, full: bool, more: str) -> Iterator[tuple[str, list[str]]]:
    """Give a row for each feature with its figures, and below it a row for each answer."""
    n_classes = len(scores.classes) if full else min(len(scores.classes), MOST_CLASSES)
    labels = [plain(guess_word(each)) for each in scores.classes[:n_classes]] or [
        "score" if scores.task.ranks else "mean"
    ]
    right = ["right"] if scores.classes else []
    heading = ["feature", "rows", *labels, *right, "remainder", "gain"]
    yield HEADING, heading
    for feature in scores.features:
        kind = FIRST if feature.feature == scores.first else ""
        blanks = [""] * (1 + len(labels))
        yield kind, [plain(feature.feature), *blanks, *_figures(feature, scores, digits)]
        answers = feature.answers if full else feature.answers[:MOST_ANSWERS]
        for answer in answers:
            cells = _labels(answer, scores, n_classes, digits)
            yield kind, [*cells, *[""] * (len(heading) - len(cells))]
        n_more = len(feature.answers) - len(answers)
        if n_more or not answers:
            words = f"  {n_more:,} more: {more}" if n_more else "  no split"
            yield MORE, [words, *[""] * (len(heading) - 1)]


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
