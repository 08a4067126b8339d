"""The scores of questions, as data and in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2

from bough.checks.note_words import note_lines
from bough.evidence import Note
from bough.learn.pivot_gains import PivotTried
from bough.schema import Task, Value
from bough.text_layout import MARK, table_rows
from bough.words import amount, counted, guess_word, number, plain, row_count

MOST_ANSWERS = 8  # of one feature
MOST_CLASSES = 6
MOST_PIVOTS = 50
MOST_TIED = 4
ALL = "all"
SIDE_BY_SIDE = {
    Task.CLASSIFICATION: ("entropy", "error", "gini", "gain_ratio"),
    Task.REGRESSION: ("squared_error", "absolute_error"),
}
"""The criteria that are laid side by side, that of the textbooks first."""
SIGNS = {
    "entropy": "H",
    "gain_ratio": "H",
    "gini": "G",
    "error": "E",
    "squared_error": "V",
    "absolute_error": "A",
}
"""What impurities are called in formulas."""
HEADING, FIRST, MORE = "heading", "first", "more"  # kinds of lines that stand out


@dataclass(frozen=True)
class Answer:
    """The rows that give one answer."""

    words: str
    n_rows: int
    tally: tuple[float, ...]
    """The weight of each class; for numbers the weight, the sum and the sum of squares."""
    guess: Value
    impurity: float


@dataclass(frozen=True)
class FeatureScore:
    """What a question about one feature would do."""

    feature: str
    answers: tuple[Answer, ...]
    """There are none where the feature tells no two rows apart."""
    n_right: int | None
    """How many rows the predictions of the answers get right; None for numbers."""
    remainder: float
    gain: float
    pivots: tuple[PivotTried, ...] = ()
    """The midpoints between the values of a number, if they were asked for."""

    @property
    def split_entropy(self) -> float:
        """The entropy of the answers themselves, in bits."""
        counts = [answer.n_rows for answer in self.answers]
        return abs(sum(n / sum(counts) * log2(n / sum(counts)) for n in counts))

    @property
    def gain_ratio(self) -> float:
        """The gain for each bit of the answers, as C4.5 has it."""
        return self.gain / self.split_entropy if len(self.answers) > 1 else 0.0

    def value(self, criterion: str) -> float:
        return self.gain_ratio if criterion == "gain_ratio" else self.gain


@dataclass(frozen=True)
class Scores:
    """The question that could be asked of each feature, in column order."""

    target: str
    task: Task
    criterion: str
    classes: tuple[Value, ...]
    n_rows: int
    tally: tuple[float, ...]
    impurity: float
    features: tuple[FeatureScore, ...]
    first: str | None
    """The feature that a tree would ask about here."""
    tied: tuple[str, ...]
    """The features that are as good as the first, which is one of them; else none."""
    tie_reason: str
    """Why the first one is asked."""
    at: tuple[str, ...]
    """The conditions that the rows meet."""
    notes: tuple[Note, ...]
    beside: tuple["Scores", ...] = ()
    """The same by the other criteria, where all are laid side by side."""

    def __str__(self) -> str:
        notes = note_lines(self.notes)
        lines = (line for _, line in score_lines(self, more="features"))
        return "\n".join([*notes, *lines])


def score_lines(
    scores: Scores, digits: int = 3, *, full: bool = False, more: str, width: int | None = None
) -> Iterator[tuple[str, str]]:
    """Give lines no longer than `width`, each with its kind, or nothing.

    Every answer and every class are shown if it is to be `full`; else `more` says where others are.
    """
    at = f"at {plain(' and '.join(scores.at))}\n" if scores.at else ""
    for line in f"{at}{_labels_heading(scores, digits)}".splitlines():
        yield "", line
    yield "", ""
    rows = (
        _side_by_side(scores, digits)
        if scores.beside
        else _rows(scores, digits, full=full, more=more)
    )
    yield from _table(list(rows), width)
    for each in scores.features:
        if each.pivots:
            yield from (("", ""), ("", f"pivots of {plain(each.feature)}"), ("", ""))
            yield from _table(list(_pivots(each, scores, digits, full=full, more=more)), width)
    last = list(_conclusion(scores, digits))
    yield from (("", line) for line in ["", *last] if last)


def _table(rows: list[tuple[str, list[str]]], width: int | None) -> Iterator[tuple[str, str]]:
    kinds, cells = zip(*rows, strict=True)
    aligned = "".join("<" if name in ("feature", "predict") else ">" for name in cells[0])
    for kind, lines in zip(kinds, table_rows(cells, aligned, width), strict=True):
        yield from ((kind, line) for line in lines)


def _side_by_side(scores: Scores, digits: int) -> Iterator[tuple[str, list[str]]]:
    """Give what each feature gains by every criterion; a mark is at what it would ask."""
    columns = [["feature", *(plain(each.feature) for each in scores.features)]]
    for by in (scores, *scores.beside):
        if by.criterion == "gain_ratio":
            bits = (_figure(by, each.split_entropy, digits) for each in by.features)
            columns.append(["split entropy", *bits])
        marks = (f"{MARK} " if each.feature == by.first else "" for each in by.features)
        values = (_figure(by, each.value(by.criterion), digits) for each in by.features)
        cells = (mark + value for mark, value in zip(marks, values, strict=True))
        columns.append([criterion_word(by.criterion), *cells])
    for place, row in enumerate(zip(*columns, strict=True)):
        yield HEADING if place == 0 else "", list(row)


def _pivots(
    feature: FeatureScore, scores: Scores, digits: int, *, full: bool, more: str
) -> Iterator[tuple[str, list[str]]]:
    yield HEADING, ["pivot", "rows below", "gain"]
    shown = feature.pivots if full else feature.pivots[:MOST_PIVOTS]
    most = max(each.gain for each in feature.pivots)
    for each in shown:
        kind = FIRST if each.gain >= most - 1e-12 else ""
        yield kind, [plain(each.words), f"{each.n_below:,}", _figure(scores, each.gain, digits)]
    if (n_more := len(feature.pivots) - len(shown)) > 0:
        yield MORE, [f"{n_more:,} more: {more}", "", ""]


def _conclusion(scores: Scores, digits: int) -> Iterator[str]:
    """Give what a tree would ask, and the tie that decided."""
    where = "here" if scores.at else "first"
    if scores.tied:
        best = next(each for each in scores.features if each.feature == scores.first)
        value = _figure(scores, best.value(scores.criterion), digits)
        names = [plain(each) for each in scores.tied]
        is_ratio = scores.criterion == "gain_ratio"
        yield tie_sentence(names, value, plain(scores.tie_reason), is_ratio=is_ratio)
    by_name: dict[str, list[str]] = {}
    for by in (scores, *scores.beside):
        if by.first is not None:
            by_name.setdefault(plain(by.first), []).append(criterion_word(by.criterion))
    if len(by_name) == 1:
        yield f"A tree would ask about {next(iter(by_name))} {where}."
    elif by_name:
        said = (f"{name} by {' and '.join(by)}" for name, by in by_name.items())
        yield f"A tree would ask {where} about {'; '.join(said)}."


def criterion_word(criterion: str) -> str:
    """Return how a criterion reads in text: as one would say it."""
    return criterion.replace("_", " ")


def tie_sentence(names: Sequence[str], gain: str, reason: str, *, is_ratio: bool) -> str:
    """Return that questions are equally good, and why the first one is asked.

    Examples
    --------
    >>> tie_sentence(["rain", "wind"], "0.252", "rain is the earlier column", is_ratio=False)
    'tie: rain and wind both gain 0.252; rain is the earlier column'
    """
    both = "both" if len(names) == 2 else "all"
    if len(names) > MOST_TIED:
        names = [*names[: MOST_TIED - 1], f"{len(names) - MOST_TIED + 1} more"]
    what = "have the ratio" if is_ratio else "gain"
    return f"tie: {', '.join(names[:-1])} and {names[-1]} {both} {what} {gain}; {reason}"


def _labels_heading(scores: Scores, digits: int) -> str:
    sign = f"{SIGNS[scores.criterion]} = " if scores.criterion in SIGNS else ""
    impurity = f"impurity {sign}{_figure(scores, scores.impurity, digits)} ({scores.criterion})"
    if scores.task.ranks:
        return f"{plain(scores.target)}: {row_count(scores.n_rows)}\n{impurity}"
    if not scores.classes:
        mean = amount(_mean(scores.tally), digits)
        return f"{plain(scores.target)}: {row_count(scores.n_rows)}, mean {mean}\n{impurity}"
    counts = _counts(scores)
    if len(counts) > MOST_CLASSES:
        n_more = len(counts) - MOST_CLASSES
        counts = [*counts[:MOST_CLASSES], counted(n_more, "more class", "more classes")]
    right = f"{amount(max(scores.tally), None)}/{scores.n_rows:,} right without any question"
    return f"{plain(scores.target)}: {', '.join(counts)}\n{impurity}, {right}"


def _counts(scores: Scores) -> list[str]:
    """Return how many rows each class has: '9 Yes', but '0 in 809 rows' of classes that are numbers."""
    pairs = [
        (plain(guess_word(name)), amount(count, None))
        for name, count in zip(scores.classes, scores.tally, strict=True)
    ]
    if not any(name[:1].isdigit() for name, _ in pairs):
        return [f"{count} {name}" for name, count in pairs]
    rows = " rows" if sum(scores.tally) == scores.n_rows else " of weight"
    return [
        f"{name} in {count}{'' if place else rows}" for place, (name, count) in enumerate(pairs)
    ]


def _rows(scores: Scores, digits: int, *, full: bool, more: str) -> Iterator[tuple[str, list[str]]]:
    """Give a row for each feature with its figures, and below it a row for each answer."""
    n_classes = len(scores.classes) if full else min(len(scores.classes), MOST_CLASSES)
    labels = [plain(guess_word(each)) for each in scores.classes[:n_classes]] or [
        "score" if scores.task.ranks else "mean"
    ]
    predict, right = (["predict"], ["right"]) if scores.classes else ([], [])
    sign = SIGNS.get(scores.criterion, "impurity")
    heading = ["feature", "rows", *labels, *predict, sign, *right, "remainder", "gain"]
    yield HEADING, heading
    for feature in scores.features:
        kind = FIRST if feature.feature == scores.first else ""
        blanks = [""] * (2 + len(labels) + len(predict))
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
    counts = [amount(count, None) for count in answer.tally[:n_classes]]
    guess = plain(guess_word(answer.guess))
    labels = [*counts, guess] if scores.classes else [amount(_mean(answer.tally), digits)]
    impurity = _figure(scores, answer.impurity, digits)
    return [f"  {plain(answer.words)}", f"{answer.n_rows:,}", *labels, impurity]


def _figures(feature: FeatureScore, scores: Scores, digits: int) -> list[str]:
    right = [f"{feature.n_right:,}/{scores.n_rows:,}"] if feature.n_right is not None else []
    return [*right, *(_figure(scores, each, digits) for each in (feature.remainder, feature.gain))]


def _figure(scores: Scores, value: float, digits: int) -> str:
    """Return an impurity, those of classes with as many decimals each, as books have them."""
    return f"{value:.{digits}f}" if scores.classes else number(value, digits)


def _mean(tally: tuple[float, ...]) -> float:
    weight, total, _ = tally
    return total / weight
