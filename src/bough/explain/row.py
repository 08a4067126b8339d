"""Tree + table → why each row got its guess."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bough.errors import ParameterError, listed
from bough.explain.explanation import ExplainedStep, Explanation, Parting, RowPart
from bough.explain.flip import Flips
from bough.explain.row_values import cell_of, is_unseen, plain_cell
from bough.node_words import mixed_verdict, verdict_of
from bough.predict import EVERY, next_nodes, parts_of, stops, weighed_rows
from bough.query import Below, OneOf, Query
from bough.schema import Kind
from bough.table import Table
from bough.tree import Node, Tree
from bough.walk import Step, trail
from bough.words import cell_word, number, row_count

LARGEST = sys.float_info.max
DAY = 24 * 60 * 60 * 1_000_000  # microseconds


def explain(
    tree: Tree, table: Table, *, digits: int = 3, missing: str = "stop"
) -> list[Explanation]:
    """Return for each row why it got its prediction.

    Parameters
    ----------
    tree
        The tree; it predicts one label.
    table
        The rows, read like the table that the tree was grown from.
    digits
        How many significant digits numbers have at least in words.
    missing
        Where a missing value goes, as `bough.predict.said_of` has it.

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
    table = table.dense()
    explainer = _Explainer(tree, table, digits, missing)
    in_parts = weighed_rows(tree, table).tolist() if missing == "weigh" else []
    found = [explainer.row(row, stop) for row, stop in enumerate(stops(tree, table).tolist())]
    for row in in_parts:
        found[row] = explainer.row_in_parts(row)
    return found


def refuse_several_labels(tree: Tree) -> None:
    """Refuse a tree that guesses more than one label."""
    names = [label.name for label in tree.schema.labels]
    if len(names) > 1:
        raise ParameterError(
            f"The tree predicts {len(names)} labels, {listed(names)}. Only trees of one label can be "
            "explained. Grow one tree for each label."
        )


class _Explainer:
    def __init__(self, tree: Tree, table: Table, digits: int, missing: str) -> None:
        self.tree, self.table, self.digits = tree, table, digits
        self.flips = Flips(tree, digits, missing)
        self.parting = Parting(tree)
        self.trail = cache(lambda stop: trail(tree, stop))  # many rows stop at one node

    def row(self, row: int, stop: int) -> Explanation:
        verdict = verdict_of(self.tree, stop, self.digits)
        values = self._values(verdict.guess)
        return Explanation(
            verdict=verdict,
            start=float(values[0]),
            value=float(values[stop]),
            steps=tuple(self._steps(row, self.trail(stop), values)),
            stopped=self._stopped(row, self.tree[stop]),
            flip=self.flips.nearest(self.table, row, verdict.guess),
        )

    def row_in_parts(self, row: int) -> Explanation:
        """Explain the guess for a row that goes on in parts from some node on."""
        met = parts_of(self.tree, self.table, np.array([row]))
        goes_to = next_nodes(self.tree, self.table, row, missing="weigh")
        last = int(np.argmax(goes_to[met.nodes] == EVERY))  # up to where it is a whole
        ends = np.flatnonzero(met.stops)
        nodes, shares = met.nodes[ends], met.shares[ends]
        verdict = mixed_verdict(self.tree, nodes, shares, self.digits)
        values = self._values(verdict.guess)
        parted = self.tree[int(met.nodes[last])]
        order = np.argsort(-shares, kind="stable")
        return Explanation(
            verdict=verdict,
            start=float(values[0]),
            value=float(np.average(values[nodes], weights=shares)),
            steps=tuple(self._steps(row, self.trail(parted.id), values)),
            stopped="",
            flip=self.flips.nearest(self.table, row, verdict.guess),
            parted=self.parting.why(parted.id),
            parts=tuple(
                self._part(row, parted.id, int(nodes[place]), float(shares[place]), values)
                for place in order.tolist()
            ),
        )

    def _part(
        self, row: int, parted: int, stop: int, share: float, values: NDArray[np.float64]
    ) -> RowPart:
        below = self.trail(stop)[len(self.trail(parted)) - 1 :]
        return RowPart(
            share=share,
            conditions=self.parting.conditions(below),
            verdict=verdict_of(self.tree, stop, self.digits),
            contribution=share * _difference(values[stop], values[parted]),
            stopped=self._why_stopped(row, self.tree[stop]),
        )

    def _values(self, guess: Any) -> NDArray[np.float64]:  # noqa: ANN401 - a class or a number
        """Return for each node the share of the class that is guessed, or its own guess."""
        if self.tree.guess is not None:
            return np.asarray(self.tree.guess[:, 0])
        return np.asarray(self.tree.shares[:, 0, self.tree.schema.labels[0].classes.index(guess)])

    def _steps(
        self, row: int, steps: list[Step], values: NDArray[np.float64]
    ) -> Iterator[ExplainedStep]:
        for above, step in pairwise(steps):
            if (query := above.node.query) is None:
                continue
            feature = int(self.tree.feature[above.node.id])
            cell = cell_of(self.table, feature, row)
            answer = step.answer
            if isinstance(query, Below) and not query.is_shown_for(cell):
                exact = replace(query, shown=None)
                answer = exact.answers[query.answers.index(answer)]
                query = exact
            yield ExplainedStep(
                feature=query.feature.name,
                answer=f"{query.feature.name} {answer}",
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
        cell = cell_of(self.table, feature, row)
        return "missing" if cell is None else cell_word(query.feature, cell)

    def _margin_word(self, query: Query, margin: float | None) -> str:
        if margin is None:
            return ""
        unit = " days" if query.feature.kind is Kind.DATE else ""
        return number(margin, self.digits) + unit

    def _note(self, query: Query, row: int, feature: int) -> str:
        """Return why a missing or unseen value found an answer."""
        if is_unseen(self.table, feature, row):
            return "never seen in training, but not missing"
        if cell_of(self.table, feature, row) is None and isinstance(query, Below | OneOf):
            return f"missing, so it follows the training rows without {query.feature.name}"
        return ""

    def _stopped(self, row: int, node: Node) -> str:
        why = self._why_stopped(row, node)
        return why and f"{why}, so it gets the prediction for these {row_count(node.n_rows)}"

    def _why_stopped(self, row: int, node: Node) -> str:
        if (query := node.query) is None:
            return ""
        feature = int(self.tree.feature[node.id])
        name, word = query.feature.name, self._value_word(query, row, feature)
        if is_unseen(self.table, feature, row):
            why = "its value was never seen in training"
        elif cell_of(self.table, feature, row) is None:
            why = "it is missing, and no training row here was missing it"
        else:
            why = f"no training row here had {word}"
        return f"stops at {name}: {why}"


def _difference(one: float, other: float) -> float:
    """Return how much more one is, at most the largest number."""
    difference = float(one) - float(other)
    return max(-LARGEST, min(difference, LARGEST))


def _margin(query: Query, cell: float | None) -> float | None:
    if not isinstance(query, Below) or cell is None or query.feature.kind is Kind.ORDERED:
        return None
    margin = abs(cell - query.said)  # of integers too, exactly
    return float(margin / DAY) if query.feature.kind is Kind.DATE else _difference(margin, 0)
