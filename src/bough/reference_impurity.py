"""What some rows say together: their tally, what is guessed for them, how mixed they are; and what keeps guesses in order."""

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import inf
from typing import Any

TIE = Fraction(1, 10**12)  # what differs by no more than this share is equal
HALF = Fraction(1, 2)
Label = Any
Exact = int | Fraction  # both are free of rounding, and whole numbers are faster
Tally = dict[Label, Exact]  # the labels of some rows, sorted, each with the weight of its rows


def weight_of(tally: Tally) -> Exact:
    """Return the weight of all rows of a tally."""
    return sum(tally.values())


def shares_of(tally: Tally) -> dict[Label, Fraction]:
    """Return the share of the weight that each label has."""
    whole = weight_of(tally)
    return {label: Fraction(weight, whole) for label, weight in tally.items()}


# --- Guesses -------------------------------------------------------------------------------------


def commonest(tally: Tally) -> Label:
    """Return the label of the greatest weight, the first of those equally common."""
    shares = shares_of(tally)
    least = max(shares.values()) - TIE
    return next(label for label, share in shares.items() if share >= least)


def mean(tally: Tally) -> Fraction:
    """Return the mean label, of labels that are numbers."""
    total = sum((weight * Fraction(label) for label, weight in tally.items()), Fraction(0))
    return total / weight_of(tally)


def cut(tally: Tally, level: Fraction) -> Fraction:
    """Return the first label up to which the labels have this share of the weight."""
    reached = zip(tally, accumulate(shares_of(tally).values()), strict=True)
    return Fraction(next((label for label, share in reached if share >= level), max(tally)))


def middle(tally: Tally, level: Fraction = HALF) -> Fraction:
    """Return the middle of all numbers that have this share of the weight below them."""
    return (cut(tally, level - TIE) + cut(tally, level + TIE)) / 2


# --- Impurities: 0 when all labels are equal -----------------------------------------------------


def error(tally: Tally) -> Fraction:
    """Return the share of rows that the majority guess gets wrong."""
    return 1 - max(shares_of(tally).values())


def gini(tally: Tally) -> Fraction:
    """Return the chance that two rows, drawn with replacement, differ in label."""
    return 1 - Fraction(sum(w * w for w in tally.values()), weight_of(tally) ** 2)


def entropy(tally: Tally) -> Fraction:
    """Return how many bits it takes, on average, to say the label of a row."""
    nats = -sum((p * ln(p) for p in shares_of(tally).values()), Fraction(0))
    return nats / ln(Fraction(2))


def variance(tally: Tally) -> Fraction:
    """Return the mean squared distance of the labels from their mean."""
    centre = mean(tally)
    total = sum((w * (Fraction(y) - centre) ** 2 for y, w in tally.items()), Fraction(0))
    return total / weight_of(tally)


def pinball(tally: Tally, level: Fraction = HALF) -> Fraction:
    """Return the mean distance from the cut at a level, times the level above it.

    Below the cut a distance counts times 1 - level, so that no other guess has less.
    """
    guess = cut(tally, level)
    away = ((Fraction(label) - guess, share) for label, share in shares_of(tally).items())
    return sum((p * max(level * d, (level - 1) * d) for d, p in away), Fraction(0))


def absolute(tally: Tally) -> Fraction:
    """Return the mean distance of the labels from their median."""
    return 2 * pinball(tally)


def poisson(tally: Tally) -> Fraction:
    """Return half the mean Poisson deviance of the labels from their mean."""
    centre = mean(tally)
    shares = ((Fraction(label), share) for label, share in shares_of(tally).items() if label > 0)
    return sum((p * y * ln(y / centre) for y, p in shares), Fraction(0))


@cache
def ln(number: Fraction) -> Fraction:
    """Return the natural logarithm, to about 50 digits."""
    with localcontext(prec=50):
        return Fraction((Decimal(number.numerator) / number.denominator).ln())


def remainder_of(tallies: list[Tally], impurity: Callable[[Tally], Fraction]) -> Fraction:
    """Return the impurity that is left, on average, after a query."""
    left = sum((weight_of(tally) * impurity(tally) for tally in tallies), Fraction(0))
    return left / sum(map(weight_of, tallies))


IMPURITIES: dict[str, Callable[[Tally], Fraction]] = {  # and "quantile": pinball, at its level
    "error": error,
    "gini": gini,
    "entropy": entropy,
    "log_loss": entropy,
    "gain_ratio": entropy,  # its gains are those of entropy; it chooses otherwise among columns
    "squared_error": variance,
    "absolute_error": absolute,
    "poisson": poisson,
}
GUESSES: dict[str, Callable[[Tally], Fraction]] = {  # of numbers; classes guess the commonest
    "squared_error": mean,
    "absolute_error": middle,
    "poisson": mean,
}


# --- What keeps guesses in order along a column -------------------------------------------------

Bounds = tuple[float, float]
NO_BOUNDS = (-inf, inf)


def clipped(level: float, bounds: Bounds) -> float:
    """Return the number nearest to a level that lies within bounds."""
    least, most = bounds
    return min(max(level, least), most)


def are_in_order(levels: list[float], direction: int, bounds: Bounds) -> bool:
    """Return whether a query may have answers of these levels, within bounds.

    Direction 1: the second answer may not guess less than the first; -1: not more; 0: anything.
    """
    if direction == 0:
        return True
    first, second = (clipped(level, bounds) for level in levels)
    return direction * first <= direction * second


def bounds_below(levels: list[float], direction: int, bounds: Bounds) -> list[Bounds]:
    """Return the bounds of each child."""
    if direction == 0:
        return [bounds] * len(levels)
    first, second = (Fraction(clipped(level, bounds)) for level in levels)
    (least, most), halfway = bounds, float((first + second) / 2)
    lower, upper = (least, halfway), (halfway, most)
    return [lower, upper] if direction == 1 else [upper, lower]
