"""The arithmetic of a step as a book writes it. Whoever adds up what is shown gets what is shown."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import log2

from bough.learn.score_result import SIGNS
from bough.teach.steps import CandidateQuestion, GrowthStep, Walkthrough
from bough.words import number

MORE_DIGITS = 8  # that terms may be given beyond those asked for, until they add up
MOST_TERMS = 8  # of distances that are written out


class Figures:
    """How impurities and gains of one growth are written."""

    def __init__(self, growth: Walkthrough, digits: int) -> None:
        self.has_classes, self.digits = bool(growth.classes), digits
        self.is_ratio = growth.criterion == "gain_ratio"
        self.sign = SIGNS[growth.criterion]
        self.unit = " bit" if self.sign == "H" else ""

    def figure(self, value: float, digits: int | None = None) -> str:
        """Return an impurity or a gain: with so many decimals, or digits where labels are numbers."""
        digits = self.digits if digits is None else digits
        if value == 0 or (self.has_classes and abs(value) < 1e-12):
            return "0"
        if self.has_classes:
            return f"{value:.{digits}f}".replace("-", "−")
        return number(value, digits).replace("-", "−")

    def settled(
        self, terms: Sequence[float], combine: Callable[[list[Fraction]], Fraction], result: float
    ) -> tuple[list[str], str]:
        """Return terms and a result in words, so that what is read gives what is read.

        The terms get as many more digits as that takes.
        """
        for wanted in range(self.digits, self.digits + MORE_DIGITS):
            shown = self.figure(result, wanted)
            for digits in range(wanted, wanted + MORE_DIGITS):
                words = [self.figure(term, digits) for term in terms]
                if self.figure(float(combine([read(each) for each in words])), wanted) == shown:
                    return words, shown
        return words, shown


def read(words: str) -> Fraction:
    """Return the number that words give."""
    return Fraction(words.replace("−", "-"))


def impurity_words(step: GrowthStep, growth: Walkthrough, figures: Figures) -> str:
    """Return how the impurity of a node is worked out."""
    n_rows, sign, unit = step.n_rows, figures.sign, figures.unit
    if not growth.classes:
        return _distance_words(step, growth, figures)
    counts = [count for count in step.counts if count]
    if figures.sign == "E":
        return f"E = 1 − {max(counts)}/{n_rows} = {figures.figure(step.impurity)}"
    if len(counts) < 2:
        return f"{sign} = 0{unit}"
    if figures.sign == "G":
        squares = " − ".join(f"({count}/{n_rows})²" for count in counts)
        terms, result = figures.settled(
            [(count / n_rows) ** 2 for count in counts],
            lambda all_: 1 - sum(all_, Fraction(0)),
            step.impurity,
        )
        return f"G = 1 − {squares} = 1 − {' − '.join(terms)} = {result}"
    formula = " ".join(f"− {count}/{n_rows} lg {count}/{n_rows}" for count in counts)
    terms, result = figures.settled(
        [-count / n_rows * log2(count / n_rows) for count in counts],
        lambda all_: sum(all_, Fraction(0)),
        step.impurity,
    )
    return f"H = −{formula.removeprefix('− ')} = {' + '.join(terms)} = {result}{unit}"


def _distance_words(step: GrowthStep, growth: Walkthrough, figures: Figures) -> str:
    """Return the mean distance of numbers from their prediction, or that of the squares."""
    is_squared = growth.criterion == "squared_error"
    sign, centre = figures.sign, figures.figure(float(step.guess))
    sums = [n * (away**2 if is_squared else abs(away)) for n, away in step.distances]
    what = (
        f"squared distances from the mean {centre}"
        if is_squared
        else f"distances from the median {centre}"
    )
    head = f"{sign} = mean of the {what}"
    if step.impurity == 0:
        return f"{head} = 0"
    many = len(sums) > MOST_TERMS
    terms, result = figures.settled(
        [sum(sums)] if many else sums,
        lambda all_: sum(all_, Fraction(0)) / step.n_rows,
        step.impurity,
    )
    shown = terms[0] if len(terms) == 1 else f"({' + '.join(terms)})"
    return f"{head} = {shown} / {step.n_rows} = {result}"


def remainder_words(asks: CandidateQuestion, n_rows: int, figures: Figures) -> str:
    """Return how the remainder of a question is worked out."""
    some = [answer for answer in asks.answers if answer.n_rows]
    shares = [Fraction(answer.n_rows, n_rows) for answer in some]
    words, result = figures.settled(
        [answer.impurity for answer in some],
        lambda all_: sum((s * each for s, each in zip(shares, all_, strict=True)), Fraction(0)),
        asks.remainder,
    )
    terms = [f"{answer.n_rows}/{n_rows}·{each}" for answer, each in zip(some, words, strict=True)]
    return f"remainder = {' + '.join(terms)} = {result}"


def gain_words(asks: CandidateQuestion, impurity: float, figures: Figures) -> str:
    """Return how the gain of a question is worked out."""
    (whole, left), gain = figures.settled(
        [impurity, asks.remainder], lambda both: both[0] - both[1], asks.gain
    )
    return f"gain = {whole} − {left} = {gain}"


def ratio_words(asks: CandidateQuestion, figures: Figures) -> str:
    """Return how the gain ratio of a question is worked out."""
    (gain, bits), ratio = figures.settled(
        [asks.gain, asks.split_entropy],
        lambda both: both[0] / both[1] if both[1] else Fraction(0),
        asks.gain_ratio,
    )
    return f"gain ratio = gain / split entropy = {gain} / {bits} = {ratio}"
