"""`Verdict`: what a node says, as data and in words."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import inf, isclose, isfinite, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.remembered import once
from bough.schema import Schema, Task, Value
from bough.tree import Tree
from bough.words import amount, guess_word, plain, row_count, share

FEW_DIGITS = 3  # tell enough about a spread where a guess has all of its digits
LARGEST = np.finfo(np.float64).max  # what is beyond it is not known
NOTHING = 1e-12  # a score this small is rounding: gains are centred, and their mean is 0
ROUNDING = 1e-15  # of a sum of squares
CLOSE = 1e-12  # a guess that is nearer to the mean of equal labels is their label


@dataclass(frozen=True)
class Verdict:
    """What a node predicts, how sure that is, and from how many rows it is known."""

    guess: Value | tuple[Value, ...]
    share: float | None
    """The share of the predicted class; None for numbers, and for several labels."""
    spread: float | None
    """How far the rows lie from a number: the root of the mean square. None for classes, scores and
    several labels."""
    n_rows: int
    digits: int | None = None
    """How many significant digits numbers have in words; None: all."""
    is_score: bool = False
    """Whether the prediction is a score, by which rows are ranked."""
    relevance: float | None = None
    """The mean relevance of the rows that a score is for, if it is known."""
    n_branches: int = 1
    """How many nodes it is the average of, for a row that goes on in parts."""

    def __str__(self) -> str:
        """Return the verdict in words, as in 'survived 58 %' or 'score +0.31, relevance 2'."""
        guess = plain(self.guess_word)
        words = f"score {guess}" if self.is_score else guess
        between = " " if self.relevance is None else ", "
        if self.share is not None and words[-1:].isdigit():
            between = " · "  # between a class that is a number and its share
        return f"{words}{between}{self.certainty}" if self.certainty else words

    @property
    def guess_word(self) -> str:
        """The guess in words; a score has its sign."""
        words = guess_word(self.guess, self.digits)
        if isinstance(self.guess, float) and self.digits is not None:  # nothing reads it back
            words = amount(self.guess, self.digits)
        if not self.is_score or not isinstance(self.guess, float):
            return words
        if abs(self.guess) < NOTHING:
            return "0"
        return f"+{words}" if self.guess > 0 else words

    @property
    def in_full(self) -> str:
        """The verdict in words, with the rows that it comes from: 'survived 58 % (84 rows)'."""
        return f"{self} ({self.basis})"

    @property
    def basis(self) -> str:
        """What it comes from: '84 rows'; of an average no count, as it is no share of those rows."""
        if self.n_branches > 1:
            return f"average of {self.n_branches:,} branches, weighted by their training rows"
        return row_count(self.n_rows)

    @property
    def certainty(self) -> str:
        """The share, the spread or the mean relevance, in words."""
        if self.share is not None:
            return share(self.share)
        if self.relevance is not None:
            return f"relevance {amount(self.relevance, self.digits or FEW_DIGITS)}"
        return "" if self.spread is None else f"± {amount(self.spread, self.digits or FEW_DIGITS)}"

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        guess = list(self.guess) if isinstance(self.guess, tuple) else self.guess
        found = {
            "guess": guess,
            "share": self.share,
            "spread": self.spread,
            "relevance": self.relevance,
        }
        return {name: each for name, each in found.items() if each is not None} | {
            "rows": self.n_rows
        }


def meaning_of_guesses(schema: Schema) -> list[str]:
    """Return what a legend must say of guesses that are no usual class and no usual number."""
    label, *others = schema.labels
    if others:
        return []
    if label.ranks:
        return ["score: mean gain above the group's", "higher scores rank first"]
    return ["prediction: the class that costs least"] if label.costs else []


def verdict_of(tree: Tree, node_id: int, digits: int | None = None) -> Verdict:
    """Return what a node says.

    Examples
    --------
    >>> print(verdict_of(play_tennis_tree, 0))
    Yes 64 %
    """
    node = tree[node_id]
    certain = spread = None
    if len(tree.schema.labels) == 1:
        if tree.schema.has_classes:
            certain = float(tree.shares[node_id, 0, tree.class_guess[node_id, 0]])
        elif tree.schema.task is Task.REGRESSION:
            spread = _spread(tree, node_id)
    relevance = None if tree.relevance is None else float(tree.relevance[node_id])
    return Verdict(
        node.guess, certain, spread, node.n_rows, digits, tree.schema.task.ranks, relevance
    )


@once
def verdicts(tree: Tree, digits: int | None) -> Callable[[int], Verdict]:
    """Return what gives the verdict of each node, worked out once."""
    return cache(partial(verdict_of, tree, digits=digits))


def mixed_verdict(
    tree: Tree, nodes: NDArray[np.integer], parts: NDArray[np.float64], digits: int | None = None
) -> Verdict:
    """Return what several nodes say together, each for a part of a row.

    Examples
    --------
    >>> import numpy as np
    >>> print(mixed_verdict(play_tennis_tree, np.array([1, 3]), np.array([0.25, 0.75])))
    Yes 55 %
    """
    if len(nodes) == 1:
        return verdict_of(tree, int(nodes[0]), digits)
    labels, n_rows = tree.schema.labels, int(tree.n_rows[nodes].sum())
    certain = spread = None
    if tree.guess is None:
        shares = np.average(tree.shares[nodes], axis=0, weights=parts)
        codes = tree.guessed(shares[np.newaxis])[0].tolist()
        guesses = [label.classes[code] for label, code in zip(labels, codes, strict=True)]
        certain = float(shares[0, codes[0]])
    else:
        guesses = np.average(tree.guess[nodes], axis=0, weights=parts).tolist()
        if tree.schema.task is Task.REGRESSION:
            spread = _mixed_spread(tree, nodes, parts, guesses[0])
    if len(labels) > 1:
        return Verdict(tuple(guesses), None, None, n_rows, digits, n_branches=len(nodes))
    relevance = None
    if tree.relevance is not None:
        relevance = float(np.average(tree.relevance[nodes], weights=parts))
    ranks = tree.schema.task.ranks
    return Verdict(guesses[0], certain, spread, n_rows, digits, ranks, relevance, len(nodes))


def _mixed_spread(
    tree: Tree, nodes: NDArray[np.integer], parts: NDArray[np.float64], mean: float
) -> float | None:
    spreads = [_spread(tree, node) for node in nodes.tolist()]
    with np.errstate(over="ignore"):  # a spread beyond the largest number is not known
        squares = np.square([inf if each is None else each for each in spreads])
        apart = np.square(np.asarray(tree.guess)[nodes, 0] - mean)
        square = float(np.average(squares + apart, weights=parts))
    return sqrt(square) if square < LARGEST else None


def _spread(tree: Tree, node_id: int) -> float | None:
    """Return the root of the mean squared distance of the rows from the guess."""
    weight, total, squares = tree.tally[node_id, 0].tolist()
    impurity = float(tree.impurity[node_id])
    guess = 0.0 if tree.guess is None else float(tree.guess[node_id, 0])
    is_near = tree.guess is None or isclose(guess, total / weight, rel_tol=CLOSE, abs_tol=0.0)
    if impurity == 0 and is_near:  # all labels are equal, by any criterion, and are guessed
        return 0.0
    if max(impurity, squares) >= LARGEST or tree.guess is None:
        return None
    square = squares / weight - guess * (2 * total / weight - guess)
    if not isfinite(square):
        return None
    # Where the impurity may be the variance it is taken, since it has more digits than the tally.
    is_variance = abs(square - impurity) <= ROUNDING * squares / weight
    return sqrt(impurity if is_variance else max(square, 0.0))
