"""Tree + table → why each row got its guess."""

import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bough.draw.verdict import verdict_of
from bough.errors import ParameterError, listed
from bough.explain.explanation import ExplainedStep, Explanation
from bough.explain.flip import Flips
from bough.explain.values import cell_of, cell_word, is_unseen, plain_cell
from bough.predict import stops
from bough.query import Below, OneOf, Query
from bough.schema import Kind
from bough.table import Table
from bough.tree import Node, Tree
from bough.walk import Step, trail
from bough.words import number

LARGEST = sys.float_info.max
DAY = 24 * 60 * 60 * 1_000_000  # microseconds


def explain(tree: Tree, table: Table, *, digits: int = 3) -> list[Explanation]:
    """Return for each row why it got its guess.

    Parameters
    ----------
    tree
        The tree; it guesses one label.
    table
        The rows, read like the table that the tree was grown from.
    digits
        How many significant digits numbers have at least in words.

    Examples
    --------
    >>> from bough.table import read_like
    >>> day = {"outlook": ["Rain"], "temperature": ["Hot"], "humidity": ["High"], "wind": ["Weak"]}
    >>> print(explain(play_tennis_tree, read_like(day, play_tennis_tree.schema))[0])
    Yes 100 % (3 rows)
      64 %  all rows
        −4  outlook = Rain
       +40  wind = Weak
    nearest flip: outlook = Sunny → No 100 %
    """
    refuse_several_labels(tree)
    explainer = _Explainer(tree, table, digits)
    return [explainer.row(row, stop) for row, stop in enumerate(stops(tree, table).tolist())]


def refuse_several_labels(tree: Tree) -> None:
    """Refuse a tree that guesses more than one label."""
    names = [label.name for label in tree.schema.labels]
    if len(names) > 1:
        raise ParameterError(
            f"The tree guesses {len(names)} labels, {listed(names)}, and only a guess of one label "
            "can be explained. Grow one tree for each label."
        )


class _Explainer:
    def __init__(self, tree: Tree, table: Table, digits: int) -> None:
        self.tree, self.table, self.digits = tree, table, digits
        self.flips = Flips(tree, digits)
        self.trail = cache(lambda stop: trail(tree, stop, digits))  # many rows stop at one node

    def row(self, row: int, stop: int) -> Explanation:
        values = self._values(stop)
        steps = self.trail(stop)
        return Explanation(
            verdict=verdict_of(self.tree, stop, self.digits),
            start=float(values[0]),
            value=float(values[stop]),
            steps=tuple(self._steps(row, steps, values)),
            stopped=self._why_stopped(row, self.tree[stop]),
            flip=self.flips.nearest(self.table, row, stop),
        )

    def _values(self, stop: int) -> NDArray[np.float64]:
        """Return for each node the share of the class guessed at the stop, or its own guess."""
        if self.tree.guess is not None:
            return np.asarray(self.tree.guess[:, 0])
        return np.asarray(self.tree.shares[:, 0, self.tree.class_guess[stop, 0]])

    def _steps(
        self, row: int, steps: list[Step], values: NDArray[np.float64]
    ) -> Iterator[ExplainedStep]:
        for above, step in pairwise(steps):
            if (query := above.node.query) is None:
                continue
            feature = int(self.tree.feature[above.node.id])
            cell = cell_of(self.table, feature, row)
            yield ExplainedStep(
                feature=query.feature.name,
                answer=f"{query.feature.name} {step.answer}",
                value=plain_cell(query.feature, cell),
                value_word=self._value_word(query, row, feature),
                margin=(margin := _margin(query, cell)),
                margin_word=self._margin_word(query, margin),
                contribution=_difference(values[step.node.id], values[above.node.id]),
                note=self._note(query, row, feature),
                is_one_of_several=isinstance(query, OneOf) and cell is not None,
            )

    def _value_word(self, query: Query, row: int, feature: int) -> str:
        if is_unseen(self.table, feature, row):
            return "unseen"
        return cell_word(query.feature, cell_of(self.table, feature, row), self.digits)

    def _margin_word(self, query: Query, margin: float | None) -> str:
        if margin is None:
            return ""
        unit = " days" if query.feature.kind is Kind.DATE else ""
        return number(margin, self.digits) + unit

    def _note(self, query: Query, row: int, feature: int) -> str:
        """Return why a missing or unseen value found an answer."""
        if is_unseen(self.table, feature, row):
            return "a value that the tree never saw, but known"
        if cell_of(self.table, feature, row) is None and isinstance(query, Below | OneOf):
            return "it is missing, and such rows went this way"
        return ""

    def _why_stopped(self, row: int, node: Node) -> str:
        if (query := node.query) is None:
            return ""
        feature = int(self.tree.feature[node.id])
        name, word = query.feature.name, self._value_word(query, row, feature)
        if is_unseen(self.table, feature, row):
            return f"stops at {name}: its value is not among those that the tree saw"
        if cell_of(self.table, feature, row) is None:
            return f"stops at {name}: it is missing, and no row was missing it here"
        return f"stops at {name}: its value {word} is not among those of the rows here"


def _difference(one: float, other: float) -> float:
    """Return how much more one is, at most the largest number."""
    difference = float(one) - float(other)
    return max(-LARGEST, min(difference, LARGEST))


def _margin(query: Query, cell: float | None) -> float | None:
    if not isinstance(query, Below) or cell is None or query.feature.kind is Kind.ORDERED:
        return None
    margin = abs(cell - query.pivot)  # of integers too, exactly
    return float(margin / DAY) if query.feature.kind is Kind.DATE else _difference(margin, 0)
