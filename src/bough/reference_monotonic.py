"""What keeps guesses in order along a column: which answers a query may have, and what follows.

A tree that may not guess less where a column grows asks no query whose lower answer guesses more.
That is not enough: below the lower answer, another query could again guess more than is guessed
below the upper one. So the number halfway between both guesses becomes a bound for all that is
guessed below, from above on one side and from below on the other.
"""

from fractions import Fraction
from math import inf
from typing import Any

Bounds = tuple[Any, Any]  # fractions, or infinite
NO_BOUNDS = (-inf, inf)


def are_in_order(guesses: list[Fraction], direction: int, bounds: Bounds) -> bool:
    """Return whether the answers of a query may guess this.

    Parameters
    ----------
    guesses
        One for each answer; of two classes, the share of the second.
    direction
        1: the second answer may not guess less than the first; -1: not more; 0: anything.
    bounds
        What all guesses of the node and below it lie between.
    """
    least, most = bounds
    go_one_way = direction == 0 or direction * guesses[0] <= direction * guesses[1]
    return go_one_way and all(least <= guess <= most for guess in guesses)


def bounds_below(guesses: list[Fraction], direction: int, bounds: Bounds) -> list[Bounds]:
    """Return the bounds of each child."""
    if direction == 0:
        return [bounds] * len(guesses)
    (least, most), halfway = bounds, (guesses[0] + guesses[1]) / 2
    lower, upper = (least, halfway), (halfway, most)
    return [lower, upper] if direction == 1 else [upper, lower]
