"""What keeps guesses in order along a column: what a query may do, and what follows for its answers.

A tree that may not guess less where a column grows asks no query whose lower answer guesses more.
That is not enough: below the lower answer, another query could again guess more than is guessed
below the upper one. So the number halfway between both guesses becomes a bound for all that is
guessed below, from above on one side and from below on the other, and a guess beyond a bound of its
node is clipped: the bound is guessed in its place.

Only what is stored is compared. The level of some rows is what is guessed for them (of two classes,
the share of the second), rounded to the nearest float; a bound is the middle of two levels, rounded
likewise.
"""

from fractions import Fraction
from math import inf

Bounds = tuple[float, float]
NO_BOUNDS = (-inf, inf)


def clipped(level: float, bounds: Bounds) -> float:
    """Return the number nearest to a level that lies within bounds."""
    least, most = bounds
    return min(max(level, least), most)


def are_in_order(levels: list[float], direction: int, bounds: Bounds) -> bool:
    """Return whether a query may have answers of these levels.

    Parameters
    ----------
    levels
        One for each answer.
    direction
        1: the second answer may not guess less than the first; -1: not more; 0: anything.
    bounds
        What all guesses of the node and below it lie between.
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
