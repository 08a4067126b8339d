"""What a step says: a heading, the labels, the arithmetic, the questions, and how one of them won."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from bough.learn.score_result import criterion_word, tie_sentence
from bough.teach.arithmetic import Figures, gain_words, impurity_words, ratio_words, remainder_words
from bough.teach.steps import (
    AnswerRows,
    FeatureQuestions,
    GrowthStep,
    OtherChoice,
    TieBreak,
    Walkthrough,
)
from bough.text_layout import MARK, Grid, GridColumn, GridRow
from bough.words import guess_word, number, row_count

BLANK = "____"
MOST_CLASSES = 6
MOST_LABELS = 8
LONGEST_BAR = 12
FEW_PIVOTS = 8


@dataclass(frozen=True)
class Manners:
    """How steps are shown."""

    digits: int = 3
    full: bool = False
    """Whether the answers of every question are shown, and not only those of the best."""
    blank: bool = False
    """Whether numbers are left out, for a worksheet."""
    pivots: bool = False
    """Whether every pivot is listed."""


@dataclass(frozen=True)
class StepPage:
    """What a step says, for any medium."""

    heading: str
    labels: tuple[str, ...]
    """The histogram and the prediction: parts that stay whole where lines are broken."""
    impurity: str
    questions: Grid | None
    lines: tuple[str, ...]
    pivots: tuple[tuple[str, Grid], ...] = ()


def step_page(step: GrowthStep, growth: Walkthrough, manners: Manners) -> StepPage:
    """Return what a step says."""
    return StepWriter(step, growth, manners).page()


@dataclass(frozen=True, eq=False)
class StepWriter:
    """Puts one step into words."""

    step: GrowthStep
    growth: Walkthrough
    manners: Manners

    @cached_property
    def figures(self) -> Figures:
        return Figures(self.growth, self.manners.digits)

    @cached_property
    def classes(self) -> list[str]:
        """The classes that have a column of their own."""
        found = [guess_word(each) for each in self.growth.classes]
        return found if len(found) <= MOST_CLASSES else []

    def page(self) -> StepPage:
        step, is_blank = self.step, self.manners.blank
        place = f"step {step.id + 1} of {len(self.growth.steps)} · node #{step.id}"
        is_compared = bool(step.by_criterion)
        grid = self.side_by_side() if is_compared else self.questions()
        return StepPage(
            heading=f"{place} · {step.condition}"
            + ("" if is_blank else f" · {row_count(step.n_rows)}"),
            labels=self.labels() if self.growth.classes else self.numbers(),
            impurity=self.impurity(),
            questions=None if step.asks is None else grid,
            lines=self.leaf_lines() if step.asks is None else tuple(self.lines()),
            pivots=tuple(self.pivot_grids()) if self.manners.pivots and not is_blank else (),
        )

    def leaf_lines(self) -> tuple[str, ...]:
        if self.manners.blank:
            return (f"Ask or stop? {BLANK}", f"Why? {BLANK}")
        return (f"leaf: {self.step.leaf_reason}",)

    # --- Labels ---

    def labels(self) -> tuple[str, ...]:
        """Return how many rows each class has, and what is predicted."""
        step = self.step
        named = list(zip(self.growth.classes, step.counts, strict=True))
        if len(named) > MOST_CLASSES:
            named = sorted(named, key=lambda each: -each[1])[:MOST_CLASSES]
        scale = min(1.0, LONGEST_BAR / max(*step.counts, 1))
        parts = [self._bar(guess_word(name), count, scale) for name, count in named]
        if (n_more := len(self.growth.classes) - len(named)) > 0:
            parts.append(f"{n_more} more classes")
        if self.manners.blank:
            return (*parts, f"predict {BLANK}, {BLANK} right")
        right = f", {step.n_right}/{step.n_rows} right" if step.rows else ""
        return (*parts, f"predict {guess_word(step.guess)}{right}")

    def _bar(self, name: str, count: int, scale: float) -> str:
        if self.manners.blank:
            return f"{name} {BLANK}"
        bar = "█" * max(round(count * scale), 1) if count else ""
        return " ".join(filter(None, (name, bar, str(count))))

    def numbers(self) -> tuple[str, ...]:
        """Return the labels that are numbers, and what is predicted."""
        labels = sorted(float(self.growth.labels[row]) for row in self.step.rows)
        if self.manners.blank:
            return (f"labels {BLANK}", f"predict {BLANK}")
        guess = number(float(self.step.guess), self.manners.digits)
        if not labels:
            return (f"predict {guess}",)
        few = " ".join(number(each) for each in labels)
        ends = f"{number(labels[0])} to {number(labels[-1])}"
        what = "mean" if self.growth.criterion == "squared_error" else "median"
        shown = few if len(labels) <= MOST_LABELS else ends
        return (f"labels {shown}", f"predict {guess}, the {what}")

    def impurity(self) -> str:
        if self.manners.blank:
            return f"{self.figures.sign} = {BLANK} = {BLANK}"
        return impurity_words(self.step, self.growth, self.figures) if self.step.rows else ""

    # --- Questions ---

    def questions(self) -> Grid:
        """Return a line for each feature and, for the best question, a line for each answer."""
        columns = [GridColumn("ask", is_number=False), GridColumn("answer", is_number=False)]
        columns += [GridColumn(name, goes=1) for name in self.classes]
        columns += [GridColumn("predict", is_number=False, goes=2)]
        columns += [GridColumn(self.figures.sign, is_number=not self.growth.classes, goes=3)]
        columns += [GridColumn("share", is_number=False, goes=4)]
        columns += [GridColumn(name) for name in self._totals_of]
        rows = [row for each in self.step.features for row in self._feature_rows(each)]
        return Grid(tuple(columns), tuple(rows))

    @property
    def _totals_of(self) -> list[str]:
        """The columns that say how good a question is."""
        right = ["right"] if self.growth.classes else []
        ratio = ["split H", "ratio"] if self.figures.is_ratio else []
        return [*right, "remainder", "gain", *ratio]

    def _feature_rows(self, each: FeatureQuestions) -> Iterator[GridRow]:
        best, asks = each.best, self.step.asks
        between = [""] * (len(self.classes) + 3)
        if best is None:
            totals = self._totals(each) if each.tells_nothing else []
            yield GridRow((each.feature, each.reason, *([*between, *totals] if totals else [])))
            return
        is_asked = asks is not None and best.words == asks.words
        is_open = self.manners.full or self.manners.blank or is_asked
        collapsed = "" if is_open or best.words == best.feature else best.answers[0].words
        cells = (best.feature, collapsed, *between, *self._totals(each))
        yield GridRow(cells, is_marked=is_asked and not self.manners.blank)
        after = [""] * len(self._totals_of)
        for answer in best.answers if is_open else ():
            yield GridRow((*self._answer(answer), *after), is_below=True)

    def _totals(self, each: FeatureQuestions) -> list[str]:
        best, figure = each.best, self.figures.figure
        if self.manners.blank:
            return [BLANK] * len(self._totals_of)
        n_right = self.step.n_right if best is None else best.n_right
        values = {
            "right": f"{n_right}/{self.step.n_rows}",
            "remainder": figure(self.step.impurity if best is None else best.remainder),
            "gain": figure(best.gain if best else 0),
            "split H": figure(best.split_entropy if best else 0),
            "ratio": figure(best.gain_ratio if best else 0),
        }
        return [values[name] for name in self._totals_of]

    def _answer(self, answer: AnswerRows) -> tuple[str, ...]:
        words = answer.words.removeprefix("= ")
        if self.manners.blank:
            return ("", words, *[BLANK] * (len(self.classes) + 3))
        figure = self.figures.figure
        has_classes = bool(self.growth.classes)
        guess = guess_word(answer.guess) if has_classes else figure(float(answer.guess))
        impurity = figure(answer.impurity) if answer.n_rows else "–"
        counts = map(str, answer.counts[: len(self.classes)])
        return ("", words, *counts, guess, impurity, f"{answer.n_rows}/{self.step.n_rows}")

    def side_by_side(self) -> Grid:
        """Return the gain of each feature by every criterion; a mark is at what it would ask."""
        columns = [GridColumn("ask", is_number=False)]
        for criterion, _ in self.step.by_criterion:
            columns += [GridColumn("split entropy", goes=1)] if criterion == "gain_ratio" else []
            columns.append(GridColumn(criterion_word(criterion)))
        rows = []
        for place, feature in enumerate(self.step.features):
            if feature.best is None:
                rows.append(GridRow((feature.feature, feature.reason)))
                continue
            cells = [BLANK] * (len(columns) - 1) if self.manners.blank else self._by_each(place)
            rows.append(GridRow((feature.feature, *cells)))
        return Grid(tuple(columns), tuple(rows))

    def _by_each(self, place: int) -> list[str]:
        """Return what the best question about a feature gains, by each criterion."""
        asked = {each.criterion: each.feature for each in self.step.others}
        asked[self.growth.criterion] = self.step.asks.feature if self.step.asks else ""
        cells = []
        for criterion, features in self.step.by_criterion:
            best = features[place].best
            assert best is not None  # noqa: S101 - there is a question, whoever compares it
            is_ratio = criterion == "gain_ratio"
            cells += [self.figures.figure(best.split_entropy)] if is_ratio else []
            mark = f"{MARK} " if asked[criterion] == best.feature else ""
            cells.append(mark + self.figures.figure(best.gain_ratio if is_ratio else best.gain))
        return cells

    # --- How one of them won ---

    def lines(self) -> Iterator[str]:
        """Give the arithmetic of the question that is asked, and what decided."""
        step, figures, asks = self.step, self.figures, self.step.asks
        if asks is None or self.manners.blank:
            yield f"Ask: {BLANK}"
            return
        remainder = remainder_words(asks, step.n_rows, figures)
        yield f"{remainder}   {gain_words(asks, step.impurity, figures)}"
        if figures.is_ratio and asks.split_entropy:
            yield ratio_words(asks, figures)
            yield self._average_words()
        if step.tie is not None:
            yield tie_words(step.tie, figures)
        if not self.manners.pivots:
            yield from self._pivot_lines()
        if step.others and not (step.by_criterion and asks.words == asks.feature):
            yield "also:  " + " · ".join(map(self._other, step.others))

    def _other(self, each: OtherChoice) -> str:
        gain = self.figures.figure(each.gain)
        is_word = each.question == each.feature
        return (
            f"{criterion_word(each.criterion)} {each.question} {gain if is_word else f'({gain})'}"
        )

    def _average_words(self) -> str:
        found = [each for each in self.step.features if each.best]
        average = sum(each.best.gain for each in found if each.best) / len(found)
        enough = [e.feature for e in found if e.best and e.best.gain >= average - 1e-12]
        shown = self.figures.figure(average)
        return f"with at least the average gain, {shown}, and so compared: {', '.join(enough)}"

    def _pivot_lines(self) -> Iterator[str]:
        """Give the pivots of the question that is asked, if they are few, and how many others."""
        counted = []
        for each in self.step.features:
            is_asked = self.step.asks is not None and each.feature == self.step.asks.feature
            if is_asked and 0 < len(each.pivots) <= FEW_PIVOTS:
                tried = (f"{one.words}: {self.figures.figure(one.gain)}" for one in each.pivots)
                yield f"gain at each pivot of {each.feature}:  {' · '.join(tried)}"
            elif each.pivots:
                counted.append(f"{len(each.pivots)} of {each.feature}")
        if counted:
            yield f"pivots tried:  {', '.join(counted)}"

    def pivot_grids(self) -> Iterator[tuple[str, Grid]]:
        """Give every pivot of each number with its gain."""
        columns = tuple(map(GridColumn, ("pivot", "rows below", "gain")))
        for each in self.step.features:
            most = max((pivot.gain for pivot in each.pivots), default=0)
            rows = tuple(
                GridRow(
                    (pivot.words, str(pivot.n_below), self.figures.figure(pivot.gain)),
                    is_marked=pivot.gain >= most - 1e-12,
                )
                for pivot in each.pivots
            )
            if rows:
                yield f"pivots of {each.feature}", Grid(columns, rows)


def tie_words(tie: TieBreak, figures: Figures) -> str:
    """Return which questions are equally good, and why the first one is asked."""
    gain = figures.figure(tie.gain)
    if len(tie.questions) == 1:
        return f"tie: {tie.questions[0]} gains {gain} either way; {tie.reason}"
    return tie_sentence(tie.questions, gain, tie.reason, is_ratio=figures.is_ratio)
